// Owns the problem to answer when node:http cannot read a head. Knows no endpoint and no socket.
import {
  badRequest,
  HEADERS_TOO_LARGE,
  MAX_TARGET_BYTES,
  methodNotAllowed,
  REQUEST_TIMEOUT,
  URI_TOO_LONG,
  type Problem,
} from '../../contract/problems.ts'

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
