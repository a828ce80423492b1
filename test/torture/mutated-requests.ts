// Owns the torture by mutated requests: the real program under them, alive, silent and no larger at the end.
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, startProgram, type ProxyProgram } from '../support/proxy.ts'
import { publishRelease, snapshotsFolder } from '../support/release.ts'
import { growth, keptBytes } from './kept-memory.ts'
import { sendMutated, type LoadResult } from './mutated-load.ts'
import type { Random } from './mutations.ts'
import type { Tally } from './tally.ts'

/** Clients and bodies are bounded, and the bounds soon reached: memory that still grows after that is a leak. */
const BOUNDED = ['--rate-limit', '100000', '--rate-window', '1s', '--rate-clients', '1000', '--cache', '1MiB']
/** Of the requests: until then code is compiled, caches and the heap grow to their size. */
const WARM_UP = 0.3

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
  const ended = (): boolean => proxy.child.exitCode !== null || proxy.child.signalCode !== null
  const memory = async (): Promise<number> => (ended() ? Number.NaN : keptBytes(proxy.child.pid ?? 0, count))
  const warmUp = await sendMutated(proxy.port, count * WARM_UP, random, signal)
  const before = await memory()
  const result = both(warmUp, await sendMutated(proxy.port, count - warmUp.answers, random, signal))
  const losses = [...result.problems]
  await sleep(100)
  if (ended()) {
    losses.push(`the proxy ended: ${proxy.stderr()}`)
    return { tried: result.answers, losses, words: new Map() }
  }
  if ((await ask(proxy.port, '/readyz')).status !== 200) losses.push('the proxy is not ready any more')
  const logged = proxy
    .stderr()
    .split('\n')
    .filter((line) => /"level":"(?:warn|error|fatal)"|Warning/.test(line))
  // A forwarding header that says nothing of use is warned of: once for an address and a reason.
  const forwarding = logged.filter((line) => line.includes('all its clients share one limit'))
  const once = new Set(forwarding.map((line) => (JSON.parse(line) as { readonly why: string }).why))
  if (once.size !== forwarding.length) losses.push(`${forwarding.length} warnings for ${once.size} reasons`)
  const others = logged.filter((line) => !forwarding.includes(line))
  losses.push(...others.slice(0, 5).map((line) => `logged ${line.slice(0, 500)}`))
  const after = await memory()
  losses.push(...growth(before, after, count))
  const words = new Map([
    ['connections', result.connections],
    ['ms the longest open', Math.round(result.longestOpenMs)],
    ['per mille of the memory after the warm-up', Math.round((after / before) * 1000)],
    ...[...result.statuses].map(([status, n]) => [`× ${status}`, n] as const),
  ])
  return { tried: result.answers, losses, words }
}

function both(one: LoadResult, other: LoadResult): LoadResult {
  const statuses = new Map(one.statuses)
  for (const [status, n] of other.statuses) statuses.set(status, (statuses.get(status) ?? 0) + n)
  return {
    answers: one.answers + other.answers,
    connections: one.connections + other.connections,
    longestOpenMs: Math.max(one.longestOpenMs, other.longestOpenMs),
    statuses,
    problems: [...one.problems, ...other.problems],
  }
}
