import { describe, expect, test } from 'vitest'
import {
  csvFileName,
  cutTrending,
  emptyTrending,
  TEXT_COLUMNS,
  type TrendingDocument,
} from '../../src/contract/documents.ts'
import { EXPORT_TYPES } from '../../src/contract/endpoints.ts'
import { EXPORT_COLUMNS } from '../../src/contract/schemas.ts'

const GENERATED = '2026-05-20T09:31:00.456Z'
const AS_OF = '2026-05-20T09:30:00.123Z'

describe('the columns of the exports', () => {
  test('are as published, append-only', () => {
    expect(Object.fromEntries(EXPORT_TYPES.map((type) => [type, EXPORT_COLUMNS[type].join()]))).toEqual({
      overview: 'metric,value,previousValue,changePercent',
      ideas: 'id,title,category,status,createdAt,launchedAt,votes,comments,totalVotes,totalComments,url',
      users: 'bucket,newUsers,totalUsers,activeUsers,ideaAuthors,voters,commenters',
      categories:
        'category,ideas,votes,comments,launchedIdeas,launchSuccessRate,avgVotesPerIdea,avgCommentsPerIdea,' +
        'shareOfIdeas,totalIdeas,previousIdeas,previousVotes,previousComments',
      history: 'date,dataAsOf,mapping,totalUsers,totalIdeas,totalVotes,totalComments,launchedIdeas,activeCategories',
    })
  })

  test('have text only where users wrote it', () => {
    expect([...TEXT_COLUMNS].sort()).toEqual(['category', 'id', 'metric', 'status', 'title', 'url'])
  })

  test('give a file name with dataAsOf to the second', () => {
    expect(csvFileName('users', 'all', AS_OF)).toBe('analytics-users-all-20260520T093000Z.csv')
    expect(csvFileName('overview', '24h', '0001-01-01T00:00:00.999Z')).toBe(
      'analytics-overview-24h-00010101T000000Z.csv',
    )
  })
})

describe('trending', () => {
  const idea = (rank: number) => ({ rank, id: String(rank) }) as TrendingDocument['ideas'][number]
  const whole: TrendingDocument = {
    ...emptyTrending('7d', 'Product', { from: GENERATED, to: AS_OF }, 100),
    count: 3,
    ideas: [idea(1), idea(2), idea(3)],
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
    const empty = emptyTrending('24h', 'Nothing', { from: GENERATED, to: AS_OF }, 5)
    expect(JSON.stringify(empty)).toBe(
      `{"period":"24h","category":"Nothing","from":"${GENERATED}","to":"${AS_OF}","limit":5,"count":0,"ideas":[],"dataAsOf":"${AS_OF}"}`,
    )
  })
})
