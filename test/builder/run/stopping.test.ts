// Every command of analytics-build ends within two seconds of Ctrl-C or SIGTERM, whatever it waits for, also as process 1
// of a container. Tests src/builder/main.ts, src/process/stop-signal.ts, first-process.ts and the file in bin/.
// long test: starts the program, or builds, for each case
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { listReleases } from '../../../src/release/reading/release-list.ts'
import { takeLock } from '../../../src/release/writing/lock.ts'
import { AS_OF_MS, publishSamples, wholeCurrent } from '../../release/sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/proxy.ts'
import { describeWithComponent, type RealComponent } from '../../support/real-component.ts'
import { callsIn, compileFaults, compilerAvailable, type Faults } from '../../torture/faults.ts'
import { begin, type Running } from '../build-program.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'

const WITHIN_MS = 2000
const NOBODY = 'postgresql://nobody@127.0.0.1:1/nothing'

/** The same code whether the program exits with it or ends by the signal. */
async function stopped({ child, done }: Running, signal: 'SIGINT' | 'SIGTERM'): Promise<number> {
  onTestFinished(() => void child.kill('SIGKILL'))
  const startMs = performance.now()
  child.kill(signal)
  const { code } = await done
  expect(performance.now() - startMs).toBeLessThan(WITHIN_MS)
  return code
}

/** The environment in which no file of a release is ever opened: a disk that does not answer. */
function deadDisk(snapshots: string): Record<string, string> {
  const releases = join(snapshots, 'releases')
  return faults.environment(releases, join(snapshots, 'faults.log'), { kind: 'open', nth: 0, action: 'hang' })
}
const untilItHangs = (snapshots: string): Promise<number> =>
  until(() => callsIn(join(snapshots, 'faults.log')).length > 0, 20_000, 'a file is opened')

/** Two releases, in a folder for each test. */
const published = temporaryFolder(afterAll)
let ids: readonly string[] = []
let faults: Faults
beforeAll(async () => {
  if (compilerAvailable().ok) faults = compileFaults(published)
  ids = await publishSamples(published, AS_OF_MS, AS_OF_MS + 1)
})

function twoReleases(): string {
  const snapshots = temporaryFolder()
  cpSync(published, snapshots, { recursive: true, verbatimSymlinks: true })
  return snapshots
}

const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const

describe.each(SIGNALS)('%s ends with %i', (signal, code) => {
  let nothing = ''
  const server = createServer(() => undefined)
  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    nothing = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  it.each([
    ['verify', (url: string) => ['verify', url]],
    ['diff', (url: string) => ['diff', url, url]],
  ])('%s of a site that does not answer', async (_, args) => {
    let asked = false
    server.once('request', () => (asked = true))
    const running = begin(args(nothing), { ANALYTICS_SNAPSHOTS: temporaryFolder() })
    await until(() => asked, 20_000, 'the site is asked')
    expect(await stopped(running, signal)).toBe(code)
  })

  describeWithComponent('of a disk that does not answer', compilerAvailable(), () => {
    it.each([['status'], ['verify', 'ID'], ['diff', 'ID', 'ID'], ['rollback', 'ID'], ['schedule'], ['demo']])(
      '%s',
      async (...args) => {
        const snapshots = twoReleases()
        const given = args.map((arg) => (arg === 'ID' ? (ids[0] ?? '') : arg))
        const running = begin(given, { ANALYTICS_SNAPSHOTS: snapshots, DATABASE_URL: NOBODY, ...deadDisk(snapshots) })
        await untilItHangs(snapshots)
        expect(running.child.exitCode).toBe(null)
        expect(await stopped(running, signal)).toBe(code)
        expect(existsSync(join(snapshots, '.lock')), 'the lock is given back').toBe(false)
      },
    )
  })

  it('demo while it fills its database, in the event loop', async () => {
    const running = begin(['demo'], { ANALYTICS_SNAPSHOTS: temporaryFolder() })
    await sleep(2000)
    expect(running.child.exitCode).toBe(null)
    expect(await stopped(running, signal)).toBe(code)
  })
})

