// A night without a database, or without a bucket: what cron mails, what a schedule logs, and what somebody at a terminal reads.
// long test: the builds of two hours
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { PROGRAM as COMMANDS } from '../../src/builder/commands/table.ts'
import type { BuilderContext } from '../../src/builder/run/context.ts'
import { runCommandLine } from '../../src/process/command-line.ts'
import { createLog } from '../../src/process/log.ts'
import { NO_PROGRESS } from '../../src/process/progress.ts'
import { logOf, run, type LogLine, type Ran } from '../builder/build-program.ts'
import { createSmallPlatform } from '../builder/small-platform.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { freePort } from '../support/ports.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { startRelay } from '../support/relay.ts'
import { S3_BUCKET, startS3rver } from '../support/s3-servers.ts'

describeWithPostgres('a night', (postgres) => {
  let url = ''
  beforeAll(async () => {
    url = await createSmallPlatform(postgres(), 'town')
  })

  const sleeps = async (isAsleep: boolean): Promise<void> =>
    void (await postgres().psql(`ALTER DATABASE town ALLOW_CONNECTIONS ${!isAsleep}`, 'postgres'))
  const cron = (
    snapshots: string,
    more: readonly string[] = ['--quiet'],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Ran> => run(['--snapshots', snapshots, ...more], { DATABASE_URL: url, ...env })
  const messagesOf = (ran: readonly Ran[]): string[] => ran.flatMap((one) => logOf(one).map(({ message }) => message))
  const BEGINS =
    /^cannot connect to postgres@.*SQLSTATE 55000\); builds have failed since .*Z, which is said once a day, and when it is over$/
  const ENDS = /^builds work again; they had failed since .*Z$/

  it('of 24 builds and a good one has two lines for cron, each build its exit code, and status and the metrics say the rest', async () => {
    const snapshots = join(temporaryFolder(), 'snapshots')
    const metrics = join(temporaryFolder(), 'build.prom')
    const ran: Ran[] = []
    await sleeps(true)
    onTestFinished(() => sleeps(false))
    for (let i = 0; i < 24; i++) ran.push(await cron(snapshots, ['--quiet', '--metrics-file', metrics]))
    expect(new Set(ran.map(({ code, stdout }) => `${code}${stdout}`))).toEqual(new Set(['3']))
    expect(messagesOf(ran)).toEqual([expect.stringMatching(BEGINS)])
    const status = await run(['status', '--snapshots', snapshots, '--json'])
    expect(JSON.parse(status.stdout)).toMatchObject({
      ok: false,
      problems: [{ kind: 'failed', problem: expect.stringMatching(/^the last 24 builds failed.*exit code 3/) }, {}],
      lastBuild: { failures: 24, exitCode: 3, isOutage: true, told: {} },
    })
    expect(readFileSync(metrics, 'utf8')).toContain('analytics_build_runs_total{result="source"} 24')
    await sleeps(false)
    ran.push(await cron(snapshots), await cron(snapshots))
    expect(ran.slice(-2).map(({ code }) => code)).toEqual([0, 0])
    expect(messagesOf(ran)).toEqual([expect.stringMatching(BEGINS), expect.stringMatching(ENDS)])
  }, 300_000)

  it('is said in full where --quiet was not given, also between builds of cron; and of two sites each has its own', async () => {
    const [one, other] = [join(temporaryFolder(), 'one'), join(temporaryFolder(), 'other')]
    await sleeps(true)
    onTestFinished(() => sleeps(false))
    const lines = async (...args: Parameters<typeof cron>): Promise<number> => logOf(await cron(...args)).length
    expect([await lines(one), await lines(one), await lines(other), await lines(other)]).toEqual([1, 0, 1, 0])
    expect([await lines(one, []), await lines(one, ['--json']), await lines(one, ['--json', '--quiet'])]).toEqual([
      1, 1, 0,
    ])
    // Another cause, a wrong option.
    expect(messagesOf([await cron(one, ['--quiet', '--database-url', `${url}_gone`])])).toEqual([
      expect.stringMatching(/"town_gone" does not exist.*builds have failed since/),
    ])
    for (let i = 0; i < 2; i++) expect(messagesOf([await cron(one, ['--quiet', '--keep', 'x'])])).toHaveLength(1)
    await sleeps(false)
    expect(messagesOf([await cron(one), await cron(other)])).toEqual([
      expect.stringMatching(ENDS),
      expect.stringMatching(ENDS),
    ])
  }, 120_000)

  it('without a bucket is two lines as well, and a build here for each', async () => {
    const snapshots = join(temporaryFolder(), 'snapshots')
    const storage = await startS3rver()
    const relay = await startRelay(Number(new URL(storage.env()['AWS_ENDPOINT_URL_S3'] ?? '').port))
    onTestFinished(storage.stop)
    const env = storage.env(relay.port)
    const publish = ['--quiet', '--publish', `s3://${S3_BUCKET}/town`]
    expect(await cron(snapshots, publish, env)).toMatchObject({ code: 0, stderr: '' })
    await relay.close()
    const ran = [await cron(snapshots, publish, env), await cron(snapshots, publish, env)]
    expect(ran.map(({ code }) => code)).toEqual([6, 6])
    ran.push(await cron(snapshots, publish, storage.env()))
    expect(messagesOf(ran)).toEqual([
      expect.stringMatching(/is current here, but s3:.*ECONNREFUSED.*; builds have failed since/),
      expect.stringMatching(ENDS),
    ])
  }, 120_000)

  it('of a schedule has one line when it begins and one when it ends, and nothing of what is tried in between', async () => {
    const port = await freePort()
    const over = new AbortController()
    const lines: LogLine[] = []
    const write = (text: string): void => {
      const line = JSON.parse(text) as LogLine
      lines.push(line)
      if (line.message === 'published') over.abort(new Error('the night is over'))
    }
    const log = createLog('analytics-build', { isTTY: false, write })
    const { info } = log
    let [nowMs, builds] = [Date.now(), 0]
    let relay: ReturnType<typeof startRelay> | null = null
    const context: BuilderContext = {
      env: {},
      umask: 0o022,
      nowMs: () => nowMs,
      // Between two tries of one build no time passes.
      sleep: async (ms) => void (nowMs += [500, 2000, 5000].includes(ms) ? 0 : ms),
      log,
      beQuiet: (isQuiet) => void (log.info = isQuiet ? () => {} : info),
      progress: NO_PROGRESS,
      isWatched: false,
      signal: over.signal,
      stop: { signal: over.signal, exitCode: () => null, during: (work) => work() },
      endWhenHung: () => () => {
        builds += 1
        if (builds === 24) relay = startRelay(postgres().port, () => ({}), port)
      },
      out: () => {},
      lostOutput: () => null,
    }
    onTestFinished(async () => (await relay)?.close())
    const to = url.replace(`:${postgres().port}/`, `:${port}/`)
    const snapshots = join(temporaryFolder(), 'snapshots')
    const argv = ['schedule', '--cron', '* * * * *', '--snapshots', snapshots, '--database-url', to]
    await expect(runCommandLine(COMMANDS, argv, context)).rejects.toThrow('the night is over')
    expect(builds).toBeGreaterThan(24)
    const begins = lines.findIndex(({ level }) => level === 'error')
    expect(lines[begins]?.message).toMatch(/ECONNREFUSED.*; builds have failed since .*; the next tick tries again$/)
    expect(lines.slice(0, begins).map(({ level }) => level)).toEqual(lines.slice(0, begins).map(() => 'info'))
    expect(lines.slice(begins + 1).map(({ message }) => message)).toEqual([expect.stringMatching(ENDS), 'published'])
  })

  it('is told to a copy of the folder, too, which begins with the same note', async () => {
    const [snapshots, copy] = [join(temporaryFolder(), 'snapshots'), join(temporaryFolder(), 'copy')]
    expect((await cron(snapshots)).code).toBe(0)
    cpSync(snapshots, copy, { recursive: true, verbatimSymlinks: true })
    await sleeps(true)
    onTestFinished(() => sleeps(false))
    expect(messagesOf([await cron(snapshots), await cron(copy)])).toHaveLength(2)
  })
})
