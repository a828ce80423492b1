// The example docs/examples/open-polis.sql: real people's votes, read through a mapping that an operator would write, and every number
// of the release compared with SQL written by hand on the platform's own tables.
// long test: builds and serves for each case
import { siteKindOf } from '../../src/contract/site-paths.ts'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { COLUMNS, csvText } from '../oracle/csv.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { describeWithComponent, type RealComponent } from '../support/real-component.ts'
import { exampleMapping } from '../support/documented-mapping.ts'
import { EXPORT_TYPES, PERIODS, polisExpected, type PolisExpected, type Row } from './open-polis.expected.ts'

const ROOT = resolve(import.meta.dirname, '../..')
// CC BY 4.0, 2 MB, not part of this repository: the files of github.com/compdemocracy/openData and a load.sql for psql.
const DATA = resolve(ROOT, process.env['OPEN_POLIS_DATA'] ?? '../shared/data/open-polis')
const COMPONENT: RealComponent = existsSync(join(DATA, 'load.sql'))
  ? { ok: true, bin: DATA }
  : { ok: false, how: `${DATA} has no load.sql: OPEN_POLIS_DATA=FOLDER names the folder of the data` }
const BOUNDED_PERIODS = ['24h', '7d', '30d', '90d'] as const

interface Manifest {
  readonly dataAsOf: string
  readonly mapping: { readonly sha256: string }
  readonly categories: readonly { readonly name: string; readonly key: string }[]
  readonly files: readonly { readonly path: string }[]
}

function withoutEnd(answer: Row): Row {
  return Object.fromEntries(Object.entries(answer).filter(([key]) => key !== 'dataAsOf'))
}

// Skipped in CI, too: no package brings this data.
describeWithComponent('the open Polis data through the documented mapping', COMPONENT, openPolis, false)

function openPolis(): void {
  describeWithPostgres('on a real server', (postgres) => {
    let snapshots: string
    let manifest: Manifest
    let client: Client
    let expected: PolisExpected
    const compared = new Set<string>()

    const read = (path: string): string => {
      compared.add(path)
      return readFileSync(join(snapshots, 'current', path), 'utf8')
    }

    /** Same values, and same keys in the same order, then the two keys that every document ends in. */
    const expectDocument = (path: string, content: Row): void => {
      const { generatedAt, version, ...rest } = JSON.parse(read(path)) as Row
      expect(rest, path).toEqual(content)
      expect(JSON.stringify({ ...rest, generatedAt, version }), path).toBe(
        JSON.stringify({ ...content, generatedAt, version: '1.0' }),
      )
    }

    beforeAll(async () => {
      snapshots = mkdtempSync(join(tmpdir(), 'open-polis-'))
      const mapping = exampleMapping('open-polis')
      const url = await postgres().createDatabase('polis')
      await postgres().psql(`\\cd '${DATA}'\n\\i load.sql\n`, 'polis')
      await promisify(execFile)(
        process.execPath,
        ['bin/analytics-build.js', '--source', mapping, '--database-url', url, '--snapshots', snapshots],
        { cwd: ROOT, env: {} },
      )
      manifest = JSON.parse(readFileSync(join(snapshots, 'current/manifest.json'), 'utf8')) as Manifest
      client = new Client({ connectionString: url })
      await client.connect()
      expected = await polisExpected(client, manifest.dataAsOf, manifest.mapping.sha256)
    })

    afterAll(async () => {
      await client?.end()
      rmSync(snapshots, { recursive: true, force: true })
    })

    it('publishes the conversations as categories', async () => {
      const topics = await expected.topics()
      expect(topics).toHaveLength(14)
      expect(manifest.categories.map(({ name }) => name)).toEqual(topics)
    })

    it('counts 7,677 people, 1,819 visible statements and the 151,895 agreements that count', async () => {
      const stats = await expected.stats()
      // Known from the data set itself: they guard the expectation, not the release.
      expect(stats['stats']).toMatchObject({
        totalUsers: 7677,
        totalIdeas: 1819,
        totalComments: 0,
        activeCategories: 14,
      })
      expectDocument('public/stats.json', stats)
    })

    it.each(BOUNDED_PERIODS)('ranks the statements of every conversation, %s', async (period) => {
      const everywhere = await expected.trending(period, null)
      expect(everywhere['count'], 'a comparison of empty lists would prove nothing').toBeGreaterThan(0)
      expectDocument(`analytics/trending/${period}/all.json`, everywhere)
      for (const { name, key } of manifest.categories)
        expectDocument(`analytics/trending/${period}/category/${key}.json`, await expected.trending(period, name))
    })

    it.each(PERIODS)('breaks down by conversation, %s', async (period) => {
      expectDocument(`analytics/categories/${period}.json`, await expected.categories(period))
    })

    it.each(EXPORT_TYPES.flatMap((type) => PERIODS.map((period) => [type, period] as const)))(
      'exports %s, %s, as JSON and CSV',
      async (type, period) => {
        const document = await expected.export(type, period)
        expectDocument(`analytics/export/${type}/${period}.json`, document)
        expect(read(`analytics/export/${type}/${period}.csv`)).toBe(
          csvText(COLUMNS[type], document['data'] as readonly Row[]),
        )
      },
    )

    it.each(PERIODS)('counts agreements and statements over time, %s', async (period) => {
      expectDocument(`analytics/timeline/${period}.json`, await expected.timeline(period, null))
    })

    it('counts them by day since the first one', async () => {
      const days = await expected.timeline('all', null, 'day')
      expect(days['count']).toBeGreaterThan(1000)
      expectDocument('analytics/timeline/all-by-day.json', days)
      const data = await expected.timelineRows('all', 'day')
      const exported = { ...(await expected.export('timeline', 'all')), data, rowCount: data.length }
      expectDocument('analytics/export/timeline/all-by-day.json', exported)
      expect(read('analytics/export/timeline/all-by-day.csv')).toBe(csvText(COLUMNS.timeline, data))
    })

    it('says what became of the statements, and both of every conversation', async () => {
      expectDocument('analytics/outcomes.json', await expected.outcomes(null))
      for (const { name, key } of manifest.categories) {
        const timelines: Record<string, Row> = {}
        for (const period of PERIODS) timelines[period] = withoutEnd(await expected.timeline(period, name))
        const outcomes = withoutEnd(await expected.outcomes(name))
        expectDocument(`analytics/category/${key}.json`, { timelines, outcomes, dataAsOf: manifest.dataAsOf })
      }
    })

    it('publishes no document but those compared here', () => {
      const documents = manifest.files.map(({ path }) => path).filter((path) => siteKindOf(path) === null)
      expect([...compared].sort()).toEqual(documents.sort())
    })
  })
}
