// Inputs of the site of any size, counted from invented ideas: the same arguments give the same input.
import { categorySums, type Categories } from '../../src/analytics/categories.ts'
import { ideaLists } from '../../src/analytics/idea-lists.ts'
import { overviewRows, statsDocument } from '../../src/analytics/overview.ts'
import { publishPeople } from '../../src/analytics/people.ts'
import { ownSpan } from '../../src/analytics/timeline.ts'
import { trendingLists } from '../../src/analytics/trending.ts'
import { ofSite } from '../../src/builder/documents/site-documents.ts'
import { categoryKey, UNCATEGORIZED } from '../../src/contract/category-name.ts'
import { peopleBuckets, peopleTime, type PeopleMode, type PeopleTime } from '../../src/contract/people.ts'
import { snapshotPaths } from '../../src/contract/snapshot-paths.ts'
import { timeZoneOf, UTC, type TimeZone } from '../../src/contract/time-zone.ts'
import { formatTimestamp } from '../../src/contract/timestamp.ts'
import {
  BOUNDED_PERIODS,
  bucketsOf,
  countBefore,
  countIn,
  EARLIEST_DATE_MS,
  PERIODS,
  yearAgo,
} from '../../src/contract/windows.ts'
import { CATEGORIES_WITH_PAGES, type IdeaFacts, type UserFacts } from '../../src/model/facts.ts'
import type { SiteDocuments, SiteInput } from '../../src/site/page/input.ts'
import { countedEvents } from './counted-events.ts'
import { eventsAt } from './event-counts.ts'

const DAY_MS = 86_400_000
export const AS_OF_MS = Date.UTC(2026, 10, 22, 14, 35, 12, 345)

export interface SiteSpec extends Partial<Omit<SiteInput, 'documents'>> {
  readonly ideas?: number
  /** In place of invented ones: newest first. */
  readonly facts?: readonly IdeaFacts[]
  readonly titles?: readonly string[]
  readonly names?: readonly string[]
  readonly statuses?: readonly (string | null)[]
  /** How old the oldest idea is. */
  readonly days?: number
  readonly asOfMs?: number
}

export const WORDS: SiteInput['words'] = {
  title: 'Ideas of Nordhaven',
  publisher: 'City of Nordhaven',
  contact: 'mailto:data@nordhaven.example',
  license: 'CC-BY-4.0',
  accent: '#8a1c3a',
  logo: 'a hash',
}

/** Names of sixty characters. */
export const SIXTY: readonly string[] = Array.from({ length: 90 }, (_, i) =>
  `Number ${i} of names as long as a line can be`.padEnd(60, '.'),
)

/** Whatever strangers write. */
export const HOSTILE_SITE: SiteSpec = {
  ideas: 60,
  titles: [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    'Z\u0334\u0321\u0322\u031B\u0317\u0300\u0301'.repeat(40),
    'supercalifragilistic'.repeat(12),
    '\u202Egnirts desrever',
    '\u{1F469}\u200D\u{1F469}\u200D\u{1F467}'.repeat(130),
    '',
    `Cut me ${'off '.repeat(60)}`,
    '\u0007\u0000 two\r\nlines \uFFFE',
    '\u05E9\u05DC\u05D5\u05DD (1) <b>',
  ],
  names: ['<b>bold</b>', '"quote\'', '\u062A\u0635\u0646\u064A\u0641', 'X'.repeat(60), '\u202Eevil'],
  statuses: ['<i>', null, 's'.repeat(100), '\u0645\u0641\u062A\u0648\u062D'],
  words: {
    title: `Ideas <of> "the" city & its ${'surroundings '.repeat(4)}`,
    publisher: '\u0645\u062F\u064A\u0646\u0629 <b>',
    contact: null,
    license: null,
    accent: '#ff00aa',
    logo: null,
  },
}

export const RIGHT_TO_LEFT: SiteSpec = {
  ideas: 60,
  titles: [
    '\u0645\u0631\u062D\u0628\u0627 \u0628\u0627\u0644\u0639\u0627\u0644\u0645: \u062E\u0637\u0629 (2)',
    '\u05E9\u05DC\u05D5\u05DD (1) \u05E2\u05D5\u05DC\u05DD',
    'Bench (3) in \u05E4\u05D0\u05E8\u05E7 near the sea',
  ],
  names: ['\u062A\u0635\u0646\u064A\u0641', '\u05EA\u05D7\u05D1\u05D5\u05E8\u05D4'],
}

