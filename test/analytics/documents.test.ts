// The documents from facts alone, each held against its definition in the public API; from rows the oracle does that.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { categorySums, type Categories } from '../../src/analytics/categories.ts'
import { publishedIdea } from '../../src/analytics/kinds.ts'
import type { AnalyticsOptions } from '../../src/analytics/options.ts'
import { overviewRows, statsDocument } from '../../src/analytics/overview.ts'
import { publishPeople } from '../../src/analytics/people.ts'
import { ideasExport } from '../../src/builder/documents/exports.ts'
import { trendingLists } from '../../src/analytics/trending.ts'
import { compareCodePoints } from '../../src/model/code-point-order.ts'
import { snapshotPath } from '../../src/contract/snapshot-paths.ts'
import { UTC } from '../../src/contract/time-zone.ts'
import { formatTimestamp } from '../../src/contract/timestamp.ts'
import { ReportedTotals } from '../../src/release/checks/reported-totals.ts'
import type { Staging } from '../../src/release/writing/staging.ts'
import type { IdeaFacts, UserFacts } from '../../src/model/facts.ts'
import { BOUNDED_PERIODS, countBefore, countIn, EDGES_MS, PERIODS, windowOf } from '../../src/contract/windows.ts'
import { countedEvents } from '../support/counted-events.ts'
import { eventsAt } from '../support/event-counts.ts'
import { schemaErrors } from './schema-errors.ts'

const AS_OF = Date.UTC(2026, 4, 20, 9, 30)
const DAY_MS = 86_400_000
const SITE = 'https://ideas.example'
const expectValid = (name: string, document: object): void => expect(schemaErrors(name, document)).toBeNull()

const times = fc
  .tuple(fc.constantFrom(1, ...EDGES_MS), fc.integer({ min: -2, max: DAY_MS }))
  .map(([edge, by]) => AS_OF - edge - by)
const earlier = times.map((timeMs) => Math.min(timeMs, AS_OF - 1))
const counts = fc.array(fc.option(earlier), { maxLength: 6 }).map((rows) => eventsAt(rows, AS_OF))
const names = fc.uniqueArray(fc.constantFrom('Product', 'product', 'all', '😀', '\uFF1D', '__proto__'), {
  maxLength: 3,
})
/** As a source gives them: newest first, then by id; ids are unique. */
const ideaLists = fc
  .array(
    fc.record({
      createdAtMs: earlier,
      launched: fc.boolean(),
      launchedAtMs: fc.option(earlier),
      url: fc.constantFrom(null, '/x', 'javascript:x'),
      status: fc.constantFrom(null, 'open'),
      title: fc.constantFrom('A', ''),
      categories: names.map((list) => list.sort(compareCodePoints)),
      votes: counts,
      comments: counts,
    }),
    { maxLength: 8 },
  )
  .map((list): IdeaFacts[] =>
    list
      .map((idea, i) => ({ ...idea, id: String(i), launchedAtMs: idea.launched ? idea.launchedAtMs : null }))
      .sort((a, b) => b.createdAtMs - a.createdAtMs || compareCodePoints(a.id, b.id)),
  )
const options = fc.tuple(fc.nat(5), fc.nat(5)).map(([voteWeight, commentWeight]): AnalyticsOptions => ({
  voteWeight,
  commentWeight,
  siteUrl: SITE,
  people: 'exact',
  timeZone: 'UTC',
}))

const sums = (ideas: readonly IdeaFacts[], listed: readonly string[] = []): Categories => {
  const categories = categorySums(listed, countedEvents(AS_OF, ideas))
  for (const idea of ideas) categories.add(idea)
  return categories
}
const total = (numbers: readonly number[]): number => numbers.reduce((sum, n) => sum + n, 0)

