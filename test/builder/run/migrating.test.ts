// A build beside a platform that migrates: what is published is true, or the last good release stays.
// real test: a database whose tables are locked while the program waits
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import { beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { runBuild, type BuildOutcome } from '../../../src/builder/run/run-build.ts'
import type { BuildEffects } from '../../../src/builder/run/context.ts'
import { packagePath } from '../../../src/process/package-root.ts'
import { readManifest } from '../../../src/release/reading/folder-reader.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'
import { SourceError } from '../../../src/source/database/source-error.ts'
import { loadMapping, type Mapping } from '../../../src/source/mapping/mapping.ts'
import { wholeCurrent } from '../../release/sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { effectsAt, requestOf } from '../../support/library-build.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { inSession } from '../../support/session.ts'
import { logOf, run } from '../build-program.ts'
import { createSmallPlatform } from '../small-platform.ts'

const NATIVE = readFileSync(packagePath('src', 'source', 'mapping', 'built-in', 'native', 'mapping.sql'), 'utf8')
/** As Discourse and Plane say it: by a row that is there, and by one that is not. */
const PRIVATE_BY_ROW = `SELECT EXISTS (SELECT FROM settings WHERE name = 'private') AS closed`
const OPEN_BY_ROW = `SELECT NOT EXISTS (SELECT FROM settings WHERE name = 'public') AS closed`
const REWRITE = `ALTER TABLE settings ALTER value TYPE text USING value || ''`

describeWithPostgres('a build beside a migration', (postgres) => {
  let url: string
  let snapshots: string
  beforeAll(async () => {
    url = await createSmallPlatform(postgres(), 'migrating')
    await postgres().psql(
      `CREATE TABLE settings (name text, value text); INSERT INTO settings VALUES ('private', 't'), ('public', 't')`,
      'migrating',
    )
  })
  beforeEach(() => void (snapshots = join(temporaryFolder(onTestFinished), 'snapshots')))

  const mappingOf = (closed: string): string => {
    const file = join(snapshots, '..', 'mapping.sql')
    writeFileSync(file, `${NATIVE}\n-- section closed\n${closed}\n`)
    return file
  }
  const releases = (): string[] => readdirSync(join(snapshots, 'releases'))
  const current = async () => readManifest(releasePaths(snapshots), await wholeCurrent(snapshots))

  /** Commits what the platform did in a session once the build waits for it. */
  const letGo = (platform: Client): Promise<unknown> =>
    inSession(url, async (observer) => {
      const waits = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = 'migrating'`
      await expect.poll(async () => (await observer.query(waits)).rowCount, { timeout: 20_000, interval: 5 }).toBe(1)
      await platform.query('COMMIT')
    })

  /** The platform has changed a table and not committed yet when the build begins. */
  const during = <T>(change: string, build: () => Promise<T>): Promise<T> =>
    inSession(url, async (platform) => {
      await platform.query(`BEGIN; ${change}`)
      const building = build()
      await letGo(platform)
      return building
    })
  const program = (source = 'native') =>
    run(['--snapshots', snapshots, '--database-url', url, '--source', source, '--no-site'])

  it('publishes no title of a private site whose settings are rewritten', async () => {
    const source = mappingOf(PRIVATE_BY_ROW)
    const ran = await during(REWRITE, () => program(source))
    expect(ran, ran.stderr).toMatchObject({ code: 0 })
    expect(logOf(ran)[0]).toMatchObject({
      level: 'info',
      attempt: 1,
      message: expect.stringMatching(
        /^public\.settings was emptied, rewritten or replaced while the build read, .*; trying again$/,
      ),
    })
    expect(await current()).toMatchObject({ closed: true, rows: { ideas: 0 } })
  })

  it('does not close an open site whose settings are rewritten: every release stays', async () => {
    const source = mappingOf(OPEN_BY_ROW)
    for (let i = 0; i < 2; i++) expect(await program(source)).toMatchObject({ code: 0 })
    const before = releases()
    const ran = await during(REWRITE, () => program(source))
    expect(ran, ran.stderr).toMatchObject({ code: 0 })
    expect(releases()).toEqual(expect.arrayContaining(before))
    const { closed, rows } = await current()
    expect([closed, rows.ideas]).toEqual([undefined, 150])
  })

  const reload = (table: string): string =>
    `CREATE TEMP TABLE kept AS TABLE ${table}; TRUNCATE ${table}; INSERT INTO ${table} TABLE kept; DROP TABLE kept`

  it('counts votes that are reloaded on a first build', async () => {
    const ran = await during(reload('votes'), () => program())
    expect(ran, ran.stderr).toMatchObject({ code: 0 })
    expect((await current()).rows.votes).toBe(2728)
  })

  /** Before each try the platform holds its tables changed, and lets go when the build waits for them. */
  async function beforeEachTry(change: string, times: number, mapping: Mapping): Promise<BuildOutcome | Error> {
    let tries = 0
    return inSession(url, async (platform) => {
      const hold = async (): Promise<void> => {
        if (tries++ >= times) return
        await platform.query(`BEGIN; ${change}`)
        void letGo(platform)
      }
      const effects: BuildEffects = { ...effectsAt(() => Date.now()), sleep: hold }
      await hold()
      return runBuild(requestOf(url, snapshots, { mapping, site: null, siblings: false }), effects).catch(
        (error: Error) => error,
      )
    })
  }
  const undisturbed = (mapping: Mapping): Promise<BuildOutcome | Error> => beforeEachTry('', 0, mapping)

  it('ends when four tries meet one, names the table, and leaves the release that is current', async () => {
    expect(await undisturbed(loadMapping('native', {}))).toMatchObject({ kind: 'published' })
    const id = await wholeCurrent(snapshots)
    const failed = await beforeEachTry(reload('votes'), 4, loadMapping('native', {}))
    expect(failed).toBeInstanceOf(SourceError)
    expect(failed).toMatchObject({
      name: 'SourceError',
      message: expect.stringMatching(/^public\.votes was emptied, rewritten or replaced while the build read, /),
    })
    expect(await wholeCurrent(snapshots)).toBe(id)
    expect(releases()).toEqual([id])
  })

  it('is published by the fourth try when three meet one', async () => {
    expect(await beforeEachTry(reload('votes'), 3, loadMapping('native', {}))).toMatchObject({ kind: 'published' })
    expect((await current()).rows.votes).toBe(2728)
  })

  it('removes nothing where one that would close the site meets a migration each time', async () => {
    const mapping = loadMapping(mappingOf(OPEN_BY_ROW), {})
    for (let i = 0; i < 2; i++) expect(await undisturbed(mapping)).toMatchObject({ kind: 'published' })
    const before = releases()
    const failed = await beforeEachTry(reload('settings'), 4, mapping)
    expect(failed).toMatchObject({ message: expect.stringMatching(/^public\.settings was emptied/) })
    expect(releases()).toEqual(before)
  })
})
