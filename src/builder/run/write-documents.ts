// Owns writing the document of every combination of one read into a staging. Knows neither how rows are read nor how
// files are kept.
import { createHash } from 'node:crypto'
import pMap from 'p-map'
import { Categories } from '../../analytics/categories.ts'
import { csvHeader, toCsv } from '../../analytics/csv-text.ts'
import { categoryRows, userRows } from '../../analytics/exports.ts'
import { historyRow, publishAgain, withRow } from '../../analytics/history.ts'
import { publishedUrl, type AnalyticsOptions } from '../../analytics/options.ts'
import { overviewRows } from '../../analytics/overview.ts'
import { publishPeople, type PublishedPeople } from '../../analytics/people.ts'
import { statsDocument } from '../../analytics/stats.ts'
import { Trending } from '../../analytics/trending.ts'
import { categoryKey } from '../../contract/category-name.ts'
import { STAMP_TAIL_BYTES, textAndHash } from '../../contract/document-text.ts'
import type { ExportRow, StatsDocument } from '../../contract/documents.ts'
import { historyIn, type HistoryRow } from '../../contract/history.ts'
import { peopleTime } from '../../contract/people.ts'
import { formatTimestamp } from '../../contract/timestamp.ts'
import { combinations, snapshotPath, type Combination } from '../../contract/snapshot-paths.ts'
import { windowOf } from '../../contract/windows.ts'
import { count } from '../../process/printable.ts'
import { countRecords } from '../../release/checks/csv-records.ts'
import { ReportedTotals } from '../../release/checks/reported-totals.ts'
import type { ManifestTotals } from '../../release/format/manifest.ts'
import type { Staging } from '../../release/writing/staging.ts'
import type { ConsistentRead } from '../../source/read/consistent-read.ts'
import { MAX_CATEGORIES, tooManyCategories } from '../../source/read/idea-aggregates.ts'
import type { BuildEffects } from './context.ts'
import { exactPeople, type ExactPeople } from './exact-people.ts'
import { IdeasExport } from './ideas-export.ts'

export interface Written {
  readonly totals: ManifestTotals
  readonly categories: readonly { readonly name: string; readonly key: string }[]
  /** Ideas whose url was neither a path nor http(s). */
  readonly droppedUrls: number
  /** Taken from the documents as they are made. */
  readonly reported: ReportedTotals
  /** What the numbers of people were before they were rounded; null = they are published exactly. */
  readonly exact: ExactPeople | null
}

/** What the documents say of their release beyond what was read. */
export interface AboutRelease {
  readonly generatedAt: string
  /** null = the site is closed: it shows no history, not even its own row. */
  readonly history: { readonly earlier: readonly HistoryRow[]; readonly mappingSha256: string } | null
}

/** Documents that may be large are written two at a time: they have a row for each category. */
const LARGE_AT_ONCE = 2
const AT_ONCE = 32

interface WriteEffects extends Pick<BuildEffects, 'signal' | 'progress'> {
  /** Called as each part of the work ends: `read`, `people` (users are counted), `write`. */
  readonly endPhase: (phase: string) => void
}

/** Reads every idea once, counts users, and writes a document for every combination. */
export async function writeDocuments(
  source: ConsistentRead,
  staging: Staging,
  options: AnalyticsOptions,
  { generatedAt, history }: AboutRelease,
  effects: WriteEffects,
): Promise<Written> {
  const { signal, progress, endPhase } = effects
  const reported = new ReportedTotals(options.people)
  const { categories, trending, droppedUrls } = await readIdeas(
    source,
    staging,
    options,
    generatedAt,
    reported,
    effects,
  )
  const names = categories.names()
  if (names.length > MAX_CATEGORIES) throw tooManyCategories()
  endPhase('read')

  const users = source.users()
  const people = users.then((facts) => publishPeople(facts, options.people))
  const stats = once(async () => statsDocument(categories, (await people).inStats, options.topCategories))
  const counts = { categories, trending, reported, people, stats, history }
  const context = { asOfMs: source.asOfMs, generatedAt, options, ...counts }
  const all = [...combinations(names)].filter((one) => one.endpoint !== 'export' || one.type !== 'ideas')
  let written = 0
  const write = (isWritten: (one: Combination) => boolean, concurrency = AT_ONCE): Promise<unknown> =>
    pMap(
      all.filter(isWritten),
      async (combination) => {
        signal.throwIfAborted()
        const made = await documentOf(combination, context)
        await staging.put(snapshotPath(combination), made.text, made)
        written += 1
        progress.show(`writing snapshots: ${count(written)}`)
      },
      { concurrency },
    )
  // Nearly all snapshots need no number of users: they are written while the database counts users.
  const [counted] = await waitForBoth(
    people,
    write(isTrending).then(() => write(isOfCategories, LARGE_AT_ONCE)),
  )
  endPhase('people')
  await write((one) => !isTrending(one) && !isOfCategories(one))
  endPhase('write')
  return {
    totals: totalsOf(categories, counted),
    categories: names.map((name) => ({ name, key: categoryKey(name) })),
    droppedUrls,
    reported,
    exact: options.people === 'exact' ? null : exactPeople(categories, await users, options.topCategories),
  }
}

