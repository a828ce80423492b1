// Owns docs/data.html, the dictionary for people, in each language: how numbers are counted, what the tables and their columns mean,
// how to cite.
import { columnsOf, type Column } from '../../contract/columns.ts'
import { EXPORT_TYPES, type ExportType } from '../../contract/kinds/tables.ts'
import { pagePath, type Language, type View } from '../../contract/site-paths.ts'
import { meaningOf } from '../catalogues/columns-sheet.ts'
import { tableTitle } from '../page/drawing.ts'
import { html, type Content } from '../page/html.ts'
import type { SiteFile, SiteInput } from '../page/input.ts'
import { pageOf, type Page } from '../page/page.ts'
import { termsSection } from '../sections/counting.ts'
import { sourceSection } from '../sections/downloads.ts'
import { bullets, code, docsPage, paragraphs, matrix, type DocsSection } from './docs-page.ts'
import { notices } from './index-page.ts'

const VIEW: View = { own: 'docs/data' }

export function dataPage(input: SiteInput, language: Language): SiteFile {
  const page = pageOf(input, language, VIEW)
  const { w, dictionary } = page.t
  const tables = EXPORT_TYPES.map((type) => ({
    id: type,
    heading: tableTitle(page.t, type),
    content: tableContent(page, type),
  }))
  const noLicense = input.words.license === null && paragraphs(dictionary.noLicense)
  const sections: readonly DocsSection[] = [
    { id: 'counting', heading: w.counting.heading, content: html`${termsSection(page)}${bullets(rules(page))}` },
    ...tables,
    { id: 'cite', heading: w.footer.license, content: html`${noLicense}${sourceSection(page)}` },
  ]
  const text = docsPage(page, {
    title: `${w.downloads.dictionary} – ${input.words.title}`,
    description: `${w.downloads.dictionary}: ${tables.map(({ heading }) => heading).join(', ')}.`,
    lead: notices(page),
    sections,
    other: [w.downloads.reference, 'docs/index.html'],
  })
  return { path: pagePath(language, input.languages, VIEW), text }
}

/** The rules that are not among the terms of the page, because they are about tables only. */
function rules({ t, input }: Page): readonly string[] {
  const { manyCategories, undated, windows, ratios, csv, formulas, workbooks, exact } = t.dictionary
  const { rounded, offTotals } = t.w.people
  const people = { exact, rounded: t.say(rounded), off: offTotals }
  return [manyCategories, undated, windows, ratios, people[input.people], csv, formulas, t.say(workbooks)]
}

function tableContent({ t }: Page, type: ExportType): Content {
  const d = t.dictionary
  // Two columns: more have no room on a phone.
  const cells = (column: Column): readonly Content[] => {
    const { meaning, empty } = meaningOf(t, type, column)
    const why = empty !== undefined && html`<br><small>${empty}</small>`
    return [html`${code(column.name)}<br><small>${column.type}</small>`, html`${meaning}${why}`]
  }
  return html`<p>${d.rows[type]}</p>
${matrix([d.column, d.meaning], columnsOf(type).map(cells))}`
}
