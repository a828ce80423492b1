// Owns how wide a short text is in the font of the badges. Knows no badge.

/** The size at which the widths below are added up. */
export const FONT_SIZE = 11

/**
 * Advance widths in 2048ths of the font size: table `hmtx` of DejaVu Sans 2.37, whose letters are as wide as Verdana's.
 * A badge sets the length of its text to what is computed here, so another font fits, too.
 */
const UNITS = 2048
// prettier-ignore
const ADVANCES: readonly (readonly [advance: number, characters: string])[] = [
  [409, '\u202F'], [563, "'"], [569, 'ijl'], [604, 'IJ'], [651, ' .,’\u00A0'], [721, 'f'], [739, '-'], [803, 't'], [842, 'r'],
  [1024, '–'], [1067, 's'], [1075, 'z'], [1126, 'c'], [1141, 'L'], [1178, 'F'], [1186, 'k'], [1212, 'vxy'], [1235, 'P'],
  [1251, 'TY'], [1253, 'o'], [1255, 'a'], [1260, 'e'], [1290, 'ß'], [1294, 'E'], [1298, 'hnu'], [1300, 'bdgpqS'],
  [1303, '0123456789'], [1343, 'K'], [1401, 'AV'], [1403, 'XZ'], [1405, 'B'], [1423, 'R'], [1430, 'C'], [1499, 'U'],
  [1532, 'N'], [1540, 'H'], [1577, 'D'], [1587, 'G'], [1612, 'OQ'], [1675, 'w'], [1767, 'M'], [1946, '%'], [1995, 'm'],
  [2025, 'W'],
]
const WIDTHS: ReadonlyMap<string, number> = new Map(
  ADVANCES.flatMap(([advance, characters]) => Array.from(characters, (character) => [character, advance] as const)),
)

/** The width in pixels. An accent is as wide as nothing, and a character that is not in the table as wide as the font is high. */
export function textWidth(text: string): number {
  let units = 0
  for (const character of text.normalize('NFD')) if (!/\p{M}/u.test(character)) units += WIDTHS.get(character) ?? UNITS
  return (units * FONT_SIZE) / UNITS
}