describe('at random moments, from the very first', () => {
  it.each([
    ['--help'],
    ['status'],
    ['verify'],
    ['diff', 'current', 'current'],
    ['rollback'],
    ['resume'],
    ['prune', '--keep', '1'],
    ['init', 'fider', '--output', '-'],
    ['grants', '--source', 'fider'],
    ['check', '--source', 'fider', '--param', 'tenant=1'],
    ['build'],
    ['demo'],
  ])('%s', async (...args) => {
    const codes = new Set<number>()
    // What it gives when nobody stops it.
    let ownCode = 0
    for (let round = -1; round < 3; round++) {
      const snapshots = twoReleases()
      const running = begin(args, { ANALYTICS_SNAPSHOTS: snapshots, DATABASE_URL: NOBODY })
      onTestFinished(() => void running.child.kill('SIGKILL'))
      if (round === -1) {
        ownCode = (await running.done).code
        continue
      }
      const [signal, code] = SIGNALS[round % 2] ?? SIGNALS[0]
      await sleep(round === 0 ? 0 : Math.random() * 400)
      const endedBefore = running.child.exitCode !== null
      const ended = await stopped(running, signal)
      codes.add(ended)
      // It was done, or it was stopped: nothing in between.
      expect(endedBefore ? [ownCode] : [code, ownCode]).toContain(ended)
      expect(ids).toContain(await wholeCurrent(snapshots))
      expect((await listReleases(releasePaths(snapshots))).length).toBe(2)
      const lock = await takeLock(releasePaths(snapshots))
      expect('release' in lock, 'the lock is free, or that of the dead').toBe(true)
      if ('release' in lock) await lock.release()
    }
    expect([...codes].some((code) => code === 130 || code === 143)).toBe(true)
  })
})

const FIRST: RealComponent =
  process.getuid?.() === 0 ? compilerAvailable() : { ok: false, how: 'unshare --pid needs root' }
describeWithComponent('as process 1', FIRST, () => {
  // Its own list of processes; what ends unshare(1) ends the program.
  const AS_FIRST = ['unshare', '--pid', '--fork', '--kill-child=SIGKILL', '--mount-proc']

  it('SIGTERM ends it, and not only between two steps of the event loop', async () => {
    const snapshots = twoReleases()
    const env = { ANALYTICS_SNAPSHOTS: snapshots, ...deadDisk(snapshots) }
    const { child, done } = begin(['verify', ids[0] ?? ''], env, {}, AS_FIRST)
    onTestFinished(() => void child.kill('SIGKILL'))
    const first = (): string => {
      const path = `/proc/${child.pid}/task/${child.pid}/children`
      return existsSync(path) ? execFileSync('cat', [path], { encoding: 'utf8' }).trim() : ''
    }
    await until(() => first() !== '', 20_000, 'it is started')
    const pid = first()
    const childOfIt = `/proc/${pid}/task/${pid}/children`
    const below = (): string => (existsSync(childOfIt) ? execFileSync('cat', [childOfIt], { encoding: 'utf8' }) : '')
    await until(() => below().trim() !== '', 20_000, 'it has a child')
    await untilItHangs(snapshots)
    const startMs = performance.now()
    process.kill(Number(pid), 'SIGTERM')
    expect((await done).code).toBe(143)
    expect(performance.now() - startMs).toBeLessThan(WITHIN_MS)
  })

  it('ends as the command does', async () => {
    const snapshots = temporaryFolder()
    mkdirSync(join(snapshots, 'releases'))
    expect(await begin(['--version'], {}, {}, AS_FIRST).done).toMatchObject({ code: 0 })
    expect(await begin(['status'], { ANALYTICS_SNAPSHOTS: snapshots }, {}, AS_FIRST).done).toMatchObject({ code: 1 })
    expect(await begin(['verify'], { ANALYTICS_SNAPSHOTS: snapshots }, {}, AS_FIRST).done).toMatchObject({ code: 2 })
  })
})
