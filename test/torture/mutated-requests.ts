// Owns the torture by mutated requests: the real program under them, alive, silent and no larger at the end.
import { setTimeout as sleep } from 'node:timers/promises'
import { rssBytes } from '../bench/proxy/proc.ts'
import { ask, startProgram, type ProxyProgram } from '../support/proxy.ts'
import { publishRelease, snapshotsFolder } from '../support/release.ts'
import { sendMutated } from './mutated-load.ts'
import type { Random } from './mutations.ts'
import type { Tally } from './tally.ts'

/** Clients and bodies are bounded, and the bounds soon reached: memory that still grows after that is a leak. */
const BOUNDED = ['--rate-limit', '100000', '--rate-window', '1s', '--rate-clients', '1000', '--cache', '1MiB']
/** Of the requests: until then code is compiled, caches and the heap grow to their size. */
const WARM_UP = 0.3
const MAX_GROWTH = 1.05
const SAMPLE_MS = 500
/** At the begin and the end; the median of each, because the heap breathes. */
const SAMPLES = 20
/** Fewer requests do not warm it up. */
const MIN_JUDGED = 300_000

/** @param count answers to wait for */
export async function mutatedRequests(count: number, random: Random, signal: AbortSignal): Promise<Tally> {
  const folder = snapshotsFolder()
  try {
    await publishRelease(folder.dir)
    const proxy = await startProgram(['--snapshots', folder.dir, ...BOUNDED])
    try {
      return await torture(proxy, count, random, signal)
    } finally {
      await proxy.kill()
    }
  } finally {
    folder.remove()
  }
}

async function torture(proxy: ProxyProgram, count: number, random: Random, signal: AbortSignal): Promise<Tally> {
  const pid = proxy.child.pid ?? 0
  const samples: number[] = []
  let answers = 0
  const sampling = setInterval(() => {
    if (answers > count * WARM_UP && proxy.child.exitCode === null) samples.push(rssBytes(pid))
  }, SAMPLE_MS)
  const result = await sendMutated(proxy.port, count, random, signal, (now) => (answers = now)).finally(() =>
    clearInterval(sampling),
  )
  const losses = [...result.problems]
  await sleep(100)
  if (proxy.child.exitCode !== null || proxy.child.signalCode !== null)
    losses.push(`the proxy ended: ${proxy.stderr()}`)
  else if ((await ask(proxy.port, '/readyz')).status !== 200) losses.push('the proxy is not ready any more')
  const logged = proxy
    .stderr()
    .split('\n')
    .filter((line) => /"level":"(?:warn|error|fatal)"|Warning/.test(line))
  losses.push(...logged.slice(0, 5).map((line) => `logged ${line.slice(0, 500)}`))
  const [before, after] = [median(samples.slice(0, SAMPLES)), median(samples.slice(-SAMPLES))]
  if (count >= MIN_JUDGED && after > before * MAX_GROWTH) losses.push(`memory grew from ${before} to ${after} bytes`)
  const words = new Map([
    ['connections', result.connections],
    ['ms the longest open', Math.round(result.longestOpenMs)],
    ['per mille of the memory after the warm-up', Math.round((after / before) * 1000) || 0],
    ...[...result.statuses].map(([status, n]) => [`× ${status}`, n] as const),
  ])
  return { tried: result.answers, losses, words }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
}
