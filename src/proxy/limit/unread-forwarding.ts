// Owns the forwarding headers that are not read, so that all clients of a proxy in front share one limit: their counts
// and a warning to the operator. Knows no request.
import type { Log } from '../../process/log.ts'

/**
 * untrusted: the socket is not in --trust-proxy. unsupported: it is, but it names its client in another header than
 * X-Forwarded-For. unreadable: it is, but its entry there is no address.
 */
export type WhyUnread = 'untrusted' | 'unsupported' | 'unreadable'

const WARNINGS: Readonly<Record<WhyUnread, string>> = {
  untrusted:
    'it names its client (X-Forwarded-For, Forwarded or X-Real-IP) and is not believed: --trust-proxy does not name it, so all its clients share one limit. If it is your proxy or load balancer, name it there; if it is a client, nothing is wrong',
  unsupported:
    'it names its client in Forwarded or X-Real-IP, and only X-Forwarded-For is read: all its clients share one limit. Let it send X-Forwarded-For',
  unreadable:
    'its X-Forwarded-For has no address where that of its client should be: all its clients share one limit. Let it append the address that it was called from',
}

const AGAIN_MS = 3_600_000

/** How many are logged in an hour; the rest is only counted, because anybody can send such a header from many addresses. */
const NAMED_AT_MOST = 10

export function unreadForwarding(log: Log, monotonicMs: () => number = () => performance.now()) {
  const counts: Record<WhyUnread, number> = { untrusted: 0, unsupported: 0, unreadable: 0 }
  /** Address and reason, and when they were logged. */
  const named = new Map<string, number>()
  /** @param socketAddress as node:net has it */
  const note = (why: WhyUnread, socketAddress: string): void => {
    counts[why] += 1
    const name = `${why} ${socketAddress}`
    const nowMs = monotonicMs()
    // Oldest first: each is logged when it is put in, and comes out before it is put in again.
    for (const [known, atMs] of named) {
      if (nowMs - atMs < AGAIN_MS) break
      named.delete(known)
    }
    if (named.has(name) || named.size >= NAMED_AT_MOST) return
    named.set(name, nowMs)
    const isLast = named.size === NAMED_AT_MOST
    // The address is logged as --trust-proxy takes it.
    const address = socketAddress.replace(/%.*$/s, '').replace(/^::ffff:(?=\d+\.)/i, '')
    log.warn({ address, why }, `${WARNINGS[why]}${isLast ? '. Further ones are only counted for an hour' : ''}`)
  }
  return { counts, note }
}
