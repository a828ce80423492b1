// Owns results that are worked out once for those who ask for the same again. Knows no result.

/** A longer text is worked out each time: clients choose what is remembered. */
const MAX_TEXT = 200

/**
 * Honest clients ask for the same few things, which are soon known again when all are forgotten.
 * @param atMost so many are known: one more, and all others are forgotten
 * @param make the result for a key; the rest only helps to find it
 */
export function remembering<K extends string | number, V extends object, R = void>(
  atMost: number,
  make: (key: K, rest: R) => V,
): (key: K, rest: R) => V {
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
