// Owns how an address is read and which addresses are trusted proxies. Knows nothing of headers, clients or limits.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Parsed } from '../../process/value-syntax.ts'

export type Address = ipaddr.IPv4 | ipaddr.IPv6
/** The addresses that begin with so many bits of this one. */
export type Block = readonly [base: Address, bits: number]

const [DOT, COLON, ZERO, NINE] = [0x2e, 0x3a, 0x30, 0x39]

export const LOOPBACK: readonly Block[] = [
  [new ipaddr.IPv4([127, 0, 0, 0]), 8],
  [new ipaddr.IPv6([0, 0, 0, 0, 0, 0, 0, 1]), 128],
]

const ALLOWED =
  'IPv4 or IPv6 addresses, CIDR blocks (10.0.0.0/8, 2001:db8::/32) and the word loopback, separated by commas'

/** Reads `--trust-proxy`; the error also names the item that is wrong. */
export function parseTrustedProxies(given: string): Parsed<readonly Block[]> {
  const value: Block[] = []
  for (const item of given.split(',').map((text) => text.trim())) {
    const blocks = parseBlocks(item)
    if (blocks === undefined) return { allowed: `${ALLOWED}; "${item.slice(0, 50)}" is none of these` }
    value.push(...blocks)
  }
  return { value }
}

export function isIn(blocks: readonly Block[], address: Address): boolean {
  return blocks.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits))
}

function parseBlocks(item: string): readonly Block[] | undefined {
  if (item === 'loopback') return LOOPBACK
  const slash = item.indexOf('/')
  const host = slash === -1 ? item : item.slice(0, slash)
  const base = host.includes('%') ? undefined : parseAddress(host)
  if (base === undefined) return undefined
  const maxBits = base.kind() === 'ipv4' ? 32 : 128
  if (slash === -1) return [[base, maxBits]]
  const length = item.slice(slash + 1)
  if (!/^(0|[1-9]\d{0,2})$/.test(length)) return undefined
  // ::ffff:10.0.0.0/104 is 10.0.0.0/8, because mapped addresses are IPv4 here; under /96 it would be neither.
  const bits = Number(length) - (maxBits === 32 && host.includes(':') ? 96 : 0)
  return bits >= 0 && bits <= maxBits ? [[base, bits]] : undefined
}

/**
 * Reads one address, its zone id stripped. isIP decides what an address is, and the groups are read here: ipaddr.js
 * would also take 127.1, 010.0.0.1, 0x7f.0.0.1 and a plain number, and takes the deprecated ::1.2.3.4 (which is
 * ::102:304) for ::ffff:1.2.3.4, so that garbage could pass for a proxy and one client for another. Looping over
 * the characters of IPv6 takes a third of the time of split and parseInt, which counts for the 2,000 entries that 8 KiB
 * of `::1,` hold.
 */
export function parseAddress(text: string): Address | undefined {
  const percent = text.indexOf('%')
  if (percent === -1) {
    const version = isIP(text)
    return version === 4 ? new ipaddr.IPv4(octetsOf(text)) : version === 6 ? parseIpv6(text) : undefined
  }
  const address = text.slice(0, percent)
  return percent < text.length - 1 && isIP(address) === 6 ? parseIpv6(address) : undefined
}

function parseIpv6(text: string): Address {
  const gap = text.indexOf('::')
  const head = groupsOf(gap === -1 ? text : text.slice(0, gap))
  const tail = gap === -1 ? [] : groupsOf(text.slice(gap + 2))
  while (head.length + tail.length < 8) head.push(0)
  const groups = head.concat(tail)
  const [a, b, c, d, e, f, high = 0, low = 0] = groups
  // ::ffff:0:0/96 (RFC 4291 section 2.5.5.2), however it is spelled, is how a dual-stack socket shows an IPv4 peer.
  const isMapped = a === 0 && b === 0 && c === 0 && d === 0 && e === 0 && f === 0xffff
  return isMapped ? new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255]) : new ipaddr.IPv6(groups)
}

/** The 16-bit groups of one side of `::`; the last may be dotted and is then two of them. */
function groupsOf(side: string): number[] {
  if (side === '') return []
  const groups: number[] = []
  let group = 0
  for (let at = 0; at < side.length; at++) {
    const code = side.charCodeAt(at)
    if (code === DOT) {
      const [a = 0, b = 0, c = 0, d = 0] = octetsOf(side.slice(side.lastIndexOf(':') + 1))
      return [...groups, (a << 8) | b, (c << 8) | d]
    }
    if (code === COLON) {
      groups.push(group)
      group = 0
    } else group = group * 16 + (code <= NINE ? code - ZERO : (code | 0x20) - 0x57)
  }
  groups.push(group)
  return groups
}

function octetsOf(dotted: string): number[] {
  return dotted.split('.').map(Number)
}
