// A program whose event loop hangs ends itself, one that is suspended and resumed or only slow does not. Tests
// src/process/hung-loop.ts.
// long test: half a minute of silence is waited for
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { endWhenHung } from '../../src/process/hung-loop.ts'
import { packagePath } from '../../src/process/package-root.ts'
import { begin, run, type Running } from '../builder/build-program.ts'
import { createSmallPlatform } from '../builder/small-platform.ts'
import { wholeCurrent } from '../release/sample-release.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { describeWithPostgres } from '../support/postgres.ts'

const PRELOAD = pathToFileURL(packagePath('test', 'support', 'stopped-program.mjs')).href
const SILENCE_MS = 30_000
const DEADLINE_MS = 2000

/** When the program has said it. */
const said = ({ child }: Running, text: string): Promise<void> =>
  new Promise((resolve) => child.stderr?.on('data', (data: Buffer) => String(data).includes(text) && resolve()))

describeWithPostgres('a build', (postgres) => {
  let url = ''
  beforeAll(async () => {
    url = await createSmallPlatform(postgres(), 'hung')
  })

  /** One that hangs, or stops, where it asks for the ideas. */
  function begun(
    finished: typeof onTestFinished,
    at: { readonly hang?: number | null; readonly busy?: number },
    command: readonly string[] = [],
  ) {
    const snapshots = join(temporaryFolder(finished), 'snapshots')
    const STOP_AT = JSON.stringify({ query: 'COPY .*left\\(title', deadlineMs: DEADLINE_MS, ...at })
    const args = [...command, '--snapshots', snapshots, '--database-url', url, '--deadline', `${DEADLINE_MS}ms`]
    const running = begin(args, { STOP_AT, NODE_OPTIONS: `--import=${PRELOAD}` })
    finished(() => void running.child.kill('SIGKILL'))
    return { ...running, snapshots, again: () => run(['--snapshots', snapshots, '--database-url', url]) }
  }

  describe.concurrent('whose event loop', () => {
    it('hangs ends itself 30 seconds after its deadline, and the next one builds', async ({
      onTestFinished: finished,
    }) => {
      const build = begun(finished, { hang: null })
      await said(build, 'left ')
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

    it('hangs for less ends as it would have', async ({ onTestFinished: finished }) => {
      const { done } = begun(finished, { hang: SILENCE_MS - 4000 })
      const { code, ms, stderr } = await done
      expect(stderr).toContain('no longer hung')
      expect([code, ms > SILENCE_MS - 4000]).toEqual([3, true])
    })

    it('is suspended for longer than that, and resumed, ends by itself', async ({ onTestFinished: finished }) => {
      const build = begun(finished, {})
      await said(build, 'left ')
      await sleep(DEADLINE_MS + SILENCE_MS + 10_000)
      build.child.kill('SIGCONT')
      const { code, stderr } = await build.done
      expect(stderr).toContain('the build took longer than --deadline 2s')
      expect(code).toBe(3)
    })

    it('lives is never ended, however late it is', async () => {
      const warnings: string[] = []
      const end = endWhenHung(
        'test',
        () => -1,
        (message) => warnings.push(message),
      )
      await sleep(SILENCE_MS + 5000)
      end()
      expect(warnings).toEqual([])
    })
  })

  // By itself, for a processor.
  it('that is suspended again and again, and works in between, ends by itself', async () => {
    const build = begun(onTestFinished, { busy: 700 })
    await said(build, 'left ')
    // Longer than it would take to be ended.
    for (let i = 0; i < 34; i++) {
      build.child.kill('SIGSTOP')
      await sleep(1000)
      build.child.kill('SIGCONT')
      await sleep(15)
    }
    const { code, ms, stderr } = await build.done
    expect(stderr).toContain('no longer hung')
    expect(ms).toBeGreaterThan(DEADLINE_MS + SILENCE_MS + 2000)
    expect(code).toBe(3)
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
    const snapshots = join(temporaryFolder(onTestFinished), 'snapshots')
    const ran = await run(['--snapshots', snapshots, '--database-url', url], { NODE_OPTIONS: `--import=${preload}` })
    expect(ran.stderr).toMatch(/"level":"warn".*"no thread: a build that hangs would stay: no thread"/)
    expect(ran.code).toBe(0)
  })
})
