// Every document of a build equals the oracle's, over randomised databases.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AnalyticsOptions } from '../../src/analytics/options.ts'
import { runBuild } from '../../src/builder/run/run-build.ts'
import type { BuildEffects } from '../../src/builder/run/context.ts'
import type { BuildRequest } from '../../src/builder/run/request.ts'
import { releaseNamed } from '../../src/builder/commands/which-release.ts'
import { combinations, snapshotPath, type Combination } from '../../src/contract/snapshot-paths.ts'
import { PERIODS } from '../../src/contract/windows.ts'
import { SILENT } from '../../src/process/log.ts'
import { NO_PROGRESS } from '../../src/process/progress.ts'
import { verifyRelease } from '../../src/release/checks/verify.ts'
import { parseDatabaseUrl } from '../../src/source/database/parse-target.ts'
import { loadMapping } from '../../src/source/mapping/mapping.ts'
import {
  installOracle,
  oracleCategories,
  oracleCategoryNames,
  oracleExport,
  type ExportType as OracleType,
  oracleStats,
  oracleTrending,
} from '../oracle/documents.ts'
import { buildOptions, createNativeTables, loadDatabase, nativeDatabases } from '../oracle/random-database.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { releasePaths } from '../../src/release/format/paths.ts'

const RUNS = Number(process.env['ORACLE_RUNS'] ?? 25)

describeWithPostgres('the build and the oracle', (postgres) => {
  let url = ''
  let client: pg.Client
  let folder = ''

  beforeAll(async () => {
    url = await postgres().createDatabase()
    client = new pg.Client({ connectionString: url })
    await client.connect()
    await createNativeTables(client)
    await installOracle(client)
    folder = await mkdtemp(join(tmpdir(), 'analytics-oracle-'))
  })
  afterAll(async () => {
    await client?.end()
    if (folder !== '') await rm(folder, { recursive: true, force: true })
  })

  test('every document of every combination is the same', { timeout: 600_000 }, async () => {
    let runs = 0
    const seen = { documents: 0, trendingIdeas: 0, rounded: 0, hidden: 0 }
    await fc.assert(
      fc.asyncProperty(nativeDatabases(), buildOptions(), async (database, options) => {
        await loadDatabase(client, database)
        const snapshotsDir = join(folder, String(runs++))
        const { asOf } = database
        const outcome = await runBuild(request(url, snapshotsDir, asOf, options), effects(asOf))
        expect(outcome).toMatchObject({ kind: 'published' })
        const ask = { asOf, ...options, mapping: loadMapping('native', {}).sha256 }

        // The gate let it pass; so does verify: CSV row by row compared with JSON, and all totals with one another.
        expect((await verifyRelease(await releaseNamed(releasePaths(snapshotsDir), 'current'))).faults).toEqual([])

        const manifest = JSON.parse(await readFile(join(snapshotsDir, 'current', 'manifest.json'), 'utf8')) as {
          categories: { name: string }[]
          files: { path: string }[]
        }
        for (const file of manifest.files)
          expect(Object.keys(file)).toEqual(['path', 'bytes', 'sha256', 'contentHash', 'rows', 'gzip', 'br'])
        const names = await oracleCategoryNames(client, asOf)
        expect(manifest.categories.map(({ name }) => name)).toEqual(names)
        expect(manifest.files.map(({ path }) => path).sort()).toEqual(
          Array.from(combinations(names), (combination) => snapshotPath(combination)).sort(),
        )

        for (const combination of combinations(names)) {
          if (combination.endpoint === 'export' && combination.format === 'csv') continue
          if (isOverTime(combination)) continue
          const { generatedAt, version, ...document } = JSON.parse(
            await readFile(join(snapshotsDir, 'current', snapshotPath(combination)), 'utf8'),
          ) as Record<string, unknown>
          expect(generatedAt).toBe(asOf)
          expect(version).toBe('1.0')
          const expected = await oracleOf(combination)
          expect(document, JSON.stringify(combination)).toEqual(expected)
          expect(JSON.stringify(document), 'key order').toBe(JSON.stringify(expected))
          seen.documents += 1
          if (combination.endpoint === 'export' && combination.type === 'users' && options.people === 'rounded') {
            const cells = (document['data'] as Record<string, unknown>[]).flatMap((row) => Object.values(row))
            seen.rounded += cells.filter((cell) => typeof cell === 'number' && cell > 0).length
            seen.hidden += cells.filter((cell) => cell === null).length
          }
          if (combination.endpoint === 'trending') seen.trendingIdeas += (document['ideas'] as unknown[]).length
        }
        await rm(snapshotsDir, { recursive: true, force: true })

        function oracleOf(
          combination: Exclude<Combination, { endpoint: 'timeline' | 'outcomes' | 'category' }>,
        ): Promise<object> {
          switch (combination.endpoint) {
            case 'stats':
              return oracleStats(client, ask)
            case 'trending':
              return oracleTrending(client, { ...ask, ...combination, limit: 100 })
            case 'categories':
              return oracleCategories(client, { ...ask, period: combination.period })
            case 'export':
              return oracleExport(client, { ...ask, type: combination.type as OracleType, period: combination.period })
          }
        }
      }),
      { numRuns: RUNS },
    )
    // The generator reaches what it is for: none of these may be empty.
    expect(seen.documents).toBeGreaterThanOrEqual(RUNS * (1 + 4 + 5 + 5 * PERIODS.length))
    expect(seen.trendingIdeas).toBeGreaterThan(0)
    expect(seen.rounded).toBeGreaterThan(0)
    expect(seen.hidden).toBeGreaterThan(0)
  })
})

/** Documents over time have an oracle of their own. */
function isOverTime(
  combination: Combination,
): combination is Extract<Combination, { endpoint: 'timeline' | 'outcomes' | 'category' }> {
  if (combination.endpoint === 'export') return ['timeline', 'outcomes'].includes(combination.type)
  return ['timeline', 'outcomes', 'category'].includes(combination.endpoint)
}

function request(url: string, snapshotsDir: string, asOf: string, options: AnalyticsOptions): BuildRequest {
  return {
    target: parseDatabaseUrl(`${url}${url.includes('?') ? '&' : '?'}sslmode=disable`),
    mapping: loadMapping('native', {}),
    analytics: options,
    paths: releasePaths(snapshotsDir),
    everyMs: 3_600_000,
    keep: 5,
    maxDropPercent: 20,
    acceptDrop: false,
    statementTimeoutMs: 60_000,
    lockTimeoutMs: 5_000,
    deadlineMs: 120_000,
    rowSecurity: 'off',
    asOfMs: Date.parse(asOf),
  }
}

function effects(asOf: string): BuildEffects {
  return {
    nowMs: () => Date.parse(asOf),
    sleep: () => Promise.resolve(),
    log: SILENT,
    progress: NO_PROGRESS,
    signal: new AbortController().signal,
  }
}
