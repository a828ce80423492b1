// Owns a flood of clients against the real proxy: a client that is refused stays refused, and memory stays bounded.
import { askAll } from '../bench/proxy/raw-client.ts'
import { startProgram } from '../support/proxy.ts'
import { publishRelease, snapshotsFolder } from '../support/release.ts'
import { growth, keptBytes } from './kept-memory.ts'
import type { Tally } from './tally.ts'

const LIMIT = 10
const REFUSED = 1000
const PIPELINED = 20
/** As many clients as the first, in parts. Memory breathes by 8 % from one to the next, with no trend in seven (measured). */
const LATER_FLOODS = 3
/** DESIGN 6: a client's state is one number; a million of them, half IPv6, take no more than this. */
const MAX_BYTES = 128 * 2 ** 20

/** The fewest clients that the limiter can be told to remember: what a proxy then takes after a flood is not for clients. */
const LEAST_CLIENTS = 1000

/** Half of them IPv4, below 11/8, and half IPv6, no two in one /56 and none with an IPv4 address in it. */
function clientAddress(n: number): string {
  const i = n >> 1
  const hex = (value: number): string => (value & 0xffff).toString(16)
  return n % 2 === 0
    ? `11.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`
    : `2003:${hex(i >> 8)}:${hex(0xd00)}:${hex((i & 255) << 8)}::1`
}

/** Asks as so many clients, each of which must get this status. */
type AskAs = (what: string, count: number, status: number, addressOf: (n: number) => string) => Promise<unknown>

/** @param clients that come once; a third more than are remembered, so that the oldest must be forgotten */
export async function manyClients(clients: number): Promise<Tally> {
  const folder = snapshotsFolder()
  try {
    await publishRelease(folder.dir)
    const remembered = Math.max(4 * REFUSED, Math.floor(clients * 0.75))
    const losses: string[] = []
    const refused = (n: number): string => `10.0.${(n % REFUSED) >> 8}.${(n % REFUSED) & 255}`
    const [first, ...later] = await flooded(folder.dir, remembered, losses, async (ask, memory) => {
      await ask('those who use their window up', REFUSED * LIMIT, 404, refused)
      await ask('the flood', clients, 404, clientAddress)
      const kept: [number, ...number[]] = [await memory(clients)]
      await ask('those who had used it up, after the flood', REFUSED, 429, refused)
      await ask('the last of the flood, again', 1000, 404, (n) => clientAddress(clients - 1 - n))
      for (let flood = 0; flood < LATER_FLOODS; flood++) {
        const count = Math.floor(clients / LATER_FLOODS)
        await ask('a later flood', count, 404, (n) => clientAddress(clients + flood * count + n))
        kept.push(await memory(clients))
      }
      await ask('those who had used it up, after the last', REFUSED, 429, refused)
      return kept
    })
    const least = await flooded(folder.dir, LEAST_CLIENTS, losses, async (ask, memory) => {
      await ask('the flood', clients, 404, clientAddress)
      return memory(clients)
    })
    const most = Math.max(first, ...later) - least
    if (most > MAX_BYTES) losses.push(`clients take ${most} bytes`)
    // As many are forgotten for as many others: what grows with each of them has grown after all.
    losses.push(...growth(first, Math.min(...later), clients))
    const words = new Map([
      ['clients refused before and after', REFUSED],
      ['clients remembered at most', remembered],
      [`MiB more than a proxy that remembers ${LEAST_CLIENTS}`, Math.round(most / 2 ** 20)],
      ['per mille of its memory after later floods', Math.round((Math.min(...later) / first) * 1000)],
    ])
    return { tried: 2 * clients, losses, words }
  } finally {
    folder.remove()
  }
}

/** @param work with the real proxy, and the bytes of memory that it takes at the time */
async function flooded<T>(
  snapshots: string,
  remembered: number,
  losses: string[],
  work: (ask: AskAs, memory: (count: number) => Promise<number>) => Promise<T>,
): Promise<T> {
  const options = ['--rate-limit', String(LIMIT), '--rate-window', '24h', '--rate-clients', String(remembered)]
  const proxy = await startProgram(['--snapshots', snapshots, ...options])
  const from = (address: string): string => `GET /api HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\n\r\n`
  try {
    return await work(
      (what, count, status, addressOf) =>
        askAll(proxy.port, count, status, (n) => from(addressOf(n)), PIPELINED).catch((error: Error) =>
          losses.push(`of ${remembered} remembered, ${what}: ${error.message}`),
        ),
      (count) => keptBytes(proxy.child.pid ?? 0, count),
    )
  } finally {
    await proxy.kill()
  }
}