/** Every idea goes to its exports at once, and is counted for all other documents. */
async function readIdeas(
  source: ConsistentRead,
  staging: Staging,
  options: AnalyticsOptions,
  generatedAt: string,
  reported: ReportedTotals,
  { signal, progress }: WriteEffects,
): Promise<{ categories: Categories; trending: Trending; droppedUrls: number }> {
  const categories = new Categories(source.listedCategories)
  const trending = new Trending(options)
  const ideas = new IdeasExport(staging, source.asOfMs, options.siteUrl)
  let droppedUrls = 0
  let sharedIdeas = 0
  for await (const batch of source.facts()) {
    signal.throwIfAborted()
    for (const idea of batch) {
      categories.add(idea, source.asOfMs)
      trending.add(idea)
      if (idea.categories.length > 1) sharedIdeas += 1
      if (idea.url !== null && publishedUrl(idea.url, options.siteUrl) === null) droppedUrls += 1
    }
    await ideas.add(batch)
    progress.show(`reading ideas: ${count(categories.all.ideas.total)}`)
  }
  await ideas.end(generatedAt, reported)
  reported.sharedIdeas = sharedIdeas
  return { categories, trending, droppedUrls }
}

/** Waits for both to end, also when one fails: nothing is being written any more when the failure is handled. */
async function waitForBoth<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other])
  return Promise.all([one, other])
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => (made ??= make())
}

function isTrending({ endpoint }: Combination): boolean {
  return endpoint === 'trending'
}

/** A row for each category: megabytes where there are thousands. */
function isOfCategories(combination: Combination): boolean {
  return (
    combination.endpoint === 'categories' || (combination.endpoint === 'export' && combination.type === 'categories')
  )
}

function totalsOf(categories: Categories, { accounts }: PublishedPeople): ManifestTotals {
  const { ideas, votes, comments, launches } = categories.all
  return {
    users: accounts,
    ideas: ideas.total,
    votes: votes.total,
    comments: comments.total,
    launchedIdeas: launches.total,
    categories: categories.names().length,
  }
}

interface Made {
  readonly text: string
  readonly contentHash: string
  readonly rows: number | null
  /** Bytes at the end that siblings leave uncompressed. */
  readonly tail: number
}

interface Context {
  readonly asOfMs: number
  readonly generatedAt: string
  readonly options: AnalyticsOptions
  readonly categories: Categories
  readonly trending: Trending
  readonly reported: ReportedTotals
  readonly people: Promise<PublishedPeople>
  /** Sorts the categories: made once for all documents that have these totals. */
  readonly stats: () => Promise<StatsDocument>
  readonly history: AboutRelease['history']
}

/** The text of any combination but the ideas exports, which are streamed. */
async function documentOf(combination: Combination, context: Context): Promise<Made> {
  const { asOfMs, generatedAt, categories, trending, reported } = context
  switch (combination.endpoint) {
    case 'stats': {
      const document = await context.stats()
      reported.take(combination, document)
      return json(document, null, generatedAt)
    }
    case 'trending': {
      const document = trending.document(combination.period, combination.category, asOfMs)
      return json(document, document.count, generatedAt)
    }
    case 'categories': {
      const document = categories.document(combination.period, asOfMs)
      reported.take(combination, document)
      return json(document, document.count, generatedAt)
    }
    case 'export':
      return exportOf(combination, context)
  }
}

type ExportCombination = Extract<Combination, { endpoint: 'export' }>

async function exportOf(combination: ExportCombination, context: Context): Promise<Made> {
  const { asOfMs, generatedAt, reported, options } = context
  const { type, period, format } = combination
  const rows = await rowsOf(combination, context)
  if (format === 'csv') {
    const text = csvHeader(type) + toCsv(type, rows)
    reported.rows(type, period, format, countRecords(text) - 1)
    return { text, contentHash: createHash('sha256').update(text).digest('hex'), rows: rows.length, tail: 0 }
  }
  const { fromMs, toMs } = windowOf(period, type === 'users' ? peopleTime(options.people, asOfMs).asOfMs : asOfMs)
  const head = { type, period, from: fromMs === null ? null : formatTimestamp(fromMs), to: formatTimestamp(toMs) }
  const document = { ...head, data: rows, rowCount: rows.length, dataAsOf: formatTimestamp(asOfMs) }
  reported.take(combination, document)
  return json(document, rows.length, generatedAt)
}

async function rowsOf({ type, period }: ExportCombination, context: Context): Promise<readonly ExportRow[]> {
  const { categories, people } = context
  switch (type) {
    case 'overview':
      return overviewRows(period, categories, await people)
    case 'users':
      return userRows(period, await people)
    case 'categories':
      return categoryRows(period, categories)
    case 'history':
      return historyIn(await historyOf(context), period, context.asOfMs).map((row) => ({ ...row }))
    case 'ideas':
      throw new TypeError('the ideas exports are streamed')
  }
}

async function historyOf(context: Context): Promise<readonly HistoryRow[]> {
  const { history, asOfMs, options } = context
  if (history === null) return []
  const { accounts } = await context.people
  const own = historyRow(await context.stats(), accounts, asOfMs, history.mappingSha256)
  return withRow(publishAgain(history.earlier, options.people), own)
}

function json(document: object, rows: number | null, generatedAt: string): Made {
  return { ...textAndHash(document, generatedAt), rows, tail: STAMP_TAIL_BYTES }
}
