// Inputs of the site of any size, counted naively from invented ideas: the same arguments give the same input.
import type { CategoryNumbers } from '../../src/contract/kinds/categories.ts'
import type { Cohort, OutcomesDocument } from '../../src/contract/kinds/outcomes.ts'
import type { ExportRow } from '../../src/contract/kinds/tables.ts'
import type { TimelineCounts } from '../../src/contract/kinds/timeline.ts'
import { snapshotPaths } from '../../src/contract/snapshot-paths.ts'
import { categoryKey, UNCATEGORIZED } from '../../src/contract/category-name.ts'
import { publishedCount, publishedTotalUsers, type PeopleMode } from '../../src/contract/people.ts'
import { formatTimestamp } from '../../src/contract/timestamp.ts'
import {
  BOUNDED_PERIODS,
  bucketsOf,
  monthStartOf,
  ownInterval,
  PERIODS,
  windowOf,
  type Period,
} from '../../src/contract/windows.ts'
import type { SiteDocuments, SiteInput, SiteWords } from '../../src/site/input.ts'

const DAY_MS = 86_400_000
export const AS_OF_MS = Date.UTC(2026, 10, 22, 14, 35, 12, 345)

interface Idea {
  readonly id: string
  readonly title: string
  readonly categories: readonly string[]
  readonly status: string | null
  readonly createdAtMs: number
  readonly launchedAtMs: number | null
  readonly votes: readonly number[]
  readonly comments: readonly number[]
}

export interface SiteSpec extends Partial<Omit<SiteInput, 'documents'>> {
  readonly ideas?: number
  readonly titles?: readonly string[]
  readonly names?: readonly string[]
  readonly statuses?: readonly (string | null)[]
  /** How old the oldest idea is. */
  readonly days?: number
}

export const WORDS: SiteWords = {
  title: 'Ideas of Nordhaven',
  publisher: 'City of Nordhaven',
  contact: 'mailto:data@nordhaven.example',
  license: 'CC-BY-4.0',
  accent: '#8a1c3a',
  logo: true,
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
    logo: false,
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
  const { ideas: count = 40, names = NAMES, people = 'exact', closed = false, ...given } = spec
  const ideas = Array.from({ length: closed ? 0 : count }, (_, i) => ideaOf(i, count, spec, names))
  const categories = count === 0 || closed ? [] : [...new Set([...names, UNCATEGORIZED])].sort()
  const keys = categories.map((name) => ({ name, key: categoryKey(name) }))
  return {
    words: { title: 'Ideas of the city', publisher: null, contact: null, license: null, accent: null, logo: false },
    languages: ['en'],
    publicUrl: null,
    siteUrl: null,
    dataAsOf: formatTimestamp(AS_OF_MS),
    nextUpdateAt: formatTimestamp(AS_OF_MS + DAY_MS),
    demo: false,
    programVersion: '1.0.0',
    files: [...snapshotPaths(keys.map(({ key }) => key))].map((path, i) => ({
      path,
      bytes: 300 + 977 * i,
      rows: path.endsWith('.csv') ? 31 * i : null,
    })),
    categories: keys,
    assets: { css: 'assets/page-0123456789.css', js: '' },
    ...given,
    closed,
    people,
    documents: documentsOf(ideas, people),
  }
}

/** Growing: later ideas are closer to each other, and each is voted on most when it is new. */
function ideaOf(i: number, count: number, spec: SiteSpec, names: readonly string[]): Idea {
  const { titles = TITLES, statuses = ['open', 'planned', null], days = 700 } = spec
  const createdAtMs = AS_OF_MS - Math.round(days * DAY_MS * (1 - Math.sqrt((i + 0.5) / count))) - 60_000
  const after = (n: number, step: number): number[] =>
    Array.from({ length: n }, (_, k) => createdAtMs + (k + 1) ** 2 * step).filter((timeMs) => timeMs < AS_OF_MS)
  const launchedAtMs = i % 6 === 1 ? createdAtMs + (20 + (i % 90)) * DAY_MS : null
  const isLaunched = launchedAtMs !== null && launchedAtMs < AS_OF_MS
  return {
    id: String(i + 1),
    title: titles[i % titles.length] ?? '',
    categories:
      i % 5 === 4
        ? [UNCATEGORIZED]
        : [...new Set([names[(i * 7) % names.length] ?? '', names[i % names.length] ?? ''])],
    status: isLaunched ? 'launched' : (statuses[i % statuses.length] ?? null),
    createdAtMs,
    launchedAtMs: isLaunched ? launchedAtMs : null,
    votes: after(3 + ((i * 31) % 11), 9_000_000),
    comments: after((i * 17) % 4, 50_000_000),
  }
}

