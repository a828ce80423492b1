import { describe, expect, test } from 'vitest'
import { TEXT_COLUMNS, EXPORT_COLUMNS } from '../../src/contract/columns.ts'
import type { CategoryFile } from '../../src/contract/kinds/register.ts'
import { csvFileName } from '../../src/contract/kinds/export.ts'
import { KINDS } from '../../src/contract/kinds/register.ts'
import { emptyOutcomes, outcomesIn } from '../../src/contract/kinds/outcomes.ts'
import { EXPORT_TYPES } from '../../src/contract/kinds/tables.ts'
import { emptyTimeline, timelineIn } from '../../src/contract/kinds/timeline.ts'
import { cutTrending, type TrendingDocument } from '../../src/contract/kinds/trending.ts'
import { AS_OF, outcomesOfNothing, timelineDocument } from '../support/hand-made.ts'

const GENERATED = '2026-05-20T09:31:00.456Z'

describe('the columns of the exports', () => {
  test('are as published, append-only', () => {
    expect(Object.fromEntries(EXPORT_TYPES.map((type) => [type, EXPORT_COLUMNS[type].join()]))).toEqual({
      overview: 'metric,value,previousValue,changePercent,yearAgoValue',
      ideas: 'id,title,category,status,createdAt,launchedAt,votes,comments,totalVotes,totalComments,url,launched',
      users: 'bucket,newUsers,totalUsers,activeUsers,ideaAuthors,voters,commenters',
      categories:
        'category,ideas,votes,comments,launchedIdeas,launchSuccessRate,avgVotesPerIdea,avgCommentsPerIdea,' +
        'shareOfIdeas,totalIdeas,previousIdeas,previousVotes,previousComments',
      timeline: 'bucket,ideas,votes,comments,launchedIdeas',
      'timeline-by-category': 'bucket,category,ideas,votes,comments,launchedIdeas',
      outcomes:
        'month,ideas,votedIdeas,discussedIdeas,launchedIdeas,launchedWithin30Days,launchedWithin90Days,' +
        'launchedWithin365Days,launchedUndated,knownWithin30Days,knownWithin90Days,knownWithin365Days',
      'outcomes-by-category':
        'category,month,ideas,votedIdeas,discussedIdeas,launchedIdeas,launchedWithin30Days,launchedWithin90Days,' +
        'launchedWithin365Days,launchedUndated,knownWithin30Days,knownWithin90Days,knownWithin365Days',
      history: 'date,dataAsOf,mapping,totalUsers,totalIdeas,totalVotes,totalComments,launchedIdeas,activeCategories',
      revisions: 'date,relation,month,was,is,accepted',
    })
  })

  test('have text only where users wrote it', () => {
    expect([...TEXT_COLUMNS].sort()).toEqual(['category', 'id', 'metric', 'status', 'title', 'url'])
  })

  test('give a file name with dataAsOf to the second', () => {
    expect(csvFileName({ type: 'users', period: 'all' }, AS_OF)).toBe('analytics-users-all-20260520T093000Z.csv')
    expect(csvFileName({ type: 'timeline', period: 'all' }, AS_OF)).toBe('analytics-timeline-all-20260520T093000Z.csv')
    expect(csvFileName({ type: 'timeline', period: 'all', interval: 'day' }, AS_OF)).toBe(
      'analytics-timeline-all-by-day-20260520T093000Z.csv',
    )
    expect(csvFileName({ type: 'overview', period: '24h' }, '0001-01-01T00:00:00.999Z')).toBe(
      'analytics-overview-24h-00010101T000000Z.csv',
    )
  })
})

describe('trending', () => {
  const idea = (rank: number) => ({ rank, id: String(rank) }) as TrendingDocument['ideas'][number]
  const whole: TrendingDocument = {
    period: '7d',
    category: 'Product',
    from: GENERATED,
    to: AS_OF,
    limit: 100,
    count: 3,
    ideas: [idea(1), idea(2), idea(3)],
    dataAsOf: AS_OF,
  }

  test.each([
    [1, [1]],
    [3, [1, 2, 3]],
    [100, [1, 2, 3]],
  ])('cut to %i keeps the first, and counts them', (limit, ranks) => {
    const cut = cutTrending(whole, limit)
    expect(cut).toEqual({ ...whole, limit, count: ranks.length, ideas: ranks.map(idea) })
    expect(Object.keys(cut)).toEqual(Object.keys(whole))
  })

  test('of a category that no idea has is an ordinary document, keys in order', () => {
    const query = { endpoint: 'trending', period: '7d', category: 'Nothing', limit: 5 } as const
    const empty = KINDS.trending.nothing?.(whole, query)
    expect(JSON.stringify(empty)).toBe(
      `{"period":"7d","category":"Nothing","from":"${GENERATED}","to":"${AS_OF}","limit":5,"count":0,"ideas":[],"dataAsOf":"${AS_OF}"}`,
    )
  })
})

describe('a category', () => {
  const timeline = timelineDocument('all', 'Product', { seed: 3, days: 40 })
  const { dataAsOf, ...member } = timeline
  const { dataAsOf: _, ...outcomes } = outcomesOfNothing(AS_OF, 'Product')
  const timelines = { all: member, '7d': { ...member, period: '7d' } } as unknown as CategoryFile['timelines']
  const file: CategoryFile = { timelines, outcomes, dataAsOf }

  test('has its answers in one file: members with dataAsOf, in the keys’ order', () => {
    expect(JSON.stringify(timelineIn(file, 'all'))).toBe(JSON.stringify(timeline))
    expect(timelineIn(file, '7d')).toMatchObject({ period: '7d', dataAsOf })
    expect(timelineIn(file, '24h')).toBeNull()
    expect(JSON.stringify(outcomesIn(file))).toBe(JSON.stringify(outcomesOfNothing(AS_OF, 'Product')))
  })

  test('that no idea has: the site’s buckets, without anything in them, keys in order', () => {
    const zeros = { ideas: 0, votes: 0, comments: 0, launchedIdeas: 0 }
    const none = { totalIdeas: 0, totalVotes: 0, totalComments: 0, totalLaunchedIdeas: 0 }
    const site = { ...timeline, category: null }
    const buckets = site.buckets.map(({ bucket }) => ({ bucket, ...zeros, ...none }))
    const empty = { ...site, category: 'Nothing', buckets, undated: zeros }
    expect(JSON.stringify(emptyTimeline(site, 'Nothing'))).toBe(JSON.stringify(empty))
    expect(JSON.stringify(emptyOutcomes(outcomesOfNothing(AS_OF, null), 'Nothing'))).toBe(
      '{"category":"Nothing","statuses":[],"launched":{"ideas":0,"votes":0,"shareOfVotes":0,"dated":0,"medianDays":null,' +
        `"p90Days":null},"cohorts":[],"firstYear":{"ideas":0,"launched":0,"launchedUndated":0,"share":0},"years":[],"dataAsOf":"${AS_OF}"}`,
    )
  })
})
