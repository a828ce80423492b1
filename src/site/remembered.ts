// Owns what the pages of a site need again and again: worked out once.

/** One more, and all are forgotten: what a page needs is soon known again. */
const AT_MOST = 1000

/** @param make the same for the same key; a key may be a part of a document, which all languages share */
export function remembered<K, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>()
  return (key) => {
    const before = known.get(key)
    if (before !== undefined) return before
    const made = make(key)
    if (known.size >= AT_MOST) known.clear()
    known.set(key, made)
    return made
  }
}
