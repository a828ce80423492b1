// Owns what every torture of the builder starts from: a small platform of two categories, a folder with releases of it,
// the real program on a copy of that folder, and what must be true afterwards. Injects no fault.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, utimesSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packagePath } from '../../src/process/package-root.ts'
import { listReleases, namesBelow } from '../../src/release/reading/release-list.ts'
import { begin, run, type Ran, type Running } from '../builder/build-program.ts'
import type { Postgres } from '../support/postgres.ts'
import { compileFaults, type Faults } from './faults.ts'
import { releasePaths } from '../../src/release/format/paths.ts'
import { expectWhole, type FoundWhole } from './whole-releases.ts'

const SCHEMA = readFileSync(packagePath('src', 'source', 'mapping', 'built-in', 'native', 'schema.sql'), 'utf8')

/** The old ideas have long titles: one export is larger than 1 MiB and is streamed to the disk while it is read. */
const ROWS = `
INSERT INTO users SELECT i, now() - i * interval '7 hours' FROM generate_series(1, 50) i;
INSERT INTO ideas
  SELECT i, CASE WHEN i > 40 THEN repeat('A very long title. ', 500) ELSE 'Idea ' || i END,
         now() - CASE WHEN i > 40 THEN interval '100 days' ELSE i * interval '40 hours' END, i % 3 = 0, NULL,
         '/ideas/' || i, i % 50, 'open'
    FROM generate_series(1, 180) i;
INSERT INTO idea_categories SELECT i, CASE i % 2 WHEN 0 THEN 'Product' ELSE 'Design' END FROM generate_series(1, 180) i;
INSERT INTO votes
  SELECT i % 40 + 1, i % 50, 1, now() - i * interval '53 minutes' FROM generate_series(1, 500) i;
INSERT INTO comments
  SELECT i, i % 40 + 1, i % 50, now() - i * interval '97 minutes' FROM generate_series(1, 200) i;
ANALYZE;
`
/** More than the 15 minutes for which a replaced release is kept. */
const HOUR_S = 3600

export interface Workshop {
  readonly home: string
  readonly faults: Faults
  /** What need not be read again. */
  readonly found: FoundWhole
  /** The release that is current in every copy. */
  readonly id: string
  /** How long a build takes that nothing goes wrong with. */
  readonly buildMs: number
  /** The releases in every copy. */
  readonly published: readonly string[]
  /** A copy of the published folder, in which the next build has one old release to remove; `name` begins its name. */
  readonly copy: (name: string) => string
  readonly emptyFolder: (name: string) => string
  /** In a process of its own, that a signal can end. */
  begin(snapshots: string, env?: Readonly<Record<string, string>>): Running
  build(snapshots: string, env?: Readonly<Record<string, string>>): Promise<Ran>
  close(): void
}

export async function openWorkshop(postgres: Postgres): Promise<Workshop> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'torture-')))
  try {
    const faults = compileFaults(home)
    const url = await postgres.createDatabase()
    await postgres.psql(`${SCHEMA}\n${ROWS}`, new URL(url).pathname.slice(1))
    const published = join(home, 'published')
    const command = (snapshots: string) => ['--snapshots', snapshots, '--database-url', url, '--keep', '1']
    const start = (snapshots: string, env = {}): Running => begin(command(snapshots), env)
    const build = (snapshots: string, env = {}): Promise<Ran> =>
      run(command(snapshots), env, () => holdsLock(snapshots))
    let buildMs = 0
    for (let i = 0; i < 2; i++) {
      const ran = await start(published).done
      if (ran.code !== 0) throw new Error(`a build without any fault ended with ${ran.code}:\n${ran.stderr}`)
      buildMs = ran.ms
    }
    await ageReleases(published)
    const found: FoundWhole = new Set()
    const id = await expectWhole(published, found)
    let copies = 0
    return {
      home,
      faults,
      found,
      id,
      buildMs,
      published: await listReleases(releasePaths(published)),
      copy(name) {
        const folder = join(home, `${name}-${++copies}`)
        // Hard links: nothing ever writes into a file that is published.
        execFileSync('cp', ['-al', published, folder])
        // But into the journal, to which a build adds a line.
        execFileSync('cp', [
          '--remove-destination',
          '-p',
          releasePaths(published).journal,
          releasePaths(folder).journal,
        ])
        return folder
      },
      emptyFolder: (name) => mkdtempSync(join(home, `${name}-`)),
      begin: start,
      build,
      close: () => rmSync(home, { recursive: true, force: true }),
    }
  } catch (error) {
    rmSync(home, { recursive: true, force: true })
    throw error
  }
}

/** As if every release had been replaced an hour ago: the next build removes all but two. */
export async function ageReleases(snapshots: string): Promise<void> {
  const then = Date.now() / 1000 - HOUR_S
  for (const id of await listReleases(releasePaths(snapshots))) utimesSync(join(snapshots, 'releases', id), then, then)
}

/** A lock that could not be removed names a process, which must not be there for the next command. */
const holdsLock = (snapshots: string): boolean => readdirSync(snapshots).some((name) => name.startsWith('.lock'))

/** What only work in progress has; the draft of a lock that was killed before it had a name is nobody's for 30 s. */
export async function leftovers(snapshots: string): Promise<string[]> {
  const paths = releasePaths(snapshots)
  const names = [...(await readdir(snapshots)), ...(await namesBelow(paths, '.'))].filter((name) => {
    if (['current', 'releases', '.last-build', '.journal', '.state'].includes(name)) return false
    return !(name.startsWith('.lock-') && statSync(join(snapshots, name)).size === 0)
  })
  const releases = await listReleases(paths)
  const kept = existsSync(paths.state) ? await readdir(paths.state) : []
  return [...names, ...kept.filter((name) => !releases.some((id) => name.startsWith(`${id}.`)))]
}

/** The next build succeeds, publishes a newer release, and leaves nothing behind. */
export async function expectToRecover(workshop: Workshop, snapshots: string): Promise<string> {
  const before = await expectWhole(snapshots, workshop.found)
  const ran = await workshop.build(snapshots)
  if (ran.code !== 0) throw new Error(`the next build ended with ${ran.code}: ${ran.stderr.slice(0, 500)}`)
  const now = await expectWhole(snapshots, workshop.found)
  if (now <= before) throw new Error(`the next build said that it published; current is ${now}, before it ${before}`)
  const left = await leftovers(snapshots)
  if (left.length > 0) throw new Error(`the next build left ${left.join(', ')}`)
  return now
}
