// Owns the facts stream: COPY rows into IdeaFacts, with what was ignored and why. Knows no documents and no files.
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { meansUncategorized, normalizeCategory } from '../contract/category-name.ts'
import { compareCodePoints } from '../contract/code-point-order.ts'
import type { IdeaFacts } from '../contract/facts.ts'
import type { Counts } from '../contract/windows.ts'
import { copyRows, type CopyRow } from './copy-rows.ts'
import type { Ignored } from './ignored.ts'
import type { Relation } from './relations.ts'
import { SourceError } from './source-error.ts'

/** More names than this are titles returned as categories: a mapping error, not two million files. */
export const MAX_CATEGORIES = 20_000

export interface FactsTotals {
  /** Earliest dated idea, vote or comment that counts, epoch ms. */
  earliestMs: number | null
  /** Votes above zero and comments on ideas that do not count (hidden, or dated at or after dataAsOf). */
  eventsOfOtherIdeas: number
}

/**
 * Streams the ideas, newest first, a batch a chunk of the network, so that the consumer can wait between batches.
 * @param onBad called for a row that breaks a relation's rules; must throw
 */
export async function* readFacts(
  client: pg.Client,
  sql: string,
  asOfMs: number,
  ignored: Ignored,
  totals: FactsTotals,
  onBad: (relation: Relation) => Promise<never>,
): AsyncGenerator<IdeaFacts[]> {
  const names = new CategoryReader(ignored)
  // A bad row is looked up when the COPY is over: until then the connection takes no other question.
  let bad: Relation | null = null
  for await (const rows of copyRows(client.query(copyTo(`COPY (${sql}) TO STDOUT`)))) {
    const ideas: IdeaFacts[] = []
    for (const row of rows) {
      const read = readRow(row, asOfMs, names, ignored, totals)
      if (typeof read === 'string') bad ??= read
      else if (read !== null) ideas.push(read)
    }
    if (ideas.length > 0 && bad === null) yield ideas
  }
  if (bad !== null) await onBad(bad)
}

/** Of one idea: facts.sql keeps two counts in one sum. */
const MAX_EVENTS = 2 ** 30 - 1

// Where the columns of facts.sql stand.
const IDEA = {
  present: 0,
  id: 1,
  title: 2,
  created: 3,
  launched: 4,
  launchedAt: 5,
  url: 6,
  status: 7,
  names: 8,
} as const
const VOTES = { key: 9, total: 10, bad: 11, up: 12, future: 13, undated: 14, earliest: 15, since: 16 } as const
const COMMENTS = { key: 24, total: 25, bad: 26, future: 27, earliest: 28, since: 29 } as const
const CATEGORIES = { total: 37, bad: 38 } as const
const EDGES = 8
// Date.UTC maps year 1 to 1901.
const MIN_MS = new Date(0).setUTCFullYear(1, 0, 1)
const MAX_MS = Date.UTC(10_000, 0, 1)

