// Text as it may come from a database or a client: every code point but surrogates, the awkward ones often.
// (fast-check's own `binary` unit spends seconds on its tables.)
import { constantFrom, nat, oneof, string, type Arbitrary, type StringConstraints } from 'fast-check'

const SURROGATES = 0x800
const codePoint = (n: number): string => String.fromCodePoint(n < 0xd800 ? n : n + SURROGATES)

// prettier-ignore
const AWKWARD = [
  '\t', '\n', '\r', '\v', '\f', '\b', '\x01', '\x7F', '\\', '\\N', '\\.', '"', "'", ',', ';', '/', '.', '..', '%', '+', '&', '=', '<',
  '-', '@', ' ', '\u0085', '\u00A0', '\u2003', '\u2028', '\u3000', '\u200B', '\u202E', '\uFEFF', 'e\u0301', '\u212B', '\uFF1D',
  '\uE000', '\uFFFF', '😀', '👩‍👩‍👧', '文', '\u0130', 'ß',
]

/** @param constraints `unit` aside, as fast-check's string takes them; without NUL, which PostgreSQL cannot store */
export function anyText(constraints: Omit<StringConstraints, 'unit'> = {}): Arbitrary<string> {
  const unit = oneof(
    nat(0x7e).map((n) => codePoint(n + 1)),
    nat(0xffff - SURROGATES - 1).map((n) => codePoint(n + 1)),
    nat(0x10ffff - SURROGATES - 1).map((n) => codePoint(n + 1)),
    constantFrom(...AWKWARD),
  )
  return string({ ...constraints, unit })
}
