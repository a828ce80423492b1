// Owns the key of a client: the socket's address or, behind trusted proxies, an entry of X-Forwarded-For, reduced to the
// key that is counted. Knows nothing of requests, limits or counts.
import type { WhyUnread } from './unread-forwarding.ts'
import { isIn, isIpv4, parseAddress, type Address, type Block } from './trusted-proxies.ts'

/**
 * An IPv4 address is its 32 bits as a signed number: of those V8 keeps each without 16 bytes of its own. An IPv6 prefix
 * is its first four 16-bit groups as one string of four UTF-16 units: 24 bytes of heap each, against 32 as hex text.
 * 2001:db8::1 is '\u2001\u0db8\0\0'. Do not encode it as UTF-8: a lone surrogate would become U+FFFD, and two clients one.
 */
export type ClientKey = number | string

/** A socket without an address (a Unix socket, or a peer already gone): all of them are one client. */
const NO_ADDRESS: ClientKey = ''

/** `[`, an address of at most 45 characters, `%` and a zone id (an interface name: 15), `]:65535`. */
const MAX_ENTRY_CHARS = 80

/**
 * @param options.onUnread called when a header that names a client does not distinguish it from others
 * @returns the client, from `socket.remoteAddress`, the value of X-Forwarded-For (several headers joined by commas), and
 * whether another header (Forwarded, X-Real-IP) names it, which is not read
 */
export function createClientKey(options: {
  trustProxy: readonly Block[]
  onUnread?: (why: WhyUnread, socketAddress: string) => void
}): (
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  hasOtherForwardingHeader?: boolean,
) => ClientKey {
  const { trustProxy, onUnread = () => {} } = options

  return (socketAddress = '', forwardedFor, hasOtherForwardingHeader = false) => {
    const socket = parseAddress(socketAddress)
    if (socket === undefined) return NO_ADDRESS
    if (forwardedFor === undefined && !hasOtherForwardingHeader) return keyOf(socket)
    if (!isIn(trustProxy, socket)) onUnread('untrusted', socketAddress)
    else if (forwardedFor === undefined) onUnread('unsupported', socketAddress)
    else {
      const { entry, isReadable } = clientEntry(forwardedFor, trustProxy)
      if (!isReadable) onUnread('unreadable', socketAddress)
      return keyOf(entry ?? socket)
    }
    return keyOf(socket)
  }
}

/** @returns the client of a connection; null for one of a trusted proxy, which are those of many clients */
export function createConnectionClient(
  trustProxy: readonly Block[],
): (socketAddress: string | undefined) => ClientKey | null {
  return (socketAddress = '') => {
    const socket = parseAddress(socketAddress)
    if (socket === undefined) return NO_ADDRESS
    return isIn(trustProxy, socket) ? null : keyOf(socket)
  }
}

/**
 * Each proxy appends the address it was called from. So, read from the right, what trusted proxies wrote is true, and
 * everything to the left of the first untrusted entry is that client's invention.
 * @returns that entry; the left-most where all are trusted; where one is no address, the last one read (none = the first)
 */
function clientEntry(list: string, trusted: readonly Block[]): { entry: Address | undefined; isReadable: boolean } {
  let entry: Address | undefined
  let end = list.length
  do {
    const comma = end === 0 ? -1 : list.lastIndexOf(',', end - 1)
    const next = parseEntry(list, comma + 1, end)
    if (next === undefined) return { entry, isReadable: false }
    entry = next
    end = comma
  } while (end !== -1 && isIn(trusted, entry))
  return { entry, isReadable: true }
}

/** Of a /56: a subscriber is given one, or a /64, and can use every address of it. */
const FOURTH_GROUP_MASK = 0xff00

function keyOf(address: Address): ClientKey {
  const [a = 0, b = 0, c = 0, d = 0, , , high = 0, low = 0] = address
  return isIpv4(address) ? (high << 16) | low : String.fromCharCode(a, b, c, d & FOURTH_GROUP_MASK)
}

/** One entry of the list: white space around it (RFC 9110 section 5.6.3), brackets, a port; else undefined. */
function parseEntry(list: string, from: number, to: number): Address | undefined {
  let start = from
  let end = to
  while (start < end && isBlank(list.charCodeAt(start))) start += 1
  while (start < end && isBlank(list.charCodeAt(end - 1))) end -= 1
  if (end - start > MAX_ENTRY_CHARS) return undefined
  const entry = list.slice(start, end)
  if (entry.startsWith('[')) {
    const close = entry.indexOf(']')
    return close !== -1 && isPortOrNothing(entry.slice(close + 1)) ? parseAddress(entry.slice(1, close)) : undefined
  }
  // Exactly one colon, and a dot before it, is IPv4 with a port: no IPv6 address looks like that.
  const colon = entry.indexOf(':')
  const hasPort = colon !== -1 && colon === entry.lastIndexOf(':') && entry.lastIndexOf('.', colon) !== -1
  if (!hasPort) return parseAddress(entry)
  return isPortOrNothing(entry.slice(colon)) ? parseAddress(entry.slice(0, colon)) : undefined
}

function isBlank(charCode: number): boolean {
  return charCode === 0x20 || charCode === 0x09
}

function isPortOrNothing(text: string): boolean {
  return text === '' || (/^:\d{1,5}$/.test(text) && Number(text.slice(1)) <= 65_535)
}