function readRow(
  row: CopyRow,
  asOfMs: number,
  names: CategoryReader,
  ignored: Ignored,
  totals: FactsTotals,
): IdeaFacts | Relation | null {
  const n = (at: number): number => row.number(at)
  const time = (at: number): number | null => (row.isNull(at) ? null : row.number(at))
  if (n(VOTES.bad) > 0 || (n(VOTES.total) > 0 && row.isNull(VOTES.key))) return 'votes'
  if (n(COMMENTS.bad) > 0 || (n(COMMENTS.total) > 0 && row.isNull(COMMENTS.key))) return 'comments'
  if (n(CATEGORIES.bad) > 0) return 'idea_categories'
  const id = row.text(IDEA.id)
  const createdAtMs = time(IDEA.created)
  const launchedAtMs = time(IDEA.launchedAt)
  const present = row.text(IDEA.present) === 't'
  if (present && !(id !== null && inYears(createdAtMs) && !row.isNull(IDEA.launched))) return 'ideas'
  if (launchedAtMs !== null && !inYears(launchedAtMs)) return 'ideas'

  const votes = n(VOTES.up)
  const comments = n(COMMENTS.total)
  if (n(VOTES.total) > MAX_EVENTS || comments > MAX_EVENTS) throw tooManyEvents(row.text(IDEA.id))
  ignored.add('votes', 'value is not above zero', n(VOTES.total) - votes)
  if (!present || id === null || createdAtMs === null) {
    totals.eventsOfOtherIdeas += votes + comments
    ignored.add('votes', 'the idea is not among the ideas', votes)
    ignored.add('comments', 'the idea is not among the ideas', comments)
    ignored.add('idea_categories', 'the idea is not among the ideas', n(CATEGORIES.total))
    return null
  }
  if (createdAtMs >= asOfMs) {
    totals.eventsOfOtherIdeas += votes + comments
    ignored.add('ideas', 'dated at or after dataAsOf', 1)
    ignored.add('votes', 'the idea is dated at or after dataAsOf', votes)
    ignored.add('comments', 'the idea is dated at or after dataAsOf', comments)
    return null
  }
  ignored.add('votes', 'dated at or after dataAsOf', n(VOTES.future))
  ignored.add('comments', 'dated at or after dataAsOf', n(COMMENTS.future))
  ignored.add('votes', 'undated: in totals and the period all only', n(VOTES.undated))
  const launched = row.text(IDEA.launched) === 't'
  const dated = launchedAtMs !== null && launchedAtMs < asOfMs
  if (launched && !dated)
    ignored.add(
      'ideas',
      launchedAtMs === null ? 'launched without a date' : 'launched at or after dataAsOf: undated',
      1,
    )

  for (const at of [createdAtMs, time(VOTES.earliest), time(COMMENTS.earliest)])
    if (at !== null && at < asOfMs) totals.earliestMs = Math.min(totals.earliestMs ?? at, at)
  return {
    id,
    title: row.text(IDEA.title) ?? '',
    createdAtMs,
    launched,
    launchedAtMs: dated ? launchedAtMs : null,
    url: row.text(IDEA.url),
    status: row.text(IDEA.status),
    categories: names.read(row.text(IDEA.names)),
    votes: countsAt(row, votes, n(VOTES.future), VOTES.since),
    comments: countsAt(row, comments, n(COMMENTS.future), COMMENTS.since),
  }
}

function tooManyEvents(id: string | null): SourceError {
  return new SourceError(
    'source',
    `more than ${MAX_EVENTS} votes or comments are of one idea (${id ?? 'that is not among the ideas'}); sections votes and comments must return a row for each of them once`,
  )
}

function inYears(timeMs: number | null): boolean {
  return timeMs !== null && timeMs >= MIN_MS && timeMs < MAX_MS
}

function countsAt(row: CopyRow, rows: number, future: number, first: number): Counts {
  const since: number[] = []
  for (let i = first; i < first + EDGES; i++) since.push((row.isNull(i) ? future : row.number(i)) - future)
  return { total: rows - future, since }
}

/** Turns the JSON list of an idea's raw names into published ones: the same raw text is normalised once. */
class CategoryReader {
  readonly #ignored: Ignored
  readonly #published = new Map<string, string | null>()

  constructor(ignored: Ignored) {
    this.#ignored = ignored
  }

  read(json: string | null): readonly string[] {
    if (json === null) return []
    const names = new Set<string>()
    for (const raw of JSON.parse(json) as string[]) {
      const name = this.#publish(raw)
      if (name === null) this.#ignored.add('idea_categories', 'blank, or the reserved name Uncategorized', 1)
      else names.add(name)
    }
    return [...names].sort(compareCodePoints)
  }

  #publish(raw: string): string | null {
    const known = this.#published.get(raw)
    if (known !== undefined) return known
    const name = publishedName(raw)
    if (this.#published.size >= 2 * MAX_CATEGORIES) throw tooManyCategories()
    this.#published.set(raw, name)
    return name
  }
}

/** The name under which a source's category is published; null = it means no category. */
export function publishedName(raw: string): string | null {
  const name = normalizeCategory(raw)
  return name === '' || meansUncategorized(name) ? null : name
}

export function tooManyCategories(): SourceError {
  return new SourceError(
    'source',
    `the mapping returns more than ${MAX_CATEGORIES} categories; sections idea_categories and categories must return category names, not titles or ids`,
  )
}
