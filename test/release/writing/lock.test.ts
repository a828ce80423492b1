import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { packagePath } from '../../../src/process/package-root.ts'
import { refuseForeign, takeLock, type Holder, type Lock } from '../../../src/release/writing/lock.ts'
import { thisProcess } from '../../../src/release/writing/process-identity.ts'
import { publishRelease } from '../../support/release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'

const STALE_MS = 30_000

/** A pid that was somebody's a moment ago and is nobody's now. */
async function deadPid(): Promise<number> {
  const child = spawn('true', { stdio: 'ignore' })
  await once(child, 'exit')
  return child.pid ?? 0
}

let snapshots: string
beforeEach(() => {
  snapshots = temporaryFolder()
})

async function taken(): Promise<Lock> {
  const lock = await takeLock(releasePaths(snapshots))
  if (!('release' in lock)) throw new Error(`held by ${JSON.stringify(lock)}`)
  onTestFinished(() => lock.release())
  return lock
}

async function refused(): Promise<Holder> {
  const holder = await takeLock(releasePaths(snapshots))
  if (!('release' in holder)) return holder
  await holder.release()
  throw new Error('the lock was taken')
}

function leave(holder: Partial<Holder> | string, ageMs = 0): void {
  const path = join(snapshots, '.lock')
  const whole = { ...thisProcess(), startedAt: '2026-05-20T09:30:00.000Z', token: crypto.randomUUID() }
  writeFileSync(path, typeof holder === 'string' ? holder : JSON.stringify({ ...whole, ...holder }))
  const touched = (Date.now() - ageMs) / 1000
  utimesSync(path, touched, touched)
}

const names = (): string[] => readdirSync(snapshots).sort()

