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
import { publishRelease, snapshotsFolder } from '../support/release.ts'
import { KINDS, openPipelines, type Kind, type Pipelines } from './pipelines.ts'
import type { Tally } from './tally.ts'

const PROGRAM = ['--rate-limit', '100000', '--rate-window', '1s']
const EVERY_MS = 10
/** Beyond what the proxy had before: 32 MiB of requests that wait, as much that is being freed, and what V8 leaves lying. */
const MAX_MORE_BYTES = 320 << 20
/** A connection is gone when its descriptor is. */
const GONE_MS = 30_000
const SPARE_DESCRIPTORS = 8

export interface Attack {
  readonly connections: number
  readonly requests: number
}

export interface Bounds {
  readonly measuredMs: number
  readonly maxP99Ms: number
}

type Open = (port: number, attack: Attack, kind: Kind) => Promise<Pipelines>

/** @param open as a process of their own, or in this one */
export async function unreadPipelines(
  attacks: readonly Attack[],
  { measuredMs, maxP99Ms }: Bounds,
  signal: AbortSignal,
  open: Open = openProcess,
): Promise<Tally> {
  const folder = snapshotsFolder()
  const losses: string[] = []
  const words = new Map<string, number>()
  let tried = 0
  try {
    await publishRelease(folder.dir)
    for (const attack of attacks)
      for (const kind of KINDS) {
        if (signal.aborted) break
        const what = `${attack.connections} x ${attack.requests} ${kind}`
        const proxy = await startProgram(['--snapshots', folder.dir, ...PROGRAM])
        try {
          const { answers, p99Ms, moreBytes } = await underAttack(
            proxy,
            () => open(proxy.port, attack, kind),
            measuredMs,
          )
          tried += answers
          words.set(`ms p99 of others, ${what}`, Math.round(p99Ms))
          words.set(`MiB more, ${what}`, Math.round(moreBytes / 2 ** 20))
          if (p99Ms > maxP99Ms) losses.push(`${what}: p99 of others is ${Math.round(p99Ms)} ms`)
          if (moreBytes > MAX_MORE_BYTES) losses.push(`${what}: memory grew by ${moreBytes} bytes`)
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
  readonly p99Ms: number
  readonly moreBytes: number
}

/** @throws when an answer to somebody else is not one, or the connections are not gone afterwards */
async function underAttack(proxy: ProxyProgram, open: () => Promise<Pipelines>, measuredMs: number): Promise<Endured> {
  const pid = proxy.child.pid ?? 0
  for (let i = 0; i < 100; i++) await askStats(proxy.port)
  const [bytes, descriptors] = [rssBytes(pid), openDescriptors(pid)]
  const opening = open()
  const taken: number[] = []
  const endMs = performance.now() + measuredMs
  let pipelines: Pipelines | undefined
  try {
    while (performance.now() < endMs) {
      const startMs = performance.now()
      await askStats(proxy.port)
      taken.push(performance.now() - startMs)
      await sleep(EVERY_MS)
    }
    pipelines = await opening
  } finally {
    pipelines ??= await opening
    pipelines.close()
  }
  const gone = (): boolean => openDescriptors(pid) <= descriptors + SPARE_DESCRIPTORS
  await until(gone, GONE_MS, 'their connections are gone')
  await askStats(proxy.port)
  const p99Ms = taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.99)] ?? Number.NaN
  return { answers: taken.length, p99Ms, moreBytes: peakRssBytes(pid) - bytes }
}

/** Another client has another address. */
async function askStats(port: number): Promise<void> {
  const { status } = await ask(port, '/api/public/stats', { from: '127.0.0.2' })
  if (status !== 200) throw new Error(`somebody else got ${status}`)
}

function openDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

async function openProcess(port: number, { connections, requests }: Attack, kind: Kind): Promise<Pipelines> {
  const program = fileURLToPath(new URL('pipelines-main.js', import.meta.url))
  const child = spawn(process.execPath, [program, ...[port, connections, requests].map(String), kind], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(createInterface({ input: child.stdout }), 'line')
  return { close: () => void child.kill('SIGKILL') }
}

/** In this process. */
export const openHere: Open = (port, { connections, requests }, kind) =>
  openPipelines(port, connections, requests, kind)
