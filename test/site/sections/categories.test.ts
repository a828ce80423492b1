// What the page says of categories that its table has no room for (src/site/sections/categories.ts).
import { expect, test } from 'vitest'
import { indexPage } from '../../../src/site/pages/index-page.ts'
import { siteInput, SIXTY } from '../../support/site-input.ts'

/** The table has 20 rows. The ideas without a category are one more. */
test.each([
  [3, undefined],
  [20, undefined],
  [21, 'More in the CSV file: 1.'],
  [25, 'More in the CSV file: 5.'],
])('of %i categories the section ends with the number of those left out: %s', (number, expected) => {
  const page = indexPage(siteInput({ ideas: 400, names: SIXTY.slice(0, number - 1) }), 'en')
  expect(/More in [^<]*/.exec(page)?.[0]).toBe(expected)
})
