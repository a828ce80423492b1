// Owns the torture of a bucket that two towns share by mistake: one publishes there, and set-ups that are not its own run beside it, each
// with every command. What is there stays of that town, whole, and its log of days goes on.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { packagePath } from '../../src/process/package-root.ts'
import { linesOfDays } from '../../src/release/format/day-log.ts'
import { signedHeaders, type S3Bucket } from '../../src/release/publishing/bucket.ts'
import { currentId } from '../../src/release/reading/release-list.ts'
import { releasePaths } from '../../src/release/format/paths.ts'
import { begin, run, type Ran } from '../builder/build-program.ts'
import { bucketReader } from '../release/publishing/small-release.ts'
import { startFaultProxy, type FaultProxy } from '../support/fault-proxy.ts'
import { bucketAt } from '../support/memory-s3.ts'
import { startPostgres, type Postgres } from '../support/postgres.ts'
import { S3_BUCKET, startS3rver, type S3Server } from '../support/s3-servers.ts'
import { tallyOf, times, type Attempt, type Part, type Share } from './tally.ts'

const ROUNDS = 240
const NATIVE = readFileSync(packagePath('src', 'source', 'mapping', 'built-in', 'native', 'mapping.sql'), 'utf8')
const SCHEMA = readFileSync(packagePath('src', 'source', 'mapping', 'built-in', 'native', 'schema.sql'), 'utf8')
const ROWS = `
CREATE TABLE site (private boolean); INSERT INTO site VALUES (false);
INSERT INTO users SELECT i, now() - i * interval '7 hours' FROM generate_series(1, 40) i;
INSERT INTO ideas SELECT i, 'Idea ' || i, now() - i * interval '11 hours', false, NULL, '/ideas/' || i, i, 'open' FROM generate_series(1, 40) i;
INSERT INTO idea_categories SELECT i, 'Product' FROM generate_series(1, 40) i;
`
const TO = `s3://${S3_BUCKET}/town`

export const BUCKET_PARTS: Readonly<Record<string, Part<Share>>> = {
  bucket: {
    guarantee: 'a bucket stays of its town, whole, with every day of its log',
    injected:
      'set-ups of another town, copies, restored and empty folders that publish there with every command; kills',
    async run(share) {
      const scene = await openScene()
      try {
        return await tallyOf(rounds(scene, times(ROUNDS, share), share.random), share.signal, 1)
      } finally {
        await scene.close()
      }
    },
  },
}

/** Whose folder, at which database, and what it calls itself. */
interface SetUp {
  readonly folder: string
  readonly url: string
  readonly title: string
}

interface Scene {
  readonly town: SetUp
  readonly other: SetUp
  readonly bucket: S3Bucket
  /** The ids that have ever been of the town. */
  readonly ids: Set<string>
  /** A folder of this name that does not exist yet. */
  readonly fresh: (name: string) => string
  readonly ran: (setUp: SetUp, ...args: string[]) => Promise<Ran>
  /** In a process of its own, that a signal can end. */
  readonly start: (setUp: SetUp, ...args: string[]) => ReturnType<typeof begin>
  readonly close: () => Promise<void>
}

async function openScene(): Promise<Scene> {
  const home = mkdtempSync(join(tmpdir(), 'torture-bucket-'))
  const [postgres, server] = [await startPostgres(), await startS3rver()]
  const proxy = await startFaultProxy(server.port)
  // As AWS does.
  proxy.keepsConditions = true
  const source = join(home, 'own.sql')
  writeFileSync(source, `${NATIVE}\n-- section closed\nSELECT private AS closed FROM site\n`)
  const url = async (name: string): Promise<string> => {
    const made = await postgres.createDatabase(name)
    await postgres.psql(`${SCHEMA}\n${ROWS}`, name)
    return made
  }
  const town = { folder: join(home, 'avon'), url: await url('avon'), title: 'Avon' }
  const other = { folder: join(home, 'brig'), url: await url('brig'), title: 'Brig' }
  let made = 0
  const scene: Scene = {
    town,
    other,
    bucket: bucketAt(TO, server.env()),
    ids: new Set(),
    fresh: (name) => join(home, `${name}-${++made}`),
    ran: (setUp, ...args) => run([...args, '--snapshots', setUp.folder], environment(setUp, server, proxy, source)),
    start: (setUp, ...args) => begin([...args, '--snapshots', setUp.folder], environment(setUp, server, proxy, source)),
    close: () => closeAll(home, postgres, server, proxy),
  }
  await succeeds(scene, town, 'build')
  // A day that has ended: of it every later log has a line.
  const lines = linesOfDays([
    {
      date: '2026-01-01',
      id: '20260101T000000000Z-01234567',
      sha256: 'a'.repeat(64),
      rows: { ideas: 1, votes: 1, comments: 1 },
    },
  ])
  writeFileSync(releasePaths(town.folder).log, `${lines.join('\n')}\n`)
  await succeeds(scene, town, 'build')
  // It has a release in its folder, whatever it does first.
  await refused(scene, other, 'build')
  return scene
}

function environment({ url, title }: SetUp, server: S3Server, proxy: FaultProxy, source: string) {
  return {
    ...server.env(proxy.port),
    DATABASE_URL: url,
    ANALYTICS_SOURCE: source,
    ANALYTICS_TITLE: title,
    ANALYTICS_PUBLISH: TO,
    ANALYTICS_EVERY: '10s',
  }
}

async function closeAll(home: string, postgres: Postgres, server: S3Server, proxy: FaultProxy): Promise<void> {
  await proxy.stop()
  await server.stop()
  await postgres.stop()
  rmSync(home, { recursive: true, force: true })
}

