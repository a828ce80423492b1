// Releases whose documents a test writes itself, without the builder: of any content, and with as few files as it likes.
import { categoryKey } from '../../src/contract/category-name.ts'
import { STAMP_TAIL_BYTES, textAndHash } from '../../src/contract/document-text.ts'
import type { CategoryFile } from '../../src/contract/kinds/register.ts'
import { emptyOutcomes, type Cohort, type OutcomesDocument } from '../../src/contract/kinds/outcomes.ts'
import type { TimelineDocument } from '../../src/contract/kinds/timeline.ts'
import { UTC } from '../../src/contract/time-zone.ts'
import { formatTimestamp } from '../../src/contract/timestamp.ts'
import { bucketsOf, ownInterval, PERIODS, windowOf, type Interval, type Period } from '../../src/contract/windows.ts'
import { releasePaths } from '../../src/release/format/paths.ts'
import type { Manifest } from '../../src/release/format/manifest.ts'
import { isWhole } from '../../src/release/verify/verify.ts'
import { switchTo } from '../../src/release/writing/current-link.ts'
import { Staging } from '../../src/release/writing/staging.ts'
import { AS_OF_MS, HOUR_MS } from './release.ts'

export const AS_OF: string = formatTimestamp(AS_OF_MS)
export const BUILT: string = formatTimestamp(AS_OF_MS + 1000)

/** A timeline with other numbers for each `seed`. */
export function timelineDocument(
  period: Period,
  category: string | null,
  {
    seed = 0,
    interval = ownInterval(period),
    days = 400,
  }: { readonly seed?: number; readonly interval?: Interval; readonly days?: number } = {},
): TimelineDocument {
  const { fromMs } = windowOf(period, AS_OF_MS)
  const counted = (i: number) => ({ ideas: seed, votes: seed + i, comments: i, launchedIdeas: i % 2 })
  const buckets = bucketsOf(period, AS_OF_MS, AS_OF_MS - days * 24 * HOUR_MS, interval).map(({ startMs }, i) => ({
    bucket: UTC.label(interval, startMs),
    ...counted(i),
    totalIdeas: seed * i,
    totalVotes: seed + i * i,
    totalComments: i * i,
    totalLaunchedIdeas: i,
  }))
  return {
    period,
    interval,
    category,
    from: fromMs === null ? null : formatTimestamp(fromMs),
    to: AS_OF,
    count: buckets.length,
    buckets,
    undated: counted(seed),
    dataAsOf: AS_OF,
  }
}

/** With its keys in their order. */
export function outcomesOfNothing(dataAsOf: string, category: string | null): OutcomesDocument {
  const whole = { category: '', statuses: [], launched: {}, cohorts: [], firstYear: {}, years: [], dataAsOf }
  return { ...emptyOutcomes(whole as unknown as OutcomesDocument, ''), category }
}

export function outcomesDocument(category: string | null, { seed = 0, months = 13 } = {}): OutcomesDocument {
  const cohorts = Array.from({ length: months }, (_, i): Cohort => ({
    month: i === months - 1 ? null : formatTimestamp(Date.UTC(2025, i)).slice(0, 'YYYY-MM-DD'.length),
    ideas: seed + i,
    votedIdeas: seed,
    discussedIdeas: i,
    launchedIdeas: 1,
    launchedWithin30Days: i === 0 ? 1 : null,
    launchedWithin90Days: null,
    launchedWithin365Days: null,
    launchedUndated: 0,
    knownWithin30Days: i === 0 ? 1 : null,
    knownWithin90Days: null,
    knownWithin365Days: null,
  }))
  const statuses = [
    {
      status: '"open", \\ and 😀',
      ideas: seed,
      votes: 2,
      comments: 3,
      shareOfIdeas: 33.33,
      notLaunched: { ideas: seed, yearOld: 0, medianAgeDays: 30 },
    },
    {
      status: null,
      ideas: 1,
      votes: 0,
      comments: 0,
      shareOfIdeas: 0.5,
      notLaunched: { ideas: 0, yearOld: 0, medianAgeDays: null },
    },
  ]
  return { ...outcomesOfNothing(AS_OF, category), statuses, cohorts }
}

export function categoryFile(
  category: string,
  options: { readonly seed?: number; readonly days?: number } = {},
): CategoryFile {
  const timelines = Object.fromEntries(
    PERIODS.map((period) => {
      const { dataAsOf: _, ...member } = timelineDocument(period, category, options)
      return [period, member]
    }),
  ) as CategoryFile['timelines']
  const { dataAsOf, ...outcomes } = outcomesDocument(category, options)
  return { timelines, outcomes, dataAsOf }
}

/**
 * Publishes these documents, by path, and makes the release current.
 * @param others files that are no documents
 */
export async function publishDocuments(
  snapshotsDir: string,
  documents: Readonly<Record<string, object>>,
  categories: readonly string[] = [],
  others: Readonly<Record<string, string>> = {},
): Promise<Manifest> {
  const stage = await Staging.create(releasePaths(snapshotsDir))
  for (const [path, document] of Object.entries(documents)) {
    const { text, contentHash } = textAndHash(document, BUILT)
    await stage.put(path, text, { contentHash, rows: null, tail: STAMP_TAIL_BYTES })
  }
  for (const [path, text] of Object.entries(others)) {
    await stage.put(path, text, { rows: null, tail: 0 })
  }
  const manifest = await stage.seal({
    dataAsOf: AS_OF,
    generatedAt: BUILT,
    nextUpdateAt: formatTimestamp(AS_OF_MS + HOUR_MS),
    version: '1.0',
    programVersion: '1.0.0',
    options: { voteWeight: 5, commentWeight: 3, topCategories: 3, people: 'exact' },
    mapping: { name: 'native', sha256: 'a'.repeat(64) },
    source: { replayLagMs: null, rowSecurity: 'off' },
    rows: { users: 0, ideas: 0, votes: 0, comments: 0, launchedIdeas: 0, categories: categories.length },
    ignored: [],
    categories: categories.map((name) => ({ name, key: categoryKey(name) })),
  })
  await stage.promote(manifest.id, isWhole)
  await switchTo(releasePaths(snapshotsDir), manifest.id, Date.now())
  return manifest
}

/** What the answers for categories, also for one that no idea has, come from. */
export function timeDocuments(files: Readonly<Record<string, object>>): Record<string, object> {
  return {
    ...Object.fromEntries(
      PERIODS.map((period) => [`analytics/timeline/${period}.json`, timelineDocument(period, null, { seed: 9 })]),
    ),
    'analytics/timeline/all-by-day.json': timelineDocument('all', null, { seed: 9, interval: 'day' }),
    'analytics/outcomes.json': outcomesDocument(null, { seed: 9 }),
    ...Object.fromEntries(
      Object.entries(files).map(([name, file]) => [`analytics/category/${categoryKey(name)}.json`, file]),
    ),
  }
}
