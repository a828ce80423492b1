// Owns writing the document of every combination of one read into a staging. Knows neither how rows are read nor how
// files are kept.
import pMap from 'p-map'
import { categorySums, type Categories } from '../../analytics/categories.ts'
import { ideaLists } from '../../analytics/idea-lists.ts'
import { hashOf, ideaSample, type IdeaSample } from '../../analytics/idea-sample.ts'
import { publishedUrl, type AnalyticsOptions } from '../../analytics/options.ts'
import { AT_ONCE, DOCUMENTS, TABLE_MAKERS, type Single } from '../../analytics/kinds.ts'
import { publishPeople, type PublishedPeople } from '../../analytics/people.ts'
import { statsDocument } from '../../analytics/overview.ts'
import { trendingLists } from '../../analytics/trending.ts'
import { categoryKey } from '../../contract/category-name.ts'
import { STAMP_TAIL_BYTES, textAndHash } from '../../contract/document-text.ts'
import { KINDS, type Combination } from '../../contract/kinds/register.ts'
import { combinations, snapshotPath } from '../../contract/snapshot-paths.ts'
import type { TimeZone } from '../../contract/time-zone.ts'
import { bucketsOf, EARLIEST_DATE_MS } from '../../contract/windows.ts'
import type { Counted } from '../../model/facts.ts'
import type { CountedPast, RowsByMonth } from '../../model/rows-by-month.ts'
import { countedOn, type Progress } from '../../process/progress.ts'
import { remembering } from '../../process/remembering.ts'
import { ReportedTotals } from '../../release/checks/reported-totals.ts'
import type { ManifestTotals } from '../../release/format/manifest.ts'
import type { Staging } from '../../release/writing/staging.ts'
import type { ConsistentRead } from '../../source/read/consistent-read.ts'
import { MAX_CATEGORIES, tooManyCategories } from '../../source/read/category-names.ts'
import { ideasExport, writeExport, type Context } from './exports.ts'
import { siteDocuments } from './site-documents.ts'

export type CountedRelease = Awaited<ReturnType<typeof countRelease>>
export type WrittenDocuments = Awaited<ReturnType<typeof writeDocuments>>

interface WriteEffects {
  readonly signal: AbortSignal
  readonly progress: Progress
  /** The totals of the release before, by which the time that is left is told. */
  readonly before: ManifestTotals | null
}

/** Counts every relation, and reads the ideas once more, which go to their exports as they come. */
export async function countRelease(
  source: ConsistentRead,
  staging: Staging,
  options: AnalyticsOptions,
  about: Pick<Context, 'generatedAt' | 'isSite'>,
  effects: WriteEffects,
) {
  const { signal, progress, before } = effects
  const { asOfMs, zone } = source
  const reported = new ReportedTotals(options.people, zone)
  const expected = (relation: string): number | null => before?.[relation as keyof ManifestTotals] ?? null
  const reading = remembering((relation: string) =>
    countedOn(progress, `reading ${relation.replace('_', ' ')}`, expected(relation), { of: 'of about' }),
  )
  const counted = await source.counted((relation, rows) => {
    signal.throwIfAborted()
    reading(relation)(rows)
  })
  const { users, firstMonthMs, peopleMonths } = counted
  const { samples, ...read } = await readIdeas(source, staging, options, about, counted, reported, effects)
  const past = countedPastOf(samples, read.categories, peopleMonths, zone)
  const people = publishPeople(users, options.people)
  const stats = statsDocument(read.categories, people.inStats)
  return { ...about, ...read, reported, mode: options.people, asOfMs, zone, people, stats, firstMonthMs, past }
}

/** Writes a document for every combination. */
export async function writeDocuments(
  counted: CountedRelease,
  staging: Staging,
  earlier: Pick<Context, 'history' | 'revisions'>,
  effects: WriteEffects,
) {
  const { lists, past: _, ...context } = { ...counted, ...earlier }
  const { categories, people, isSite } = context
  await writeAll(staging, context, effects)
  return {
    totals: totalsOf(categories, people),
    categories: categories.names().map((name) => ({ name, key: categoryKey(name) })),
    /** The documents for the site; null = no site was asked for. */
    siteDocuments: isSite ? siteDocuments(context, lists) : null,
  }
}

