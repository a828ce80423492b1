// --metrics-file as the real program writes it: after every end that a build can have, whole, and never the build's ruin.
// long test: starts the program, or builds, for each case
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takeLock } from '../../../src/release/writing/lock.ts'
import { wholeCurrent } from '../../release/sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { begin, logOf, run, type Ran } from '../build-program.ts'
import { createSmallPlatform } from '../small-platform.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'

const NOWHERE = 'postgresql://user:pa55word@127.0.0.1:1/nothing'

const sample = (text: string, name: string): number | null => {
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return line === undefined ? null : Number(line.slice(name.length + 1))
}

describeWithPostgres('the metrics of a small platform’s builds', (postgres) => {
  let url: string
  const folder = temporaryFolder(afterAll)
  const snapshots = (): string => join(folder, 'snapshots')
  const file = (): string => join(folder, 'build.prom')
  const text = (): string => readFileSync(file(), 'utf8')
  const program = (args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<Ran> =>
    run(args, {
      DATABASE_URL: url,
      ANALYTICS_SNAPSHOTS: snapshots(),
      ANALYTICS_METRICS_FILE: file(),
      ANALYTICS_EVERY: '5m',
      ...env,
    })

  beforeAll(async () => {
    url = await createSmallPlatform(postgres(), 'metrics')
  })

  /** Result, exit code, runs of that result, votes of the current release. */
  const seen = (result: string): (number | null)[] => [
    sample(text(), `analytics_build_last_run_result{result="${result}"}`),
    sample(text(), 'analytics_build_last_run_exit_code'),
    sample(text(), `analytics_build_runs_total{result="${result}"}`),
    sample(text(), 'analytics_build_rows{relation="votes"}'),
  ]
  const madeAt = (): number | null => sample(text(), 'analytics_build_last_success_timestamp_seconds')

  it('say that it was published', async () => {
    const beforeSeconds = Date.now() / 1000
    expect((await program()).code).toBe(0)
    expect(seen('published')).toEqual([1, 0, 1, 2728])
    expect(sample(text(), 'analytics_build_cadence_seconds')).toBe(300)
    expect(sample(text(), 'analytics_build_available_bytes')).toBeGreaterThan(0)
    const madeSeconds = madeAt()
    expect(madeSeconds).toBeGreaterThanOrEqual(beforeSeconds)
    expect(sample(text(), 'analytics_build_last_run_timestamp_seconds')).toBeGreaterThanOrEqual(madeSeconds ?? 0)
    expect(statSync(file()).mode & 0o777).toBe(0o644)
    expect(readdirSync(folder).sort()).toEqual(['build.prom', 'snapshots'])
    expect((await program()).code).toBe(0)
    expect(seen('published')).toEqual([1, 0, 2, 2728])
    expect(madeAt()).toBeGreaterThan(madeSeconds ?? Infinity)
  })

  it('keep the last success when the gate rejects', async () => {
    const madeSeconds = madeAt()
    await postgres().psql('UPDATE votes SET value = 0 WHERE idea_id <= 60', 'metrics')
    for (const refusals of [1, 2]) {
      expect((await program()).code).toBe(4)
      expect(seen('refused')).toEqual([1, 4, refusals, 2728])
    }
    expect(madeAt()).toBe(madeSeconds)
    expect(seen('published')).toEqual([0, 4, 2, 2728])
  })

  it.each<[result: string, code: number, env: Record<string, string>]>([
    ['source', 3, { DATABASE_URL: NOWHERE, ANALYTICS_DEADLINE: '1s' }],
    ['usage', 2, { DATABASE_URL: '' }],
    ['usage', 2, { ANALYTICS_SOURCE: 'no-such-platform' }],
  ])('say that it failed: %s', async (result, code, env) => {
    const madeSeconds = madeAt()
    const before = sample(text(), `analytics_build_runs_total{result="${result}"}`) ?? 0
    const ran = await program([], env)
    expect(ran.code).toBe(code)
    expect(seen(result)).toEqual([1, code, before + 1, 2728])
    expect(madeAt()).toBe(madeSeconds)
    expect(text()).not.toContain('pa55word')
  })

  it('say that another build was at it', async () => {
    const lock = await takeLock(releasePaths(snapshots()))
    if (!('release' in lock)) throw new Error('the lock is taken')
    try {
      expect((await program()).code).toBe(5)
    } finally {
      await lock.release()
    }
    expect(seen('locked')).toEqual([1, 5, 1, 2728])
  })

  it('say that it could not write', async () => {
    const ran = await program([], { ANALYTICS_SNAPSHOTS: join(file(), 'below-a-file') })
    expect(ran.code).toBe(6)
    // Nothing is published there.
    expect(seen('write')).toEqual([1, 6, 1, null])
  })

  it('say that it was stopped', async () => {
    const env = { DATABASE_URL: NOWHERE, ANALYTICS_SNAPSHOTS: snapshots(), ANALYTICS_METRICS_FILE: file() }
    const { child, done } = begin([], env)
    // It holds the lock: it is past its start, and tries the database again.
    while (!existsSync(join(snapshots(), '.lock'))) await delay(20)
    child.kill('SIGTERM')
    expect((await done).code).toBe(143)
    expect(seen('stopped')).toEqual([1, 143, 1, 2728])
  })

  it('say that a rollback pins, until it is resumed', async () => {
    await program(['rollback'])
    expect((await program(['--accept-revision'])).code).toBe(4)
    expect(seen('held')).toEqual([1, 4, 1, 2728])
    expect(sample(text(), 'analytics_build_held')).toBe(1)
    await program(['resume'])
    expect((await program(['--accept-revision'])).code).toBe(0)
    expect(sample(text(), 'analytics_build_held')).toBe(0)
    expect(seen('published')[2]).toBe(3)
  })

  it('are written by a schedule, too', async () => {
    const env = { DATABASE_URL: url, ANALYTICS_SNAPSHOTS: join(folder, 'other'), ANALYTICS_METRICS_FILE: file() }
    const { child, done } = begin(['schedule', '--cron', '0 0 1 1 *'], env)
    const published = sample(text(), 'analytics_build_runs_total{result="published"}') ?? 0
    while (sample(text(), 'analytics_build_runs_total{result="published"}') !== published + 1) await delay(50)
    child.kill('SIGTERM')
    expect((await done).code).toBe(143)
    expect(seen('published').slice(0, 3)).toEqual([1, 0, published + 1])
  })

  it('that cannot be written are a warning', async () => {
    const lost = join(folder, 'no-such-folder', 'build.prom')
    const ran = await program([], { ANALYTICS_METRICS_FILE: lost })
    expect(ran.code).toBe(0)
    expect(logOf(ran).filter(({ level }) => level !== 'info')).toEqual([
      expect.objectContaining({
        level: 'warn',
        message: expect.stringMatching(`^--metrics-file ${lost} is not written: ENOENT.*; the build is not affected$`),
      }),
    ])
    expect(ran.stdout).toContain(`published ${await wholeCurrent(snapshots())}\n`)
  })

  it('leave no draft behind where the name is that of a folder', async () => {
    const taken = join(folder, 'taken.prom')
    mkdirSync(taken)
    expect((await program([], { ANALYTICS_METRICS_FILE: taken })).code).toBe(0)
    expect(readdirSync(folder).filter((name) => name.startsWith('taken'))).toEqual(['taken.prom'])
  })
})

describe('--metrics-file', () => {
  it.each(['', 'build.txt', '.prom', 'metrics/.prom', 'build.prom/'])(
    'must be what node_exporter reads: "%s"',
    async (given) => {
      const { code, stderr } = await run([`--metrics-file=${given}`, '--database-url', NOWHERE])
      expect([code, stderr]).toEqual([
        2,
        `analytics-build: option '--metrics-file <FILE>' argument '${given}' is invalid. Allowed: a file ending in .prom, the only ones that node_exporter reads; see analytics-build --help\n`,
      ])
    },
  )

  it('replaces a file that nobody may write, whatever the umask', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'build.prom')
    writeFileSync(file, 'analytics_build_runs_total{result="usage"} 6\n')
    chmodSync(file, 0o444)
    const under = ['sh', '-c', 'umask 077; exec "$@"', 'sh']
    const ran = begin([], { ANALYTICS_SNAPSHOTS: folder, ANALYTICS_METRICS_FILE: file }, {}, under)
    expect((await ran.done).code).toBe(2)
    expect(sample(readFileSync(file, 'utf8'), 'analytics_build_runs_total{result="usage"}')).toBe(7)
    expect(statSync(file).mode & 0o777).toBe(0o644)
    expect(readdirSync(folder).sort()).toEqual(['.last-build', 'build.prom'])
  })
})
