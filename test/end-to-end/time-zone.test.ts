// One truth in a town's own days: documents, exports, history, manifest, page and the comparison with the release before.
// real test: it builds from a database.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { releaseNamed } from '../../src/builder/commands/which-release.ts'
import type { OutcomesDocument } from '../../src/contract/kinds/outcomes.ts'
import type { TimelineDocument } from '../../src/contract/kinds/timeline.ts'
import { releasePaths } from '../../src/release/format/paths.ts'
import { verifyRelease } from '../../src/release/verify/verify.ts'
import { openNativeDatabase } from '../oracle/random-database.ts'
import { temporaryFolder } from '../release/sample-release.ts'
import { buildAt } from '../support/library-build.ts'
import { describeWithPostgres } from '../support/postgres.ts'

/** Half past midnight of 25 October in Madrid, where the summer ends that night; still the 24th in UTC. */
const AS_OF = Date.parse('2026-10-24T22:30:00.000Z')
const HOUR_MS = 3_600_000

describeWithPostgres('a build in the time zone of a town', (postgres) => {
  let url = ''
  let client: pg.Client
  beforeAll(async () => {
    ;({ url, client } = await openNativeDatabase(postgres(), 'town'))
    await client.query(`
      INSERT INTO users SELECT n, now() - interval '40 years' FROM generate_series(1, 40) AS n;
      INSERT INTO ideas (id, title, created_at) VALUES
        ('1', 'On the last evening of September in UTC', '2026-09-30 22:15+00'),
        ('2', 'On the first morning of the year', '2025-12-31 23:15+00')`)
  })
  afterAll(() => client?.end())

  const build = async (snapshots: string, timeZone: string, people: 'exact' | 'rounded', asOfMs = AS_OF) => {
    const analytics = { voteWeight: 5, commentWeight: 3, siteUrl: null, people, timeZone }
    expect(await buildAt(asOfMs, url, snapshots, { analytics })).toMatchObject({ kind: 'published' })
    expect((await verifyRelease(await releaseNamed(releasePaths(snapshots), 'current'))).faults).toEqual([])
  }
  const read = (snapshots: string, path: string): string => readFileSync(join(snapshots, 'current', path), 'utf8')
  const json = (snapshots: string, path: string): unknown => JSON.parse(read(snapshots, path))

  test('cuts documents, exports, history and page in it, and names it', async () => {
    const snapshots = temporaryFolder()
    await build(snapshots, 'Europe/Madrid', 'exact')
    expect(json(snapshots, 'manifest.json')).toMatchObject({ options: { timeZone: 'Europe/Madrid' } })
    const timeline = json(snapshots, 'analytics/timeline/all.json') as TimelineDocument
    expect(timeline.timeZone).toBe('Europe/Madrid')
    expect(timeline.buckets.filter(({ ideas }) => ideas > 0).map(({ bucket }) => bucket)).toEqual([
      '2026-01-01T00:00:00.000+01:00',
      '2026-10-01T00:00:00.000+02:00',
    ])
    const { cohorts, years } = json(snapshots, 'analytics/outcomes.json') as OutcomesDocument
    expect([cohorts.length, years?.map(({ year }) => year)]).toEqual([10, ['2026-01-01T00:00:00.000+01:00']])
    expect(read(snapshots, 'analytics/export/timeline/24h.csv').split('\r\n')[1]).toMatch(
      /^2026-10-24T00:00:00.000\+02:00,/,
    )
    expect(read(snapshots, 'analytics/export/history/all.csv').split('\r\n')[1]).toMatch(/^2026-10-25,2026-10-24T22:30/)
    const page = read(snapshots, 'index.html')
    expect(page).toContain('<time datetime="2026-10-24T22:30:00.000Z">25 October 2026, 00:30 CEST</time>')
    expect(page).toContain('those of Europe/Madrid')
    expect(page).not.toMatch(/\bUTC\b/)
  })

  test('counts people as of its midnight, in days of its own', async () => {
    const snapshots = temporaryFolder()
    await build(snapshots, 'Europe/Madrid', 'rounded', AS_OF + 30 * HOUR_MS)
    const { to, data } = json(snapshots, 'analytics/export/users/7d.json') as { to: string; data: { bucket: string }[] }
    expect([to, data.at(-1)?.bucket, data[0]?.bucket]).toEqual([
      '2026-10-25T23:00:00.000Z',
      '2026-10-25T00:00:00.000+02:00',
      // A window is 168 hours, and that Sunday has 25.
      '2026-10-19T00:00:00.000+02:00',
    ])
  })

  test('is compared without months with one in another zone, and goes on with its history', async () => {
    const snapshots = temporaryFolder()
    await build(snapshots, 'UTC', 'exact')
    expect(json(snapshots, 'analytics/timeline/all.json')).not.toHaveProperty('timeZone')
    await build(snapshots, 'Europe/Madrid', 'exact', AS_OF + 48 * HOUR_MS)
    const { data } = json(snapshots, 'analytics/export/history/all.json') as { data: { date: string }[] }
    expect(data.map(({ date }) => date)).toEqual(['2026-10-24', '2026-10-26'])
    const { data: revisions } = json(snapshots, 'analytics/export/revisions/all.json') as { data: object[] }
    expect(revisions).toMatchObject([{ date: '2026-10-26', relation: null, month: null }])
  })
})