describe('trending', () => {
  test('is every idea with a score, by score, votes, age and id, the best 100', () => {
    fc.assert(
      fc.property(
        ideaLists,
        options,
        fc.constantFrom(...BOUNDED_PERIODS),
        (few, { voteWeight, commentWeight, ...more }, period) => {
          // Enough of them that the list is cut.
          const ideas = few.flatMap((idea) =>
            Array.from({ length: 20 }, (_, i) => ({ ...idea, id: `${idea.id}-${i + 10}` })),
          )
          const trending = trendingLists({ voteWeight, commentWeight, ...more })
          for (const idea of ideas) trending.add(idea)
          const score = (idea: IdeaFacts): number =>
            voteWeight * countIn(idea.votes, period) + commentWeight * countIn(idea.comments, period)
          for (const category of [null, 'all', 'Uncategorized', 'nobody has it']) {
            const expected = ideas
              .filter(
                (idea) =>
                  category === null ||
                  (idea.categories.length === 0 ? ['Uncategorized'] : idea.categories).includes(category),
              )
              .filter((idea) => score(idea) > 0)
              .sort(
                (a, b) =>
                  score(b) - score(a) ||
                  countIn(b.votes, period) - countIn(a.votes, period) ||
                  b.createdAtMs - a.createdAtMs ||
                  ideas.indexOf(a) - ideas.indexOf(b),
              )
              .slice(0, 100)
            const document = trending.document(period, category, AS_OF)
            expectValid('Trending', document)
            expect(document.ideas.map(({ id, score: published }) => [id, published])).toEqual(
              expected.map((i) => [i.id, score(i)]),
            )
            expect(document.ideas.map(({ rank }) => rank)).toEqual(expected.map((_, i) => i + 1))
            expect(document.count).toBe(document.ideas.length)
            expect(
              document.ideas.map(({ previousScore, category: named, url }) => [previousScore, named, url]),
            ).toEqual(
              expected.map((idea) => [
                voteWeight * countBefore(idea.votes, period)! + commentWeight * countBefore(idea.comments, period)!,
                category ?? (idea.categories.length === 0 ? 'Uncategorized' : idea.categories.join('; ')),
                idea.url === '/x' ? `${SITE}/x` : null,
              ]),
            )
          }
        },
      ),
      { numRuns: 40 },
    )
  })
})

describe('categories', () => {
  test('count an idea in each of its own, the totals count it once', () => {
    fc.assert(
      fc.property(ideaLists, fc.constantFrom(...PERIODS), (ideas, period) => {
        const document = sums(ideas, ['Listed']).document(period, AS_OF)
        expectValid('Categories', document)
        const { fromMs } = windowOf(period, AS_OF)
        const created = ideas.filter((idea) => fromMs === null || idea.createdAtMs >= fromMs)
        expect(document.totals).toMatchObject({
          ideas: created.length,
          votes: total(ideas.map((idea) => countIn(idea.votes, period))),
          launchedIdeas: ideas.filter(
            ({ launched, launchedAtMs }) =>
              launched && (fromMs === null || (launchedAtMs !== null && launchedAtMs >= fromMs)),
          ).length,
          shareOfIdeas: created.length === 0 ? 0 : 100,
        })
        expect(total(document.categories.map((row) => row.ideas))).toBe(
          total(created.map((idea) => Math.max(1, idea.categories.length))),
        )
        expect(document.categories.some((row) => row.category === 'Uncategorized')).toBe(
          ideas.some((idea) => idea.categories.length === 0),
        )
        expect(document.categories.find((row) => row.category === 'Listed')).toMatchObject({
          ideas: 0,
          avgVotesPerIdea: 0,
        })
        expect(document.categories).toEqual(
          document.categories.toSorted(
            (a, b) => b.ideas - a.ideas || b.votes - a.votes || compareCodePoints(a.category, b.category),
          ),
        )
      }),
    )
  })
})

describe('stats', () => {
  test('are the totals, and the categories with most ideas, without the reserved one', () => {
    fc.assert(
      fc.property(ideaLists, fc.nat(9), (ideas, users) => {
        const document = statsDocument(sums(ideas, ['Listed']), users)
        expectValid('Stats', document)
        const used = [...new Set(ideas.flatMap((idea) => idea.categories))]
          .map((category) => ({ category, count: ideas.filter((idea) => idea.categories.includes(category)).length }))
          .sort((a, b) => b.count - a.count || compareCodePoints(a.category, b.category))
        expect(document.topCategories).toEqual(used.slice(0, 3))
        expect(document.stats).toEqual({
          totalUsers: users,
          totalIdeas: ideas.length,
          totalVotes: total(ideas.map((idea) => idea.votes.total)),
          totalComments: total(ideas.map((idea) => idea.comments.total)),
          launchedIdeas: ideas.filter((idea) => idea.launched).length,
          activeCategories: used.length,
        })
      }),
    )
  })
})

