// Owns results that are worked out once for those who ask for the same again. Knows no result.

/** The result for a longer text is worked out each time, because clients choose what is remembered. */
const MAX_TEXT = 200

/**
 * Honest clients, and the pages of a site, ask for the same few things, which are soon known again when all are forgotten.
 * @param make the result for a key, which may be a part of a document; the rest only helps to find it
 * @param atMost so many results are known; with one more, all others are forgotten
 */
export function remembering<K, V, R = void>(make: (key: K, rest: R) => V, atMost = 1000): (key: K, rest: R) => V {
  const known = new Map<K, V>()
  return (key, rest) => {
    const before = known.get(key)
    if (before !== undefined) return before
    const made = make(key, rest)
    if (typeof key === 'string' && key.length > MAX_TEXT) return made
    if (known.size >= atMost) known.clear()
    known.set(key, made)
    return made
  }
}
