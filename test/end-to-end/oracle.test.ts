// Every document of a build equals the oracle's, over randomised databases.
// long test: builds and serves for each case
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runBuild } from '../../src/builder/run/run-build.ts'
import { releaseNamed } from '../../src/builder/commands/which-release.ts'
import { emptyOutcomes, type OutcomesDocument } from '../../src/contract/kinds/outcomes.ts'
import type { Combination } from '../../src/contract/kinds/register.ts'
import { emptyTimeline, type TimelineDocument } from '../../src/contract/kinds/timeline.ts'
import { combinations, snapshotPath } from '../../src/contract/snapshot-paths.ts'
import { siteKindOf } from '../../src/contract/site-paths.ts'
import { ownInterval, PERIODS } from '../../src/contract/windows.ts'
import { verifyRelease } from '../../src/release/verify/verify.ts'
import { loadMapping } from '../../src/source/mapping/mapping.ts'
import { COLUMNS, csvText } from '../oracle/csv.ts'
import {
  installOracle,
  oracleCategoryNames,
  oracleDocument,
  oracleOutcomes,
  oracleTimeline,
  type OracleExport,
} from '../oracle/documents.ts'
import { expectDescribed } from '../oracle/described.ts'
import { Reached } from '../oracle/reached.ts'
import {
  buildOptions,
  openNativeDatabase,
  emptyDatabase,
  loadDatabase,
  nativeDatabases,
  type NativeDatabase,
} from '../oracle/random-database.ts'
import { effectsAt, requestOf } from '../support/library-build.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { releasePaths } from '../../src/release/format/paths.ts'

const RUNS = Number(process.env['ORACLE_RUNS'] ?? 25)

/** Of the sessions of builder and oracle alike; no database of time zones is needed for these. */
const TIME_ZONES = ['<+0545>-05:45', 'UTC', 'CET-1CEST,M3.5.0,M10.5.0/3', '<-1130>+11:30']
const NO_SUCH = 'no idea has it'

/** Numbers of people above and below what is rounded: of 25 random runs, one in about fifty lacks one of them. */
const CROWD: NativeDatabase = {
  ...emptyDatabase('2026-07-14T09:41:07.653Z'),
  users: [
    ...Array.from({ length: 12 }, (_, i) => ({ id: String(i + 1), created_at: '2026-07-13T12:00:00.000000Z' })),
    { id: '13', created_at: '2026-07-11T12:00:00.000000Z' },
  ],
}
const CROWD_OPTIONS = { voteWeight: 5, commentWeight: 3, siteUrl: null, people: 'rounded', timeZone: 'UTC' } as const

/** A year has begun, and people are counted as of the midnight before. */
const NEW_YEAR: NativeDatabase = {
  ...emptyDatabase('2026-01-01T09:30:00.000Z'),
  ideas: ['2025-12-31T12:00:00.000000Z', '2026-01-01T08:00:00.000000Z'].map((created_at, i) => {
    const id = String(i + 1)
    return {
      id,
      title: 'Night bus',
      created_at,
      launched: false,
      launched_at: null,
      url: null,
      author_id: id,
      status: null,
    }
  }),
}

/** At 00:01 clocks went back to 23:01: one minute of the new day is before an hour of the old one. */
const BACK_OVER_MIDNIGHT: NativeDatabase = {
  ...emptyDatabase('2009-11-01T12:00:00.000Z'),
  users: ['2009-11-01T02:29:59.999000Z', '2009-11-01T02:30:00.000000Z', '2009-11-01T02:31:00.000000Z', null].map(
    (created_at, i) => ({ id: String(i + 1), created_at }),
  ),
}

