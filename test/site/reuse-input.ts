// A small site as siteFiles() gets it: launched and trending ideas with the titles a test wants, one category, real paths.
import type { TrendingIdea } from '../../src/contract/kinds/trending.ts'
import {
  snapshotPath,
  combinations,
  BULK_PATH,
  IDEAS_WORKBOOK,
  TABLES_WORKBOOK,
} from '../../src/contract/snapshot-paths.ts'
import { BOUNDED_PERIODS, PERIODS, type Period } from '../../src/contract/windows.ts'
import type { LaunchedIdea } from '../../src/contract/kinds/ideas.ts'
import type { CategoryView, SiteDocuments, SiteInput } from '../../src/site/page/input.ts'
import { siteInput as countedInput } from '../support/site-input.ts'

export const PUBLIC_URL = 'https://stats.example.org/numbers'
export const AS_OF = '2026-11-22T13:17:04.641Z'
const FROM = '2026-10-23T13:17:04.641Z'

const WORDS: SiteInput['words'] = {
  title: 'Harbourtown Ideas',
  publisher: 'City of Harbourtown',
  contact: 'mailto:data@harbourtown.example',
  license: 'CC-BY-4.0',
  accent: null,
  logo: null,
}

export function launchedIdea(more: Partial<LaunchedIdea> = {}): LaunchedIdea {
  return {
    id: '17',
    title: 'More benches',
    category: 'Parks',
    categories: ['Parks'],
    status: 'launched',
    url: 'https://ideas.example.org/17',
    votes: 12,
    comments: 3,
    createdAt: '2026-09-01T10:00:00.000Z',
    launchedAt: '2026-10-31T22:47:48.044Z',
    launched: true,
    totalVotes: 12,
    totalComments: 3,
    ...more,
  }
}

export function trendingIdea(more: Partial<TrendingIdea> = {}): TrendingIdea {
  return {
    rank: 1,
    id: '3',
    title: 'A tram to the beach',
    category: 'Transport',
    categories: ['Transport'],
    status: 'open',
    url: 'https://ideas.example.org/3',
    score: 60,
    votes: 9,
    comments: 5,
    previousScore: 10,
    totalVotes: 69,
    totalComments: 14,
    createdAt: '2026-10-31T22:47:48.044Z',
    launchedAt: null,
    ...more,
  }
}

const BASE = countedInput({ ideas: 3, days: 2 })
const NUMBERS = {
  ideas: 4,
  votes: 40,
  comments: 9,
  launchedIdeas: 1,
  launchSuccessRate: 25,
  avgVotesPerIdea: 10,
  avgCommentsPerIdea: 2.25,
  shareOfIdeas: 100,
  totalIdeas: 1850,
  previousIdeas: 5,
  previousVotes: 38,
  previousComments: 7,
}

const ALL = { ideas: 1850, votes: 72020, comments: 11937, launchedIdeas: 280 }
const ADDED = { ideas: 43, votes: 1282, comments: 194, launchedIdeas: 4 }

function byPeriod<P extends Period, T>(periods: readonly P[], of: (period: P) => T): Record<P, T> {
  return Object.fromEntries(periods.map((period) => [period, of(period)])) as Record<P, T>
}

/** Of it only what is shown elsewhere. */
export function categoryView(more: Partial<CategoryView> = {}): CategoryView {
  const numbers = byPeriod(PERIODS, (period) => ({ ...NUMBERS, ideas: period === 'all' ? 278 : 4 }))
  const undated = { ideas: 0, votes: 0, comments: 0, launchedIdeas: 0 }
  const file = { timelines: { all: { undated } } }
  return {
    name: 'Parks',
    key: 'parks-0123456789ab',
    numbers,
    file,
    launched: [launchedIdea()],
    ...more,
  } as CategoryView
}

