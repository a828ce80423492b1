// Owns results that are worked out once for those who ask for the same again. Knows no result.

/**
 * Honest clients ask for the same few things, which are soon known again when all are forgotten.
 * @param atMost so many are known: one more, and all others are forgotten
 */
export function remembering<K, V>(atMost: number, make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>()
  return (key) => {
    const before = known.get(key)
    if (before !== undefined) return before
    const made = make(key)
    if (known.size >= atMost) known.clear()
    known.set(key, made)
    return made
  }
}
