// publishedName of documents.ts: the one definition of the oracle that is not SQL.
import { expect, test } from 'vitest'
import { publishedName } from './documents.ts'

test.each([
  ['product', ['Product', 'product'], 'product'],
  ['PRODUCT', ['Product', 'product'], 'Product'],
  ['\u0130', ['i\u0307'], 'i\u0307'],
  ['\u200bProduct', ['Product'], '\u200bProduct'],
])('%j among %j is %j', (asked, names, found) => {
  expect(publishedName(asked, names)).toBe(found)
})
