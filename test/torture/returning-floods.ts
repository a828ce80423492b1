// Owns floods whose connections come back as soon as they are cut, for as long as they like, and what innocent clients see of
// a proxy meanwhile: a new one of another address, one that keeps its connection, a new one of the address that floods.
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { peakRssBytes, rssBytes } from '../bench/proxy/proc.ts'
import { ask, startProgram, type Asking } from '../support/proxy.ts'
import { AS_OF_MS, HOUR_MS, publishRelease, snapshotsFolder } from '../support/release.ts'
import type { Attack, Kind } from './pipelines.ts'
import type { Tally } from './tally.ts'
import { openProcess, p99 } from './unread-pipelines.ts'

const EVERY_MS = 25
const QUIET_MS = 2_000
const OPTIONS = ['--rate-limit', '100000', '--rate-window', '1s']
/** A client that waits for longer has given up. */
const GIVEN_UP_MS = 30_000

/** Of one flood. */
export interface Flood extends Omit<Attack, 'older' | 'returns'> {
  readonly kind: Kind
  /** Whether the flood comes through a trusted proxy, whose connections are not counted. */
  readonly isTrusted: boolean
}

export interface FloodBounds {
  readonly measuredMs: number
  /** Of new clients of other addresses, and of kept ones. */
  readonly maxP99Ms: number
  /** Of new clients of the address that floods, answered or refused; none where the front is trusted. */
  readonly maxNeighbourMs: number
  readonly maxMoreMib: number
}

interface Seen {
  readonly p99Ms: number
  readonly maxMs: number
  readonly asked: number
  readonly errors: number
}

export async function returningFloods(
  floods: readonly Flood[],
  bounds: FloodBounds,
  signal: AbortSignal,
): Promise<Tally> {
  const folder = snapshotsFolder()
  const losses: string[] = []
  const table = ['flood | new client: p99, max, errors | kept | same address | MiB more']
  let tried = 0
  try {
    const { id: older } = await publishRelease(folder.dir)
    await publishRelease(folder.dir, { asOfMs: AS_OF_MS + HOUR_MS, revision: 1 })
    for (const flood of floods) {
      if (signal.aborted) break
      const what = `${flood.connections} x ${flood.requests} ${flood.kind}${flood.isTrusted ? ', trusted' : ''}`
      // The flood's address is 127.0.0.1, the others' is another of this machine.
      const trusted = flood.isTrusted ? '127.0.0.1' : '192.0.2.1'
      const proxy = await startProgram(['--snapshots', folder.dir, ...OPTIONS, '--trust-proxy', trusted])
      try {
        const pid = proxy.child.pid ?? 0
        await seenBy(proxy.port, QUIET_MS, { from: '127.0.0.2' })
        const before = rssBytes(pid)
        const opening = openProcess(proxy.port, { ...flood, older, returns: true }, flood.kind)
        const kept = new Agent({ keepAlive: true, maxSockets: 1 })
        const [fresh, keeping, same] = await Promise.all([
          seenBy(proxy.port, bounds.measuredMs, { from: '127.0.0.2' }),
          seenBy(proxy.port, bounds.measuredMs, { from: '127.0.0.3', agent: kept }),
          seenBy(proxy.port, bounds.measuredMs, {}),
        ])
        kept.destroy()
        const pipelines = await opening
        pipelines.close()
        const moreMib = (peakRssBytes(pid) - before) / 2 ** 20
        tried += fresh.asked + keeping.asked
        table.push([what, ...[fresh, keeping, same].map(sentence), moreMib.toFixed(0)].join(' | '))
        for (const [who, { p99Ms, errors }] of Object.entries({ 'a new client': fresh, 'a kept client': keeping })) {
          if (errors > 0) losses.push(`${what}: ${errors} requests of ${who} failed`)
          if (p99Ms > bounds.maxP99Ms) losses.push(`${what}: p99 of ${who} is ${Math.round(p99Ms)} ms`)
        }
        if (!flood.isTrusted && same.p99Ms > bounds.maxNeighbourMs)
          losses.push(`${what}: p99 of a neighbour is ${Math.round(same.p99Ms)} ms`)
        if (moreMib > bounds.maxMoreMib) losses.push(`${what}: memory grew by ${Math.round(moreMib)} MiB`)
      } catch (error) {
        losses.push(`${what}: ${(error as Error).message} ${proxy.stderr()}`)
      } finally {
        await proxy.kill()
      }
    }
    return { tried, losses, words: new Map(), table }
  } finally {
    folder.remove()
  }
}

/** Asks every EVERY_MS, answered or not, so that a wait of seconds counts as often as somebody may come within it. */
async function seenBy(port: number, forMs: number, asking: Asking): Promise<Seen> {
  const endMs = performance.now() + forMs
  const asked: Promise<number>[] = []
  let errors = 0
  while (performance.now() < endMs) {
    const startMs = performance.now()
    const answer = ask(port, '/api/public/stats', asking).then(({ status }) => {
      if (status !== 200) errors += 1
      return performance.now() - startMs
    })
    const failed = answer.catch(() => {
      errors += 1
      return performance.now() - startMs
    })
    asked.push(Promise.race([failed, sleep(GIVEN_UP_MS, GIVEN_UP_MS, { ref: false })]))
    await sleep(EVERY_MS)
  }
  const taken = await Promise.all(asked)
  return { p99Ms: p99(taken), maxMs: Math.max(...taken), asked: taken.length, errors }
}

function sentence({ p99Ms, maxMs, asked, errors }: Seen): string {
  return `${p99Ms.toFixed(0)} ms, ${maxMs.toFixed(0)} ms, ${errors} of ${asked}`
}
