// A small, whole release made without a database: two ideas in two categories, through the real build and staging.
import { countRelease, writeDocuments, type WrittenDocuments } from '../../src/builder/documents/write-documents.ts'
import { categoryKey } from '../../src/contract/category-name.ts'
import type { HistoryRow } from '../../src/contract/kinds/history.ts'
import { UTC } from '../../src/contract/time-zone.ts'
import { formatTimestamp } from '../../src/contract/timestamp.ts'
import type { IdeaFacts, UserFacts } from '../../src/model/facts.ts'
import {
  BOUNDED_PERIODS,
  bucketsOf,
  EARLIEST_DATE_MS,
  EDGES_MS,
  PERIODS,
  type WindowedCounts,
} from '../../src/contract/windows.ts'
import { SILENT, type Log } from '../../src/process/log.ts'
import { NO_PROGRESS } from '../../src/process/progress.ts'
import { currentId } from '../../src/release/reading/release-list.ts'
import { folderReader, readManifest } from '../../src/release/reading/folder-reader.ts'
import type { Manifest } from '../../src/release/format/manifest.ts'
import type { FoundRelease } from '../../src/release/reading/release-reader.ts'
import { readJournal } from '../../src/release/past/past.ts'
import { archiveMonths, type ArchiveOptions } from '../../src/release/past/archive.ts'
import { switchTo } from '../../src/release/writing/current-link.ts'
import { Staging, type ManifestAbout } from '../../src/release/writing/staging.ts'
import { isWhole, verifyRelease, type Verification } from '../../src/release/verify/verify.ts'
import type { ConsistentRead } from '../../src/source/read/consistent-read.ts'
import { releasePaths, type ReleasePaths } from '../../src/release/format/paths.ts'
import { countedEvents } from '../support/counted-events.ts'
import { datesOf, eventsSince, largestOf } from '../support/event-counts.ts'
import { sealedOnce, type SealedStage } from '../support/sealed-once.ts'
import type { SampleSite } from '../support/site.ts'

export const AS_OF_MS = Date.parse('2026-05-20T09:30:00.000Z')
export const CATEGORIES: readonly string[] = ['Design', 'Product']

