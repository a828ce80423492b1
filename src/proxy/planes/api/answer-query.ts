// Owns the answer to a query of an endpoint: preconditions, then the body that is cached, read or streamed. Knows no limit.
import type { Endpoint } from '../../../contract/kinds/kind.ts'
import { internalError } from '../../../contract/problems.ts'
import { ReleaseError } from '../../../release/format/release-error.ts'
import { conditionalAnswer, problemAnswer, type HttpAnswer, type Body, type Exchange } from '../../answer/answer.ts'
import { ageHeaders } from '../../answer/api-headers.ts'
import { soon, type Soon } from '../../answer/soon.ts'
import type { ServerContext } from '../../context/context.ts'
import { bestFile, preferredCodings } from '../../http/negotiation.ts'
import { PREPARED_BYTES, type Variant } from '../../store/body-cache.ts'
import type { LoadedRelease } from '../../store/release-watcher.ts'
import { failureOf } from '../../store/snapshot-store.ts'

/** Answers a query: at once when the body is cached. */
export function answerQuery(
  endpoint: Endpoint,
  exchange: Exchange,
  current: LoadedRelease | null,
  context: ServerContext,
): Soon<HttpAnswer> {
  const { head, response, client } = exchange
  const resolved = context.queries(current)(head.target, { endpoint, query: head.query })
  if ('status' in resolved) return resolved
  const { release } = resolved
  const headers = [...resolved.headers, ...ageHeaders(release, context.nowMs())]
  const validators = { etag: resolved.etag, lastModified: release.lastModified }
  const unchanged = conditionalAnswer(validators, head.fields, headers)
  if (unchanged !== null) return unchanged
  return soon(
    () => bodyOf(resolved.variant, exchange, context),
    (body): HttpAnswer => {
      // A body in memory takes a place, too: its copy is kept until it is read.
      context.streams.take(response, client(), body.bytes)
      return { status: 200, headers: [...resolved.typeHeaders, ...headers], body }
    },
    async (error): Promise<HttpAnswer> => {
      if (!(error instanceof ReleaseError)) throw error
      // Perhaps its release was just replaced and removed, so `current` is resolved once more.
      await context.watcher.lookBriefly()
      const now = context.watcher.release
      if (now !== null && now.id !== release.id) return answerQuery(endpoint, exchange, now, context)
      context.log.error({ id: release.id }, error.message)
      return problemAnswer(internalError(failureOf(error)))
    },
  )
}

function bodyOf(variant: Variant, exchange: Exchange, { bodies, store, streams }: ServerContext): Soon<Body> {
  const { id, file, excerpt } = variant
  const codings = preferredCodings(exchange.head.fields['accept-encoding'])
  if (excerpt === null && file.bytes > PREPARED_BYTES) {
    const { coding, from } = bestFile(file, store.siblings ? codings : [])
    const stamped = !file.path.endsWith('.csv')
    streams.take(exchange.response, exchange.client(), from.bytes)
    return store.stream(id, from, exchange).then((stream) => ({ bytes: from.bytes, coding, stream, stamped }))
  }
  return bodies.get(variant, codings[0] ?? null)
}