async function writeAll(staging: Staging, context: Context, { signal, progress }: WriteEffects): Promise<void> {
  // The CSV of an export is written with its JSON.
  const all = [...combinations(context.categories.names())].filter((one) => !('format' in one) || one.format === 'json')
  let written = 0
  const told = countedOn(progress, 'writing snapshots', all.length)
  const write = async (combination: Combination): Promise<void> => {
    signal.throwIfAborted()
    if (combination.endpoint === 'export') {
      const { format: _, ...exported } = combination
      await writeExport(staging, exported, context, signal)
    } else await writeDocument(staging, combination, context)
    written += 1
    told(written)
  }
  for (const [when, concurrency] of Object.entries(AT_ONCE)) {
    const ofNow = all.filter(
      (one) => (one.endpoint === 'export' ? TABLE_MAKERS[one.type] : DOCUMENTS[one.endpoint]).when === when,
    )
    await pMap(ofNow, write, { concurrency })
  }
}

/** A document that is no export. */
async function writeDocument(staging: Staging, combination: Single, context: Context): Promise<void> {
  const { endpoint } = combination
  const document = DOCUMENTS[endpoint].make(combination, context)
  context.reported.take(combination, document)
  const { list } = KINDS[endpoint]
  const rows = list === undefined ? null : (document as Readonly<Record<string, readonly object[]>>)[list]
  const { text, contentHash } = textAndHash(document, context.generatedAt)
  await staging.put(snapshotPath(combination), text, {
    contentHash,
    rows: rows?.length ?? null,
    tail: STAMP_TAIL_BYTES,
  })
}

/** What was before each cut: the counts of all ideas, the people, and a sample of the ideas. */
export function countedPastOf(
  samples: readonly IdeaSample[],
  { all }: Categories,
  people: Counted['peopleMonths'],
  zone: TimeZone,
): CountedPast {
  const rows = samples.map(({ cutMs, ideas: sample }, cut): RowsByMonth => {
    const months = bucketsOf('all', cutMs, EARLIEST_DATE_MS, 'month', zone).map(({ startMs }) => startMs)
    const relations = { ...(people[cut] as Counted['peopleMonths'][number]), ...all.timeline.monthsBefore(cutMs) }
    return { beforeMs: cutMs, monthStarts: hashOf(months.join()), relations, sample }
  })
  const [own, earlier = null] = rows as [RowsByMonth, RowsByMonth?]
  return { own, earlier, newestDay: all.timeline.newestDay }
}

/** Every idea goes to its exports at once, and is counted for all other documents. */
async function readIdeas(
  source: ConsistentRead,
  staging: Staging,
  options: AnalyticsOptions,
  about: Pick<Context, 'generatedAt' | 'isSite'>,
  counts: Counted,
  reported: ReportedTotals,
  { signal, progress }: WriteEffects,
) {
  const categories = categorySums(source.listedCategories, counts.events)
  const withPages = about.isSite ? counts.largestCategories : []
  const trending = trendingLists(options, withPages)
  const { asOfMs, zone } = source
  const lists = ideaLists(withPages, options.siteUrl, asOfMs)
  const ideas = ideasExport(staging, { ...about, asOfMs, zone, reported }, options.siteUrl)
  const samples = source.cutsMs.map((cutMs, cut) => ideaSample(cutMs, cut))
  const told = countedOn(progress, 'writing ideas', counts.ideas)
  /** Ideas whose url was neither a path nor http(s). */
  let droppedUrls = 0
  reported.sharedIdeas = 0
  for await (const batch of source.facts()) {
    signal.throwIfAborted()
    for (const idea of batch) {
      categories.add(idea)
      trending.add(idea)
      lists.add(idea)
      const id = hashOf(idea.id)
      for (const sample of samples) sample.add(idea, id)
      if (idea.categories.length > 1) reported.sharedIdeas += 1
      if (idea.url !== null && publishedUrl(idea.url, options.siteUrl) === null) droppedUrls += 1
    }
    await ideas.add(batch)
    told(categories.all.timeline.tallies.ideas.total)
  }
  await ideas.end()
  if (categories.names().length > MAX_CATEGORIES) throw tooManyCategories()
  return { categories, trending, lists, droppedUrls, samples }
}

function totalsOf(categories: Categories, { accounts }: PublishedPeople): ManifestTotals {
  const { ideas, votes, comments, launchedIdeas } = categories.all.timeline.tallies
  return {
    users: accounts,
    ideas: ideas.total,
    votes: votes.total,
    comments: comments.total,
    launchedIdeas: launchedIdeas.total,
    categories: categories.names().length,
  }
}