function documentsOf(ideas: readonly Idea[], people: PeopleMode): SiteDocuments {
  const dataAsOf = formatTimestamp(AS_OF_MS)
  const of = <T>(make: (period: Period) => T): Record<Period, T> =>
    Object.fromEntries(PERIODS.map((period) => [period, make(period)])) as Record<Period, T>
  const launched = ideas.filter(({ launchedAtMs }) => launchedAtMs !== null)
  const all = numbersOf(ideas, 'all', ideas.length)
  return {
    stats: {
      stats: {
        totalUsers: publishedTotalUsers(ideas.length * 2, people),
        totalIdeas: ideas.length,
        totalVotes: all.votes,
        totalComments: all.comments,
        launchedIdeas: launched.length,
        activeCategories: new Set(ideas.flatMap(({ categories }) => categories)).size,
      },
      metrics: {
        avgVotesPerIdea: all.avgVotesPerIdea,
        avgCommentsPerIdea: all.avgCommentsPerIdea,
        launchSuccessRate: all.launchSuccessRate,
      },
      topCategories: [],
    },
    overview: of((period) => overviewOf(ideas, period, people)),
    users: of((period) => usersOf(ideas, period, people)),
    trending: Object.fromEntries(
      BOUNDED_PERIODS.map((period) => [period, trendingOf(ideas, period)]),
    ) as SiteDocuments['trending'],
    previousRanks: Object.fromEntries(
      BOUNDED_PERIODS.map((period) => [period, previousRanksOf(ideas, period)]),
    ) as SiteDocuments['previousRanks'],
    categories: of((period) => {
      const rows = [...new Set(ideas.flatMap(({ categories }) => categories))].map((category) => ({
        category,
        ...numbersOf(
          ideas.filter((idea) => idea.categories.includes(category)),
          period,
          ideas.length,
        ),
      }))
      const sorted = rows.sort((a, b) => b.ideas - a.ideas || (a.category < b.category ? -1 : 1))
      const totals = numbersOf(ideas, period, ideas.length)
      const fromMs = windowOf(period, AS_OF_MS).fromMs
      return {
        period,
        from: fromMs === null ? null : formatTimestamp(fromMs),
        to: dataAsOf,
        count: sorted.length,
        categories: sorted.slice(0, 20),
        totals,
        dataAsOf,
      }
    }),
    timelines: of((period) => timelineOf(ideas, period)),
    outcomes: outcomesOf(ideas),
    launched: launched
      .map((idea) => ({
        ...published(idea),
        launchedAt: formatTimestamp(idea.launchedAtMs ?? 0),
        votes: idea.votes.length,
        comments: idea.comments.length,
      }))
      .sort((a, b) => (a.launchedAt < b.launchedAt ? 1 : -1))
      .slice(0, 50),
  }
}

function published({ id, title, categories, status, createdAtMs }: Idea) {
  return {
    id,
    title,
    category: categories.join('; '),
    categories,
    status,
    url: `https://ideas.example/${id}`,
    createdAt: formatTimestamp(createdAtMs),
  }
}

const percent = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100)
const within = (times: readonly number[], fromMs: number, toMs: number): number =>
  times.filter((timeMs) => timeMs >= fromMs && timeMs < toMs).length

function countsOf(ideas: readonly Idea[], fromMs: number, toMs: number): TimelineCounts {
  return {
    ideas: within(
      ideas.map(({ createdAtMs }) => createdAtMs),
      fromMs,
      toMs,
    ),
    votes: ideas.reduce((sum, { votes }) => sum + within(votes, fromMs, toMs), 0),
    comments: ideas.reduce((sum, { comments }) => sum + within(comments, fromMs, toMs), 0),
    launchedIdeas: within(
      ideas.flatMap(({ launchedAtMs }) => (launchedAtMs === null ? [] : [launchedAtMs])),
      fromMs,
      toMs,
    ),
  }
}

