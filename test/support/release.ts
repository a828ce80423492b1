// Real releases without a database: a made-up source through the real build stages, in tens of milliseconds.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countRelease, writeDocuments } from '../../src/builder/documents/write-documents.ts'
import { compareCodePoints } from '../../src/model/code-point-order.ts'
import { UTC } from '../../src/contract/time-zone.ts'
import { formatTimestamp } from '../../src/contract/timestamp.ts'
import type { EventCounts, IdeaFacts, UserFacts } from '../../src/model/facts.ts'
import { peopleTime, type PeopleTime } from '../../src/contract/people.ts'
import { CellTally } from '../../src/model/time-cells.ts'
import { BOUNDED_PERIODS, bucketsOf, PERIODS } from '../../src/contract/windows.ts'
import { NO_PROGRESS } from '../../src/process/progress.ts'
import { DEMO_MAPPING, type Manifest } from '../../src/release/format/manifest.ts'
import { switchTo } from '../../src/release/writing/current-link.ts'
import { userFacts } from '../../src/source/read/counting.ts'
import { isWhole } from '../../src/release/verify/verify.ts'
import type { Staging } from '../../src/release/writing/staging.ts'
import { releasePaths } from '../../src/release/format/paths.ts'
import { cellsAt, countedEvents, slicesAt } from './counted-events.ts'
import { eventsSince, largestOf } from './event-counts.ts'
import { sealedOnce } from './sealed-once.ts'
import type { SampleSite } from './site.ts'

export const HOUR_MS = 3_600_000
/** Not a whole second: Last-Modified and X-Data-As-Of must differ in it. */
export const AS_OF_MS = Date.parse('2026-05-20T09:30:00.123Z')

/** Ordinary names, however they look. */
export const HOSTILE_CATEGORIES: readonly string[] = ['../x', 'Product', '__proto__', 'all', 'product', '😀']

export interface ReleaseSpec {
  readonly asOfMs?: number
  readonly cadenceMs?: number
  readonly categories?: readonly string[]
  readonly ideas?: number
  /** Pads every title: exports of ideas grow with it. */
  readonly titleChars?: number
  /** Of the newest idea; each further one is a minute older. */
  readonly ageMs?: number
  /** Another one gives other numbers. */
  readonly revision?: number
  readonly mapping?: string
  /** Of a site that is closed to visitors: without an idea, whatever else is asked for. */
  readonly closed?: true
  /** A website, too. */
  readonly site?: SampleSite
}

/** What a CSV writer must quote and a spreadsheet must not run. */
const TITLES: readonly string[] = [
  '=1+1',
  '-5',
  ' @home',
  'a "quoted", one',
  'two\r\nlines',
  "it's plain",
  '=cmd|" /C"!A1',
]

/** Builds a release and makes it current. */
export async function publishRelease(snapshotsDir: string, spec: ReleaseSpec = {}): Promise<Manifest> {
  const paths = releasePaths(snapshotsDir)
  const seal = (stage: Staging): Promise<Manifest> => sealed(stage, spec)
  // The texts of a site are not in the key.
  const key = spec.site === undefined ? JSON.stringify(spec) : null
  const { stage, manifest } = await sealedOnce(paths, key, seal)
  await stage.promote(manifest.id, isWhole)
  await switchTo(paths, manifest.id, Date.now())
  return manifest
}

