// Owns what all requests of a proxy share: caches, counters and limits, made once at its start. Answers nothing.
import type { Log } from '../../process/log.ts'
import { rateAnswers } from '../answer/api-headers.ts'
import { openApi } from '../answer/openapi.ts'
import { MAX_STREAMS, streamPlaces } from '../answer/streams.ts'
import { clientsBehind } from '../limit/client-key.ts'
import type { RateLimiter } from '../limit/rate-limit.ts'
import type { Block } from '../limit/trusted-proxies.ts'
import { unreadForwarding } from '../limit/unread-forwarding.ts'
import { preparedBodies } from '../store/body-cache.ts'
import { logOfDays } from '../store/file-content.ts'
import { olderReleases } from '../store/older-releases.ts'
import { ReleaseWatcher } from '../store/release-watcher.ts'
import { resolvedQueries } from '../store/resolved-query.ts'
import type { SnapshotStore } from '../store/snapshot-store.ts'
import { requestCounters } from './request-counters.ts'

/** What the options bound, and whose word is taken for who a client is. */
type SharedValues = Readonly<Record<'cache' | 'rateLimit' | 'rateWindow', number>> & {
  readonly trustProxy: readonly Block[]
}

export type ServerContext = ReturnType<typeof serverContext>

/** @param nowMs the wall clock, epoch ms */
export function serverContext(
  store: SnapshotStore,
  limiter: RateLimiter,
  log: Log,
  { cache, rateLimit, rateWindow, trustProxy }: SharedValues,
  nowMs: () => number = Date.now,
  maxStreams: number = MAX_STREAMS,
) {
  const forwarding = unreadForwarding(log)
  return {
    store,
    limiter,
    log,
    nowMs,
    watcher: new ReleaseWatcher(store, log),
    older: olderReleases(store),
    bodies: preparedBodies(store, cache),
    logOfDays: logOfDays(store),
    queries: resolvedQueries(),
    openApi: openApi(),
    rate: rateAnswers(rateLimit, rateWindow),
    streams: streamPlaces(maxStreams),
    counters: requestCounters(),
    forwarding,
    clients: clientsBehind(trustProxy, forwarding.note),
  }
}
