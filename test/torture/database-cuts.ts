// Owns breaking a build's way to its database at random points, and building while a writer works. Counts nothing itself.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { currentId, namesBelow } from '../../src/release/reading/release-list.ts'
import { begin, logOf, type Ran, type Running } from '../builder/build-program.ts'
import type { Postgres } from '../support/postgres.ts'
import { startRelay, type Cut, type Treatment } from '../support/relay.ts'
import { expectOneInstant } from './balanced-platform.ts'
import type { Attempt } from './tally.ts'
import { releasePaths } from '../../src/release/format/paths.ts'

export interface Scene {
  readonly postgres: Postgres
  /** Of a balanced platform that somebody writes to. */
  readonly url: string
  /** Where each attempt publishes. */
  readonly home: string
}

const DEADLINE_S = 20
/** What may pass after the deadline. */
const GRACE_MS = 5_000

/** The writer gives all rows other dates again and again: the past is not what the last release had. */
function build(snapshots: string, url: string): Running {
  const options = ['--deadline', `${DEADLINE_S}s`, '--keep', '1', '--accept-revision']
  return begin(['--snapshots', snapshots, ...options], { DATABASE_URL: url })
}

/** As the role that has a password, which must not be seen. */
const PASSWORD = 'S3CRET'
export function withPassword(url: string): string {
  return url.replace('postgres@', `analyst:${PASSWORD}@`)
}
export const ROLE = `CREATE ROLE analyst LOGIN PASSWORD '${PASSWORD}' IN ROLE password_required`
export const GRANTS = 'GRANT SELECT ON ALL TABLES IN SCHEMA public TO analyst'

/** How often it tried again. Publishing, or saying in one line within the time why not, is all that a build may do. */
async function expectEnd({ code, stdout, stderr, ms }: Ran, snapshots: string): Promise<number> {
  if (stdout.includes(PASSWORD) || stderr.includes(PASSWORD)) throw new Error('it shows the password')
  if (/\n {4}at |Uncaught|Unhandled/.test(stderr)) throw new Error(`it shows a stack:\n${stderr}`)
  if (ms > DEADLINE_S * 1000 + GRACE_MS) throw new Error(`it took ${ms.toFixed(0)} ms`)
  const lines = logOf({ code, stdout, stderr, ms })
  if (code !== 0) throw new Error(`it ended with ${code}: ${lines.map(({ message }) => message).join(' | ')}`)
  const left = await namesBelow(releasePaths(snapshots), '.tmp-')
  if (left.length > 0) throw new Error(`it left ${left.join(', ')}`)
  await expectOneInstant(snapshots, (await currentId(releasePaths(snapshots))) ?? 'nothing')
  return lines.filter(({ message }) => message.endsWith('; trying again')).length
}

function folderFor(home: string, name: string): string {
  const folder = join(home, name)
  mkdirSync(folder)
  return join(folder, 'snapshots')
}

function throughPort(url: string, port: number): string {
  const target = new URL(url)
  target.port = String(port)
  return target.href
}

/** How much the server sends to a build that nothing happens to. */
export async function bytesOfABuild({ postgres, url, home }: Scene): Promise<number> {
  const relay = await startRelay(postgres.port)
  try {
    const snapshots = folderFor(home, 'measured')
    await expectEnd(await build(snapshots, throughPort(url, relay.port)).done, snapshots)
    return relay.sent[0] ?? 0
  } finally {
    await relay.close()
  }
}

/** The first connection is cut after a random byte; the second one is whole. */
export function* cutsAtRandom(scene: Scene, times: number, bytes: number, random: () => number): Generator<Attempt> {
  const cuts: readonly Exclude<Cut, 'stall'>[] = ['reset', 'end', 'half-close']
  for (let i = 0; i < times; i++) {
    const how = cuts[i % cuts.length] ?? 'reset'
    const afterBytes = Math.floor(random() * bytes)
    yield {
      what: `${how} after ${afterBytes} of ${bytes} bytes`,
      async run() {
        const tries = await throughRelay(scene, `cut-${i}`, (nth) => (nth === 0 ? { afterBytes, how } : {}))
        return tries === 0 ? `not noticed (${how})` : `tried again (${how})`
      },
    }
  }
}

/** Nothing is broken, but everything changes all the time. */
export function* buildsBesideWriter(scene: Scene, times: number): Generator<Attempt> {
  const snapshots = folderFor(scene.home, 'beside-writer')
  for (let i = 0; i < times; i++)
    yield {
      what: `build ${i + 1} during writes`,
      async run() {
        await expectEnd(await build(snapshots, scene.url).done, snapshots)
        return 'of one instant'
      },
    }
}

async function throughRelay(
  { postgres, url, home }: Scene,
  name: string,
  treat: (nth: number) => Treatment,
): Promise<number> {
  const relay = await startRelay(postgres.port, treat)
  try {
    const snapshots = folderFor(home, name)
    return await expectEnd(await build(snapshots, throughPort(url, relay.port)).done, snapshots)
  } finally {
    await relay.close()
  }
}
