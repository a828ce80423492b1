// Owns the making of the platform totals, and of the table of the most important numbers. Knows no I/O.
import { OVERVIEW_METRICS } from '../contract/kinds/overview.ts'
import type { StatsDocument } from '../contract/kinds/stats.ts'
import { TIMELINE_COUNTS, type TimelineCounts } from '../contract/kinds/timeline.ts'
import type { RowOf } from '../contract/kinds/tables.ts'
import { compareCodePoints } from '../model/code-point-order.ts'
import { recordOf } from '../model/record-of.ts'
import type { Period } from '../contract/windows.ts'
import type { Categories } from './categories.ts'
import { atEnds, type Pair, type PublishedPeople } from './people.ts'
import { changePercent, percentage, quotient } from './ratio.ts'

type Metric = (typeof OVERVIEW_METRICS)[number]
/** `[value, previousValue, yearAgoValue]`; for people, null = not published as a number. */
type Values = readonly [number | null, number | null, (number | null)?]
type Series = keyof TimelineCounts

export function overviewRows(period: Period, categories: Categories, people: PublishedPeople): RowOf<'overview'>[] {
  const { timeline, launchedByCreation } = categories.all
  const [now, before] = timeline.inWindow(period)
  const ago = timeline.yearAgo(period)
  const [launched, launchedBefore] = launchedByCreation.inWindow(period)
  const inEach = (of: (counts: TimelineCounts) => number): Values => [of(now), before && of(before), ago && of(ago)]
  const totals = (series: Series): Pair =>
    atEnds(timeline.tallies[series].total, [now[series], before && before[series]])
  const values: Readonly<Record<Metric, Values>> = {
    ...people.windows[period],
    ...recordOf(TIMELINE_COUNTS, (series) => inEach((counts) => counts[series])),
    activeCategories: activeCategories(categories, period),
    avgVotesPerIdea: inEach(({ votes, ideas }) => quotient(votes, ideas)),
    avgCommentsPerIdea: inEach(({ comments, ideas }) => quotient(comments, ideas)),
    launchSuccessRate: [percentage(launched, now.ideas), before && percentage(launchedBefore ?? 0, before.ideas)],
    totalIdeas: totals('ideas'),
    totalVotes: totals('votes'),
    totalComments: totals('comments'),
    totalLaunchedIdeas: totals('launchedIdeas'),
  }
  return OVERVIEW_METRICS.map((metric) => {
    const [value, previousValue, valueAgo = null] = values[metric]
    // There is no percentage of a percentage: from 5 % to 10 % would be called 100 % more.
    const change = metric === 'launchSuccessRate' ? null : changePercent(value, previousValue)
    return { metric, value, previousValue, changePercent: change, yearAgoValue: ago && valueAgo }
  })
}

function activeCategories(categories: Categories, period: Period): Pair {
  const windows = categories.named().map(([, { timeline }]) => timeline.tallies.ideas.inWindow(period))
  const before = windows.filter(([, previousIdeas]) => previousIdeas !== null && previousIdeas > 0).length
  return [windows.filter(([ideas]) => ideas > 0).length, period === 'all' ? null : before]
}

/** How many there were in the first description of the API. */
export const TOP_CATEGORIES = 3

export function statsDocument(categories: Categories, totalUsers: number): StatsDocument {
  const { ideas, votes, comments, launchedIdeas } = categories.all.timeline.tallies
  const used = categories
    .named()
    .map(([category, sums]) => ({ category, count: sums.timeline.tallies.ideas.total }))
    .filter(({ count }) => count > 0)
  used.sort((a, b) => b.count - a.count || compareCodePoints(a.category, b.category))
  return {
    stats: {
      totalUsers,
      totalIdeas: ideas.total,
      totalVotes: votes.total,
      totalComments: comments.total,
      launchedIdeas: launchedIdeas.total,
      activeCategories: used.length,
    },
    metrics: {
      avgVotesPerIdea: quotient(votes.total, ideas.total),
      avgCommentsPerIdea: quotient(comments.total, ideas.total),
      launchSuccessRate: percentage(launchedIdeas.total, ideas.total),
    },
    topCategories: used.slice(0, TOP_CATEGORIES),
  }
}
