// Owns a flood of clients against the real proxy: whoever is refused stays so, and memory keeps its bound.
import { askAll } from '../bench/proxy/raw-client.ts'
import { rssBytes } from '../bench/proxy/proc.ts'
import { startProgram } from '../support/proxy.ts'
import { publishRelease, snapshotsFolder } from '../support/release.ts'
import type { Tally } from './tally.ts'

const LIMIT = 10
const REFUSED = 1000
const PIPELINED = 20
/** DESIGN 6: a client's state is one number; a million of them, half IPv6, take no more than this. */
const MAX_BYTES = 128 * 2 ** 20
/** The fewest that can be remembered: what such a proxy takes after the same flood is not for clients. */
const LEAST_CLIENTS = 1000

/** Half of them IPv4, half IPv6, no two in one /56. */
function client(n: number): string {
  const half = n >> 1
  if (n % 2 === 0) return `20.${(half >> 16) & 255}.${(half >> 8) & 255}.${half & 255}`
  return `2001:${(0x1000 + (half >> 12)).toString(16)}:${(half & 0xfff).toString(16)}::1`
}

/** @param clients that come once; a third more than are remembered, so that the oldest must be forgotten */
export async function manyClients(clients: number): Promise<Tally> {
  const folder = snapshotsFolder()
  try {
    await publishRelease(folder.dir)
    const remembered = Math.max(2 * REFUSED, Math.floor(clients * 0.75))
    const losses: string[] = []
    const bytes = await flood(folder.dir, remembered, clients, losses)
    // Too few to keep those who were refused, which is not what it is here for.
    const grown = bytes - (await flood(folder.dir, LEAST_CLIENTS, clients, []))
    if (grown > MAX_BYTES) losses.push(`clients take ${grown} bytes`)
    const words = new Map([
      ['clients refused before and after', REFUSED],
      ['clients remembered at most', remembered],
      [`MiB more than a proxy that remembers ${LEAST_CLIENTS}`, Math.round(grown / 2 ** 20)],
    ])
    return { tried: clients, losses, words }
  } finally {
    folder.remove()
  }
}

/** Bytes of memory that a proxy takes after it. */
async function flood(snapshots: string, remembered: number, clients: number, losses: string[]): Promise<number> {
  const options = ['--rate-limit', String(LIMIT), '--rate-window', '24h', '--rate-clients', String(remembered)]
  const proxy = await startProgram(['--snapshots', snapshots, ...options])
  try {
    const from = (address: string): string => `GET /api HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\n\r\n`
    const ask = (what: string, count: number, status: number, addressOf: (n: number) => string): Promise<unknown> =>
      askAll(proxy.port, count, status, (n) => from(addressOf(n)), PIPELINED).catch((error: Error) =>
        losses.push(`of ${remembered} remembered, ${what}: ${error.message}`),
      )
    const refused = (n: number): string => `10.0.${(n % REFUSED) >> 8}.${(n % REFUSED) & 255}`
    await ask('those who use their window up', REFUSED * LIMIT, 404, refused)
    await ask('the flood', clients, 404, client)
    const bytes = rssBytes(proxy.child.pid ?? 0)
    await ask('those who had used it up, after the flood', REFUSED, 429, refused)
    await ask('the last of the flood, again', 1000, 404, (n) => client(clients - 1 - n))
    return bytes
  } finally {
    await proxy.kill()
  }
}
