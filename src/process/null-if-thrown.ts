// Owns going on without what cannot be worked out, whatever the reason is.

/** Null = it threw. */
export function nullIfThrown<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}
