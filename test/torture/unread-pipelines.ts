// Owns checking that a proxy serves its other clients while some send requests ahead and do not read: answers keep coming, memory
// stays bounded and comes back.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { peakRssBytes, rssBytes } from '../bench/proxy/proc.ts'
import { ask, startProgram, until, type ProxyProgram } from '../support/proxy.ts'
import { AS_OF_MS, HOUR_MS, publishRelease, snapshotsFolder, type ReleaseSpec } from '../support/release.ts'
import { type Attack, type Kind, type Pipelines } from './pipelines.ts'
import type { Tally } from './tally.ts'

const PROGRAM = ['--rate-limit', '100000', '--rate-window', '1s']
const EVERY_MS = 10
/** A connection is gone when its descriptor is. */
const GONE_MS = 30_000
const SPARE_DESCRIPTORS = 8

/** Less than this nobody notices: of 4 ms before, 10 are the moment of a busy machine. */
const NOTICED_MS = 50

/** Before an attack whose effect is not compared with how it was. */
const WARM_UP_MS = 500

/** So often somebody behind the address of the attack asks. */
const NEIGHBOUR_MS = 100

export interface Attacks {
  readonly attacks: readonly Omit<Attack, 'older'>[]
  readonly kinds: readonly Kind[]
  /** Of the proxy. Without a `--trust-proxy`, this machine is a trusted proxy, whose connections are not counted. */
  readonly options?: readonly string[]
  /** What is current. */
  readonly release?: ReleaseSpec
}

export interface Bounds {
  readonly measuredMs: number
  readonly maxP99Ms: number
  /** To the p99 without an attack. */
  readonly maxRatio?: number
  readonly maxMoreMib: number
  /** Until a neighbour has an answer, or a refusal. */
  readonly maxNeighbourMs?: number
}

type Open = (port: number, attack: Attack, kind: Kind) => Promise<Pipelines>

/** @param open as a process of their own, or in this one */
export async function unreadPipelines(
  { attacks, kinds, options = [], release = {} }: Attacks,
  bounds: Bounds,
  signal: AbortSignal,
  open: Open = openProcess,
): Promise<Tally> {
  const folder = snapshotsFolder()
  const losses: string[] = []
  const words = new Map<string, number>()
  let tried = 0
  try {
    const { id: older } = await publishRelease(folder.dir)
    await publishRelease(folder.dir, { ...release, asOfMs: AS_OF_MS + HOUR_MS, revision: 1 })
    for (const attack of attacks)
      for (const kind of kinds) {
        if (signal.aborted) break
        const what = `${attack.connections} x ${attack.requests} ${kind}`
        const proxy = await startProgram(['--snapshots', folder.dir, ...PROGRAM, ...options])
        try {
          const endured = await underAttack(proxy, () => open(proxy.port, { ...attack, older }, kind), bounds)
          tried += endured.answers
          words.set(`ms p99 of others, ${what}`, Math.round(endured.p99Ms))
          words.set(`ms p99 before, ${what}`, Math.round(endured.quietMs))
          words.set(`ms a neighbour at most, ${what}`, Math.round(endured.neighbourMs))
          words.set(`% of neighbours answered, ${what}`, Math.round(endured.neighboursAnswered * 100))
          words.set(`MiB more, ${what}`, Math.round(endured.moreMib))
          losses.push(...beyond(bounds, endured).map((loss) => `${what}: ${loss}`))
        } catch (error) {
          losses.push(`${what}: ${(error as Error).message} ${proxy.stderr()}`)
        } finally {
          await proxy.kill()
        }
      }
    return { tried, losses, words }
  } finally {
    folder.remove()
  }
}

interface Endured {
  readonly answers: number
  readonly quietMs: number
  readonly p99Ms: number
  readonly neighbourMs: number
  /** Part of them; the others were refused. */
  readonly neighboursAnswered: number
  readonly moreMib: number
}

