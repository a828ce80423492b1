// A short version of each torture (npm run torture): a few of each kind of fault, and that the tortures would notice.
// long test: dozens of builds for each kind of fault
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomStream } from '../../src/demo/random.ts'
import { readPin } from '../../src/release/writing/promote.ts'
import { run, type Ran } from '../builder/build-program.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { describeWithComponent, findProgram } from '../support/real-component.ts'
import { callsOfAClosing, closingsFailedAt, closingsKilledAt } from './closing.ts'
import { failuresAt, partialWrites } from './fail-each-call.ts'
import { callsIn, compilerAvailable, type Call, type Fault, type FaultKind } from './faults.ts'
import { callsOfABuild, changing, killsAt, numbered, share, withoutNote, type NthCall } from './kill-each-call.ts'
import { killsAtRandom } from './kill-at-random.ts'
import { switchReleases } from './switches.ts'
import { tallyOf, type Attempt, type Tally } from './tally.ts'
import { expectWhole } from './whole-releases.ts'
import { openWorkshop, type Workshop } from './workshop.ts'
import { releasePaths } from '../../src/release/format/paths.ts'

const seed = Number(process.env['TORTURE_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const random = randomStream(seed, 'short')
const signal = new AbortController().signal
/** Some dozens of builds, two at a time: a minute or less on a quiet machine, and several on one that has other work. */
const TIMEOUT_MS = 480_000
/** Of the calls between the first and the last of a kind, which are thousands: npm run torture takes them all. */
const SOME = 0.002

/** System calls that change something, by the kind that faults.c counts them as. */
const KIND_OF_CALL: Readonly<Record<string, FaultKind>> = {
  open: 'create',
  openat: 'create',
  creat: 'create',
  write: 'write',
  writev: 'write',
  pwrite64: 'write',
  pwritev: 'write',
  pwritev2: 'write',
  copy_file_range: 'write',
  sendfile: 'write',
  fallocate: 'truncate',
  truncate: 'truncate',
  ftruncate: 'truncate',
  fsync: 'fsync',
  fdatasync: 'fsync',
  mkdir: 'mkdir',
  mkdirat: 'mkdir',
  rename: 'rename',
  renameat: 'rename',
  renameat2: 'rename',
  link: 'link',
  linkat: 'link',
  symlink: 'symlink',
  symlinkat: 'symlink',
  unlink: 'unlink',
  unlinkat: 'unlink',
  rmdir: 'rmdir',
  utimensat: 'utimens',
  chmod: 'chmod',
  fchmod: 'chmod',
  fchmodat: 'chmod',
}

/** Of a line such as `123 write(17</folder/file>, ""..., 20) = 20`; a call that was cut in two counts where it begins. */
function kindOfLine(line: string, folder: string): FaultKind[] {
  const name = /^\d+ +(\w+)\(/.exec(line)?.[1] ?? ''
  const kind = KIND_OF_CALL[name]
  if (kind === undefined || !line.includes(folder)) return []
  if (kind === 'create') return line.includes('O_CREAT') ? [kind] : []
  return [line.includes('AT_REMOVEDIR') ? 'rmdir' : kind]
}

function countsOf(kinds: readonly FaultKind[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

async function expectToSurvive(attempts: Iterable<Attempt>, atLeast: number, atOnce?: number): Promise<Tally> {
  const tally = await tallyOf(attempts, signal, atOnce)
  expect(tally.losses, `TORTURE_SEED=${seed}`).toEqual([])
  expect(tally.tried).toBeGreaterThanOrEqual(atLeast)
  return tally
}

describeWithComponent('a build that is tortured', compilerAvailable(), () => {
  describeWithPostgres('on a small platform', (postgres) => {
    let workshop: Workshop
    let calls: NthCall[]
    let changes: NthCall[]
    beforeAll(async () => {
      workshop = await openWorkshop(postgres())
      const listed = withoutNote(await callsOfABuild(workshop))
      calls = numbered(listed)
      changes = numbered(changing(listed))
    })
    afterAll(() => workshop.close())

    it('survives SIGKILL at the first, the last and some others of each kind of change', { timeout: TIMEOUT_MS }, () =>
      expectToSurvive(killsAt(workshop, share(changes, SOME, random)), 16),
    )

    it('never ends a closing with a title that the next command leaves', { timeout: TIMEOUT_MS }, async () => {
      const ofClosing = withoutNote(await callsOfAClosing(workshop))
      const few = share(numbered(changing(ofClosing)), SOME, random)
      const { words } = await expectToSurvive(closingsKilledAt(workshop, few), 16)
      expect(words.get('after the switch')).toBeGreaterThan(3)
      await expectToSurvive(closingsFailedAt(workshop, share(numbered(ofClosing), SOME / 2, random)), 16)
    })

    it('survives SIGKILL at random moments', { timeout: TIMEOUT_MS }, () =>
      expectToSurvive(killsAtRandom(workshop, 'short', 20, random), 21, 1),
    )

    it('says which file operation failed and why, and leaves nothing', { timeout: TIMEOUT_MS }, async () => {
      const { words } = await expectToSurvive(failuresAt(workshop, share(calls, SOME / 2, random), false), 30)
      expect(words.get('refused, and nothing left')).toBeGreaterThan(15)
      expect(words.get('published, with a warning of what is left')).toBeGreaterThan(5)
    })

    it('writes on after a write that took only a part', { timeout: TIMEOUT_MS }, () =>
      expectToSurvive(partialWrites(workshop, share(calls, 0.01, random)), 3),
    )

    it('rolls back and pins, or does neither, whichever file operation fails', { timeout: TIMEOUT_MS }, async () => {
      const rollback = async (name: string, fault?: Fault): Promise<[ran: Ran, snapshots: string, calls: Call[]]> => {
        const snapshots = workshop.copy(name)
        const log = `${snapshots}.log`
        const env = workshop.faults.environment(snapshots, log, fault)
        return [await run(['rollback', '--snapshots', snapshots], env), snapshots, callsIn(log)]
      }
      const [sound, rolledBack, made] = await rollback('rollback')
      expect(sound.code).toBe(0)
      const older = await expectWhole(rolledBack, workshop.found)
      expect(older < workshop.id).toBe(true)
      expect(made.length).toBeGreaterThan(20)
      for (const { kind, nth } of numbered(made)) {
        const [ran, snapshots, hit] = await rollback(`rollback-${kind}-${nth}`, {
          kind,
          nth,
          action: constants.errno.EIO,
        })
        expect(hit).toHaveLength(1)
        const done = ran.code === 0
        expect({
          ...hit[0],
          ...ran,
          current: await expectWhole(snapshots, workshop.found),
          held: await readPin(releasePaths(snapshots)),
        }).toMatchObject({
          current: done ? older : workshop.id,
          held: done ? { id: older } : null,
        })
      }
    })

    describeWithComponent('under strace', findProgram('strace', 'strace'), (strace) => {
      // What the library does not see it cannot fail: another version of Node may call the kernel by other ways.
      it('makes no change that is not counted', { timeout: TIMEOUT_MS }, async () => {
        const snapshots = workshop.copy('strace')
        const [log, trace] = [join(workshop.home, 'witness.log'), join(workshop.home, 'witness.trace')]
        const watched = Object.keys(KIND_OF_CALL).map((name) => `?${name}`)
        const under = [
          strace,
          '-f',
          '--seccomp-bpf',
          '-qq',
          '-y',
          '-s',
          '0',
          '-o',
          trace,
          '-e',
          `trace=${watched.join(',')}`,
        ]
        const { done } = workshop.begin(snapshots, workshop.faults.environment(snapshots, log), under)
        expect(await done).toMatchObject({ code: 0 })
        const traced = readFileSync(trace, 'utf8')
          .split('\n')
          .flatMap((line) => kindOfLine(line, snapshots))
        expect(traced.length).toBeGreaterThan(300)
        expect(countsOf(changing(callsIn(log)).map(({ kind }) => kind))).toEqual(countsOf(traced))
      })
    })
  })
})

describe('releases that are switched and pruned under load', () => {
  it('fail no request, mix no answer, cut no slow reader', { timeout: TIMEOUT_MS }, async () => {
    const { tried, losses, words } = await switchReleases(50, 0, signal)
    expect(losses).toEqual([])
    expect(tried).toBeGreaterThanOrEqual(50)
    expect(words.get('slow readers')).toBeGreaterThan(0)
    expect(words.get('requests')).toBeGreaterThan(1000)
  })
})
