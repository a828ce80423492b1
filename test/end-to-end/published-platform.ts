// A small platform with one published release, for the tests of builds that go wrong.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import { releasePaths } from '../../src/release/format/paths.ts'
import { absent } from '../../src/release/format/release-error.ts'
import { listReleases } from '../../src/release/reading/release-list.ts'
import { run } from '../builder/build-program.ts'
import { createSmallPlatform } from '../builder/small-platform.ts'
import { temporaryFolder, wholeCurrent } from '../release/sample-release.ts'
import type { Postgres } from '../support/postgres.ts'

const NATIVE = readFileSync(packagePath('src', 'source', 'mapping', 'built-in', 'native', 'mapping.sql'), 'utf8')
/** Reading the comments takes longer than any test waits. */
export const SLOW: readonly [string, string] = ['FROM comments', 'FROM comments, (SELECT pg_sleep(120)) AS slow']

export async function until(what: string, condition: () => unknown, deadlineMs = 20_000): Promise<void> {
  const endMs = performance.now() + deadlineMs
  while (!(await condition())) {
    if (performance.now() > endMs) throw new Error(`not within ${deadlineMs} ms: ${what}`)
    await sleep(10)
  }
}

/** Names that only work in progress has. */
export async function leftovers(snapshots: string): Promise<string[]> {
  const paths = releasePaths(snapshots)
  const names = [...(await readdir(snapshots)), ...(await listReleases(paths, '.tmp-'))]
  const releases = new Set((await listReleases(paths)).map((id) => `${id}.json`))
  const pasts = (await readdir(paths.state).catch(absent<string[]>([]))).filter((name) => !releases.has(name))
  return [
    ...names.filter((name) => !['current', 'releases', '.last-build', '.lineage', '.state'].includes(name)),
    ...pasts,
  ]
}

export async function expectUntouched(snapshots: string, id: string): Promise<void> {
  expect(await wholeCurrent(snapshots)).toBe(id)
  expect(await leftovers(snapshots)).toEqual([])
}

export interface PublishedPlatform {
  /** What there is once the hooks ran: `published` is a folder with the release `id`. */
  readonly made: () => { readonly url: string; readonly home: string; readonly published: string; readonly id: string }
  readonly snapshotsWithRelease: (finished?: typeof onTestFinished) => Promise<string>
  readonly mapping: (name: string, change: readonly [string, string]) => string
  readonly lockTable: (table: string) => Promise<Client>
  readonly endSessions: () => Promise<void>
  readonly argsOf: (snapshots: string, ...more: string[]) => string[]
}

/** To be called inside describe: it registers the hooks that make the platform. */
export function publishedPlatform(postgres: () => Postgres): PublishedPlatform {
  let url = ''
  let home = ''
  let published = ''
  let id = ''

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'build-faults-'))
    published = join(home, 'published')
    url = await createSmallPlatform(postgres(), 'small')
    await postgres().psql(
      `CREATE ROLE analyst LOGIN PASSWORD 'right' IN ROLE password_required; CREATE ROLE outsider LOGIN`,
    )
    expect(await run(['--snapshots', published, '--database-url', url])).toMatchObject({ code: 0 })
    id = await wholeCurrent(published)
  })
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  async function snapshotsWithRelease(finished: typeof onTestFinished = onTestFinished): Promise<string> {
    const folder = join(temporaryFolder(finished), 'snapshots')
    await cp(published, folder, { recursive: true, verbatimSymlinks: true })
    return folder
  }

  /** The native mapping with one thing changed. */
  function mapping(name: string, [from, to]: readonly [string, string]): string {
    const file = join(home, `${name}.sql`)
    expect(NATIVE).toContain(from)
    writeFileSync(file, NATIVE.replace(from, to))
    return file
  }

  /** Another session that holds a table until it commits, or until the test is over. */
  async function lockTable(table: string): Promise<Client> {
    const blocker = new Client({ connectionString: url })
    await blocker.connect()
    onTestFinished(() => blocker.end())
    await blocker.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
    return blocker
  }

  // A server learns only when a query ends that nobody waits for it any more.
  async function endSessions(): Promise<void> {
    await postgres().psql(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'analytics-build'`,
    )
  }

  const argsOf = (snapshots: string, ...more: string[]): string[] =>
    ['--snapshots', snapshots, '--database-url', url].concat(more)

  return {
    made: () => ({ url, home, published, id }),
    snapshotsWithRelease,
    mapping,
    lockTable,
    endSessions,
    argsOf,
  }
}
