// Owns a flood of clients against the real proxy: whoever is refused stays so, and memory keeps its bound.
import { clientAddress, LEAST_CLIENTS } from '../bench/proxy/client-addresses.ts'
import { askAll } from '../bench/proxy/raw-client.ts'
import { startProgram } from '../support/proxy.ts'
import { publishRelease, snapshotsFolder } from '../support/release.ts'
import { growth, keptBytes } from './kept-memory.ts'
import type { Tally } from './tally.ts'

const LIMIT = 10
const REFUSED = 1000
const PIPELINED = 20
/** DESIGN 6: a client's state is one number; a million of them, half IPv6, take no more than this. */
const MAX_BYTES = 128 * 2 ** 20

/** Asks as so many clients, each of which must get this status. */
type AskAs = (what: string, count: number, status: number, addressOf: (n: number) => string) => Promise<unknown>

/** @param clients that come once; a third more than are remembered, so that the oldest must be forgotten */
export async function manyClients(clients: number): Promise<Tally> {
  const folder = snapshotsFolder()
  try {
    await publishRelease(folder.dir)
    const remembered = Math.max(2 * REFUSED, Math.floor(clients * 0.75))
    const losses: string[] = []
    const refused = (n: number): string => `10.0.${(n % REFUSED) >> 8}.${(n % REFUSED) & 255}`
    const [bytes, more] = await flooded(folder.dir, remembered, losses, async (ask, memory) => {
      await ask('those who use their window up', REFUSED * LIMIT, 404, refused)
      await ask('the flood', clients, 404, clientAddress)
      const after = await memory(clients)
      await ask('those who had used it up, after the flood', REFUSED, 429, refused)
      await ask('the last of the flood, again', 1000, 404, (n) => clientAddress(clients - 1 - n))
      await ask('a second flood', clients, 404, (n) => clientAddress(clients + n))
      await ask('those who had used it up, after the second', REFUSED, 429, refused)
      return [after, await memory(clients)] as const
    })
    const least = await flooded(folder.dir, LEAST_CLIENTS, losses, async (ask, memory) => {
      await ask('the flood', clients, 404, clientAddress)
      return memory(clients)
    })
    if (bytes - least > MAX_BYTES) losses.push(`clients take ${bytes - least} bytes`)
    // As many are forgotten for as many others.
    losses.push(...growth(bytes, more, clients))
    const words = new Map([
      ['clients refused before and after', REFUSED],
      ['clients remembered at most', remembered],
      [`MiB more than a proxy that remembers ${LEAST_CLIENTS}`, Math.round((bytes - least) / 2 ** 20)],
      ['per mille of its memory after a second flood', Math.round((more / bytes) * 1000)],
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
