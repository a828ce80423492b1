// The documents of the oracle over random databases agree with one another.
import { assert, asyncProperty } from 'fast-check'
import { expect, test } from 'vitest'
import { column, describeOracle, overview, PERIODS, TRENDING_PERIODS } from './by-hand.ts'
import {
  oracleCategoryNames,
  oracleExport,
  oracleStats,
  oracleTrending,
  type ExportType,
  type Row,
} from './documents.ts'
import { loadDatabase, nativeDatabases } from './random-database.ts'

describeOracle('the oracle', ({ client }) => {
  test('over random databases the documents agree with one another', async () => {
    let ideas = 0
    const property = asyncProperty(nativeDatabases(), async (database) => {
      await loadDatabase(client(), database)
      const at = { asOf: database.asOf, siteUrl: null }
      const { stats } = await oracleStats(client(), at)
      ideas += stats['totalIdeas']!
      expect(stats['totalIdeas']).toBeLessThanOrEqual(database.ideas.length)
      for (const period of PERIODS) {
        const rows = async (type: ExportType) => (await oracleExport(client(), { ...at, type, period })).data
        const summary = overview(await rows('overview'))
        const people = await rows('users')
        const listed = await rows('ideas')
        const byCategory = await rows('categories')
        const first = (metric: string) => summary[metric]![0]
        const sum = (list: Row[], key: string) => list.reduce((total, row) => total + Number(row[key]), 0)
        // In `all` the first bucket's total has those without a date, who are new in none.
        const undated = Number(people[0]?.['totalUsers'] ?? 0) - Number(people[0]?.['newUsers'] ?? 0)
        if (period !== 'all') expect(sum(people, 'newUsers')).toBe(first('newUsers'))
        else if (people.length > 0) expect(undated + sum(people, 'newUsers')).toBe(first('newUsers'))
        expect(listed).toHaveLength(Number(first('ideas')))
        if (people.length > 0) expect(people.at(-1)?.['totalUsers']).toBe(stats['totalUsers'])
        expect(sum(byCategory, 'ideas')).toBeGreaterThanOrEqual(Number(first('ideas')))
        if (period === 'all') {
          expect([
            first('ideas'),
            first('votes'),
            first('comments'),
            first('launchedIdeas'),
            first('newUsers'),
          ]).toEqual(
            ['totalIdeas', 'totalVotes', 'totalComments', 'launchedIdeas', 'totalUsers'].map((key) => stats[key]),
          )
          expect(sum(listed, 'votes')).toBe(stats['totalVotes'])
        }
      }
      for (const period of TRENDING_PERIODS) {
        const all = await oracleTrending(client(), { ...at, period, category: null, limit: 100 })
        for (const row of all.ideas) expect(row['score']).toBe(5 * Number(row['votes']) + 3 * Number(row['comments']))
        for (const category of await oracleCategoryNames(client(), database.asOf)) {
          const filtered = await oracleTrending(client(), { ...at, period, category, limit: 100 })
          const expected = all.ideas.filter((row) => (row['categories'] as string[]).includes(category))
          expect(column(filtered.ideas, 'id')).toEqual(column(expected, 'id'))
        }
      }
    })
    await assert(property, { numRuns: 25 })
    expect(ideas).toBeGreaterThan(25)
  }, 180_000)
})
