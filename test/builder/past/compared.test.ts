// Whether a build compares the past in another time zone, after a rollback, below a pin, after a closing and as the demo; and what
// it says of categories that became others.
// long test: builds for each case
import { readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { BuildRequest } from '../../../src/builder/run/context.ts'
import { runBuild, type BuildOutcome } from '../../../src/builder/run/run-build.ts'
import type { PeopleMode } from '../../../src/contract/people.ts'
import type { Log } from '../../../src/process/log.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'
import { resume, rollback } from '../../../src/release/past/rollback.ts'
import { keptPastText, parseKeptPast, type KeptPast } from '../../../src/release/writing/kept-past.ts'
import { loadMapping } from '../../../src/source/mapping/mapping.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { effectsAt, requestOf } from '../../support/library-build.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { createSmallPlatform } from '../small-platform.ts'

/** In the night in which a month ends, as all rows of it: in New York it is the month before, in Berlin the next one. */
const AS_OF = '2026-06-10T12:00:00.000Z'
const AS_OF_MS = Date.parse(AS_OF)
const HOUR_MS = 3_600_000
const NATIVE = readFileSync('src/source/mapping/built-in/native/mapping.sql', 'utf8')

describeWithPostgres('the past of a site', (postgres) => {
  let [url, snapshots, hours, databases] = ['', '', 0, 0]
  let said: string[] = []
  const folder = temporaryFolder(afterAll)
  const sql = (text: string): Promise<string> => postgres().psql(text, `compared_${databases}`)

  beforeAll(async () => void (await createSmallPlatform(postgres(), 'small', AS_OF)))
  beforeEach(async ({ onTestFinished }) => {
    databases += 1
    hours = 0
    snapshots = join(temporaryFolder(onTestFinished), 'snapshots')
    url = await postgres().createDatabase(`compared_${databases}`, 'small')
  })

  /** An hour after the last one. */
  function build(
    change: Partial<BuildRequest> = {},
    timeZone = 'UTC',
    people: PeopleMode = 'exact',
  ): Promise<BuildOutcome> {
    said = []
    const say = (_: object, text: string): void => void said.push(text)
    const log: Log = { info: say, warn: say, error: say }
    const asOfMs = AS_OF_MS + (hours += 1) * HOUR_MS
    const request = requestOf(url, snapshots, { asOfMs, people, timeZone, site: null, ...change })
    return runBuild({ ...request, siblings: false }, { ...effectsAt(() => asOfMs), log })
  }
  const reasonsOf = (outcome: BuildOutcome): readonly string[] => (outcome.kind === 'refused' ? outcome.reasons : [])
  const json = (path: string): unknown => JSON.parse(readFileSync(join(snapshots, 'current', path), 'utf8'))
  const revisions = (): unknown[] => (json('analytics/export/revisions/all.json') as { data: object[] }).data
  const mappingOf = (name: string, text: string) => {
    writeFileSync(join(folder, `${name}.sql`), text)
    return loadMapping(join(folder, `${name}.sql`), {})
  }
  const NOT_BY_MONTH = { relation: null, month: null, was: null, is: null, accepted: false }

  it.each(['Europe/Berlin', 'America/New_York'])(
    'is compared as one sum in %s, with no invented correction',
    async (zone) => {
      await sql(`INSERT INTO votes SELECT 1, i, 1, '2026-05-31 22:30+00' FROM generate_series(1, 400) i;
               INSERT INTO comments SELECT 5000 + i, 1, i, '2026-05-01 00:30+00' FROM generate_series(1, 400) i`)
      await build()
      expect(await build({}, zone)).toMatchObject({ kind: 'published' })
      const sentence = `the time zone is ${zone}, of the current release UTC: the months of each relation are compared as one sum`
      expect(said).toEqual([sentence])
      expect(revisions()).toEqual([{ date: '2026-06-10', ...NOT_BY_MONTH }])
      // By month again, in the new zone.
      expect(await build({}, zone)).toMatchObject({ kind: 'published', report: { notes: [] } })
      expect(said).toEqual([])
      expect(revisions()).toHaveLength(1)
      // Rows that are lost with a change of the zone are missed all the same.
      await sql('DELETE FROM votes WHERE idea_id % 2 = 0')
      const reasons = reasonsOf(await build())
      expect(reasons).toContainEqual(
        expect.stringMatching(
          /^votes: the past changed by [\d,]+ of [\d,]+ rows \(\d\d\.\d %, allowed 10 %\): all months [\d,]+ to /,
        ),
      )
      expect(reasons.join()).toContain(`; the time zone is UTC, of the current release ${zone}: `)
      expect(await build({ acceptRevision: true })).toMatchObject({ kind: 'published' })
      const day = { date: '2026-06-10', accepted: true }
      expect(revisions()).toEqual([
        { ...day, ...NOT_BY_MONTH, accepted: true },
        { ...day, relation: 'votes', month: null, was: 28, is: 14 },
      ])
    },
  )

  it('is compared as one sum where the rules of the zone moved months, and by month where they did not', async () => {
    const change = (file: string, from: RegExp, to: string): void =>
      writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
    const older = (): void =>
      change(join(snapshots, 'current', 'manifest.json'), /"timeZoneDatabase":"\w+"/, '"timeZoneDatabase":"2019a"')
    const tz = process.versions['tz']
    const changed = `the rules of the time zone changed: Europe/Berlin by version ${tz}, in the current release by 2019a: where both differ, rows are of other hours, days or months now`
    await build({}, 'Europe/Berlin')
    older()
    expect(await build({}, 'Europe/Berlin')).toMatchObject({ kind: 'published', report: { notes: [changed] } })
    expect(revisions()).toEqual([])
    older()
    const id = basename(readlinkSync(join(snapshots, 'current')))
    const path = join(snapshots, '.state', `${id}.json`)
    const kept = JSON.stringify(parseKeptPast(readFileSync(path, 'utf8'), id))
    writeFileSync(path, keptPastText(JSON.parse(kept.replace(/"monthStarts":\d+/, '"monthStarts":7')) as KeptPast))
    expect(await build({}, 'Europe/Berlin')).toMatchObject({ kind: 'published' })
    expect(said).toEqual([
      changed,
      `the rules of the time zone Europe/Berlin are ${tz}, of the current release 2019a: the months of each relation are compared as one sum`,
    ])
    expect(revisions()).toEqual([{ date: '2026-06-10', ...NOT_BY_MONTH }])
  })

  it('is compared after a rollback, below a pin, and when builds go on', async () => {
    await build()
    await build()
    const paths = releasePaths(snapshots)
    await rollback(paths, null, AS_OF_MS + 9 * HOUR_MS)
    const other = mappingOf('other', NATIVE.replace('FROM votes', 'FROM votes WHERE idea_id % 2 = 0'))
    expect(reasonsOf(await build({ mapping: other })).join()).toContain(
      'section votes is not that of the current release',
    )
    expect(await build()).toMatchObject({ kind: 'held' })
    await resume(paths, AS_OF_MS)
    expect(reasonsOf(await build({ mapping: other }))).not.toEqual([])
    expect(await build()).toMatchObject({ kind: 'published' })
  })

  it('is not compared after a closing, and is when the site has been open for a build', async () => {
    const closing = mappingOf('closing', `${NATIVE}\n-- section closed\nSELECT true AS closed\n`)
    const half = mappingOf('half', NATIVE.replace('FROM votes', 'FROM votes WHERE idea_id % 2 = 0'))
    await build()
    expect(await build({ mapping: closing })).toMatchObject({ kind: 'published', report: { closed: {} } })
    expect(await build({ mapping: half })).toMatchObject({
      kind: 'published',
      report: { withoutPast: 'the site is open again', revisions: null },
    })
    expect(await build()).toMatchObject({ kind: 'refused' })
    // What is lost keeps no site open.
    const path = join(snapshots, '.state', `${basename(readlinkSync(join(snapshots, 'current')))}.json`)
    writeFileSync(path, '{')
    expect(await build()).toMatchObject({ kind: 'refused' })
    expect(await build({ mapping: closing })).toMatchObject({ kind: 'published', report: { closed: {} } })
  })

  it('is not compared between the demo and something real, nor of the demo', async () => {
    const demo = { ...loadMapping('native', {}), name: 'demo' }
    await build({ mapping: demo })
    await sql('DELETE FROM votes')
    expect(await build({ mapping: demo })).toMatchObject({
      kind: 'published',
      report: { withoutPast: 'the demo is invented anew for each build' },
    })
    expect(await build()).toMatchObject({ kind: 'published' })
    expect(said).toContainEqual(expect.stringMatching(/ is of the demo: the past was not compared$/))
    expect(await build()).toMatchObject({ kind: 'published', report: { withoutPast: null } })
  })

  const NAMES = ['Product', 'Design', 'NA', 'None', 'null', '.']
  const labelled = (expression: string): string =>
    `DELETE FROM idea_categories; INSERT INTO idea_categories SELECT id, ${expression} FROM ideas`
  const USUAL = `(ARRAY[${NAMES.map((name) => `'${name}'`).join(', ')}])[1 + id % 6]`
  const CHANGES: readonly [what: string, expression: string, note: string, kind: string, into: readonly string[]][] = [
    [
      'merged',
      `replace(${USUAL}, 'NA', 'None')`,
      'category "NA" was merged: its ideas are in "None"',
      'merged',
      ['None'],
    ],
    [
      'split',
      `replace(${USUAL}, 'null', CASE WHEN id % 4 = 0 THEN 'nan' ELSE 'n/a' END)`,
      'category "null" was split: its ideas are in ',
      'split',
      ['n/a', 'nan'],
    ],
    [
      'renamed',
      `replace(${USUAL}, 'Design', 'Gestaltung')`,
      'category "Design" was renamed: its ideas are in "Gestaltung"',
      'renamed',
      ['Gestaltung'],
    ],
  ]
  it.each(CHANGES)(
    'has categories that were %s, which is told and published',
    async (_, expression, note, kind, into) => {
      await sql(`TRUNCATE categories; ${labelled(USUAL)}`)
      await build()
      await sql(labelled(expression))
      const outcome = await build()
      expect(outcome).toMatchObject({ kind: 'published', report: { notes: [expect.stringContaining(note)] } })
      expect(said).toEqual([expect.stringContaining(note)])
      const [change] = (json('manifest.json') as { categoryChanges: { kind: string; into: string[] }[] })
        .categoryChanges
      expect([change?.kind, change?.into.toSorted()]).toEqual([kind, into])
      // The name that is gone is published nowhere.
      expect(Object.keys(change ?? {})).toEqual(['kind', 'into'])
      expect(await build()).toMatchObject({ kind: 'published', report: { notes: [] } })
      expect(json('manifest.json')).not.toHaveProperty('categoryChanges')
    },
  )

  it.each([
    ['all ideas in one', `'Product'`],
    ['no idea in any', 'NULL WHERE false'],
    ['each in one of its own', `'idea ' || id`],
  ])('that has %s is damaged', async (_, expression) => {
    await sql(`TRUNCATE categories; ${labelled(USUAL)}`)
    await build()
    await sql(labelled(expression).replace('NULL WHERE false FROM ideas', "'' FROM ideas WHERE false"))
    expect(reasonsOf(await build())).toEqual([expect.stringMatching(/^categories of ideas: \d+ of 150 /)])
  })

  it.each<[PeopleMode, boolean]>([
    ['exact', true],
    ['rounded', true],
    ['off', false],
  ])('has people who were active, who are compared by month with --people %s', async (people, isCompared) => {
    await build({}, 'UTC', people)
    hours += 30
    expect(await build({}, 'UTC', people)).toMatchObject({ kind: 'published' })
    await sql('UPDATE votes SET user_id = NULL')
    const reasons = reasonsOf(await build({}, 'UTC', people))
    expect(reasons).toEqual(
      isCompared ? [expect.stringMatching(/^active people: the past changed by [\d,]+ of [\d,]+ by month \(/)] : [],
    )
    // Another mode is no change of the past.
    expect(await build({ acceptRevision: true }, 'UTC', people)).toMatchObject({ kind: 'published' })
    expect(revisions()).toEqual([])
    for (const other of ['off', 'exact', 'rounded'] as const)
      expect(await build({}, 'UTC', other), other).toMatchObject({ kind: 'published' })
  })
})
