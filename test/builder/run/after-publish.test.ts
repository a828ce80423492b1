// What --after-publish runs: what it is told, that its failure is a warning and a metric only, and that nothing of it stays when
// its time is over or the builder is stopped. Tests src/builder/run/after-publish.ts and its call in run-build.ts.
// long test: starts the program, or builds, for each case
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runAfterPublish } from '../../../src/builder/run/after-publish.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { until } from '../../support/proxy.ts'
import { run, type Ran } from '../build-program.ts'
import { createSmallPlatform } from '../small-platform.ts'

const RELEASE = '/snapshots/releases/20260520T093000000Z-00000000'
const never = new AbortController().signal

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    // A process that has ended and that nobody waited for is a zombie.
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

describe('the command', () => {
  test('is told the release, and none of the secrets', async () => {
    const file = join(temporaryFolder(), 'env')
    const env = {
      PATH: process.env['PATH'],
      ANALYTICS_TITLE: 'Ideas',
      DATABASE_URL: 'a',
      DATABASE_URL_FILE: 'b',
      PGPASSWORD: 'c',
    }
    expect(await runAfterPublish(`env > ${file}`, RELEASE, never, 0o022, env)).toBe(null)
    const told = readFileSync(file, 'utf8').split('\n')
    expect(told).toEqual(
      expect.arrayContaining([
        `ANALYTICS_RELEASE=${RELEASE}`,
        'ANALYTICS_RELEASE_ID=20260520T093000000Z-00000000',
        'ANALYTICS_TITLE=Ideas',
      ]),
    )
    expect(told.filter((line) => /^DATABASE_URL|^PGPASSWORD/.test(line))).toEqual([])
  })

  test.each([
    ['exit 3', 'exit code 3'],
    ['echo one; echo "no route to host" >&2; exit 12', 'exit code 12: no route to host'],
    ['kill -KILL $$', 'signal SIGKILL'],
    ['no-such-program', /^exit code 127: .*no-such-program.*not found$/],
    ['yes | head -c 3000000; exit 1', 'exit code 1: y'],
  ])('that fails (%s) says why, in one line', async (command, why) => {
    expect(await runAfterPublish(command, RELEASE, never, 0o022)).toEqual(
      typeof why === 'string' ? why : expect.stringMatching(why),
    )
  })

  test('does not keep the builder waiting for what it leaves in the background', async () => {
    const file = join(temporaryFolder(), 'pid')
    expect(await runAfterPublish(`sleep 600 & echo $! > ${file}`, RELEASE, never, 0o022)).toBe(null)
    process.kill(Number(readFileSync(file, 'utf8')))
  })

  test('is ended with all that it started, also what does not listen to SIGTERM', async () => {
    const file = join(temporaryFolder(), 'pid')
    const stop = new AbortController()
    const ended = runAfterPublish(
      `trap '' TERM; sleep 600 & echo $! > ${file}; wait; sleep 600`,
      RELEASE,
      stop.signal,
      0o022,
    )
    await until(() => existsSync(file) && readFileSync(file, 'utf8') !== '', 10_000, 'it has started')
    stop.abort(new Error('terminated'))
    expect(await ended).toBe('it was ended: terminated')
    await until(() => !isAlive(Number(readFileSync(file, 'utf8'))), 5000, 'its child has ended')
    expect(await runAfterPublish(`rm ${file}`, RELEASE, stop.signal, 0o022)).toMatch(/^it was not started/)
    expect(existsSync(file)).toBe(true)
  })
})

describeWithPostgres('a build', (postgres) => {
  let url = ''
  beforeAll(async () => {
    url = await createSmallPlatform(postgres(), 'after_publish')
  })

  test('runs it after the switch; its failure changes neither the release nor the exit code', async () => {
    const folder = realpathSync(temporaryFolder())
    const metrics = join(folder, 'run.prom')
    const built = (command: string): Promise<Ran> =>
      run(['--database-url', url, '--snapshots', folder, '--metrics-file', metrics, '--after-publish', command])
    const seen = join(folder, 'seen')
    const good = await built(
      `readlink -f ${folder}/current > ${seen} && test -f "$ANALYTICS_RELEASE/manifest.json" && echo "$ANALYTICS_RELEASE" >> ${seen}`,
    )
    expect(good).toMatchObject({ code: 0 })
    const [current, told] = readFileSync(seen, 'utf8').split('\n')
    expect(told).toBe(current)
    expect(readFileSync(metrics, 'utf8')).toMatch(/^analytics_build_last_run_after_publish 1$/m)

    const bad = await built('echo "disk full" >&2; exit 1')
    expect([bad.code, bad.stdout]).toEqual([0, expect.stringMatching(/^published /)])
    expect(bad.stderr).toContain(
      '--after-publish failed: exit code 1: disk full; the release is published all the same',
    )
    expect(readFileSync(metrics, 'utf8')).toMatch(/^analytics_build_last_run_after_publish 0$/m)
    expect(readFileSync(metrics, 'utf8')).toMatch(/^analytics_build_last_run_exit_code 0$/m)
    expect(readFileSync(metrics, 'utf8')).toMatch(/^analytics_build_after_publish_due 1$/m)
    // A build that publishes nothing does not end the alert.
    const nowhere = ['--database-url', 'postgresql://x@127.0.0.1:1/x', '--snapshots', folder, '--metrics-file', metrics]
    expect(await run(nowhere)).toMatchObject({ code: 3 })
    expect(readFileSync(metrics, 'utf8')).toMatch(/^analytics_build_after_publish_due 1$/m)
    expect(await built('true')).toMatchObject({ code: 0 })
    expect(readFileSync(metrics, 'utf8')).toMatch(/^analytics_build_after_publish_due 0$/m)
  })

  test('ends it when --deadline is over', async () => {
    const folder = temporaryFolder()
    const args = ['--database-url', url, '--snapshots', folder, '--deadline', '6s', '--after-publish', 'sleep 600']
    const late = await run(args)
    expect(late.code).toBe(0)
    expect(late.stderr).toMatch(/--after-publish failed: it was ended: the build took longer than --deadline 6s/)
  })
})
