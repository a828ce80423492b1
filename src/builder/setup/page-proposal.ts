// Owns what section `page` of a mapping proposes: its query, and which of its values an option would take. Runs nothing.
import type { Option } from 'commander'
import { LANGUAGES } from '../../contract/site-paths.ts'
import { nullIfThrown } from '../../process/null-if-thrown.ts'
import { harmless } from '../../process/printable.ts'
import { PAGE_COLUMNS } from '../../source/mapping/relations.ts'
import { asTable } from '../../source/sql/template.ts'
import { OPTIONS } from '../options/build-options.ts'

/** A row of the section: a column that it lacks, or that is no text, is NULL. */
export type PageRow = Readonly<Record<(typeof PAGE_COLUMNS)[number], string | null>>

/** No proposal is as long as this. */
const MAX_CHARACTERS = 500

/** The query of a section, which gives at most two rows: more than one propose nothing. */
export function pageQuery(sql: string): string {
  const cells = PAGE_COLUMNS.map(
    (name) =>
      `CASE jsonb_typeof(page.cells -> '${name}') WHEN 'string' THEN left(page.cells ->> '${name}', ${MAX_CHARACTERS}) END AS ${name}`,
  )
  return `SELECT ${cells.join(', ')} FROM (SELECT to_jsonb(source) AS cells FROM ${asTable(sql)} LIMIT 2) AS page`
}

/** What the options of the page would take, as variables of the builds, with the values that those have where nothing is proposed. */
export function pageVariables(rows: readonly PageRow[], timeZone: string): [string, string][] {
  const row = rows.length === 1 ? rows[0] : undefined
  const [title, url] = [row?.title?.trim() ?? '', row?.url?.trim() ?? '']
  const language = LANGUAGES.find((one) => one === /^[a-z]+/i.exec(row?.language?.trim() ?? '')?.[0].toLowerCase())
  const values: readonly (readonly [Option, string, boolean])[] = [
    [OPTIONS.build.siteUrl, url, takes(OPTIONS.build.siteUrl, url)],
    [OPTIONS.build.title, title, takes(OPTIONS.build.title, title) && harmless(title) === title],
    [OPTIONS.build.timeZone, timeZone, true],
    [OPTIONS.build.languages, language ?? String(OPTIONS.build.languages.defaultValue), true],
  ]
  return values.flatMap(([{ envVar = '' }, value, isTaken]) => (isTaken ? [[envVar, value]] : []))
}

function takes(option: Option, text: string): boolean {
  return nullIfThrown(() => option.parseArg?.(text, undefined as never)) !== null
}
