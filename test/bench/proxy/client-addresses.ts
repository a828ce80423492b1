// Owns the addresses of very many clients. Knows no request.

/** The fewest clients that the limiter can be told to remember: what a proxy then takes after a flood is not for clients. */
export const LEAST_CLIENTS = 1000

/** Half of them IPv4, below 11/8, and half IPv6, no two in one /56. */
export function clientAddress(n: number): string {
  const i = n >> 1
  const hex = (value: number): string => (value & 0xffff).toString(16)
  return n % 2 === 0
    ? `11.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`
    : `2001:${hex(i >> 8)}:${hex(0xd00)}:${hex((i & 255) << 8)}::1`
}
