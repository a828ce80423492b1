// Owns SHA-256 (FIPS 180-4): browsers offer it to secure pages only, and a page may be read over plain HTTP. Pure.

/** The first 32 bits of the fractional parts of a root of the first primes, which is how the constants are defined. */
function constants(count: number, root: number): number[] {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) {
    let isPrime = true
    for (let i = 2; i * i <= n; i++) if (n % i === 0) isPrime = false
    if (isPrime) found.push(((n ** (1 / root) % 1) * 2 ** 32) | 0)
  }
  return found
}

const K = constants(64, 3)
const START = constants(8, 2)

const turned = (x: number, by: number): number => (x >>> by) | (x << (32 - by))

export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text)
  const padded = new Uint8Array(((bytes.length + 72) >> 6) << 6)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 4, bytes.length * 8)
  const hash = [...START]
  for (let at = 0; at < padded.length; at += 64) addBlock(hash, view, at)
  return hash.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

function addBlock(hash: number[], view: DataView, at: number): void {
  let state = [...hash]
  for (const [i, word] of wordsOf(view, at).entries()) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
    const one = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + (K[i] ?? 0) + word
    const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
    state = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g]
  }
  for (const [i, word] of state.entries()) hash[i] = ((hash[i] ?? 0) + word) | 0
}

function wordsOf(view: DataView, at: number): number[] {
  const w: number[] = []
  for (let i = 0; i < 16; i++) w.push(view.getInt32(at + 4 * i))
  for (let i = 16; i < 64; i++) {
    const [x = 0, y = 0] = [w[i - 15], w[i - 2]]
    const low = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)
    const high = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10)
    w.push(((w[i - 16] ?? 0) + low + (w[i - 7] ?? 0) + high) | 0)
  }
  return w
}