function numbersOf(ideas: readonly Idea[], period: Period, all: number): CategoryNumbers {
  const { fromMs } = windowOf(period, AS_OF_MS)
  const counts = countsOf(ideas, fromMs ?? -Infinity, AS_OF_MS)
  const before = fromMs === null ? null : countsOf(ideas, 2 * fromMs - AS_OF_MS, fromMs)
  const created = ideas.filter(({ createdAtMs }) => createdAtMs >= (fromMs ?? -Infinity))
  return {
    ...counts,
    launchSuccessRate: percent(created.filter(({ launchedAtMs }) => launchedAtMs !== null).length, created.length),
    avgVotesPerIdea: percent(counts.votes, counts.ideas * 100),
    avgCommentsPerIdea: percent(counts.comments, counts.ideas * 100),
    shareOfIdeas: percent(counts.ideas, all),
    totalIdeas: ideas.length,
    previousIdeas: before?.ideas ?? null,
    previousVotes: before?.votes ?? null,
    previousComments: before?.comments ?? null,
  }
}

function overviewOf(ideas: readonly Idea[], period: Period, people: PeopleMode): ExportRow[] {
  const { fromMs } = windowOf(period, AS_OF_MS)
  const now = countsOf(ideas, fromMs ?? -Infinity, AS_OF_MS)
  const before = fromMs === null ? null : countsOf(ideas, 2 * fromMs - AS_OF_MS, fromMs)
  const row = (metric: string, value: number | null, previousValue: number | null): ExportRow => ({
    metric,
    value,
    previousValue,
    changePercent:
      value === null || previousValue === null || previousValue === 0
        ? null
        : percent(value - previousValue, previousValue),
  })
  const ofPeople = (metric: string, times: number): ExportRow =>
    row(
      metric,
      publishedCount(now.ideas * times, people),
      before === null ? null : publishedCount(before.ideas * times, people),
    )
  return [
    ofPeople('newUsers', 1),
    ofPeople('activeUsers', 3),
    ...(['ideas', 'votes', 'comments', 'launchedIdeas'] as const).map((key) =>
      row(key, now[key], before?.[key] ?? null),
    ),
  ]
}

function earliest(ideas: readonly Idea[]): number | null {
  return ideas.length === 0 ? null : Math.min(...ideas.slice(0, 100).map(({ createdAtMs }) => createdAtMs))
}

function usersOf(ideas: readonly Idea[], period: Period, people: PeopleMode): ExportRow[] {
  return bucketsOf(period, AS_OF_MS, earliest(ideas)).map(({ startMs, fromMs, toMs }) => {
    const { ideas: n, comments } = countsOf(ideas, fromMs, toMs)
    const values = {
      newUsers: n,
      totalUsers: n * 9,
      activeUsers: n * 5,
      ideaAuthors: n,
      voters: n * 4,
      commenters: comments,
    }
    const cells = Object.entries(values).map(([name, value]) => [name, publishedCount(value, people)])
    return { bucket: formatTimestamp(startMs), ...Object.fromEntries(cells) } as ExportRow
  })
}

function previousScoreOf({ votes, comments }: Idea, period: (typeof BOUNDED_PERIODS)[number]): number {
  const fromMs = windowOf(period, AS_OF_MS).fromMs ?? 0
  const before = (times: readonly number[]): number => within(times, 2 * fromMs - AS_OF_MS, fromMs)
  return 5 * before(votes) + 3 * before(comments)
}

function previousRanksOf(
  ideas: readonly Idea[],
  period: (typeof BOUNDED_PERIODS)[number],
): ReadonlyMap<string, number | null> {
  const scores = new Map(ideas.map((idea) => [idea.id, previousScoreOf(idea, period)]))
  const rank = (score: number): number => 1 + [...scores.values()].filter((other) => other > score).length
  return new Map([...scores].map(([id, score]) => [id, score === 0 ? null : rank(score)]))
}