const TITLES = [
  'A foot bridge across the canal',
  'Plant trees in Market Street',
  'Benches for the harbour',
  'Longer library hours',
]
const NAMES = ['Transport', 'Parks & Nature', 'Housing', 'Café & Culture']

export function siteInput(spec: SiteSpec = {}): SiteInput {
  const { facts, ideas: count = facts?.length ?? 40, names = NAMES, people = 'exact', closed = false, ...rest } = spec
  const { asOfMs = AS_OF_MS, timeZone = 'UTC', ...given } = rest
  const ideas = facts ?? Array.from({ length: closed ? 0 : count }, (_, i) => ideaOf(i, count, spec, names, asOfMs))
  const categories = count === 0 || closed ? [] : [...new Set([...names, UNCATEGORIZED])].sort()
  const keys = categories.map((name) => ({ name, key: categoryKey(name) }))
  return {
    words: { title: 'Ideas of the city', publisher: null, contact: null, license: null, accent: null, logo: null },
    languages: ['en'],
    publicUrl: null,
    logged: null,
    isCompared: false,
    siteUrl: null,
    dataAsOf: formatTimestamp(asOfMs),
    nextUpdateAt: formatTimestamp(asOfMs + DAY_MS),
    demo: false,
    timeZone,
    programVersion: '1.0.0',
    mappingName: 'native',
    ignored: [],
    months: [],
    files: [...snapshotPaths(keys.map(({ key }) => key)), ...searchPaths(ideas.length)].map((path, i) => ({
      path,
      bytes: 300 + 977 * i,
      rows: path.endsWith('.csv') ? 31 * i : null,
    })),
    assets: { css: 'assets/page-0123456789.css', js: 'assets/page-0123456789.js' },
    ...given,
    closed,
    people,
    documents: documentsOf(ideas, people, asOfMs, timeZoneOf({ timeZone })),
  }
}

/** Of the files of the search. */
const searchPaths = (ideas: number): string[] =>
  [0, 800, 5_600, 10_400, 15_200].flatMap((first, i) => (first < ideas ? `search/${i + 1}.json` : []))

/** Growing: later ideas are closer to each other, and each is voted on most when it is new. */
function ideaOf(i: number, count: number, spec: SiteSpec, names: readonly string[], asOfMs: number): IdeaFacts {
  const { titles = TITLES, statuses = ['open', 'planned', null], days = 700 } = spec
  const createdAtMs = asOfMs - Math.round(days * DAY_MS * (1 - Math.sqrt((i + 0.5) / count))) - 60_000
  const after = (n: number, step: number): number[] =>
    Array.from({ length: n }, (_, k) => createdAtMs + (k + 1) ** 2 * step).filter((timeMs) => timeMs < asOfMs)
  const launchedAtMs = i % 6 === 1 ? createdAtMs + (20 + (i % 90)) * DAY_MS : null
  const launched = launchedAtMs !== null && launchedAtMs < asOfMs
  return {
    id: String(i + 1),
    title: titles[i % titles.length] ?? '',
    categories: i % 5 === 4 ? [] : [...new Set([names[(i * 7) % names.length] ?? '', names[i % names.length] ?? ''])],
    status: launched ? 'launched' : (statuses[i % statuses.length] ?? null),
    url: `https://ideas.example/${i + 1}`,
    createdAtMs,
    launched,
    launchedAtMs: launched ? launchedAtMs : null,
    votes: eventsAt(after(3 + ((i * 31) % 11), 9_000_000), asOfMs),
    comments: eventsAt(after((i * 17) % 4, 50_000_000), asOfMs),
  }
}

/** What is counted over ideas, of all and by category. */
export function countedIdeas(ideas: readonly IdeaFacts[], asOfMs = AS_OF_MS, zone: TimeZone = UTC): Categories {
  const categories = categorySums([], countedEvents(asOfMs, ideas, [], zone))
  for (const idea of ideas) categories.add(idea)
  return categories
}

