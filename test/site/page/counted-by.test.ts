// unit test: who counted, wherever it is said.
import { expect, test } from 'vitest'
import { LANGUAGES } from '../../../src/contract/site-paths.ts'
import { bulkReadme } from '../../../src/site/catalogues/bulk-readme.ts'
import { columnsSheet } from '../../../src/site/catalogues/columns-sheet.ts'
import { dataPackage } from '../../../src/site/catalogues/data-package.ts'
import { countedBy } from '../../../src/site/page/counted-by.ts'
import { speechOf } from '../../../src/site/page/speech.ts'
import { dataPage } from '../../../src/site/pages/data-page.ts'
import { indexPage } from '../../../src/site/pages/index-page.ts'
import { siteInput } from '../reuse-input.ts'

const ignored = [
  { relation: 'votes', rows: 1200 },
  { relation: 'ideas', rows: 34 },
  { relation: 'users', rows: null },
]
const SAID = `The program public-analytics 1.0.0, with the queries called “fider”.`
const LEFT_OUT = 'Rows that do not count, or count without what is wrong: 1,234 (manifest.json says which, and why).'

test('names program, queries, and how many rows were left out, if any were', () => {
  const t = speechOf('en')
  const about = { programVersion: '1.0.0', mappingName: 'fider' }
  expect(countedBy(t, { ...about, ignored })).toBe(`${SAID} ${LEFT_OUT}`)
  expect(countedBy(t, { ...about, ignored: [{ relation: 'users', rows: null }] })).toBe(SAID)
  expect(countedBy(t, { ...about, ignored: [] })).toBe(SAID)
})

test.each(LANGUAGES)(
  'is on the page, in the dictionary, and in each download, in the first language (%s)',
  (language) => {
    const site = { mappingName: 'town <1>', ignored, languages: [language], documents: siteInput().documents }
    const input = { ...siteInput(), ...site }
    const said = countedBy(speechOf(language), input)
    expect(said).toContain('town <1>')
    const inHtml = said.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    expect(indexPage(input, language)).toContain(inHtml)
    expect(dataPage(input, language).text).toContain(inHtml)
    expect(bulkReadme(input)).toContain(said)
    const { rows } = columnsSheet(input, [])
    expect(JSON.stringify(rows)).toContain(JSON.stringify(said).slice(1, -1))
    // The catalogues are in English.
    expect(dataPackage(input).text).toContain(JSON.stringify(countedBy(speechOf('en'), input)).slice(1, -1))
  },
)
