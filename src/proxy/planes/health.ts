// Owns the answers of the health paths: whether the process is up, can answer, has fresh numbers. Decides; writes nothing.
import { methodNotAllowed } from '../../contract/problems.ts'
import { JSON_TYPE, NO_STORE, NOSNIFF, problemAnswer, textBody, type HttpAnswer } from '../answer/answer.ts'
import { CORS, PREFLIGHT } from '../answer/api-headers.ts'
import type { ServerContext } from '../context/context.ts'
import { isDemo } from '../../release/format/manifest.ts'
import type { LoadedRelease, ReleaseWatcher } from '../store/release-watcher.ts'
import type { RequestHead } from '../http/head.ts'

export function answerHealth({ path, method }: RequestHead, context: ServerContext, isDraining: boolean): HttpAnswer {
  const { watcher } = context
  if (method === 'OPTIONS') return { ...PREFLIGHT, headers: [...CORS, ...PREFLIGHT.headers] }
  if (method !== 'GET' && method !== 'HEAD') return problemAnswer(methodNotAllowed(method))
  if (path === '/healthz') return status(200, { status: 'up', ...notices(watcher.release) })
  return path === '/readyz' ? readiness(watcher, isDraining) : freshness(watcher, context.nowMs())
}

function status(code: number, body: object): HttpAnswer {
  return {
    status: code,
    headers: [...JSON_TYPE, ...NO_STORE, ...NOSNIFF],
    body: textBody(`${JSON.stringify(body)}\n`),
  }
}

/** Says where the numbers are not those of an open site: they are invented, or the site is closed. */
function notices(release: LoadedRelease | null): { readonly demo?: true; readonly closed?: true } {
  return {
    ...(isDemo(release && release.manifest) ? { demo: true } : {}),
    ...(release?.manifest.closed === true ? { closed: true } : {}),
  }
}

/** The answer for load balancers: with a loaded release, however old, this proxy can answer. */
function readiness({ release, problem }: ReleaseWatcher, isDraining: boolean): HttpAnswer {
  if (isDraining) return status(503, { status: 'not ready', reason: 'stopping' })
  if (release === null)
    return status(503, { status: 'not ready', reason: problem ?? 'no release has been published yet' })
  return status(200, {
    status: 'ready',
    release: release.id,
    dataAsOf: release.manifest.dataAsOf,
    ...notices(release),
    ...(problem === null ? {} : { problem }),
  })
}

/** The answer for alerts: whether builds still arrive. */
function freshness({ release, problem }: ReleaseWatcher, nowMs: number): HttpAnswer {
  if (release === null) return status(503, { status: 'stale', reason: problem ?? 'no release has been published yet' })
  const ageSeconds = Math.max(0, Math.floor((nowMs - release.dataAsOfMs) / 1000))
  const cadenceSeconds = Math.round((release.nextUpdateAtMs - release.dataAsOfMs) / 1000)
  const { dataAsOf } = release.manifest
  const about = { release: release.id, dataAsOf, ageSeconds, cadenceSeconds, ...notices(release) }
  if (nowMs <= release.staleAtMs) return status(200, { status: 'fresh', ...about })
  return status(503, {
    status: 'stale',
    ...about,
    reason: `the data is ${ageSeconds} s old, over twice its cadence of ${cadenceSeconds} s`,
  })
}
