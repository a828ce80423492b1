// Owns judging the head of a request before anything else: framing, sizes, Host, target; and what to answer where node:http
// cannot read one. Knows no endpoint and no socket.
import type { IncomingMessage } from 'node:http'
import {
  badRequest,
  HEADERS_TOO_LARGE,
  MAX_HEADERS_BYTES,
  MAX_TARGET_BYTES,
  methodNotAllowed,
  REQUEST_TIMEOUT,
  URI_TOO_LONG,
  type Problem,
} from '../../contract/problems.ts'

export interface RequestHead {
  readonly method: string
  /** Path and query as sent. */
  readonly target: string
  /** The path as sent, up to `?`. */
  readonly path: string
  /** The query as sent, after `?`; empty without one. */
  readonly query: string
  readonly hasBody: boolean
  /** Whether what follows on the connection may not be read as a request. */
  readonly isLast: boolean
  readonly fields: Fields
}

// uri-host [ ":" port ] (RFC 9110 section 7.2): an address in brackets, or a name of what RFC 3986 section 3.2.2 lets
// into one. User information is no part of it: it is there to mislead (RFC 9110 section 4.2.4). Empty is valid: a client
// without a name for the server sends it (RFC 9112 section 3.2).
const AUTHORITY = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i

/**
 * Headers by name in lower case. Several lines of one name are joined (`joinDuplicateHeaders`): where they are lists, the
 * result is one list (RFC 9110 section 5.3). A date in several lines does not count (section 13.1.3), and joined it is no date.
 */
export type Fields = Readonly<Partial<Record<string, string>>>

/** The parts of a readable head, or the problem that closes the connection. */
export function readHead(request: IncomingMessage): RequestHead | Problem {
  const { method = '', url = '', httpVersion, rawHeaders } = request
  if (url.length > MAX_TARGET_BYTES) return URI_TOO_LONG
  // The parser also takes 0.9 and 2.0, which are framed otherwise.
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return badRequest('its version is not HTTP/1.1 or 1.0')
  // 4 = colon, space and CRLF, for a name and a value.
  if (rawHeaders.reduce((bytes, text) => bytes + text.length + 2, 0) > MAX_HEADERS_BYTES) return HEADERS_TOO_LARGE
  const fields = request.headers as Fields
  const bad = badFields(fields, httpVersion)
  if (bad !== null) return bad
  const target = originForm(url, method)
  if (target === null) return badRequest('its target is neither a path nor an http(s) address')
  const mark = target.indexOf('?')
  return {
    method,
    target,
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    hasBody: fields['transfer-encoding'] !== undefined || (fields['content-length'] ?? '0') !== '0',
    // No upgrade is made, but node:http drops what follows the request in the same packet. And HTTP/1.0 knows no
    // Transfer-Encoding: a proxy before this one may have ended the body elsewhere (RFC 9112 section 6.1).
    isLast: fields['upgrade'] !== undefined || (fields['transfer-encoding'] !== undefined && httpVersion === '1.0'),
    fields,
  }
}

function badFields(fields: Fields, httpVersion: string): Problem | null {
  const { host, 'transfer-encoding': codings = 'chunked' } = fields
  // RFC 9112 section 3.2: 400 to an HTTP/1.1 request without Host, or with more than one.
  if (host === undefined ? httpVersion === '1.1' : host.includes(', '))
    return badRequest('it must have exactly one Host header')
  if (!AUTHORITY.test(host ?? '')) return badRequest('its Host is not a host and perhaps a port')
  // RFC 9112 section 6.3: the framing is in doubt. The parser rejects a second Content-Length itself.
  if (!/(?:^|,)[ \t]*chunked$/i.test(codings)) return badRequest('its Transfer-Encoding does not end in chunked')
  return null
}

/** RFC 9112 section 3.2: a server must accept the absolute form, too; `*` is for OPTIONS alone. */
function originForm(target: string, method: string): string | null {
  if (target.startsWith('/') || (target === '*' && method === 'OPTIONS')) return target
  // An http address without a host must be rejected (RFC 9110 section 4.2.1).
  const absolute = /^https?:\/\/([^/?#:][^/?#]*)/i.exec(target)
  if (absolute === null || !AUTHORITY.test(absolute[1] ?? '')) return null
  const rest = target.slice(absolute[0].length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** The error of 'clientError'; the packet is the one that broke the parser, at `bytesParsed`. */
export type HeadError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer; readonly bytesParsed?: number }

const RAW_TARGET = 'its target holds a byte that must be percent-encoded, such as %C3%A9 for \u00E9'

export function unreadable({ code, rawPacket, bytesParsed = 0 }: HeadError): Problem {
  const packet = rawPacket?.toString('latin1') ?? ''
  // Valid requests may precede the unreadable one in the packet.
  const line = packet.slice(packet.lastIndexOf('\n', bytesParsed - 1) + 1)
  // The parser knows a fixed list of methods; any token may be one (RFC 9110 section 9.1).
  const method = code === 'HPE_INVALID_METHOD' ? /^([\w-]{1,40}) \S+ HTTP\/1\.[01]\r\n/.exec(line)?.[1] : undefined
  if (method !== undefined) return methodNotAllowed(method)
  // RFC 3986 section 2: a target is of visible ASCII. UTF-8 that is not encoded never gets past the parser.
  if (code === 'HPE_INVALID_URL' && !/[!-~]/.test(packet[bytesParsed] ?? '!')) return badRequest(RAW_TARGET)
  // The parser counts target and headers together.
  const target = /^[\w-]+ (\S*)/.exec(line)?.[1] ?? ''
  if (code === 'HPE_HEADER_OVERFLOW') return target.length > MAX_TARGET_BYTES ? URI_TOO_LONG : HEADERS_TOO_LARGE
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? REQUEST_TIMEOUT : badRequest('it is not valid HTTP/1.1')
}
