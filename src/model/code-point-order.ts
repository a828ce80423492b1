// Owns the order of all published text: by Unicode code point. Knows nothing of what is sorted.

/**
 * Compares by code point, which is the order of the UTF-8 bytes and of `COLLATE "C"`. JavaScript's own `<` compares
 * UTF-16 units and puts U+1F600 (a surrogate pair, D83D…) before U+FF1D.
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return rank(x) - rank(y)
  }
  return a.length - b.length
}

// Surrogates (D800..DFFF) stand for code points above every other unit: lift them over E000..FFFF.
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x2000 : unit >= 0xe000 ? unit - 0x800 : unit
}