describeWithPostgres('the build and the oracle', (postgres) => {
  let url = ''
  let client: pg.Client
  let folder = ''

  beforeAll(async () => {
    ;({ url, client } = await openNativeDatabase(postgres(), 'random'))
    await installOracle(client)
    folder = await mkdtemp(join(tmpdir(), 'analytics-oracle-'))
  })
  afterAll(async () => {
    await client?.end()
    if (folder !== '') await rm(folder, { recursive: true, force: true })
  })

  const setTimeZone = (zone: string) =>
    client.query(`ALTER DATABASE random SET timezone TO '${zone}'; SET timezone TO '${zone}'`)

  const expectSame = (document: object, expected: object, of: string) => {
    expect(document, of).toEqual(expected)
    expect(JSON.stringify(document), `${of}: order of keys`).toBe(JSON.stringify(expected))
  }

  test('every document of every combination is the same', { timeout: 600_000 }, async () => {
    let runs = 0
    const reached = new Reached()
    const people = { rounded: 0, hidden: 0 }
    await fc.assert(
      fc.asyncProperty(
        nativeDatabases(),
        buildOptions(),
        fc.constantFrom(...TIME_ZONES),
        async (database, options, zone) => {
          await loadDatabase(client, database)
          await setTimeZone(zone)
          const snapshotsDir = join(folder, String(runs++))
          const { asOf } = database
          const outcome = await runBuild(
            requestOf(url, snapshotsDir, { analytics: options, asOfMs: Date.parse(asOf) }),
            effectsAt(() => Date.parse(asOf)),
          )
          expect(outcome).toMatchObject({ kind: 'published' })
          const ask = { asOf, ...options, mapping: loadMapping('native', {}).sha256 }

          // The gate let it pass; so does verify: CSV row by row compared with JSON, and all totals with one another.
          expect((await verifyRelease(await releaseNamed(releasePaths(snapshotsDir), 'current'))).faults).toEqual([])

          const manifest = JSON.parse(await readFile(join(snapshotsDir, 'current', 'manifest.json'), 'utf8')) as {
            categories: { name: string }[]
            files: { path: string }[]
          }
          for (const file of manifest.files.filter(({ path }) => siteKindOf(path) === null)) {
            // That of a CSV is that of its bytes.
            const hashes = file.path.endsWith('.csv') ? ['sha256'] : ['sha256', 'contentHash']
            expect(Object.keys(file).filter((key) => key !== 'gzip' && key !== 'br')).toEqual([
              'path',
              'bytes',
              ...hashes,
              'rows',
            ])
          }
          const names = await oracleCategoryNames(client, asOf)
          expect(manifest.categories.map(({ name }) => name)).toEqual(names)
          const data = manifest.files.map(({ path }) => path).filter((path) => siteKindOf(path) === null)
          expect(data.sort()).toEqual(
            Array.from(combinations(names), (combination) => snapshotPath(combination)).sort(),
          )

          const textAt = (combination: Combination): Promise<string> =>
            readFile(join(snapshotsDir, 'current', snapshotPath(combination)), 'utf8')
          const documentAt = async (combination: Combination): Promise<object> => {
            const { generatedAt, version, ...document } = JSON.parse(await textAt(combination)) as Record<
              string,
              unknown
            >
            expect([generatedAt, version]).toEqual([asOf, '1.0'])
            return document
          }
          for (const combination of combinations(names)) {
            const of = JSON.stringify(combination)
            const expected = await oracleDocument(client, ask, combination)
            if (combination.endpoint === 'export' && combination.format === 'csv')
              expect(await textAt(combination), of).toBe(
                csvText(COLUMNS[combination.type], (expected as OracleExport).data),
              )
            else {
              const document = await documentAt(combination)
              expectSame(document, expected, of)
              expectDescribed(combination, document, { generatedAt: asOf, version: '1.0' })
            }
            // Of a first build there is no revision: test/end-to-end/past.test.ts has some.
            const isFirst = combination.endpoint === 'export' && combination.type === 'revisions'
            if (!isFirst) reached.add(combination, expected)
            if (combination.endpoint === 'export' && combination.type === 'users' && options.people === 'rounded') {
              const cells = (expected as OracleExport).data.flatMap((row) => Object.values(row))
              people.rounded += cells.filter((cell) => typeof cell === 'number' && cell > 0).length
              people.hidden += cells.filter((cell) => cell === null).length
            }
          }

          // What the proxy answers for a category that no idea has: made of the snapshots of all ideas.
          for (const period of PERIODS) {
            const site = { endpoint: 'timeline', period, interval: ownInterval(period), category: null } as const
            expectSame(
              emptyTimeline((await documentAt(site)) as TimelineDocument, NO_SUCH),
              await oracleTimeline(client, { ...ask, period, category: NO_SUCH }),
              `${period} of no category`,
            )
          }
          expectSame(
            emptyOutcomes((await documentAt({ endpoint: 'outcomes', category: null })) as OutcomesDocument, NO_SUCH),
            await oracleOutcomes(client, { ...ask, category: NO_SUCH }),
            'outcomes of no category',
          )
          await rm(snapshotsDir, { recursive: true, force: true })
        },
      ),
      {
        numRuns: RUNS,
        examples: [
          [CROWD, CROWD_OPTIONS, 'UTC'],
          [NEW_YEAR, CROWD_OPTIONS, 'UTC'],
          [BACK_OVER_MIDNIGHT, { ...CROWD_OPTIONS, timeZone: 'America/St_Johns' }, 'UTC'],
        ],
      },
    )
    // A comparison of empty lists would prove nothing.
    expect(reached.empty()).toEqual([])
    expect([people.rounded > 0, people.hidden > 0]).toEqual([true, true])
  })
})
