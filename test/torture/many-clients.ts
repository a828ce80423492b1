// Owns a flood of clients against the real proxy: whoever is refused stays so, and memory keeps its bound.
import { clientAddress, LEAST_CLIENTS } from '../bench/proxy/client-addresses.ts'
import { askAll } from '../bench/proxy/raw-client.ts'
import { startProgram } from '../support/proxy.ts'
import { publishRelease, snapshotsFolder } from '../support/release.ts'
import { keptBytes, REST_S } from './kept-memory.ts'
import type { Tally } from './tally.ts'

const LIMIT = 10
const REFUSED = 1000
const PIPELINED = 20
/** Of what the first flood has made it take: as many clients again are forgotten for as many others, and take no more. */
const MAX_GROWTH = 1.05
/** Fewer clients are lost in what else the memory is for. */
const MIN_JUDGED = 300_000

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
    const restS = clients < MIN_JUDGED ? 1 : REST_S
    const [bytes, more] = await flooded(folder.dir, remembered, losses, async (ask, memory) => {
      await ask('those who use their window up', REFUSED * LIMIT, 404, refused)
      await ask('the flood', clients, 404, clientAddress)
      const after = await memory(restS)
      await ask('those who had used it up, after the flood', REFUSED, 429, refused)
      await ask('the last of the flood, again', 1000, 404, (n) => clientAddress(clients - 1 - n))
      await ask('a second flood', clients, 404, (n) => clientAddress(clients + n))
      await ask('those who had used it up, after the second', REFUSED, 429, refused)
      return [after, await memory(restS)] as const
    })
    const least = await flooded(folder.dir, LEAST_CLIENTS, losses, async (ask, memory) => {
      await ask('the flood', clients, 404, clientAddress)
      return memory(restS)
    })
    if (clients >= MIN_JUDGED && more > bytes * MAX_GROWTH) losses.push(`memory grew from ${bytes} to ${more} bytes`)
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
  work: (ask: AskAs, memory: (restS: number) => Promise<number>) => Promise<T>,
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
      (restS) => keptBytes(proxy.child.pid ?? 0, restS),
    )
  } finally {
    await proxy.kill()
  }
}
