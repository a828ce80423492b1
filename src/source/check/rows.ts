// Owns what is only known from the rows of a source: totals, samples, duplicates and skipped rows.
import { escapeLiteral } from 'pg'
import type pg from 'pg'
import { keyTypes, type ColumnTypes } from '../read/column-types.ts'
import { error, isError, warning, type Finding } from '../mapping/finding.ts'
import { categoriesOfPeople } from '../read/category-names.ts'
import { count, some } from '../../process/printable.ts'
import { NO_IDEA, type SkippedRows, type SuspectRows } from '../read/skipped-rows.ts'
import { publishedCount } from '../../contract/people.ts'
import { EARLY, FUTURE, PERIODS } from '../../contract/windows.ts'
import { openConsistentRead } from '../read/consistent-read.ts'
import { fillTemplate, type TemplateParameters } from '../sql/template.ts'
import { SelectReader } from '../mapping/referenced-columns.ts'
import type { Relation } from '../mapping/relations.ts'
import { explain, SourceError } from '../database/source-error.ts'
import type { CheckContext } from './context.ts'
import { queryOne, attempt } from '../database/attempt.ts'

export interface CheckedRows {
  /** The three newest ideas; none after an error. */
  readonly samples: readonly { readonly title: string; readonly url: string | null }[]
  /** What a build would publish, to be compared with what the site itself shows; null = not counted because of an error. */
  readonly totals: Readonly<
    Record<'users' | 'ideas' | 'launched' | 'votes' | 'comments' | 'categories' | 'ideasWithoutCategory', number>
  > | null
  /** How many of the last full UTC days had 1 to 7 active people; null where `totals` is null. */
  readonly fewPeople: { readonly days: number; readonly of: number } | null
  /** Rows that a build leaves out or counts differently, and why. */
  readonly ignored: readonly SkippedRows[]
}

export const NO_ROWS: CheckedRows = { samples: [], totals: null, fewPeople: null, ignored: [] }

/**
 * Reads the rows as a build reads them.
 * @param closed the site is closed to visitors, so it may well show no idea
 */
export async function checkRows(
  { client, begun, fitted, parsed, findings }: CheckContext,
  sections: ReadonlyMap<Relation, string>,
  columnTypes: ColumnTypes,
  closed: boolean,
): Promise<CheckedRows> {
  const calls = [...fitted.sections].flatMap(([relation, sql]) =>
    [...new SelectReader([parsed.get(sql) ?? null]).functions].map((name) => ({ relation, name })),
  )
  const values = { calls: escapeLiteral(JSON.stringify(calls)) }
  const parameters = { sections, keys: keyTypes(columnTypes), values }
  for (const name of WARNINGS) {
    const rows = await attempt(client, () => queryOne<Finding>(client, fillTemplate(`check/${name}`, parameters)))
    if (rows.ok) findings.push(...rows.value.map(({ about, problem, fix }) => warning(about, problem, fix)))
    else findings.push(warning('rows', explain(rows.error, name).message))
  }
  try {
    // In this mode people are counted over full days, and the report tells how many of these had few people.
    const times = { asOfMs: null, people: 'rounded' } as const
    const read = await openConsistentRead({ name: fitted.name, sections }, times, begun, columnTypes)
    const { names, ...counted } = await totalsOf(read)
    const suspects = await read.suspects()
    for (const relation of new Set(suspects.map((one) => one.relation)))
      findings.push(await suspicion(client, relation, suspects, parameters))
    await read.end()
    findings.push(...ofNames(names))
    const ignored = read.skippedRows()
    if (counted.totals.ideas === 0 && !closed && !findings.some(isError)) {
      // If rows were left out, something is wrong with all of them; otherwise the section has no rows, which may be right.
      const level = ignored.some(({ relation }) => relation === 'ideas') ? error : warning
      findings.push(level('section ideas', NOTHING, WHY_NOTHING))
    }
    return { ...counted, ignored }
  } catch (cause) {
    if (!(cause instanceof SourceError)) throw cause
    findings.push(error('rows', cause.message))
    return NO_ROWS
  }
}

