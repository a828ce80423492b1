// A program whose event loop hangs ends itself, one that is suspended and resumed or only slow does not. Tests
// src/process/hung-loop.ts.
// long test: half a minute of silence is waited for
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import { begin, run } from '../builder/build-program.ts'
import { createSmallPlatform } from '../builder/small-platform.ts'
import { wholeCurrent } from '../release/sample-release.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { describeWithPostgres } from '../support/postgres.ts'

const PRELOAD = pathToFileURL(packagePath('test', 'support', 'stopped-program.mjs')).href
const HUNG = packagePath('test', 'support', 'hung-program.mjs')
const SILENCE_MS = 30_000
const DEADLINE_MS = 2000

describeWithPostgres('a build', (postgres) => {
  let url = ''
  beforeAll(async () => {
    url = await createSmallPlatform(postgres(), 'hung')
  })

  /** One that hangs where it asks for the ideas. */
  function begun() {
    const snapshots = join(temporaryFolder(), 'snapshots')
    const STOP_AT = JSON.stringify({ query: 'COPY .*left\\(title', deadlineMs: DEADLINE_MS, hang: null })
    const args = ['--snapshots', snapshots, '--database-url', url, '--deadline', `${DEADLINE_MS}ms`]
    const running = begin(args, { STOP_AT, NODE_OPTIONS: `--import=${PRELOAD}` })
    onTestFinished(() => void running.child.kill('SIGKILL'))
    return { ...running, snapshots, again: () => run(['--snapshots', snapshots, '--database-url', url]) }
  }

  it('whose event loop hangs ends itself 30 seconds after its deadline, and the next one builds', async () => {
    const build = begun()
    await new Promise<void>((resolve) =>
      build.child.stderr?.on('data', (data: Buffer) => String(data).includes('left ') && resolve()),
    )
    // It listens for the signal, and hears it no more.
    build.child.kill('SIGTERM')
    const { code, ms, stderr } = await build.done
    console.log(`hung from its first second on, --deadline 2s: ended after ${(ms / 1000).toFixed(2)} s`)
    expect(code).toBe(137)
    expect(ms).toBeGreaterThan(DEADLINE_MS + SILENCE_MS)
    expect(ms).toBeLessThan(DEADLINE_MS + SILENCE_MS + 6000)
    expect(stderr).toMatch(
      /^\{"level":"error","time":"2.*","program":"analytics-build","message":"the event loop was silent/m,
    )
    const { stdout } = await run(['status', '--snapshots', build.snapshots])
    expect(stdout).toMatch(/^not well: the build .* did not end/)
    expect(await build.again()).toMatchObject({ code: 0 })
    await wholeCurrent(build.snapshots)
    expect((await run(['status', '--snapshots', build.snapshots])).stdout).toMatch(/^all is well/)
  })

  const REFUSES = `import w from 'node:worker_threads'; import { syncBuiltinESMExports } from 'node:module';`
  it.each([
    ['at once', `w.Worker = class { constructor() { throw new Error('no thread') } };`],
    [
      'a little later',
      `const { Worker } = w; w.Worker = class extends Worker { constructor() { super('throw new Error("no thread")', { eval: true }) } };`,
    ],
  ])('for which no thread can be started goes on with a warning: refused %s', async (_, refuse) => {
    const preload = `data:text/javascript,${encodeURIComponent(`${REFUSES}${refuse}syncBuiltinESMExports()`)}`
    const snapshots = join(temporaryFolder(), 'snapshots')
    const ran = await run(['--snapshots', snapshots, '--database-url', url], { NODE_OPTIONS: `--import=${preload}` })
    expect(ran.stderr).toMatch(/"level":"warn".*"no thread: a build that hangs would stay: no thread"/)
    expect(ran.code).toBe(0)
  })
})

describe.concurrent('a process whose time is over', () => {
  /** In place of half a minute. */
  const SILENT_MS = 3000
  const hungFor = (work: { readonly hangMs?: number; readonly suspendedMs?: number; readonly livesMs?: number }) => {
    const child = spawn(process.execPath, [HUNG, JSON.stringify({ silenceMs: SILENT_MS, ...work })], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 55_000,
      killSignal: 'SIGKILL',
    })
    const startMs = performance.now()
    const stderr = text(child.stderr)
    const begun = once(child.stderr, 'data')
    const ended = once(child, 'close').then(async ([code]) => ({
      code: code as number | null,
      said: await stderr,
      ms: performance.now() - startMs,
    }))
    return { child, begun, ended }
  }

  it('and that is silent for longer is ended', async () => {
    const { code, said } = await hungFor({ hangMs: 4 * SILENT_MS }).ended
    expect([code, said]).toEqual([null, expect.stringContaining('the event loop was silent for 3 s after --deadline')])
  })

  it.each([
    ['is silent for less', { hangMs: SILENT_MS - 1000 }],
    ['lives, however late it is', { livesMs: SILENT_MS + 1500 }],
  ])('and that %s ends by itself', async (_, work) => {
    expect(await hungFor(work).ended).toMatchObject({ code: 3, said: 'begun\nover\n' })
  })

  it.each([
    ['once, for longer than that', [SILENT_MS + 3000]],
    ['again and again, and works in between', Array.from({ length: 6 }, () => 1000)],
  ])('and that is suspended %s ends by itself', async (_, suspensions) => {
    const { child, begun, ended } = hungFor({ suspendedMs: SILENT_MS + 2000 })
    await begun
    for (const ms of suspensions) {
      child.kill('SIGSTOP')
      await sleep(ms)
      child.kill('SIGCONT')
      await sleep(15)
    }
    const { code, said, ms } = await ended
    expect([code, said]).toEqual([3, 'begun\nover\n'])
    expect(ms).toBeGreaterThan(SILENT_MS + 2000)
  })
})