describe('overview', () => {
  const people = (accounts: UserFacts['accounts']): UserFacts => ({
    accounts,
    laterAccounts: 0,
    active: { inWindow: [1, 2, 3, 4], before: [5, 6, 7, 8], all: 9 },
    yearAgo: [10, 11, 12, 13].map((active) => ({ newUsers: active - 1, active })),
    years: [],
    buckets: PERIODS.map(() => []),
  })

  test('gives totals at both ends: what was there before is what the window did not add', () => {
    fc.assert(
      fc.property(ideaLists, counts, fc.constantFrom(...PERIODS), (ideas, accounts, period) => {
        const rows = overviewRows(period, sums(ideas), publishPeople(people(accounts), 'exact'))
        const value = Object.fromEntries(rows.map((row) => [row['metric'], row]))
        for (const [metric, ofWindow] of Object.entries({
          totalUsers: 'newUsers',
          totalIdeas: 'ideas',
          totalVotes: 'votes',
          totalComments: 'comments',
          totalLaunchedIdeas: 'launchedIdeas',
        }))
          expect(value[metric]!['previousValue']).toBe(
            period === 'all' ? null : Number(value[metric]!['value']) - Number(value[ofWindow]!['value']),
          )
        if (period === 'all')
          for (const row of rows) expect(row).toMatchObject({ previousValue: null, changePercent: null })
        const head = {
          type: 'overview',
          period,
          from: period === 'all' ? null : formatTimestamp(AS_OF),
          to: formatTimestamp(AS_OF),
        }
        expectValid('ExportOverview', { ...head, data: rows, rowCount: rows.length, dataAsOf: formatTimestamp(AS_OF) })
      }),
    )
  })

  test('of all counts what the totals count', () => {
    fc.assert(
      fc.property(ideaLists, counts, (ideas, accounts) => {
        const rows = overviewRows('all', sums(ideas), publishPeople(people(accounts), 'exact')).map(
          (row) => row['value'],
        )
        const [newUsers, activeUsers, created, votes, comments, launched, , , , , ...totals] = rows
        expect([newUsers, created, votes, comments, launched]).toEqual(totals)
        expect(activeUsers).toBe(9)
      }),
    )
  })
})

/** What `ideasExport` writes of ideas, by path. */
async function ideasExports(ideas: readonly IdeaFacts[]): Promise<Record<string, string>> {
  const texts: Record<string, string> = {}
  const stream = (path: string) => ({
    write: (text: string) => void (texts[path] = (texts[path] ?? '') + text),
    drain: async () => {},
    end: async () => {},
  })
  const reported = new ReportedTotals('exact', UTC)
  const about = { asOfMs: AS_OF, zone: UTC, isSite: false, generatedAt: formatTimestamp(AS_OF), reported }
  const exported = ideasExport({ stream } as unknown as Staging, about, SITE)
  await exported.add(ideas)
  await exported.end()
  return texts
}

test('the ideas export has the ideas created in the window', async () => {
  await fc.assert(
    fc.asyncProperty(ideaLists, async (ideas) => {
      const texts = await ideasExports(ideas)
      for (const period of PERIODS) {
        const { fromMs } = windowOf(period, AS_OF)
        const path = snapshotPath({ endpoint: 'export', type: 'ideas', period, format: 'json' })
        const { generatedAt: _made, ...document } = JSON.parse(texts[path] ?? '') as {
          generatedAt: string
          data: object[]
        }
        const ofPeriod = ideas.filter((idea) => fromMs === null || idea.createdAtMs >= fromMs)
        expect(document.data).toEqual(ofPeriod.map((idea) => publishedIdea(idea, period, SITE)))
        expectValid('ExportIdeas', document)
      }
    }),
  )
})