const NOTHING = 'there is nothing to publish: no idea counts that an anonymous visitor could see'
const WHY_NOTHING =
  'are all left out (below), is the site closed to visitors (section closed says so), or a parameter wrong? If not, run the section in psql without one condition after the other'

function ofNames(names: readonly string[]): Finding[] {
  const about = 'section idea_categories'
  const problem = categoriesOfPeople(names)
  const fix =
    'does the section join the table of accounts, or select the wrong column? Nothing of a person may be a category'
  const first = new Map<string, string>()
  const alike = names.flatMap((name) => {
    const known = first.get(name.toLowerCase())
    first.set(name.toLowerCase(), known ?? name)
    return known === undefined ? [] : [`${known} and ${name}`]
  })
  return [
    ...(problem === null ? [] : [warning(about, problem, fix)]),
    ...(alike.length === 0 ? [] : [warning(about, `categories differ in case only: ${some(alike, 3)}`, ONE_CASE)]),
  ]
}

const ONE_CASE =
  'each is a category of its own; if they are one, write initcap(…) or lower(…) AS category (and AS name in section categories)'

const SAMPLES = 3

/** Adds up the totals, and collects the newest ideas, which come first, and the names of the categories. */
async function totalsOf(source: Awaited<ReturnType<typeof openConsistentRead>>) {
  const names = new Set(source.listedCategories)
  const samples: { title: string; url: string | null }[] = []
  const totals = { ideas: 0, launched: 0, votes: 0, comments: 0, ideasWithoutCategory: 0 }
  for await (const ideas of source.facts())
    for (const { title, url, launched, votes, comments, categories } of ideas) {
      if (samples.length < SAMPLES) samples.push({ title, url })
      totals.ideas += 1
      if (launched) totals.launched += 1
      totals.votes += votes.total
      totals.comments += comments.total
      if (categories.length === 0) totals.ideasWithoutCategory += 1
      for (const category of categories) names.add(category)
    }
  const { accounts, laterAccounts, buckets } = (await source.counted()).users
  const days = buckets[PERIODS.indexOf('90d')] ?? []
  const few = days.filter(({ active }) => active > 0 && publishedCount(active, 'rounded') === null)
  return {
    samples,
    // Only categories that the site itself shows are counted: Uncategorized is not one of them.
    totals: { ...totals, users: accounts.total + laterAccounts, categories: names.size },
    fewPeople: { days: few.length, of: days.length },
    names: [...names],
  }
}

/** The names of SELECTs that return findings. */
const WARNINGS = ['duplicate-votes', 'key-types', 'volatile', 'local-times', 'launched'] as const

/** By the reason why rows do not count, a SELECT whose lines show the cause. */
const WHY: Readonly<Record<string, string>> = {
  [NO_IDEA]: 'check/why-ids',
  [FUTURE]: 'check/why-dates',
  [EARLY]: 'check/why-dates',
}

/** The finding for one relation: an error where none of its rows counts, because a release would then be wrong. */
async function suspicion(
  client: pg.Client,
  relation: Relation,
  all: readonly SuspectRows[],
  parameters: TemplateParameters,
): Promise<Finding> {
  const suspects = all.filter((one) => one.relation === relation)
  const isAll = suspects.some((one) => one.isAll)
  const problem = suspects.map(({ rows, of, reason }) => `${count(rows)} of ${count(of)} rows: ${reason}`).join('; ')
  const lines: string[] = []
  for (const one of suspects) {
    const sql = fillTemplate(WHY[one.reason] ?? 'check/why-value', { ...parameters, rows: relation })
    const why = await attempt(client, () => queryOne<{ text: string }>(client, sql))
    if (why.ok) lines.push(...why.value.map(({ text }) => text))
  }
  return (isAll ? error : warning)(
    `section ${relation}`,
    `${isAll ? 'no row counts: ' : ''}${problem}`,
    lines.join('\n'),
  )
}
