// One truth in a town's own days: documents, exports, history, manifest, page and the comparison with the release before.
// real test: it builds from a database.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { releaseNamed } from '../../src/builder/commands/which-release.ts'
import type { OutcomesDocument } from '../../src/contract/kinds/outcomes.ts'
import type { TimelineDocument } from '../../src/contract/kinds/timeline.ts'
import { packagePath } from '../../src/process/package-root.ts'
import { releasePaths } from '../../src/release/format/paths.ts'
import { verifyRelease } from '../../src/release/verify/verify.ts'
import { logOf, run } from '../builder/build-program.ts'
import { openNativeDatabase } from '../oracle/random-database.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { buildAt } from '../support/library-build.ts'
import { describeWithPostgres } from '../support/postgres.ts'

/** Half past midnight of 25 October in Madrid, where the summer ends that night; still the 24th in UTC. */
const AS_OF = Date.parse('2026-10-24T22:30:00.000Z')
const HOUR_MS = 3_600_000
const NATIVE = packagePath('src', 'source', 'mapping', 'built-in', 'native', 'mapping.sql')

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
    expect(await buildAt(asOfMs, url, snapshots, { people, timeZone })).toMatchObject({ kind: 'published' })
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
      '2026-01-01',
      '2026-10-01',
    ])
    const { cohorts, years } = json(snapshots, 'analytics/outcomes.json') as OutcomesDocument
    expect([cohorts.length, years?.map(({ year }) => year)]).toEqual([10, ['2026-01-01']])
    expect(read(snapshots, 'analytics/export/timeline/24h.csv').split('\r\n')[1]).toMatch(/^2026-10-23T22:00:00.000Z,/)
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
      '2026-10-25',
      // A window is 168 hours, and that Sunday has 25.
      '2026-10-19',
    ])
  })

  test.each([
    // The day before has 23 hours, and the one window of 24 begins on the day before that.
    ['Europe/Berlin', '2026-03-30T06:20:00.000Z', '2026-03-29', '2026-03-28T22:00:00.000Z'],
    ['America/New_York', '2026-03-09T12:20:00.000Z', '2026-03-08', '2026-03-08T04:00:00.000Z'],
    ['Asia/Tokyo', '2026-03-30T06:20:00.000Z', '2026-03-29', '2026-03-28T15:00:00.000Z'],
  ])(
    'in %s names days, months and years by dates of its own, in files and on the page',
    async (zone, asOf, day, from) => {
      await client.query(`
      DELETE FROM ideas;
      INSERT INTO ideas (id, title, created_at) VALUES
        ('1', 'The last of the year', timestamp '2025-12-31 23:30' AT TIME ZONE '${zone}'),
        ('2', 'The first of the year', timestamp '2026-01-01 00:30' AT TIME ZONE '${zone}')`)
      const snapshots = temporaryFolder()
      await build(snapshots, zone, 'rounded', Date.parse(asOf))
      const { cohorts, years } = json(snapshots, 'analytics/outcomes.json') as OutcomesDocument
      const months = ['2025-12-01', '2026-01-01', '2026-02-01', '2026-03-01']
      expect([cohorts.map(({ month }) => month), years?.map(({ year }) => year)]).toEqual([
        months,
        ['2025-01-01', '2026-01-01'],
      ])
      const withIdeas = (span: string): string[] =>
        (json(snapshots, `analytics/timeline/${span}.json`) as TimelineDocument).buckets
          .filter(({ ideas }) => ideas === 1)
          .map(({ bucket }) => bucket)
      expect(withIdeas('all')).toEqual(months.slice(0, 2))
      expect(withIdeas('all-by-day')).toEqual(['2025-12-31', '2026-01-01'])
      expect(read(snapshots, 'analytics/export/timeline/all-by-day.csv')).toContain('\r\n2025-12-31,')
      const { buckets } = json(snapshots, 'analytics/timeline/24h.json') as TimelineDocument
      expect(buckets.at(-1)?.bucket).toBe(asOf.replace(':20:', ':00:'))
      expect(json(snapshots, 'analytics/export/users/24h.json')).toMatchObject({ from, data: [{ bucket: day }] })
      const page = read(snapshots, 'period/all/index.html')
      for (const month of ['December 2025', 'January 2026', 'February 2026']) expect(page).toContain(month)
      expect(page).not.toContain('November 2025')
    },
  )

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

  /** The program on a Node.js with other rules. */
  const runWith = async (tz: string, ...args: string[]) => {
    const preload = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,tz:'${tz}'}})`
    const ran = await run(args, { NODE_OPTIONS: `--import=${preload}` })
    const isOfZone = ({ level, message }: { level: string; message: string }): boolean =>
      level === 'warn' && /time zone/.test(message)
    const warnings = logOf(ran)
      .filter(isOfZone)
      .map(({ message }) => message)
    return { code: ran.code, stdout: ran.stdout, warnings }
  }
  /** A build of one folder, by each version in turn. */
  const builds = (timeZone: string) => {
    const snapshots = temporaryFolder()
    const buildWith = (tz: string, ...more: string[]) =>
      runWith(tz, 'build', '--database-url', url, '--snapshots', snapshots, '--time-zone', timeZone, ...more)
    return { snapshots, buildWith }
  }

  test('says which version of its rules cut the release, and in the next one that they changed', async () => {
    const { snapshots, buildWith } = builds('Europe/Madrid')
    expect(await buildWith('2025c')).toMatchObject({
      code: 0,
      stdout: expect.not.stringContaining('  note '),
      warnings: [],
    })
    expect(json(snapshots, 'manifest.json')).toMatchObject({ timeZoneDatabase: '2025c' })
    const text = 'Europe/Madrid by version 2026e, in the current release by 2025c'
    const changed = await buildWith('2026e', '--json')
    expect(changed).toMatchObject({ code: 0, warnings: [expect.stringContaining(`time zone changed: ${text}`)] })
    expect(JSON.parse(changed.stdout)).toMatchObject({
      timeZoneDatabase: '2026e',
      notes: [expect.stringContaining(text)],
    })
    const { stdout } = await runWith('2026e', 'status', '--snapshots', snapshots)
    expect(stdout).toMatch(/, time zones 2025c\n\* .*, time zones 2026e\n/)
    expect(await buildWith('2026e')).toMatchObject({ code: 0, warnings: [] })
  })

  test('knows no version where Node.js has none: that is no damage, and said once', async () => {
    const { snapshots, buildWith } = builds('Europe/Madrid')
    await buildWith('2025c')
    const unknown = await buildWith('')
    expect(unknown.warnings).toEqual([expect.stringContaining('by version unknown, in the current release by 2025c')])
    expect(json(snapshots, 'manifest.json')).not.toHaveProperty('timeZoneDatabase')
    expect(await buildWith('')).toMatchObject({ code: 0, warnings: [] })
    expect(await runWith('', 'verify', '--snapshots', snapshots)).toMatchObject({ code: 0 })
  })

  test('has none in UTC, whatever Node.js has', async () => {
    const { snapshots, buildWith } = builds('Etc/UTC')
    expect(await buildWith('2025c')).toMatchObject({ code: 0, warnings: [] })
    expect(await buildWith('2026e')).toMatchObject({ code: 0, warnings: [] })
    expect(json(snapshots, 'manifest.json')).not.toHaveProperty('timeZoneDatabase')
  })

  // It was taken off the list in 2020; ICU still has it.
  test('is published with a warning where the server does not know its zone', async () => {
    const { snapshots, buildWith } = builds('Canada/East-Saskatchewan')
    const { code, warnings } = await buildWith('2025c')
    expect([code, warnings]).toEqual([
      0,
      [
        expect.stringMatching(
          /^the database's rules of the time zone Canada\/East-Saskatchewan could not be compared with those of Node\.js \(2025c\): invalid value for parameter "TimeZone"/,
        ),
      ],
    ])
    expect(json(snapshots, 'manifest.json')).toMatchObject({ timeZoneDatabase: '2025c' })
  })

  test('that is of a closed site says nothing of rules: it has no rows', async () => {
    const { snapshots, buildWith } = builds('Canada/East-Saskatchewan')
    const mapping = join(temporaryFolder(), 'closed.sql')
    writeFileSync(mapping, `${readFileSync(NATIVE, 'utf8')}\n-- section closed\nSELECT true AS closed\n`)
    for (const tz of ['2025c', '2026e'])
      expect(await buildWith(tz, '--source', mapping, '--json')).toMatchObject({ code: 0, warnings: [] })
    expect(json(snapshots, 'manifest.json')).toMatchObject({ closed: true, timeZoneDatabase: '2026e' })
  })
})
