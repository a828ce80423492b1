// Owns what is only known from the rows of a source: totals, samples, duplicates and skipped rows.
import type pg from 'pg'
import { keyTypes, type ColumnTypes } from '../read/column-types.ts'
import { error, warning, type Finding } from '../mapping/finding.ts'
import { categoriesOfPeople } from '../read/category-names.ts'
import type { SkippedRows } from '../read/skipped-rows.ts'
import type { BucketUsers } from '../../model/facts.ts'
import { publishedCount } from '../../contract/people.ts'
import { PERIODS } from '../../contract/windows.ts'
import { openConsistentRead, type ConsistentRead } from '../read/consistent-read.ts'
import { fillTemplate, type TemplateParameters } from '../sql/template.ts'
import type { Relation } from '../mapping/relations.ts'
import { explain, SourceError } from '../database/source-error.ts'
import type { Begun } from '../database/transaction.ts'
import type { CheckContext } from './context.ts'
import { queryOne, attempt } from '../database/attempt.ts'

export interface CheckedRows {
  /** The newest three; none because of an error. */
  readonly samples: readonly { readonly title: string; readonly url: string | null }[]
  /** What a build would publish, to be compared with what the site itself shows; null = not counted because of an error. */
  readonly totals: Readonly<
    Record<'users' | 'ideas' | 'launched' | 'votes' | 'comments' | 'categories' | 'ideasWithoutCategory', number>
  > | null
  /** Of the last full UTC days, those on which 1 to 7 people were active; null with `totals`. */
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
  { client, source, findings }: CheckContext,
  sections: ReadonlyMap<Relation, string>,
  columnTypes: ColumnTypes,
  begun: Begun,
  closed: boolean,
): Promise<CheckedRows> {
  const duplicates = await attempt(client, () => duplicateVotes(client, { sections, keys: keyTypes(columnTypes) }))
  if (duplicates.ok) findings.push(...duplicates.value)
  else findings.push(warning('section votes', explain(duplicates.error, 'looking for duplicate votes').message))
  try {
    // Full days, of which the answer tells how many had few people.
    const times = { asOfMs: null, people: 'rounded' } as const
    const read = await openConsistentRead({ name: source.file.name, sections }, times, begun, columnTypes)
    const { names, ...counted } = await totalsOf(read)
    await read.end()
    findings.push(...ofNames(names))
    const ignored = read.skippedRows()
    if (counted.totals.ideas === 0 && !closed)
      findings.push(noIdeas(ignored.some(({ relation }) => relation === 'ideas') ? error : warning))
    return { ...counted, ignored }
  } catch (cause) {
    if (!(cause instanceof SourceError)) throw cause
    findings.push(error('rows', cause.message))
    return NO_ROWS
  }
}

/** Where nothing counts, something is wrong with all there is, or there is nothing. */
function noIdeas(level: typeof error): Finding {
  return level(
    'section ideas',
    'there is nothing to publish: no idea counts that an anonymous visitor could see',
    'are all left out (below), is the site closed to visitors (section closed says so), or a parameter wrong? If not, run the section in psql without one condition after the other',
  )
}

function ofNames(names: readonly string[]): Finding[] {
  const problem = categoriesOfPeople(names)
  const fix =
    'does the section join the table of accounts, or select the wrong column? Nothing of a person may be a category'
  return problem === null ? [] : [warning('section idea_categories', problem, fix)]
}

const SAMPLES = 3

/** Also the newest ideas, which come first, and the names of the categories. */
async function totalsOf(source: ConsistentRead) {
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
  // As in a release: ideas without a category are in Uncategorized.
  const categories = names.size + (totals.ideasWithoutCategory > 0 ? 1 : 0)
  return {
    samples,
    totals: { ...totals, users: accounts.total + laterAccounts, categories },
    fewPeople: daysOfFew(buckets[PERIODS.indexOf('90d')] ?? []),
    names: [...names],
  }
}

function daysOfFew(buckets: readonly BucketUsers[]): NonNullable<CheckedRows['fewPeople']> {
  const few = buckets.filter(({ active }) => active > 0 && publishedCount(active, 'rounded') === null)
  return { days: few.length, of: buckets.length }
}

async function duplicateVotes(client: pg.Client, parameters: TemplateParameters): Promise<Finding[]> {
  const rows = await queryOne<{ pairs: number; extra: number; example: string }>(
    client,
    fillTemplate('check/duplicate-votes', parameters),
  )
  const { pairs = 0, extra = 0, example = '' } = rows[0] ?? {}
  if (pairs === 0) return []
  return [
    warning(
      'section votes',
      `${pairs.toLocaleString('en')} times a user has several votes on an idea (such as on ${example}): ${extra.toLocaleString('en')} votes too many, if one counts`,
      `if one counts, keep the first: … min(created_at) … GROUP BY idea_id, user_id\nor, of a history, the last: SELECT DISTINCT ON (idea_id, user_id) … ORDER BY idea_id, user_id, created_at DESC NULLS LAST`,
    ),
  ]
}
