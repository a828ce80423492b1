// Owns the key of a client: the socket's address or, behind trusted proxies, an entry of X-Forwarded-For, reduced to the
// key that is counted. Knows nothing of requests, limits or counts.
import { remembering } from '../../process/remembering.ts'
import type { WhyUnread } from './unread-forwarding.ts'
import { beginsWith, isIn, parseAddress, parseBlocks, type Address, type Block } from './trusted-proxies.ts'

/**
 * The key of a client. An IPv6 address that carries an IPv4 one, because its client has no other, counts as that: NAT64, 6to4,
 * Teredo. The key of an IPv4 address is its 32 bits as a signed number, which V8 keeps without 16 bytes of its own. That of an
 * IPv6 prefix is its first four 16-bit groups as one string of four UTF-16 units: 24 bytes of heap each, against 32 as hex text.
 * 2001:db8::1 is '\u2001\u0db8\0\0'. Do not encode it as UTF-8: a lone surrogate would become U+FFFD, and two clients one.
 */
export type ClientKey = number | string

/** A socket without an address (a Unix socket, or a peer already gone): all of them are one client. */
const NO_ADDRESS: ClientKey = ''

/** `[`, an address of at most 45 characters, `%` and a zone id (an interface name: 15), `]:65535`, and white space. */
const MAX_ENTRY_CHARS = 100

/** How many peers, at the other end of a connection, are worked out only once: a proxy or a client sends many requests. */
const REMEMBERED_PEERS = 10_000

/** @param onUnread called when a header that names a client does not distinguish it from others */
export function clientsBehind(
  trustProxy: readonly Block[],
  onUnread: (why: WhyUnread, socketAddress: string) => void = () => undefined,
) {
  const peerOf = remembering((socketAddress: string) => {
    const address = parseAddress(socketAddress)
    if (address === undefined) return { address: null, isTrusted: false, key: NO_ADDRESS }
    return { address, isTrusted: isIn(trustProxy, address), key: keyOf(address) }
  }, REMEMBERED_PEERS)
  return {
    /** The client of a connection, from `socket.remoteAddress`; null = a trusted proxy, whose connections are those of many clients. */
    ofConnection: (socketAddress = ''): ClientKey | null => {
      const { isTrusted, key } = peerOf(socketAddress)
      return isTrusted ? null : key
    },
    /**
     * The client of a request.
     * @param forwardedFor the value of X-Forwarded-For, several headers joined by commas
     * @param hasOtherHeader whether another header (Forwarded, X-Real-IP) names the client, which is not read
     */
    ofRequest: (socketAddress = '', forwardedFor?: string, hasOtherHeader = false): ClientKey => {
      const { address, isTrusted, key } = peerOf(socketAddress)
      if (address === null || (forwardedFor === undefined && !hasOtherHeader)) return key
      if (!isTrusted) onUnread('untrusted', socketAddress)
      else if (forwardedFor === undefined) onUnread('unsupported', socketAddress)
      else {
        const { entry, isReadable } = clientEntry(forwardedFor, trustProxy)
        if (!isReadable) onUnread('unreadable', socketAddress)
        return entry === undefined ? key : keyOf(entry)
      }
      return key
    },
  }
}

/**
 * Each proxy appends the address it was called from. So, read from the right, what trusted proxies wrote is true, and
 * everything to the left of the first untrusted entry is that client's invention.
 * @returns that entry; the left-most where all are trusted; where one is no address, the last one read before it (undefined = none)
 */
function clientEntry(list: string, trusted: readonly Block[]): { entry: Address | undefined; isReadable: boolean } {
  let entry: Address | undefined
  for (const text of list.split(',').reverse()) {
    const next = parseEntry(text)
    if (next === undefined) return { entry, isReadable: false }
    entry = next
    if (!isIn(trusted, entry)) break
  }
  return { entry, isReadable: true }
}

/** The mask of a /56: a subscriber is given one, or a /64, and can use every address of it. */
const FOURTH_GROUP_MASK = 0xff00

/** Prefixes of 32 bits of IPv4: mapped (RFC 4291 section 2.5.5.2), by SIIT (RFC 2765), by NAT64 (RFC 6052 section 2.1). */
const CARRIERS = ['::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96'].flatMap((block) => parseBlocks(block) ?? [])
/** The prefix for the NAT64 of a network (RFC 8215). */
const OWN_NAT64: Address = [0x64, 0xff9b, 1]

/** The key of an address, as nginx.conf has it but for Teredo, whose bits nginx cannot invert. */
function keyOf(address: Address): ClientKey {
  const [a = 0, b = 0, c = 0, d = 0, , , high = 0, low = 0] = address
  const last = (high << 16) | low
  if (CARRIERS.some(([prefix, bits]) => beginsWith(address, prefix, bits))) return last
  // Most such networks have a prefix of 96 bits. Behind a shorter one addresses end in zeros, and each is a client.
  if (beginsWith(address, OWN_NAT64, 48)) return (last & 0xff_ffff) === 0 ? String.fromCharCode(...address) : last
  // 6to4 (RFC 3056 section 2).
  if (a === 0x2002) return (b << 16) | c
  // Teredo (RFC 4380 section 4).
  if (a === 0x2001 && b === 0) return ~last
  return String.fromCharCode(a, b, c, d & FOURTH_GROUP_MASK)
}

/** An address in brackets, perhaps with a port; or IPv4 with one: exactly one colon and a dot before it, as no IPv6 address has them. */
const WITH_PORT = /^(?:\[([^\]]*)\](?=:|$)|([^:]*\.[^:]*)(?=:))(?::(\d{1,5}))?$/

/** One entry of the list: white space around it (RFC 9110 section 5.6.3), brackets, a port; else undefined. */
function parseEntry(text: string): Address | undefined {
  if (text.length > MAX_ENTRY_CHARS) return undefined
  const entry = text.replaceAll(/^[ \t]+|[ \t]+$/g, '')
  const [, bracketed, dotted, port = '0'] = WITH_PORT.exec(entry) ?? []
  return Number(port) <= 65_535 ? parseAddress(bracketed ?? dotted ?? entry) : undefined
}
