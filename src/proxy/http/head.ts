// Owns judging the head of a request before anything else: framing, sizes, Host, target. Knows no endpoint.
import {
  badRequest,
  headersTooLarge,
  MAX_HEADERS_BYTES,
  MAX_TARGET_BYTES,
  uriTooLong,
  type Problem,
} from '../../contract/problems.ts'
import { isAuthority, isAuthorityOfUrl } from './authority.ts'

export interface RequestHead {
  readonly method: string
  /** Path and query as sent. */
  readonly target: string
  /** As sent, up to `?`. */
  readonly path: string
  /** As sent, after `?`; empty without one. */
  readonly query: string
  readonly hasBody: boolean
  readonly asksUpgrade: boolean
  /** HTTP/1.0 knows no Transfer-Encoding: a proxy before this one may have ended the body elsewhere. */
  readonly isFramingInDoubt: boolean
  /** As sent; empty without one. Anybody can send anything: for showing, never for deciding. */
  readonly host: string
  /** Several lines of one list are one list (RFC 9110 section 5.3). */
  readonly ifMatch: string | undefined
  readonly ifUnmodifiedSince: string | undefined
  readonly ifNoneMatch: string | undefined
  readonly ifModifiedSince: string | undefined
  readonly acceptEncoding: string | undefined
  readonly forwardedFor: string | undefined
  /** By Forwarded or X-Real-IP, which are not read. */
  readonly otherwiseNamed: boolean
}

/** What is needed of node:http's request. */
export interface RawHead {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly httpVersion: string
  readonly rawHeaders: readonly string[]
}

/** The parts of a readable head, or the problem that closes the connection. */
export function readHead(raw: RawHead): RequestHead | Problem {
  const url = raw.url ?? ''
  if (url.length > MAX_TARGET_BYTES) return uriTooLong()
  // The parser also takes 0.9 and 2.0, which are framed otherwise.
  if (raw.httpVersion !== '1.1' && raw.httpVersion !== '1.0') return badRequest('its version is not HTTP/1.1 or 1.0')
  let bytes = 0
  let hosts = 0
  let host = ''
  let lengths = 0
  let hasBody = false
  let asksUpgrade = false
  let transferEncoding: string | undefined
  let ifMatch: string | undefined
  let ifUnmodifiedSince: string | undefined
  let ifNoneMatch: string | undefined
  let ifModifiedSince: string | undefined
  let acceptEncoding: string | undefined
  let forwardedFor: string | undefined
  let otherwiseNamed = false
  const { rawHeaders } = raw
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    const value = rawHeaders[i + 1] ?? ''
    // 4 = colon, space and CRLF.
    bytes += name.length + value.length + 4
    // Lengths first: few names have them, so lower-casing is rare. node:http would make an object of all of them.
    switch (name.length) {
      case 4:
        if (name.toLowerCase() !== 'host') break
        hosts += 1
        host = value
        break
      case 7:
        if (name.toLowerCase() === 'upgrade') asksUpgrade = true
        break
      case 8:
        if (name.toLowerCase() === 'if-match') ifMatch = joined(ifMatch, value)
        break
      case 9: {
        const lower = name.toLowerCase()
        if (lower === 'forwarded' || lower === 'x-real-ip') otherwiseNamed = true
        break
      }
      case 13:
        if (name.toLowerCase() === 'if-none-match') ifNoneMatch = joined(ifNoneMatch, value)
        break
      case 14:
        if (name.toLowerCase() !== 'content-length') break
        lengths += 1
        if (value !== '0') hasBody = true
        break
      case 15: {
        const lower = name.toLowerCase()
        if (lower === 'accept-encoding') acceptEncoding = joined(acceptEncoding, value)
        else if (lower === 'x-forwarded-for') forwardedFor = joined(forwardedFor, value)
        break
      }
      case 17: {
        const lower = name.toLowerCase()
        if (lower === 'transfer-encoding') transferEncoding = joined(transferEncoding, value)
        // Not a list: of several none counts (RFC 9110 section 13.1.3), and joined they are no date.
        else if (lower === 'if-modified-since') ifModifiedSince = joined(ifModifiedSince, value)
        break
      }
      case 19:
        if (name.toLowerCase() === 'if-unmodified-since') ifUnmodifiedSince = joined(ifUnmodifiedSince, value)
    }
  }
  if (bytes > MAX_HEADERS_BYTES) return headersTooLarge()
  // RFC 9112 section 3.2: 400 to an HTTP/1.1 request without Host, or with more than one.
  if (hosts > 1 || (hosts === 0 && raw.httpVersion === '1.1')) return badRequest('it must have exactly one Host header')
  if (!isAuthority(host)) return badRequest('its Host is not a host and perhaps a port')
  // RFC 9112 section 6.3: framing in doubt.
  if (lengths > 1) return badRequest('it has more than one Content-Length')
  if (transferEncoding !== undefined) {
    hasBody = true
    if (!/(?:^|,)[ \t]*chunked$/i.test(transferEncoding))
      return badRequest('its Transfer-Encoding does not end in chunked')
  }
  const target = originForm(url, raw.method)
  if (target === null) return badRequest('its target is neither a path nor an http(s) address')
  const mark = target.indexOf('?')
  return {
    method: raw.method ?? '',
    target,
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    hasBody,
    asksUpgrade,
    // RFC 9112 section 6.1: the connection is closed after the answer.
    isFramingInDoubt: transferEncoding !== undefined && raw.httpVersion === '1.0',
    host,
    ifMatch,
    ifUnmodifiedSince,
    ifNoneMatch,
    ifModifiedSince,
    acceptEncoding,
    forwardedFor,
    otherwiseNamed,
  }
}

function joined(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before}, ${value}`
}

/** RFC 9112 section 3.2: a server must accept the absolute form, too; `*` is for OPTIONS alone. */
function originForm(target: string, method: string | undefined): string | null {
  if (target.startsWith('/') || (target === '*' && method === 'OPTIONS')) return target
  const absolute = /^https?:\/\/([^/?#]*)/i.exec(target)
  if (absolute === null || !isAuthorityOfUrl(absolute[1] ?? '')) return null
  const rest = target.slice(absolute[0].length)
  return rest.startsWith('/') ? rest : `/${rest}`
}