export function aboutOf(asOfMs: number): ManifestAbout {
  return {
    dataAsOf: formatTimestamp(asOfMs),
    generatedAt: formatTimestamp(asOfMs + 1_000),
    nextUpdateAt: formatTimestamp(asOfMs + 3_600_000),
    version: '1.0',
    programVersion: '1.0.0',
    options: { voteWeight: 5, commentWeight: 3, topCategories: 3, people: 'exact' },
    mapping: { name: 'native', sha256: 'a'.repeat(64) },
    source: { replayLagMs: null, rowSecurity: 'off' },
    rows: { users: 1, ideas: 2, votes: 3, comments: 4, launchedIdeas: 0, categories: CATEGORIES.length },
    ignored: [],
    categories: CATEGORIES.map((name) => ({ name, key: categoryKey(name) })),
  }
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** @param dated how many since each edge: a day ago, two, 7, 14, 30, 60, 90, 180 */
function counts(total: number, ...dated: number[]): WindowedCounts {
  return { total, since: EDGES_MS.map((_, i) => dated[i] ?? dated.at(-1) ?? 0) }
}

/** In every window something differs: the second idea is older, is in two categories, and has an undated vote. */
function ideasOf(asOfMs: number): IdeaFacts[] {
  const common = { launched: false, launchedAtMs: null, url: null, status: 'open' }
  return [
    {
      ...common,
      id: '1',
      title: 'one',
      createdAtMs: asOfMs - HOUR_MS,
      categories: ['Design'],
      votes: eventsSince(1, [1], asOfMs),
      comments: eventsSince(1, [1], asOfMs),
    },
    {
      ...common,
      id: '2',
      title: 'two\r\nand "a half"',
      createdAtMs: asOfMs - 3 * DAY_MS,
      categories: CATEGORIES,
      votes: eventsSince(2, [0, 0, 1], asOfMs),
      comments: eventsSince(3, [1, 1, 1, 2, 2, 3], asOfMs),
    },
  ]
}

function usersOf(asOfMs: number, earliestMs: number): UserFacts {
  const registeredMs = asOfMs - HOUR_MS
  const each = { active: 1, authors: 1, voters: 1, commenters: 1 }
  return {
    accounts: counts(1, 1),
    laterAccounts: 0,
    active: { inWindow: BOUNDED_PERIODS.map(() => 1), before: BOUNDED_PERIODS.map(() => 0), all: 1 },
    yearAgo: BOUNDED_PERIODS.map(() => ({ newUsers: 0, active: 0 })),
    years: bucketsOf('all', asOfMs, earliestMs, 'year').map(({ startMs }) => ({ startMs, active: 1 })),
    buckets: PERIODS.map((period) =>
      bucketsOf(period, asOfMs, earliestMs).map(({ startMs, fromMs, toMs }) => ({
        startMs,
        newUsers: fromMs <= registeredMs && registeredMs < toMs ? 1 : 0,
        totalUsers: registeredMs < toMs ? 1 : 0,
        ...each,
      })),
    ),
  }
}

/** @param ideas newest first */
export async function fillStaging(
  stage: Staging,
  asOfMs: number,
  earlier: readonly HistoryRow[] = [],
  ideas: readonly IdeaFacts[] = ideasOf(asOfMs),
  isSite = false,
): Promise<WrittenDocuments> {
  const dates = ideas.flatMap(({ createdAtMs, launchedAtMs, votes, comments }) => [
    createdAtMs,
    launchedAtMs ?? asOfMs,
    ...[...datesOf(votes), ...datesOf(comments)].filter((ms) => ms !== null),
  ])
  const earliestMs = Math.min(asOfMs - 100 * DAY_MS, ...dates.filter((ms) => ms >= EARLIEST_DATE_MS))
  const source: ConsistentRead = {
    asOfMs,
    zone: UTC,
    standby: false,
    replayLagMs: null,
    closed: null,
    warnings: [],
    listedCategories: [],
    cutsMs: [asOfMs - HOUR_MS],
    counted: () =>
      Promise.resolve({
        ideas: ideas.length,
        events: countedEvents(asOfMs, ideas, [asOfMs - HOUR_MS]),
        users: usersOf(asOfMs, earliestMs),
        largestCategories: largestOf(ideas),
        firstMonthMs: UTC.startOf('month', earliestMs),
        peopleMonths: [{ users: { undated: 1, months: {} }, activeUsers: null }],
      }),
    async *facts() {
      yield [...ideas]
    },
    skippedRows: () => [],
    zoneFault: () => Promise.resolve(null),
    suspects: async () => [],
    end: () => Promise.resolve(),
  }
  const analytics = { voteWeight: 5, commentWeight: 3, siteUrl: null, people: 'exact', timeZone: 'UTC' } as const
  const effects = { signal: new AbortController().signal, progress: NO_PROGRESS, before: null }
  const { generatedAt, mapping } = aboutOf(asOfMs)
  const counted = await countRelease(source, stage, analytics, { generatedAt, isSite }, effects)
  const history = { earlier, mappingSha256: mapping.sha256 }
  return writeDocuments(counted, stage, { history, revisions: [] }, effects)
}

/** Stages and seals the release of two ideas. */
export function sealedSample(paths: ReleasePaths, asOfMs: number = AS_OF_MS): Promise<SealedStage> {
  return sealedOnce(paths, `sample ${asOfMs}`, async (stage) => {
    const { totals, categories } = await fillStaging(stage, asOfMs)
    return stage.seal({ ...aboutOf(asOfMs), rows: totals, categories })
  })
}

/** Stages, seals and promotes a release; does not make it current. */
export async function promoteSample(
  snapshotsDir: string,
  asOfMs: number = AS_OF_MS,
  ideas?: readonly IdeaFacts[],
  site?: SampleSite,
): Promise<Manifest> {
  const paths = releasePaths(snapshotsDir)
  if (ideas === undefined && site === undefined) {
    const { stage, manifest } = await sealedSample(paths, asOfMs)
    await stage.promote(manifest.id, isWhole)
    return manifest
  }
  const stage = await Staging.create(paths)
  const written = await fillStaging(stage, asOfMs, [], ideas, site !== undefined)
  const { totals, categories, siteDocuments: documents } = written
  const about = { ...aboutOf(asOfMs), rows: totals, categories }
  if (site === undefined || documents === null) return promoted(stage, about)
  const input = {
    ...about,
    closed: false,
    demo: false,
    people: 'exact',
    timeZone: 'UTC',
    siteUrl: null,
    months: [],
    logged: null,
    isCompared: false,
    programVersion: '1.0.0',
    mappingName: about.mapping.name,
  } as const
  const { request, write, assets } = site
  const part = await write(stage, request, { ...input, documents }, async () => [], assets)
  return promoted(stage, { ...about, options: { ...about.options, site: request.options }, site: part })
}

async function promoted(stage: Staging, about: ManifestAbout): Promise<Manifest> {
  const manifest = await stage.seal(about)
  await stage.promote(manifest.id, isWhole)
  return manifest
}

/** @param asOfMs ascending: the last one is current */
export async function publishSamples(snapshotsDir: string, ...asOfMs: number[]): Promise<string[]> {
  const ids: string[] = []
  for (const one of asOfMs) {
    const { id } = await promoteSample(snapshotsDir, one)
    await switchTo(releasePaths(snapshotsDir), id, Date.now())
    ids.push(id)
  }
  return ids
}

/** Archives the months that have ended. */
export async function archiveAt(snapshotsDir: string, nowMs: number, change: Partial<ArchiveOptions> = {}) {
  const failures: string[] = []
  const log: Log = { ...SILENT, warn: (_, message) => void failures.push(message) }
  const { signal } = new AbortController()
  const options: ArchiveOptions = { zone: UTC, nowMs, keepMonths: 24, people: 'exact', signal, ...change }
  const paths = releasePaths(snapshotsDir)
  const { lineage } = await readJournal(paths)
  const needed = await archiveMonths(paths, lineage, options, log)
  return { needed, failures }
}

export async function foundAt(snapshotsDir: string, id: string): Promise<FoundRelease> {
  return {
    reader: folderReader(releasePaths(snapshotsDir)),
    name: id,
    manifest: await readManifest(releasePaths(snapshotsDir), id),
  }
}

export async function verifyAt(snapshotsDir: string, id: string): Promise<Verification> {
  return verifyRelease(await foundAt(snapshotsDir, id))
}

/** The id of the current release, after every byte of it was compared with its manifest. */
export async function wholeCurrent(snapshotsDir: string): Promise<string> {
  const id = await currentId(releasePaths(snapshotsDir))
  if (id === null) throw new Error(`nothing is current in ${snapshotsDir}`)
  const { faults, unread } = await verifyAt(snapshotsDir, id)
  if (unread.length > 0) throw new Error(`${id} could not be read: ${unread.join('; ')}`)
  if (faults.length > 0) throw new Error(`${id} is torn: ${faults.join('; ')}`)
  return id
}