describe('the lock', () => {
  it('is not for root in the folder of another user, who could not remove what root makes', async () => {
    if (process.geteuid?.() === 0) chownSync(snapshots, 12_345, 12_345)
    vi.spyOn(process, 'geteuid').mockReturnValue(0)
    onTestFinished(() => void vi.restoreAllMocks())
    await expect(refuseForeign(releasePaths(snapshots))).rejects.toThrow(
      / belongs to the user with id \d+, who could not read what root makes there; run/,
    )
    expect(names()).toEqual([])
  })

  it('is not for a part of a snapshots folder, nor for all of the disk', async () => {
    const { id } = await publishRelease(snapshots)
    for (const part of ['current', 'releases', `releases/${id}`, `releases/${id}/`, './current/../releases'])
      await expect(refuseForeign(releasePaths(`${snapshots}/${part}`))).rejects.toThrow(
        `is a part of a snapshots folder; did you mean ${snapshots}?`,
      )
    symlinkSync('releases', join(snapshots, 'linked'))
    await expect(refuseForeign(releasePaths(join(snapshots, 'linked')))).rejects.toThrow('did you mean')
    // As deployments of other programs have.
    mkdirSync(join(snapshots, 'app/releases/20261129'), { recursive: true })
    symlinkSync('releases/20261129', join(snapshots, 'app/current'))
    expect(await refuseForeign(releasePaths(join(snapshots, 'app/current')))).toBe(true)
    await expect(refuseForeign(releasePaths('/'))).rejects.toThrow('"/" is all of the disk; give a folder of its own')
    for (const other of ['', 'releases/2026-05/current', 'currents', 'other/releases'])
      expect(await refuseForeign(releasePaths(join(snapshots, other)))).toBe(other === '')
  })

  it('is one file that names its holder, and is removed when released', async () => {
    snapshots = join(snapshots, 'made', 'as', 'needed')
    const lock = await taken()
    expect(names()).toEqual(['.lock'])
    const holder = JSON.parse(readFileSync(join(snapshots, '.lock'), 'utf8')) as Holder
    expect(holder).toEqual({
      host: hostname(),
      pid: process.pid,
      bootId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      pidNamespace: expect.stringMatching(/^pid:\[\d+\]$/),
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      token: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(await lock.owned()).toBe(true)
    await lock.release()
    expect(names()).toEqual([])
    expect(await lock.owned()).toBe(false)
    await lock.release()
  })

  it('does not take a lock that it cannot read for that of another build', async () => {
    const lock = await taken()
    rmSync(join(snapshots, '.lock'))
    mkdirSync(join(snapshots, '.lock'))
    await expect(lock.owned()).rejects.toThrow(/^cannot read .*\.lock: EISDIR/)
    await lock.release()
  })

  it('is not given while its holder lives, who is named', async () => {
    const lock = await taken()
    for (let i = 0; i < 3; i++) expect(await refused()).toMatchObject({ host: hostname(), pid: process.pid })
    expect(names()).toEqual(['.lock'])
    await lock.release()
    await taken()
  })

  it('is not given while another process on this host lives', async () => {
    const child = spawn('sleep', ['60'], { stdio: 'ignore' })
    onTestFinished(() => void child.kill('SIGKILL'))
    leave({ pid: child.pid ?? 0 })
    expect(await refused()).toMatchObject({ pid: child.pid })
    child.kill('SIGKILL')
    await once(child, 'exit')
    await taken()
  })

  it('is not given when it is of another host, whatever its pid, as long as it is touched', async () => {
    leave({ host: 'elsewhere', pid: await deadPid() }, STALE_MS - 5_000)
    expect(await refused()).toMatchObject({ host: 'elsewhere' })
  })

  const UNKNOWN: readonly [what: string, holder: Partial<Holder>][] = [
    ['of another boot, or of a machine with the same name', { bootId: crypto.randomUUID() }],
    ['of another container with the same host name', { pidNamespace: 'pid:[1]' }],
    ['of a machine without /proc', { bootId: null, pidNamespace: null }],
  ]
  it.each(UNKNOWN)(
    'is refused when it is %s, as long as it is touched: nobody here knows that process',
    async (_, of) => {
      const pid = await deadPid()
      leave({ ...of, pid }, STALE_MS - 5_000)
      expect(await refused()).toMatchObject({ pid })
      leave({ ...of, pid }, STALE_MS + 1_000)
      await taken()
    },
  )

  const DEAD: readonly [what: string, holder: () => Promise<Partial<Holder> | string>, ageMs: number][] = [
    ['its process on this host is dead', async () => ({ pid: await deadPid() }), 0],
    ['a living process has not touched it for 30 s', async () => ({ pid: process.pid }), STALE_MS + 1_000],
    ['another host has not touched it for 30 s', async () => ({ host: 'elsewhere', pid: 1 }), STALE_MS + 1_000],
    ['it is empty, after a power cut, and old', async () => '', STALE_MS + 1_000],
    ['it is not a lock of ours, and old', async () => '{"token":"../../x","pid":-1}', STALE_MS + 1_000],
  ]
  it.each(DEAD)('is taken over when %s', async (_, holder, ageMs) => {
    leave(await holder(), ageMs)
    const lock = await taken()
    expect(await lock.owned()).toBe(true)
    expect(names()).toEqual(['.lock'])
    expect(await refused()).toMatchObject({ pid: process.pid })
  })

  it.each(['', 'null', '7', '{"pid":1', '{"host":"x"}'])('is not taken over young, when it reads %o', async (text) => {
    leave(text)
    expect(await refused()).toMatchObject({ host: 'unknown' })
  })

  it('tells its holder when it was lost, and is then not released', async () => {
    const first = await taken()
    const path = join(snapshots, '.lock')
    // What a suspended laptop looks like.
    utimesSync(path, (Date.now() - STALE_MS - 1_000) / 1000, (Date.now() - STALE_MS - 1_000) / 1000)
    const second = await taken()
    expect(await first.owned()).toBe(false)
    expect(await second.owned()).toBe(true)
    await first.release()
    expect(await second.owned()).toBe(true)
  })

  it('is not kept from a taker for ever by one that was killed while it replaced a dead lock', async () => {
    const token = crypto.randomUUID()
    leave({ pid: await deadPid(), token })
    const claim = join(snapshots, `.lock-after-${token}`)
    writeFileSync(claim, '')
    let done = false
    const taking = taken().finally(() => (done = true))
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(done).toBe(false)
    const old = (Date.now() - STALE_MS - 1_000) / 1000
    utimesSync(claim, old, old)
    await taking
    expect(names()).toEqual(['.lock'])
  })

  it('clears away the drafts of takers that were killed', async () => {
    const living = { ...thisProcess(), startedAt: 'now', token: crypto.randomUUID() }
    const asides: readonly [name: string, holder: object | string, ageMs: number][] = [
      ['.lock-dead', { ...living, pid: await deadPid() }, 0],
      ['.lock-elsewhere', { ...living, host: 'elsewhere' }, 0],
      ['.lock-empty', '', 0],
      ['.lock-empty-old', '', STALE_MS + 1_000],
      ['.lock-living', living, 0],
      ['.lock-stopped', living, STALE_MS + 1_000],
    ]
    for (const [name, holder, ageMs] of asides) {
      writeFileSync(join(snapshots, name), typeof holder === 'string' ? holder : JSON.stringify(holder))
      utimesSync(join(snapshots, name), (Date.now() - ageMs) / 1000, (Date.now() - ageMs) / 1000)
    }
    await taken()
    expect(names()).toEqual(['.lock', '.lock-elsewhere', '.lock-empty', '.lock-living'])
  })

  it('names the folder when that cannot be made, or looked at before', async () => {
    writeFileSync(join(snapshots, 'file'), '')
    const below = join(snapshots, 'file', 'snapshots')
    const why = `${below}: ENOTDIR, a part of the path is not a folder; give --snapshots a folder`
    await expect(takeLock(releasePaths(below))).rejects.toThrow(`cannot create ${why}`)
    const looked = refuseForeign(releasePaths(below))
    await expect(looked).rejects.toMatchObject({ code: 'write', message: `cannot write in ${why}` })
  })
})

describe('the lock in time', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] }))
  afterEach(() => void vi.useRealTimers())

  const touchedMs = (): number => statSync(join(snapshots, '.lock')).mtimeMs
  const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await condition())) await new Promise(setImmediate)
  }

  it('is touched every 5 s, so that it lives as long as its holder', async () => {
    await taken()
    for (let i = 0; i < 8; i++) {
      vi.advanceTimersByTime(5_000)
      await until(() => Math.abs(touchedMs() - Date.now()) < 2)
    }
    expect(await refused()).toMatchObject({ pid: process.pid })
  })

  it('is not touched by who has lost it', async () => {
    const lost = await taken()
    leave({ host: 'elsewhere', pid: 1 }, 1_000)
    const before = touchedMs()
    vi.advanceTimersByTime(20_000)
    for (let i = 0; i < 50; i++) await new Promise(setImmediate)
    expect(await lost.owned()).toBe(false)
    expect(touchedMs()).toBe(before)
  })
})