function documentsOf(ideas: readonly IdeaFacts[], mode: PeopleMode, asOfMs: number, zone: TimeZone): SiteDocuments {
  const dataAsOf = formatTimestamp(asOfMs)
  const categories = countedIdeas(ideas, asOfMs, zone)
  const names = categories.rows('all').map(({ category }) => category)
  const withPages = names.slice(0, CATEGORIES_WITH_PAGES)
  const options = { voteWeight: 5, commentWeight: 3, siteUrl: null, people: mode, timeZone: zone.name }
  const trending = trendingLists(options, withPages)
  const lists = ideaLists(withPages, null, asOfMs)
  for (const idea of ideas) trending.add(idea)
  for (const idea of ideas.toSorted((a, b) => b.createdAtMs - a.createdAtMs)) lists.add(idea)
  const dated = ideas.map(({ createdAtMs }) => createdAtMs).filter((ms) => ms >= EARLIEST_DATE_MS)
  const earliestMs = dated.length === 0 ? null : dated.reduce((first, ms) => Math.min(first, ms))
  const people = publishPeople(usersOf(ideas, earliestMs, peopleTime(mode, asOfMs, zone)), mode)
  const firstMonthMs = earliestMs === null ? null : zone.startOf('month', earliestMs)
  const outcomes = categories.all.outcomes.document(null)
  const yearStarts = bucketsOf('all', asOfMs, earliestMs, 'year', zone).map(({ startMs }) => startMs)
  const years = outcomes.years.map((year, i) => ({ ...year, activeUsers: people.activeInYear(yearStarts[i] ?? 0) }))
  const by = <P extends string, T>(periods: readonly P[], make: (period: P) => T): Record<P, T> =>
    Object.fromEntries(periods.map((period) => [period, make(period)])) as Record<P, T>
  return {
    stats: statsDocument(categories, people.inStats),
    revisions: [],
    overview: by(PERIODS, (period) => overviewRows(period, categories, people)),
    users: by(PERIODS, (period) => people.userRows(period, zone)),
    trending: by(BOUNDED_PERIODS, (period) => trending.document(period, null, asOfMs)),
    categories: by(PERIODS, (period) => ofSite(categories.document(period, asOfMs))),
    timelines: by(PERIODS, (period) => ({
      ...categories.all.timeline.document(ownSpan(period), null, firstMonthMs),
      dataAsOf,
    })),
    outcomes: { ...outcomes, years, dataAsOf },
    launched: lists.of(null).launched,
    newest: lists.newest,
    lastYear: categories.all.timeline.lastYear(),
    mappings: [],
    ofCategories: lists.pages.map((name) => ({
      name,
      ...lists.of(name),
      key: categoryKey(name),
      numbers: by(PERIODS, (period) => categories.numbers(name, period)),
      file: categories.file(name, firstMonthMs, asOfMs),
      lastYear: categories.of(name).timeline.lastYear(),
      trending: trending.document('90d', name, asOfMs),
    })),
  }
}

/** Two accounts for an idea, made with it. */
function usersOf(ideas: readonly IdeaFacts[], earliestMs: number | null, time: PeopleTime): UserFacts {
  const { asOfMs, zone } = time
  const created = ideas.map(({ createdAtMs }) => createdAtMs).filter((timeMs) => timeMs < asOfMs)
  const accounts = eventsAt([...created, ...created], asOfMs)
  return {
    accounts,
    laterAccounts: 0,
    active: {
      inWindow: BOUNDED_PERIODS.map((period) => 3 * countIn(accounts, period)),
      before: BOUNDED_PERIODS.map((period) => 3 * (countBefore(accounts, period) ?? 0)),
      all: 3 * created.length,
    },
    yearAgo: BOUNDED_PERIODS.flatMap((period) => yearAgo(period, asOfMs) ?? []).map(({ fromMs, toMs }) => {
      const n = created.filter((timeMs) => timeMs >= fromMs && timeMs < toMs).length
      return { newUsers: 2 * n, active: 3 * n }
    }),
    years: bucketsOf('all', asOfMs, earliestMs, 'year', zone).map(({ startMs, fromMs, toMs }) => ({
      startMs,
      active: 5 * created.filter((timeMs) => timeMs >= fromMs && timeMs < toMs).length,
    })),
    buckets: PERIODS.map((period) =>
      peopleBuckets(period, time, earliestMs).map(({ startMs, fromMs, toMs }) => {
        const n = created.filter((timeMs) => timeMs >= fromMs && timeMs < toMs).length
        return { startMs, newUsers: 2 * n, totalUsers: 9 * n, active: 5 * n, authors: n, voters: 4 * n, commenters: n }
      }),
    ),
  }
}