function trendingOf(ideas: readonly Idea[], period: (typeof BOUNDED_PERIODS)[number]): SiteDocuments['trending']['7d'] {
  const fromMs = windowOf(period, AS_OF_MS).fromMs ?? 0
  const rows = ideas.map((idea) => {
    const [votes, comments] = [within(idea.votes, fromMs, AS_OF_MS), within(idea.comments, fromMs, AS_OF_MS)]
    return {
      ...published(idea),
      score: 5 * votes + 3 * comments,
      votes,
      comments,
      previousScore: previousScoreOf(idea, period),
      totalVotes: idea.votes.length,
      totalComments: idea.comments.length,
      launchedAt: null,
    }
  })
  const top = rows
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, 100)
  const dataAsOf = formatTimestamp(AS_OF_MS)
  return {
    period,
    category: null,
    from: formatTimestamp(fromMs),
    to: dataAsOf,
    limit: 100,
    count: top.length,
    ideas: top.map((idea, i) => ({ rank: i + 1, ...idea })),
    dataAsOf,
  }
}

function timelineOf(ideas: readonly Idea[], period: Period): SiteDocuments['timelines']['30d'] {
  const fromMs = windowOf(period, AS_OF_MS).fromMs
  const buckets = bucketsOf(period, AS_OF_MS, earliest(ideas)).map((bucket) => ({
    bucket: formatTimestamp(bucket.startMs),
    ...countsOf(ideas, bucket.fromMs, bucket.toMs),
    totalIdeas: 0,
    totalVotes: 0,
    totalComments: 0,
    totalLaunchedIdeas: 0,
  }))
  const to = formatTimestamp(AS_OF_MS)
  const undated = { ideas: 0, votes: 0, comments: 0, launchedIdeas: 0 }
  const from = fromMs === null ? null : formatTimestamp(fromMs)
  return {
    period,
    interval: ownInterval(period),
    category: null,
    from,
    to,
    count: buckets.length,
    buckets,
    undated,
    dataAsOf: to,
  }
}

function outcomesOf(ideas: readonly Idea[]): OutcomesDocument {
  const launched = ideas.filter(({ launchedAtMs }) => launchedAtMs !== null)
  const days = launched
    .map(({ launchedAtMs, createdAtMs }) => ((launchedAtMs ?? 0) - createdAtMs) / DAY_MS)
    .sort((a, b) => a - b)
  const votesOf = (some: readonly Idea[]): number => some.reduce((sum, { votes }) => sum + votes.length, 0)
  const statuses = [...new Set(ideas.map(({ status }) => status))].map((status) => {
    const some = ideas.filter((idea) => idea.status === status)
    const comments = some.reduce((sum, idea) => sum + idea.comments.length, 0)
    return {
      status,
      ideas: some.length,
      votes: votesOf(some),
      comments,
      shareOfIdeas: percent(some.length, ideas.length),
    }
  })
  const byMonth = new Map<number, Idea[]>()
  for (const idea of ideas) {
    const month = monthStartOf(idea.createdAtMs)
    byMonth.set(month, [...(byMonth.get(month) ?? []), idea])
  }
  const cohorts = bucketsOf('all', AS_OF_MS, earliest(ideas)).map(({ startMs }): Cohort => {
    const some = byMonth.get(startMs) ?? []
    const done = some.filter(({ launchedAtMs }) => launchedAtMs !== null).length
    return {
      month: formatTimestamp(startMs),
      ideas: some.length,
      votedIdeas: some.filter(({ votes }) => votes.length > 0).length,
      discussedIdeas: some.filter(({ comments }) => comments.length > 0).length,
      launchedIdeas: done,
      launchedWithin30Days: AS_OF_MS - startMs > 61 * DAY_MS ? Math.min(done, 1) : null,
      launchedWithin90Days: null,
      launchedWithin365Days: null,
    }
  })
  return {
    category: null,
    statuses: statuses.sort((a, b) => Number(a.status === null) - Number(b.status === null) || b.ideas - a.ideas),
    launched: {
      ideas: launched.length,
      votes: votesOf(launched),
      shareOfVotes: percent(votesOf(launched), votesOf(ideas)),
      dated: launched.length,
      medianDays: days[Math.floor(days.length / 2)] ?? null,
      p90Days: days[Math.floor(days.length * 0.9)] ?? null,
    },
    cohorts,
    dataAsOf: formatTimestamp(AS_OF_MS),
  }
}