async function sealed(stage: Staging, spec: ReleaseSpec): Promise<Manifest> {
  const { asOfMs = AS_OF_MS, cadenceMs = HOUR_MS, closed, mapping = 'native', site } = spec
  const { categories = closed === true ? [] : HOSTILE_CATEGORIES } = spec
  const analytics = { voteWeight: 5, commentWeight: 3, siteUrl: null, people: 'exact', timeZone: 'UTC' } as const
  const ideas = closed === true ? [] : ideasOf(spec, asOfMs, categories)
  const source = {
    asOfMs,
    zone: UTC,
    serverVersion: 'none',
    standby: false,
    replayLagMs: null,
    closed: null,
    warnings: [],
    listedCategories: categories,
    cutsMs: [asOfMs],
    counted: () =>
      Promise.resolve({
        ideas: ideas.length,
        events: countedEvents(asOfMs, ideas),
        users: closed === true ? nobody(peopleTime('exact', asOfMs)) : usersOf(asOfMs),
        largestCategories: largestOf(ideas),
        firstMonthMs: closed === true ? null : UTC.startOf('month', asOfMs - 200 * 24 * HOUR_MS),
        peopleMonths: [{ users: { undated: 0, months: {} }, activeUsers: null }],
      }),
    async *facts() {
      yield ideas
    },
    skippedRows: () => [],
    zoneFault: () => Promise.resolve(null),
    suspects: async () => [],
    end: () => Promise.resolve(),
  }
  const generatedAt = formatTimestamp(asOfMs + 1_000)
  const effects = { signal: new AbortController().signal, progress: NO_PROGRESS, before: null }
  const mappingSha256 = 'a'.repeat(64)
  const history = closed === true ? null : { earlier: [], mappingSha256 }
  const isSite = site !== undefined
  const counted = await countRelease(source, stage, analytics, { generatedAt, isSite }, effects)
  const made = await writeDocuments(counted, stage, { history, revisions: [] }, effects)
  const { voteWeight, commentWeight } = analytics
  const times = { dataAsOf: formatTimestamp(asOfMs), nextUpdateAt: formatTimestamp(asOfMs + cadenceMs) }
  const { categories: published, siteDocuments: documents } = made
  const flags = { closed: closed === true, demo: mapping === DEMO_MAPPING, people: 'exact' as const, timeZone: 'UTC' }
  const about = {
    ...times,
    ...flags,
    siteUrl: null,
    months: [],
    logged: null,
    isCompared: false,
    programVersion: '1.0.0',
    mappingName: mapping,
    ignored: [],
    categories: published,
  }
  const part =
    site === undefined || documents === null
      ? {}
      : { site: await site.write(stage, site.request, { ...about, documents }, async () => [], site.assets) }
  return stage.seal({
    ...times,
    generatedAt,
    version: '1.0',
    programVersion: '1.0.0',
    options: {
      voteWeight,
      commentWeight,
      topCategories: 3,
      people: 'exact',
      ...(site === undefined ? {} : { site: site.request.options }),
    },
    mapping: { name: mapping, sha256: mappingSha256 },
    source: { replayLagMs: null, rowSecurity: 'off' },
    ...(closed === true ? { closed } : {}),
    ...part,
    rows: made.totals,
    ignored: [],
    categories: published,
  })
}

/** A folder in which releases can be published, and its end. */
export function snapshotsFolder(): { readonly dir: string; remove(): void } {
  const dir = mkdtempSync(join(tmpdir(), 'proxy-test-'))
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) }
}

function ideasOf(spec: ReleaseSpec, asOfMs: number, names: readonly string[]): IdeaFacts[] {
  const { ideas = 130, titleChars = 0, ageMs = 60_000, revision = 0 } = spec
  return Array.from({ length: ideas }, (_, i) => {
    const own = i % 5 === 4 ? [] : [names[i % names.length], i % 11 === 0 ? names[(i + 1) % names.length] : undefined]
    return {
      id: String(1000 + i),
      title: `${TITLES[i % TITLES.length]}${titleChars === 0 ? '' : `${i} `.padEnd(titleChars, 'lorem ipsum ')}`,
      createdAtMs: asOfMs - ageMs - i * 60_000,
      launched: i % 3 === 0,
      launchedAtMs: i % 6 === 0 ? asOfMs - 1 : null,
      url: i % 2 === 0 ? `/ideas/${1000 + i}` : null,
      status: i % 4 === 0 ? null : 'open',
      categories: [...new Set(own.filter((name) => name !== undefined))].sort(compareCodePoints),
      votes: lately(1 + (i % 9) + revision, asOfMs),
      comments: lately(i % 4, asOfMs),
    }
  })
}

/** `n` rows in the last 24 hours, and one undated. */
function lately(n: number, asOfMs: number): EventCounts {
  return eventsSince(n + 1, [n], asOfMs)
}

function nobody(time: PeopleTime): UserFacts {
  const slices = slicesAt(time.asOfMs)
  return userFacts(new CellTally(cellsAt(slices).cells), null, { slices, people: time }, null)
}

function usersOf(asOfMs: number): UserFacts {
  const each = { active: 4, authors: 1, voters: 3, commenters: 2 }
  const earliestMs = asOfMs - 200 * 24 * HOUR_MS
  return {
    accounts: lately(7, asOfMs),
    laterAccounts: 0,
    active: { inWindow: BOUNDED_PERIODS.map(() => 4), before: BOUNDED_PERIODS.map(() => 2), all: 9 },
    yearAgo: BOUNDED_PERIODS.map(() => ({ newUsers: 0, active: 0 })),
    years: bucketsOf('all', asOfMs, earliestMs, 'year').map(({ startMs }) => ({ startMs, active: 5 })),
    buckets: PERIODS.map((period) =>
      bucketsOf(period, asOfMs, earliestMs).map(({ startMs }) => ({ startMs, newUsers: 1, totalUsers: 8, ...each })),
    ),
  }
}
