// Reading the groups of an IPv6 address in a loop, against split and parseInt: of one, and of what 8 KiB of header hold.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { parseAddress } from '../../../../src/proxy/limit/trusted-proxies.ts'
import type { Comparison } from '../compare.ts'

const groupsOf = (side: string): number[] =>
  side === '' ? [] : side.split(':').map((group) => Number.parseInt(group, 16))

function plain(text: string): unknown {
  if (isIP(text) !== 6) return undefined
  const [left = [], right = []] = text.split('::').map(groupsOf)
  const gap = Array<number>(8 - left.length - right.length).fill(0)
  return new ipaddr.IPv6([...left, ...gap, ...right])
}

const ADDRESS = '2001:db8:1:2:3:4:5:6'
const ENTRIES = Array.from({ length: 2_000 }, () => '::1')

export const COMPARISONS: readonly Comparison[] = [
  { name: 'one IPv6 address', times: 1, trick: () => parseAddress(ADDRESS), plain: () => plain(ADDRESS) },
  { name: '2,000 entries', times: 1, trick: () => ENTRIES.map(parseAddress), plain: () => ENTRIES.map(plain) },
]
