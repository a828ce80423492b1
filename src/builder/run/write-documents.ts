// Owns writing the document of every combination of one read into a staging. Knows neither how rows are read nor how
// files are kept.
import { createHash } from 'node:crypto'
import pMap from 'p-map'
import { Categories } from '../../analytics/categories.ts'
import { csvHeader, toCsv } from '../../analytics/csv-text.ts'
import { categoryRows, userRows } from '../../analytics/exports.ts'
import { publishedUrl, type AnalyticsOptions } from '../../analytics/options.ts'
import { overviewRows } from '../../analytics/overview.ts'
import { statsDocument } from '../../analytics/stats.ts'
import { Trending } from '../../analytics/trending.ts'
import { categoryKey } from '../../contract/category-name.ts'
import { STAMP_TAIL_BYTES, textAndHash } from '../../contract/document-text.ts'
import type { ExportRow } from '../../contract/documents.ts'
import type { UserFacts } from '../../contract/facts.ts'
import { formatTimestamp } from '../../contract/timestamp.ts'
import { combinations, snapshotPath, type Combination } from '../../contract/snapshot-paths.ts'
import { windowOf } from '../../contract/windows.ts'
import { count } from '../../process/printable.ts'
import type { Progress } from '../../process/progress.ts'
import { countRecords } from '../../release/checks/csv-records.ts'
import { ReportedTotals } from '../../release/checks/reported-totals.ts'
import type { ManifestTotals } from '../../release/format/manifest.ts'
import type { Staging } from '../../release/writing/staging.ts'
import type { ConsistentRead } from '../../source/read/consistent-read.ts'
import { MAX_CATEGORIES, tooManyCategories } from '../../source/read/idea-aggregates.ts'
import { IdeasExport } from './ideas-export.ts'

export interface Written {
  readonly totals: ManifestTotals
  readonly categories: readonly { readonly name: string; readonly key: string }[]
  /** Ideas whose url was neither a path nor http(s). */
  readonly droppedUrls: number
  /** Taken from the documents as they are made. */
  readonly reported: ReportedTotals
}

/** Of documents that may be large: a row for each category. */
const LARGE_AT_ONCE = 2
/** Of all others. */
const AT_ONCE = 32

interface WriteEffects {
  readonly signal: AbortSignal
  readonly progress: Progress
  /** Called as each part of the work ends: `read`, `people` (users are counted), `write`. */
  readonly onStage: (stage: string) => void
}

/** Reads every idea once, counts users, and writes a document for every combination. */
export async function writeDocuments(
  source: ConsistentRead,
  staging: Staging,
  options: AnalyticsOptions,
  generatedAt: string,
  effects: WriteEffects,
): Promise<Written> {
  const { signal, progress, onStage } = effects
  const reported = new ReportedTotals()
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
  onStage('read')

  const all = [...combinations(names)]
  const documents = new Documents(source.asOfMs, options, categories, trending, reported)
  let written = 0
  const write = (list: readonly Combination[], users: UserFacts | null, concurrency = AT_ONCE): Promise<unknown> =>
    pMap(
      list,
      async (combination) => {
        signal.throwIfAborted()
        const made = documents.make(combination, generatedAt, users)
        if (made === null) return
        await staging.put(snapshotPath(combination), made.text, made)
        written += 1
        progress.show(`writing snapshots: ${count(written)}`)
      },
      { concurrency },
    )
  // Nearly all snapshots need no number of users: they are written while the database counts users.
  const [users] = await bothOrNeither(
    source.users(),
    (async () => {
      await write(all.filter(isTrending), null)
      await write(all.filter(isOfCategories), null, LARGE_AT_ONCE)
    })(),
  )
  onStage('people')
  await write(
    all.filter((combination) => !isTrending(combination) && !isOfCategories(combination)),
    users,
  )
  onStage('write')
  return {
    totals: totalsOf(categories, users),
    categories: names.map((name) => ({ name, key: categoryKey(name) })),
    droppedUrls,
    reported,
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
  const ideas = IdeasExport.open(staging, source.asOfMs, options.siteUrl)
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
async function bothOrNeither<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other])
  return Promise.all([one, other])
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

function totalsOf(categories: Categories, users: UserFacts): ManifestTotals {
  const { ideas, votes, comments, launches } = categories.all
  return {
    users: users.accounts.total,
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

/** Makes the text of any combination but the ideas exports, which are streamed. */
class Documents {
  readonly #asOfMs: number
  readonly #options: AnalyticsOptions
  readonly #categories: Categories
  readonly #trending: Trending
  readonly #reported: ReportedTotals

  constructor(
    asOfMs: number,
    options: AnalyticsOptions,
    categories: Categories,
    trending: Trending,
    reported: ReportedTotals,
  ) {
    this.#asOfMs = asOfMs
    this.#options = options
    this.#categories = categories
    this.#trending = trending
    this.#reported = reported
  }

  /** @param users null for combinations without a number of users */
  make(combination: Combination, generatedAt: string, users: UserFacts | null): Made | null {
    switch (combination.endpoint) {
      case 'stats': {
        const accounts = known(users).accounts.total
        const document = statsDocument(this.#categories, accounts, this.#options.topCategories)
        this.#reported.take(combination, document)
        return json(document, null, generatedAt)
      }
      case 'trending': {
        const document = this.#trending.document(combination.period, combination.category, this.#asOfMs)
        return json(document, document.count, generatedAt)
      }
      case 'categories': {
        const document = this.#categories.document(combination.period, this.#asOfMs)
        this.#reported.take(combination, document)
        return json(document, document.count, generatedAt)
      }
      case 'export':
        return combination.type === 'ideas' ? null : this.#export(combination, generatedAt, users)
    }
  }

  #export(
    combination: Extract<Combination, { endpoint: 'export' }>,
    generatedAt: string,
    users: UserFacts | null,
  ): Made {
    const { type, period, format } = combination
    const rows = this.#rows(combination, users)
    if (format === 'csv') {
      const text = csvHeader(type) + toCsv(type, rows)
      this.#reported.rows(type, period, format, countRecords(text) - 1)
      return { text, contentHash: createHash('sha256').update(text).digest('hex'), rows: rows.length, tail: 0 }
    }
    const { fromMs, toMs } = windowOf(period, this.#asOfMs)
    const head = { type, period, from: fromMs === null ? null : formatTimestamp(fromMs), to: formatTimestamp(toMs) }
    const document = { ...head, data: rows, rowCount: rows.length, dataAsOf: formatTimestamp(this.#asOfMs) }
    this.#reported.take(combination, document)
    return json(document, rows.length, generatedAt)
  }

  #rows({ type, period }: Extract<Combination, { endpoint: 'export' }>, users: UserFacts | null): readonly ExportRow[] {
    if (type === 'overview') return overviewRows(period, this.#categories, known(users))
    return type === 'users' ? userRows(period, known(users)) : categoryRows(period, this.#categories)
  }
}

function known(users: UserFacts | null): UserFacts {
  if (users === null) throw new Error('users are not counted yet')
  return users
}

function json(document: object, rows: number | null, generatedAt: string): Made {
  return { ...textAndHash(document, generatedAt), rows, tail: STAMP_TAIL_BYTES }
}