async function succeeds(scene: Scene, setUp: SetUp, ...args: string[]): Promise<void> {
  const ran = await scene.ran(setUp, ...args)
  if (ran.code !== 0) throw new Error(`${args.join(' ')} of ${setUp.title} ended with ${ran.code}: ${ran.stderr}`)
  await remember(scene)
}

/** What is current in the town's folder is of the town. */
async function remember({ town, ids }: Scene): Promise<void> {
  const id = await currentId(releasePaths(town.folder))
  if (id !== null) ids.add(id)
}

/** What the town does meanwhile. */
const OWN: Readonly<Record<string, (scene: Scene, random: () => number) => Promise<void>>> = {
  build: (scene) => succeeds(scene, scene.town, 'build'),
  'rollback and resume': async (scene) => {
    await succeeds(scene, scene.town, 'build')
    await succeeds(scene, scene.town, 'rollback')
    await succeeds(scene, scene.town, 'resume')
  },
  prune: (scene) => succeeds(scene, scene.town, 'prune', '--all-but-current'),
  'killed in its upload': async (scene, random) => {
    const { child, done } = scene.start(scene.town, 'build')
    await delay(500 + random() * 3000)
    child.kill('SIGKILL')
    await done
    await remember(scene)
  },
}

/** What somebody else does with the same address. */
const THEIRS: Readonly<Record<string, (scene: Scene) => Promise<string>>> = {
  'another town builds': (scene) => refused(scene, scene.other, 'build'),
  'another town removes all but its current release': (scene) =>
    refused(scene, scene.other, 'prune', '--all-but-current'),
  'another town rolls back': async (scene) => {
    await refused(scene, scene.other, 'build')
    const said = await refused(scene, scene.other, 'rollback')
    await scene.ran(scene.other, 'resume')
    return said
  },
  'another town builds by its schedule': async (scene) => {
    const { child, done } = scene.start(scene.other, 'schedule')
    // It stays, and goes on.
    child.stderr?.on('data', (said: Buffer) => void (said.includes('not of this folder') && child.kill('SIGTERM')))
    return (await done).stderr
  },
  'another town closes': async (scene) => {
    const folder = scene.fresh('closing')
    cpSync(scene.other.folder, folder, { recursive: true, verbatimSymlinks: true })
    return refused(scene, { ...scene.other, folder }, 'build', '--source', closedMapping(scene))
  },
  'another town closes without its folder': (scene) =>
    refused(scene, { ...scene.other, folder: scene.fresh('lost') }, 'build', '--source', closedMapping(scene)),
  'an empty folder of the town builds': (scene) =>
    refused(scene, { ...scene.town, folder: scene.fresh('empty') }, 'build'),
}

function closedMapping(scene: Scene): string {
  const path = `${scene.fresh('closed')}.sql`
  writeFileSync(path, `${NATIVE}\n-- section closed\nSELECT true AS closed\n`)
  return path
}

/** @returns what it says */
async function refused(scene: Scene, setUp: SetUp, ...args: string[]): Promise<string> {
  const ran: Ran = await scene.ran(setUp, ...args)
  if (ran.code !== 6) throw new Error(`${args.join(' ')} of ${setUp.title} ended with ${ran.code}: ${ran.stderr}`)
  return ran.stderr
}

function* rounds(scene: Scene, count: number, random: () => number): Generator<Attempt> {
  const one = <T>(table: Readonly<Record<string, T>>, i: number): [string, T] =>
    Object.entries(table)[i % Object.keys(table).length]!
  let log = ''
  const first = Math.floor(random() * Object.keys(THEIRS).length)
  for (let i = 0; i < count; i++) {
    const [their, theirs] = one(THEIRS, first + i)
    const [own, ours] = one(OWN, Math.floor(random() * Object.keys(OWN).length))
    yield {
      what: `round ${i + 1}: ${own}, while ${their}`,
      async run() {
        const [said] = await Promise.all([theirs(scene), ours(scene, random)])
        if (!/it shows the site \\?"Avon\\?" .*which is not of this folder/.test(said))
          throw new Error(`it said: ${said}`)
        log = await expectTown(scene, log)
        return their
      },
    }
  }
  for (const name of ['a copy', 'restored'] as const)
    yield {
      what: `${name} of the town's folder, when the town has gone on`,
      async run() {
        const folder = scene.fresh('copy')
        cpSync(scene.town.folder, folder, { recursive: true, verbatimSymlinks: true })
        await succeeds(scene, scene.town, 'build')
        await refused(scene, { ...scene.town, folder }, 'build')
        log = await expectTown(scene, log)
        return name
      },
    }
}

/** @param before the log of days that was there @returns the one that is there now */
async function expectTown({ bucket, ids, town, ran }: Scene, before: string): Promise<string> {
  const reader = bucketReader(bucket)
  const { manifest } = await reader.current(null)
  await reader.close()
  if (!ids.has(manifest.id)) throw new Error(`the bucket shows ${manifest.id}, which was never of the town`)
  const verified = await ran(town, 'verify', TO)
  if (verified.code !== 0) throw new Error(`verify ended with ${verified.code}: ${verified.stdout}${verified.stderr}`)
  const page = await textOf(bucket, 'index.html')
  if (!page.includes('Avon') || page.includes('Brig')) throw new Error('the page is not of the town')
  const log = await textOf(bucket, 'snapshots/log.csv')
  if (!log.startsWith(before) || log === '') throw new Error(`the log lost days: ${before} became ${log}`)
  return log
}

async function textOf(bucket: S3Bucket, key: string): Promise<string> {
  const url = `${bucket.url}/${bucket.prefix}${key}`
  const answer = await fetch(url, { headers: await signedHeaders(bucket, 'GET', url) })
  if (!answer.ok) throw new Error(`${key}: ${answer.status}`)
  return answer.text()
}
