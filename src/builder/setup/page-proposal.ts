// Owns what section `page` of a mapping proposes: its query, and which of its values an option would take. Runs nothing.
import { LANGUAGES } from '../../contract/site-paths.ts'
import { harmless } from '../../process/printable.ts'
import { PAGE_COLUMNS } from '../../source/mapping/relations.ts'
import { asTable } from '../../source/sql/template.ts'
import { BUILD_OPTIONS } from '../commands/build-options.ts'
import { SITE_OPTIONS } from '../commands/site-options.ts'
import { faultOf, type Proposed } from './page-questions.ts'

/** A row of the section: a column that it lacks, or that is no text, is NULL. */
export type PageRow = Readonly<Record<(typeof PAGE_COLUMNS)[number], string | null>>

/** No proposal is as long as this. */
const MAX_CHARACTERS = 500

/** Of a section, at most two rows: more than one propose nothing. */
export function pageQuery(sql: string): string {
  const cells = PAGE_COLUMNS.map(
    (name) =>
      `CASE jsonb_typeof(page.cells -> '${name}') WHEN 'string' THEN left(page.cells ->> '${name}', ${MAX_CHARACTERS}) END AS ${name}`,
  )
  return `SELECT ${cells.join(', ')} FROM (SELECT to_jsonb(source) AS cells FROM ${asTable(sql)} LIMIT 2) AS page`
}

/** What of it the options of the page would take. */
export function proposedBy(rows: readonly PageRow[]): Proposed {
  const [row, second] = rows
  if (row === undefined || second !== undefined) return {}
  const [title, url] = [row.title?.trim() ?? '', row.url?.trim() ?? '']
  const language = LANGUAGES.find((one) => one === /^[a-z]+/i.exec(row.language?.trim() ?? '')?.[0].toLowerCase())
  return {
    ...(title !== '' && faultOf(SITE_OPTIONS.title)(title) === null && harmless(title) === title && { title }),
    ...(url !== '' && faultOf(BUILD_OPTIONS.siteUrl)(url) === null && { siteUrl: url }),
    ...(language !== undefined && { language }),
  }
}