function beyond(bounds: Bounds, { quietMs, p99Ms, neighbourMs, moreMib }: Endured): string[] {
  const { maxP99Ms, maxRatio = Infinity, maxMoreMib, maxNeighbourMs = Infinity } = bounds
  const losses: string[] = []
  if (p99Ms > Math.min(maxP99Ms, Math.max(NOTICED_MS, maxRatio * quietMs)))
    losses.push(`p99 of others is ${p99Ms.toFixed(1)} ms, and was ${quietMs.toFixed(1)} ms before`)
  if (neighbourMs > maxNeighbourMs) losses.push(`a neighbour waited for ${Math.round(neighbourMs)} ms`)
  if (moreMib > maxMoreMib) losses.push(`memory grew by ${Math.round(moreMib)} MiB`)
  return losses
}

/** @throws when an answer to somebody else is not one, or the connections are not gone afterwards */
async function underAttack(
  proxy: ProxyProgram,
  open: () => Promise<Pipelines>,
  { measuredMs, maxRatio }: Bounds,
): Promise<Endured> {
  const quietMs = maxRatio === undefined ? WARM_UP_MS : measuredMs
  const pid = proxy.child.pid ?? 0
  await othersMs(proxy.port, performance.now() + quietMs / 2)
  const quiet = await othersMs(proxy.port, performance.now() + quietMs / 2)
  const [bytes, descriptors] = [rssBytes(pid), openDescriptors(pid)]
  const opening = open()
  const endMs = performance.now() + measuredMs
  let others: readonly number[]
  let neighbours: Neighbours
  let pipelines: Pipelines | undefined
  try {
    ;[others, neighbours] = await Promise.all([othersMs(proxy.port, endMs), askAsNeighbour(proxy.port, endMs)])
    pipelines = await opening
  } finally {
    pipelines ??= await opening
    pipelines.close()
  }
  const gone = (): boolean => openDescriptors(pid) <= descriptors + SPARE_DESCRIPTORS
  await until(gone, GONE_MS, 'their connections are gone')
  await askStats(proxy.port)
  return {
    answers: others.length,
    quietMs: p99(quiet),
    p99Ms: p99(others),
    neighbourMs: neighbours.longestMs,
    neighboursAnswered: neighbours.answered / neighbours.asked,
    moreMib: (peakRssBytes(pid) - bytes) / 2 ** 20,
  }
}

export function p99(taken: readonly number[]): number {
  return taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.99)] ?? Number.NaN
}

async function othersMs(port: number, endMs: number): Promise<readonly number[]> {
  const taken: number[] = []
  while (performance.now() < endMs) {
    const startMs = performance.now()
    await askStats(port)
    taken.push(performance.now() - startMs)
    await sleep(EVERY_MS)
  }
  return taken
}

interface Neighbours {
  readonly asked: number
  readonly answered: number
  readonly longestMs: number
}

async function askAsNeighbour(port: number, endMs: number): Promise<Neighbours> {
  let [asked, answered, longestMs] = [0, 0, 0]
  while (performance.now() < endMs) {
    const startMs = performance.now()
    // Refused connections are closed with the request unread, which the kernel may report instead of the answer.
    const status = await ask(port, '/api/public/stats').then(
      (answer) => answer.status,
      () => 0,
    )
    longestMs = Math.max(longestMs, performance.now() - startMs)
    asked += 1
    if (status === 200) answered += 1
    await sleep(NEIGHBOUR_MS)
  }
  return { asked, answered, longestMs }
}

/** Another client has another address. */
async function askStats(port: number): Promise<void> {
  const { status } = await ask(port, '/api/public/stats', { from: '127.0.0.2' })
  if (status !== 200) throw new Error(`somebody else got ${status}`)
}

function openDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

export const openProcess: Open = async (port, attack, kind) => {
  const program = fileURLToPath(new URL('pipelines-main.js', import.meta.url))
  const child = spawn(process.execPath, [program, String(port), kind, JSON.stringify(attack)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(createInterface({ input: child.stdout }), 'line')
  return { close: () => void child.kill('SIGKILL') }
}
