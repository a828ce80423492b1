// Owns how an address is read and which addresses are trusted proxies. Knows nothing of headers, clients or limits.
import { isIP } from 'node:net'
import type { Parsed } from '../../process/value-syntax.ts'

/**
 * The eight 16-bit groups of an IPv6 address. An IPv4 address is in ::ffff:0:0/96 (RFC 4291 section 2.5.5.2), as a
 * dual-stack socket shows it, however it was written.
 */
export type Address = readonly number[]
/** The addresses that begin with so many bits of this one. */
export type Block = readonly [base: Address, bits: number]

const MAPPED_BITS = 96
const MAPPED: Address = [0, 0, 0, 0, 0, 0xffff]

export const LOOPBACK: readonly Block[] = ['127.0.0.0/8', '::1'].flatMap((item) => parseBlocks(item) ?? [])

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

/** Whether an address is in one of the blocks; ::/0 holds no IPv4 address. */
export function isIn(blocks: readonly Block[], address: Address): boolean {
  const isOfIpv4 = isIpv4(address)
  return blocks.some(([base, bits]) => isIpv4(base) === isOfIpv4 && beginsWith(address, base, bits))
}

export function beginsWith(address: Address, base: Address, bits: number): boolean {
  const whole = bits >> 4
  for (let group = 0; group < whole; group++) if (address[group] !== base[group]) return false
  return ((address[whole] ?? 0) ^ (base[whole] ?? 0)) >> (16 - (bits & 15)) === 0
}

function isIpv4(address: Address): boolean {
  return beginsWith(address, MAPPED, MAPPED_BITS)
}

/** The addresses of one item; undefined = it is none. */
export function parseBlocks(item: string): readonly Block[] | undefined {
  if (item === 'loopback') return LOOPBACK
  const [host = '', length, ...more] = item.split('/')
  const base = host.includes('%') || more.length > 0 ? undefined : parseAddress(host)
  if (base === undefined) return undefined
  if (length === undefined) return [[base, 128]]
  if (!/^(0|[1-9]\d{0,2})$/.test(length)) return undefined
  const bits = Number(length) + (host.includes(':') ? 0 : MAPPED_BITS)
  // A block that begins before the IPv4 addresses and holds them all would be neither.
  return bits <= 128 && (bits >= MAPPED_BITS || !isIpv4(base)) ? [[base, bits]] : undefined
}

/**
 * Reads one address, its zone id stripped. isIP decides what an address is: libraries also take 127.1, 010.0.0.1, 0x7f.0.0.1
 * and a plain number, so that garbage could pass for a proxy.
 */
export function parseAddress(text: string): Address | undefined {
  const percent = text.indexOf('%')
  const address = percent === -1 ? text : text.slice(0, percent)
  const version = isIP(address)
  if (version === 0 || percent === text.length - 1 || (version === 4 && percent !== -1)) return undefined
  // The parser of URLs writes every address as groups in hex, and the most zeros as one gap.
  const { hostname } = new URL(`http://[${version === 4 ? '::ffff:' : ''}${address}]`)
  const [head = [], tail = []] = hostname.slice(1, -1).split('::').map(groupsOf)
  while (head.length + tail.length < 8) head.push(0)
  return head.concat(tail)
}

function groupsOf(side: string): number[] {
  return side === '' ? [] : side.split(':').map((group) => Number.parseInt(group, 16))
}