describe('takers that race', () => {
  it('for a free lock or a dead one, in one process: exactly one wins', async () => {
    const pid = await deadPid()
    // Each round is the same: what lets two win, of one thread, lets them win every time.
    for (let round = 0; round < 10; round++) {
      if (round % 2 === 0) leave({ pid })
      const results = await Promise.all(Array.from({ length: 16 }, () => takeLock(releasePaths(snapshots))))
      const winners = results.filter((result): result is Lock => 'release' in result)
      expect(winners, `round ${round}`).toHaveLength(1)
      expect(await winners[0]?.owned()).toBe(true)
      await winners[0]?.release()
      expect(names()).toEqual([])
    }
  })

  /** Takes the lock at every line of its input and says how it went; releases at the next one. */
  const TAKER = `
    import { createInterface } from 'node:readline'
    import { takeLock } from ${JSON.stringify(pathToFileURL(packagePath('dist', 'release', 'writing', 'lock.js')).href)}
    import { releasePaths } from ${JSON.stringify(pathToFileURL(packagePath('dist', 'release', 'format', 'paths.js')).href)}
    let lock = null
    for await (const line of createInterface({ input: process.stdin })) {
      if (line === 'release') { await lock?.release(); lock = null; console.log('released'); continue }
      const taken = await takeLock(releasePaths(process.argv[1]))
      if ('release' in taken) lock = taken
      console.log(lock === null ? 'refused' : 'taken')
    }`

  class Taker {
    readonly child: ChildProcessWithoutNullStreams
    readonly #lines: Interface

    /** @param within a program that runs it */
    constructor(...within: readonly string[]) {
      const node = [process.execPath, '--input-type=module', '-e', TAKER, snapshots]
      this.child = spawn('env', [...within, ...node], { stdio: 'pipe' })
      this.child.stderr.pipe(process.stderr)
      this.#lines = createInterface({ input: this.child.stdout })
    }

    async ask(what: 'take' | 'release'): Promise<string> {
      const answer = once(this.#lines, 'line')
      this.child.stdin.write(`${what}\n`)
      const [line] = (await answer) as [string]
      return line
    }
  }

  // What two containers of one machine are to each other when both are called the same. As root, or as anybody whom the
  // kernel lets make a user namespace.
  const mapped = process.getuid?.() === 0 ? [] : ['--map-root-user']
  const CONTAINER = ['unshare', ...mapped, '--pid', '--fork', '--kill-child']
  it.each([['with a /proc of its own', ['--mount-proc']] as const, ['with the /proc of another', []] as const])(
    'in another pid namespace, %s: each leaves the other its lock, until that is 30 s old',
    async (_, proc) => {
      const inside = new Taker(...CONTAINER, ...proc)
      onTestFinished(() => void inside.child.kill('SIGKILL'))
      const mine = await taken()
      expect(await inside.ask('take')).toBe('refused')
      await mine.release()
      expect(await inside.ask('take')).toBe('taken')
      // Its pid is small: out here it is nobody's, or somebody else's.
      expect(await refused()).toMatchObject({ host: hostname() })
      leave(JSON.parse(readFileSync(join(snapshots, '.lock'), 'utf8')) as Holder, STALE_MS + 1_000)
      await taken()
    },
  )

  it('for a dead lock, in several processes: exactly one wins', async () => {
    const pid = await deadPid()
    const takers = Array.from({ length: 6 }, () => new Taker())
    onTestFinished(() => takers.forEach(({ child }) => child.kill('SIGKILL')))
    for (let round = 0; round < 100; round++) {
      if (round % 2 === 0) leave({ pid })
      else leave({ host: 'elsewhere', pid: 1 }, STALE_MS + 1_000)
      const answers = await Promise.all(takers.map((taker) => taker.ask('take')))
      expect(
        answers.filter((answer) => answer === 'taken'),
        `round ${round}`,
      ).toHaveLength(1)
      await Promise.all(takers.map((taker) => taker.ask('release')))
      expect(names()).toEqual([])
    }
  })
})
