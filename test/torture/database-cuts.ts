// Owns breaking a build's way to its database at random points, and building while a writer works. Counts nothing itself.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { currentId, listReleases } from '../../src/release/reading/release-list.ts'
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
function build(snapshots: string, url: string, ...more: string[]): Running {
  return begin(
    ['--snapshots', snapshots, '--deadline', `${DEADLINE_S}s`, '--keep', '1', '--accept-revision', ...more],
    {
      DATABASE_URL: url,
    },
  )
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
  const left = await listReleases(releasePaths(snapshots), '.tmp-')
  if (left.length > 0) throw new Error(`it left ${left.join(', ')}`)
  await expectOneInstant(snapshots, (await currentId(releasePaths(snapshots))) ?? 'nothing')
  return lines.filter(({ level }) => level === 'warn').length
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

/** How much the server sends to a build that nothing happens to, and how long that is read. */
export async function measureBuild({ postgres, url, home }: Scene): Promise<{ bytes: number; readMs: number }> {
  const relay = await startRelay(postgres.port)
  try {
    const snapshots = folderFor(home, 'measured')
    const ran = await build(snapshots, throughPort(url, relay.port)).done
    await expectEnd(ran, snapshots)
    const { connect = 0, read = 0, people = 0 } = (logOf(ran).at(-1)?.['seconds'] ?? {}) as Record<string, number>
    return { bytes: relay.sent[0] ?? 0, readMs: Math.round((connect + read + people) * 1000) }
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

/** The server ends the session at a random moment of the read. */
export function* terminations(scene: Scene, times: number, readMs: number, random: () => number): Generator<Attempt> {
  const { postgres, url, home } = scene
  for (let i = 0; i < times; i++) {
    const delayMs = random() * readMs
    yield {
      what: `pg_terminate_backend after ${delayMs.toFixed(0)} of ${readMs} ms`,
      async run() {
        const snapshots = folderFor(home, `terminated-${i}`)
        const name = `build-${i}`
        const { done } = build(snapshots, `${url}?application_name=${name}`)
        await postgres.psql(terminate(name, delayMs))
        const tries = await expectEnd(await done, snapshots)
        return tries === 0 ? 'over before its end was noticed' : 'tried again (terminated)'
      },
    }
  }
}

/** Waits for the session where it is seen at once; a client would be too late. */
function terminate(name: string, delayMs: number): string {
  return `DO $$
    DECLARE session int;
    BEGIN
      FOR i IN 1..4000 LOOP
        PERFORM pg_stat_clear_snapshot();
        SELECT pid INTO session FROM pg_stat_activity WHERE application_name = '${name}';
        IF session IS NOT NULL THEN
          PERFORM pg_sleep(${delayMs / 1000});
          PERFORM pg_terminate_backend(session);
          RETURN;
        END IF;
        PERFORM pg_sleep(0.005);
      END LOOP;
      RAISE 'no session ${name}';
    END $$`
}

/** A slow network is no failure. */
export function* slowNetworks(scene: Scene, bytes: number): Generator<Attempt> {
  const networks: readonly [what: string, treatment: Treatment][] = [
    ['every piece 50 ms late', { delayMs: 50 }],
    ['a trickle of small pieces', { delayMs: 2, pieceBytes: Math.ceil(bytes / 500) }],
    ['pieces of 1 byte at the beginning', { pieceBytes: 1, afterBytes: 3000, how: 'half-close' }],
  ]
  for (const [i, [what, treatment]] of networks.entries())
    yield {
      what,
      async run() {
        await throughRelay(scene, `slow-${i}`, (nth) => (nth === 0 ? treatment : {}))
        return 'published'
      },
    }
}

/** The network falls silent at a random byte, for good: only the deadline ends that. */
export function* silences(scene: Scene, times: number, bytes: number, random: () => number): Generator<Attempt> {
  const { postgres, url, home } = scene
  const deadlineS = 3
  for (let i = 0; i < times; i++) {
    const afterBytes = Math.floor(random() * bytes)
    yield {
      what: `silence after ${afterBytes} of ${bytes} bytes`,
      async run() {
        const relay = await startRelay(postgres.port, () => ({ afterBytes, how: 'stall' }))
        try {
          const snapshots = folderFor(home, `silent-${i}`)
          const ran = await build(snapshots, throughPort(url, relay.port), '--deadline', `${deadlineS}s`).done
          const [line, ...others] = logOf(ran)
          if (ran.code !== 3 || others.length > 0 || !/longer than --deadline/.test(line?.message ?? ''))
            throw new Error(`it ended with ${ran.code}: ${ran.stderr}`)
          if (ran.ms > deadlineS * 1000 + GRACE_MS) throw new Error(`it took ${ran.ms.toFixed(0)} ms`)
          return 'ended by the deadline'
        } finally {
          await relay.close()
        }
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
