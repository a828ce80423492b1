// Owns what section `page` of a mapping proposes: its query, and which of its values an option would take. Runs nothing.
import { InvalidArgumentError, type Option } from 'commander'
import { LANGUAGES, type Language } from '../../contract/site-paths.ts'
import { harmless } from '../../process/printable.ts'
import { PAGE_COLUMNS } from '../../source/mapping/relations.ts'
import { asTable } from '../../source/sql/template.ts'
import { BUILD_OPTIONS } from '../commands/build-options.ts'
import { SITE_OPTIONS } from '../commands/site-options.ts'

/** What the page may say, as far as it is known. */
export interface Proposed {
  readonly siteUrl?: string
  readonly title?: string
  readonly language?: Language
}

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
    ...(takes(SITE_OPTIONS.title, title) && harmless(title) === title && { title }),
    ...(takes(BUILD_OPTIONS.siteUrl, url) && { siteUrl: url }),
    ...(language !== undefined && { language }),
  }
}

function takes(option: Option, text: string): boolean {
  try {
    option.parseArg?.(text, undefined as never)
    return true
  } catch (error) {
    if (error instanceof InvalidArgumentError) return false
    throw error
  }
}

/** As variables of the builds. */
export function pageVariables({
  siteUrl,
  title,
  language,
  timeZone,
}: Proposed & { timeZone: string }): [string, string][] {
  const values: readonly (readonly [Option, string | undefined])[] = [
    [BUILD_OPTIONS.siteUrl, siteUrl],
    [SITE_OPTIONS.title, title],
    [BUILD_OPTIONS.timeZone, timeZone],
    [SITE_OPTIONS.languages, language ?? String(SITE_OPTIONS.languages.defaultValue)],
  ]
  return values.flatMap(([{ envVar = '' }, value]) => (value === undefined ? [] : [[envVar, value]]))
}
