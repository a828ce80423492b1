// Owns filling a stage with every combination of one instant. Knows neither how rows are read nor how files are kept.
import { createHash } from 'node:crypto'
import { Categories } from '../analytics/categories.ts'
import { csvHeader, csvRecords } from '../analytics/csv-text.ts'
import { categoryRows, userRows } from '../analytics/exports.ts'
import { publishedUrl, type AnalyticsOptions } from '../analytics/options.ts'
import { overviewRows } from '../analytics/overview.ts'
import { statsDocument } from '../analytics/stats.ts'
import { Trending } from '../analytics/trending.ts'
import { categoryKey } from '../contract/category-name.ts'
import { contentHash, documentText, instant, STAMP_TAIL_BYTES, type ExportRow } from '../contract/documents.ts'
import type { PeopleFacts } from '../contract/facts.ts'
import { combinations, snapshotPath, type Combination } from '../contract/snapshot-paths.ts'
import { windowOf } from '../contract/windows.ts'
import type { Progress } from '../process/progress.ts'
import type { ManifestTotals } from '../release/manifest.ts'
import { inPool } from '../release/pool.ts'
import type { Stage } from '../release/stage.ts'
import type { Instant } from '../source/instant.ts'
import { MAX_CATEGORIES, tooManyCategories } from '../source/read-facts.ts'
import { IdeasExport } from './ideas-export.ts'

export interface Produced {
  readonly totals: ManifestTotals
  readonly categories: readonly { readonly name: string; readonly key: string }[]
  /** Ideas whose url was neither a path nor http(s). */
  readonly droppedUrls: number
}

/** Called as each stage of the work ends: `read`, `people`, `write`. */
export type OnStage = (stage: string) => void

export async function produce(
  source: Instant,
  stage: Stage,
  options: AnalyticsOptions,
  generatedAt: string,
  effects: { readonly signal: AbortSignal; readonly progress: Progress; readonly onStage: OnStage },
): Promise<Produced> {
  const { signal, progress, onStage } = effects
  const categories = new Categories(source.listedCategories)
  const trending = new Trending(options)
  const ideas = IdeasExport.open(stage, source.asOfMs, options.siteUrl)
  let droppedUrls = 0
  for await (const batch of source.facts()) {
    signal.throwIfAborted()
    for (const idea of batch) {
      categories.add(idea, source.asOfMs)
      trending.add(idea)
      if (idea.url !== null && publishedUrl(idea.url, options.siteUrl) === null) droppedUrls += 1
    }
    await ideas.add(batch)
    progress.show(`reading ideas: ${categories.all.ideas.total.toLocaleString('en')}`)
  }
  await ideas.end(generatedAt)
  const names = categories.names()
  if (names.length > MAX_CATEGORIES) throw tooManyCategories()
  onStage('read')

  progress.show('counting people')
  const people = await source.people()
  onStage('people')

  const documents = new Documents(source.asOfMs, options, categories, trending, people)
  let written = 0
  await inPool(combinations(names), async (combination) => {
    signal.throwIfAborted()
    const made = documents.make(combination, generatedAt)
    if (made === null) return
    await stage.put(snapshotPath(combination), made.text, made)
    written += 1
    progress.show(`writing snapshots: ${written.toLocaleString('en')}`)
  })
  onStage('write')
  return {
    totals: totalsOf(categories, people),
    categories: names.map((name) => ({ name, key: categoryKey(name) })),
    droppedUrls,
  }
}

function totalsOf(categories: Categories, people: PeopleFacts): ManifestTotals {
  const { ideas, votes, comments, launches } = categories.all
  return {
    users: people.accounts.total,
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
  readonly #people: PeopleFacts

  constructor(
    asOfMs: number,
    options: AnalyticsOptions,
    categories: Categories,
    trending: Trending,
    people: PeopleFacts,
  ) {
    this.#asOfMs = asOfMs
    this.#options = options
    this.#categories = categories
    this.#trending = trending
    this.#people = people
  }

  make(combination: Combination, generatedAt: string): Made | null {
    switch (combination.endpoint) {
      case 'stats': {
        const { accounts } = this.#people
        return json(statsDocument(this.#categories, accounts.total, this.#options.topCategories), null, generatedAt)
      }
      case 'trending': {
        const document = this.#trending.document(combination.period, combination.category, this.#asOfMs)
        return json(document, document.count, generatedAt)
      }
      case 'categories': {
        const document = this.#categories.document(combination.period, this.#asOfMs)
        return json(document, document.count, generatedAt)
      }
      case 'export':
        return combination.type === 'ideas' ? null : this.#export(combination, generatedAt)
    }
  }

  #export(combination: Extract<Combination, { endpoint: 'export' }>, generatedAt: string): Made {
    const { type, period, format } = combination
    const rows = this.#rows(combination)
    if (format === 'csv') {
      const text = csvHeader(type) + csvRecords(type, rows)
      return { text, contentHash: createHash('sha256').update(text).digest('hex'), rows: rows.length, tail: 0 }
    }
    const { fromMs, toMs } = windowOf(period, this.#asOfMs)
    const head = { type, period, from: fromMs === null ? null : instant(fromMs), to: instant(toMs) }
    const document = { ...head, data: rows, rowCount: rows.length, dataAsOf: instant(this.#asOfMs) }
    return json(document, rows.length, generatedAt)
  }

  #rows({ type, period }: Extract<Combination, { endpoint: 'export' }>): readonly ExportRow[] {
    if (type === 'overview') return overviewRows(period, this.#categories, this.#people)
    return type === 'users' ? userRows(period, this.#people) : categoryRows(period, this.#categories)
  }
}

function json(document: object, rows: number | null, generatedAt: string): Made {
  return { text: documentText(document, generatedAt), contentHash: contentHash(document), rows, tail: STAMP_TAIL_BYTES }
}