export function documents(more: Partial<SiteDocuments> = {}): SiteDocuments {
  return {
    ...BASE.documents,
    stats: {
      stats: {
        totalUsers: 2562,
        totalIdeas: 1850,
        totalVotes: 72020,
        totalComments: 11937,
        launchedIdeas: 280,
        activeCategories: 14,
      },
      metrics: { avgVotesPerIdea: 38.93, avgCommentsPerIdea: 6.45, launchSuccessRate: 15.14 },
      topCategories: [{ category: 'Parks', count: 278 }],
    },
    trending: byPeriod(BOUNDED_PERIODS, (period) => {
      const ideas = [
        trendingIdea(),
        trendingIdea({ rank: 2, id: '4', title: 'Open the library on Sundays', url: null }),
      ]
      return { period, category: null, from: FROM, to: AS_OF, limit: 100, count: 2, ideas, dataAsOf: AS_OF }
    }),
    categories: byPeriod(PERIODS, (period) => {
      const categories = [{ category: 'Parks', ...NUMBERS }]
      const totals = { ...NUMBERS, ...(period === 'all' ? ALL : ADDED) }
      return { period, from: FROM, to: AS_OF, count: 1, categories, totals, dataAsOf: AS_OF }
    }),
    ofCategories: [],
    outcomes: {
      ...BASE.documents.outcomes,
      firstYear: { ideas: 1412, launched: 281, launchedUndated: 0, share: 19.9 },
    },
    launched: [
      launchedIdea(),
      launchedIdea({ id: '5', title: 'Bicycle racks', launchedAt: '2026-10-02T08:00:00.000Z' }),
    ],
    ...more,
  }
}

export function siteInput(more: Partial<SiteInput> = {}): SiteInput {
  return {
    ...BASE,
    words: WORDS,
    publicUrl: PUBLIC_URL,
    siteUrl: 'https://ideas.example.org',
    dataAsOf: AS_OF,
    nextUpdateAt: '2026-11-22T13:22:04.641Z',
    documents: documents(),
    files: [
      ...[...combinations(['Parks'])].map((combination) => snapshotPath(combination)),
      BULK_PATH,
      IDEAS_WORKBOOK,
      TABLES_WORKBOOK,
    ]
      .map((path) => ({ path, bytes: 1234, rows: 7 }))
      .toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    assets: { css: 'assets/page-0123456789.css', js: 'assets/page-0123456789.js' },
    ...more,
  }
}

/** A site in which everything that others can write is this text. */
export function hostileInput(text: string, more: Partial<SiteInput> = {}): SiteInput {
  const id = text === '' ? '0' : text
  const ideas = Array.from({ length: 100 }, (_, i) =>
    trendingIdea({
      rank: i + 1,
      id: `${i}${id}`,
      title: text,
      category: text,
      categories: [text, text],
      status: text,
      url: text,
    }),
  )
  const launched = Array.from({ length: 50 }, (_, i) =>
    launchedIdea({ id: `${i}${id}`, title: text, category: text, categories: [text, text], status: text, url: text }),
  )
  const { trending, categories, outcomes, stats, ...others } = documents()
  const named = byPeriod(PERIODS, (period) => ({
    ...categories[period],
    categories: categories[period].categories.map((row) => ({ ...row, category: text })),
  }))
  return siteInput({
    words: { ...WORDS, title: text, publisher: text, contact: text, license: 'CC0-1.0' },
    documents: {
      ...others,
      stats: { ...stats, topCategories: [{ category: text, count: 3 }] },
      trending: byPeriod(BOUNDED_PERIODS, (period) => ({ ...trending[period], ideas })),
      categories: named,
      outcomes: { ...outcomes, statuses: outcomes.statuses.map((row) => ({ ...row, status: text })) },
      launched,
    },
    ...more,
  })
}

/** A site whose names and titles are as long as they can be shown, and whose numbers are large. */
export function longInput(letters: string, more: Partial<SiteInput> = {}): SiteInput {
  const input = hostileInput(letters.repeat(200), more)
  const counts = { ideas: 123_456_789, votes: 123_456_789, comments: 123_456_789, launchedIdeas: 123_456_789 }
  const categories = byPeriod(PERIODS, (period) => ({
    ...input.documents.categories[period],
    totals: { ...NUMBERS, ...counts },
  }))
  return { ...input, documents: { ...input.documents, categories } }
}
