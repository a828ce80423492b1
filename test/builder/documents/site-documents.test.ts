// src/builder/documents/site-documents.ts: which categories the site is given.
import { expect, test } from 'vitest'
import { ofSite, SITE_CATEGORIES } from '../../../src/builder/documents/site-documents.ts'
import { categoriesSection } from '../../../src/site/sections/categories.ts'
import { pageOf } from '../../../src/site/page/page.ts'
import { siteInput } from '../../support/site-input.ts'

/** Of many categories, each with as many ideas as before but one. */
function documentWhere(grown: number) {
  const document = siteInput().documents.categories['90d']
  const [row] = document.categories
  if (row === undefined) throw new Error('no category')
  const rows = Array.from({ length: 3_000 }, (_, i) => {
    const ideas = 5_000 - i
    return { ...row, category: `Number ${i}`, ideas, previousIdeas: i === grown ? 7 : ideas }
  })
  return { ...document, count: rows.length, categories: rows }
}

test.each([0, 99, 100, 2_999])('a page names the category that grew most, wherever it stands: %i', (grown) => {
  const document = ofSite(documentWhere(grown))
  expect(document.categories.length).toBeLessThanOrEqual(SITE_CATEGORIES + 1)
  const { documents, ...input } = siteInput()
  const shown = { ...documents, categories: { ...documents.categories, '90d': document } }
  const text = categoriesSection(pageOf({ ...input, documents: shown }, 'en')).text.replaceAll(/[\u2066-\u2069]/g, '')
  expect(text).toContain(`Number ${grown}” grew most`)
  // Those that are not shown are counted.
  expect(text).toContain('2,980')
})
