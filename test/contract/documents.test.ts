import { array, assert, constantFrom, nat, property, record } from 'fast-check'
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  contentHash,
  csvFileName,
  cutTrending,
  documentText,
  emptyTrending,
  EXPORT_COLUMNS,
  exportHead,
  exportTail,
  stampOffset,
  TEXT_COLUMNS,
  textAndHash,
  type TrendingDocument,
} from '../../src/contract/documents.ts'
import { EXPORT_TYPES } from '../../src/contract/endpoints.ts'
import { PERIODS } from '../../src/contract/windows.ts'
import { anyText } from './any-text.ts'

const GENERATED = '2026-05-20T09:31:00.456Z'
const AS_OF = '2026-05-20T09:30:00.123Z'
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

test('a document ends with generatedAt and version, and the 24 bytes of the time stand at stampOffset', () => {
  assert(
    property(record({ title: anyText(), count: nat(), nested: record({ generatedAt: anyText() }) }), (document) => {
      const bytes = Buffer.from(documentText(document, GENERATED))
      const at = stampOffset(bytes.length)
      expect(bytes.toString('latin1', at, at + 24)).toBe(GENERATED)
      expect(bytes.toString('latin1', at + 24)).toBe('","version":"1.0"}')

      bytes.write('9999-12-31T23:59:59.999Z', at, 'latin1')
      const parsed = JSON.parse(bytes.toString()) as object
      expect(parsed).toEqual({ ...document, generatedAt: '9999-12-31T23:59:59.999Z', version: '1.0' })
      expect(Object.keys(parsed)).toEqual([...Object.keys(document), 'generatedAt', 'version'])
    }),
  )
})

describe('the content hash', () => {
  const document = { period: '7d', from: 'f', to: 't', count: 2, nested: { from: 1 }, dataAsOf: 'd' }

  test('is sha256 of the document without its times', () => {
    expect(contentHash(document)).toBe(sha256('{"period":"7d","count":2,"nested":{"from":1},"version":"1.0"}'))
  })

  test.each([
    ['from', { from: null }, true],
    ['to', { to: 'later' }, true],
    ['dataAsOf', { dataAsOf: 'later' }, true],
    ['generatedAt', { generatedAt: 'later' }, true],
    ['a number', { count: 3 }, false],
    ['a time inside', { nested: { from: 2 } }, false],
    ['the period', { period: '30d' }, false],
  ])('with another %s is the same: %s', (_, changed, same) => {
    expect(contentHash({ ...document, ...changed }) === contentHash(document)).toBe(same)
  })

  test('comes with the text when both are asked for at once', () => {
    expect(textAndHash(document, GENERATED)).toEqual({
      text: documentText(document, GENERATED),
      contentHash: contentHash(document),
    })
  })

  test('and the text of a streamed export are those of the same document made at once', () => {
    const rows = array(record({ id: anyText(), votes: nat() }), { maxLength: 5 })
    assert(
      property(rows, constantFrom(...EXPORT_TYPES), constantFrom(...PERIODS), (data, type, period) => {
        const head = { type, period, from: period === 'all' ? null : GENERATED, to: AS_OF }
        const whole = { ...head, data, rowCount: data.length, dataAsOf: AS_OF }
        const between = data.map((row) => JSON.stringify(row)).join(',')
        const before = exportHead(head)
        const after = exportTail(data.length, AS_OF, GENERATED)
        expect(before.text + between + after.text).toBe(documentText(whole, GENERATED))
        expect(sha256(before.hashed + between + after.hashed)).toBe(contentHash(whole))
      }),
    )
  })
})

describe('the columns of the exports', () => {
  test('are as published, append-only', () => {
    expect(Object.fromEntries(EXPORT_TYPES.map((type) => [type, EXPORT_COLUMNS[type].join()]))).toEqual({
      overview: 'metric,value,previousValue,changePercent',
      ideas: 'id,title,category,status,createdAt,launchedAt,votes,comments,totalVotes,totalComments,url',
      users: 'bucket,newUsers,totalUsers,activeUsers,ideaAuthors,voters,commenters',
      categories:
        'category,ideas,votes,comments,launchedIdeas,launchSuccessRate,avgVotesPerIdea,avgCommentsPerIdea,' +
        'shareOfIdeas,totalIdeas,previousIdeas,previousVotes,previousComments',
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
