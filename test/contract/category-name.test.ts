import { assert, constantFrom, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { categoryFinder, categoryKey, meansUncategorized, normalizeCategory } from '../../src/contract/category-name.ts'
import { compareCodePoints } from '../../src/model/code-point-order.ts'
import { anyText } from './any-text.ts'

describe('a name', () => {
  test.each([
    ['is trimmed of all white space', '\u0085\u00A0\u1680\u2003\u2028\u202F\u3000\t\r\n Mobile \u205F\v\f', 'Mobile'],
    ['keeps white space inside', ' a \u3000 b ', 'a \u3000 b'],
    ['keeps what is invisible but no white space', '\uFEFFa\u200B', '\uFEFFa\u200B'],
    ['is composed', 'Cafe\u0301', 'Caf\u00E9'],
    ['is not folded: canonical equivalence only', '\uFB01ne \u2460', '\uFB01ne \u2460'],
    ['may be blank', '\u2003 ', ''],
  ])('%s', (_, given, published) => {
    expect(normalizeCategory(given)).toBe(published)
  })

  test('is trimmed quickly, however much white space it contains: any client may send it', () => {
    const name = `x${' '.repeat(4000)}x`
    const startedMs = performance.now()
    for (let i = 0; i < 100; i++) expect(normalizeCategory(name)).toBe(name)
    expect(performance.now() - startedMs).toBeLessThan(500)
  })

  test('is stable: normalising twice changes nothing', () => {
    const spaced = string({ unit: constantFrom(...Array.from(' \u3000\uFEFFe\u0301\u0327\u212B\u1100\u1161😀')) })
    assert(
      property(spaced, (text) => {
        const once = normalizeCategory(text)
        expect(normalizeCategory(once)).toBe(once)
        expect(once).toBe(once.normalize('NFC'))
      }),
    )
  })

  test.each([
    ['Uncategorized', true],
    ['UNCATEGORIZED', true],
    ['uncategorizeD', true],
    ['Uncategor\u0131zed', false],
    ['Uncategorised', false],
    ['Uncategorized ideas', false],
    ['', false],
  ])('%j means "no category": %s', (name, means) => {
    expect(meansUncategorized(name)).toBe(means)
  })
})

describe('the key of a name', () => {
  // The hashes are `printf %s NAME | sha256sum | cut -c1-12`.
  test.each([
    ['Product', 'product-fb9ef894175c'],
    ['product', 'product-a8792157cb4f'],
    ['all', 'all-5ef5ef0364b6'],
    ['Café & Crème', 'cafe-creme-97e475421516'],
    ['../x', 'x-d6b96a97d147'],
    ['.hidden', 'hidden-1692419006a8'],
    ['__proto__', 'proto-30e2af384186'],
    ['😀', '-f0443a342c5e'],
    ['', '-e3b0c44298fc'],
    ['x'.repeat(1000), `${'x'.repeat(40)}-44f8354494a5`],
    [`${'x'.repeat(39)} yz`, `${'x'.repeat(39)}-a95ae510aaee`],
  ])('of %j is %j', (name, key) => {
    expect(categoryKey(name)).toBe(key)
  })

  test('is a path component of a slug of at most 40 and 12 hex digits, and differs where names do', () => {
    const names = anyText({ maxLength: 60 })
    assert(
      property(names, names, (a, b) => {
        expect(categoryKey(a)).toMatch(/^(?:[a-z0-9][a-z0-9-]{0,39})?-[0-9a-f]{12}$/)
        expect(categoryKey(a) === categoryKey(b)).toBe(a === b)
      }),
    )
  })
})

describe('looking a name up', () => {
  const find = categoryFinder(
    ['PRODUCT', 'Product', 'Prodúct', '__proto__', 'all', '\u0130', '😀', 'Uncategorized'].sort(compareCodePoints),
  )
  test.each([
    ['equal code points win', 'Product', 'Product'],
    ['failing that, the first in name order with equal lower case', 'product', 'PRODUCT'],
    ['accents are not ignored', 'produCT', 'PRODUCT'],
    ['lower case is Unicode lower case', 'i\u0307', '\u0130'],
    ['an ordinary name', '__proto__', '__proto__'],
    ['the name of the other file', 'ALL', 'all'],
    ['an emoji', '😀', '😀'],
    ['the reserved name, as any other', 'uncategorized', 'Uncategorized'],
    ['a name of Object.prototype', 'constructor', null],
    ['a prefix', 'Produc', null],
  ])('%s', (_, asked, published) => {
    expect(find(asked)).toBe(published)
  })
})
