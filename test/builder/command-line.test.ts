import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BUILD_OPTIONS, DEMO_OPTIONS, SCHEDULE_OPTIONS } from '../../src/builder/build-options.ts'
import { packagePath } from '../../src/process/package-root.ts'
import { promoteSample, AS_OF_MS, publishSamples, temporaryFolder } from '../release/sample-release.ts'
import { failureOf, PROGRAM, run } from './build-program.ts'

const COMMANDS: readonly string[] = [
  'build',
  'schedule',
  'demo',
  'check',
  'init',
  'grants',
  'status',
  'verify',
  'diff',
  'rollback',
  'resume',
  'prune',
]
const SERVER = 'postgresql://user:pa55word@127.0.0.1:1/nothing'

describe('the help', () => {
  it.concurrent.each(['', ...COMMANDS])('of "%s" fits a screen', async (command) => {
    const { code, stdout, stderr } = await run(`${command} --help`.trim().split(' '))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(40)
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(120)
    expect(stdout).toMatch(/^Usage: analytics-build /)
    if (command !== '') expect(stdout).toMatch(/\nExample:\n {2}node bin\/analytics-build\.js \w+/)
  })

  it.each([
    ['build', BUILD_OPTIONS],
    ['schedule', SCHEDULE_OPTIONS],
    ['demo', DEMO_OPTIONS],
  ])('of %s names every option, its variable and its default', async (command, table) => {
    const { stdout } = await run([command, '--help'])
    const text = stdout.replaceAll(/\s+/g, ' ')
    for (const { flag, variable, default: byDefault } of Object.values(table)) {
      expect(text).toContain(`${flag} `)
      if (variable !== null) expect(text).toContain(`[${variable}`)
      if (byDefault !== null) expect(text).toContain(`default ${byDefault}]`)
    }
  })

  it('lists every command', async () => {
    const { stdout } = await run(['--help'])
    for (const command of COMMANDS) expect(stdout).toMatch(new RegExp(`^ {2}${command} `, 'm'))
  })
})

describe('bad usage', () => {
  const USAGE: readonly [args: string, env: Record<string, string>, message: string | RegExp][] = [
    [
      '',
      { DATABASE_URL: '' },
      /^--database-url \(or DATABASE_URL\) is not set; give postgresql:.* or try the demo: npm start$/,
    ],
    ['build', { DATABASE_URL: '' }, /^--database-url \(or DATABASE_URL\) is not set/],
    ['--database-url mysql://host/db', {}, /^--database-url: not a PostgreSQL URL; expected postgresql:\/\//],
    ['', { DATABASE_URL: 'user:pa55word@host/db' }, /^--database-url: not a PostgreSQL URL; expected postgresql:\/\//],
    [
      `--database-url ${SERVER}?sslmode=prefer`,
      {},
      /sslmode "prefer" is not supported; allowed: disable, require, verify-full$/,
    ],
    [
      '--database-url jdbc:postgresql://host/db',
      {},
      /^--database-url: jdbc:postgresql:\/\/ is another program's notation; /,
    ],
    ['', { DATABASE_URL: '', PGHOST: 'db', PGPORT: '0' }, 'PGPORT: "0" is not allowed; allowed: 1 to 65535'],
    ['--keep 0', {}, '--keep: "0" is not allowed; allowed: a whole number from 1 to 1000'],
    ['--keep 1e2', {}, '--keep: "1e2" is not allowed; allowed: a whole number from 1 to 1000'],
    [
      '',
      { ANALYTICS_KEEP: 'x' },
      '--keep (from ANALYTICS_KEEP): "x" is not allowed; allowed: a whole number from 1 to 1000',
    ],
    ['--keep', {}, /--keep <N>.*argument missing/],
    ['--max-drop 101', {}, '--max-drop: "101" is not allowed; allowed: a whole number from 0 to 100'],
    ['--vote-weight -1', {}, '--vote-weight: "-1" is not allowed; allowed: a whole number from 0 to 1000'],
    [
      '--vote-weight 0 --comment-weight 0',
      {},
      /^--vote-weight and --comment-weight are both 0; at least one must be 1 to 1000$/,
    ],
    ['--top-categories 0', {}, '--top-categories: "0" is not allowed; allowed: a whole number from 1 to 100'],
    ['--every 5', {}, /^--every: "5" is not allowed; allowed: a duration such as 30s, 5m or 24h, from 10s to /],
    ['--deadline 500ms', {}, /^--deadline: "500ms" is not allowed; allowed: a duration .* from 1s to /],
    ['--statement-timeout 0s', {}, /^--statement-timeout: "0s" is not allowed; allowed: a duration .* from 100ms to /],
    ['--lock-timeout ten', {}, /^--lock-timeout: "ten" is not allowed; allowed: a duration /],
    ['--row-security on', {}, '--row-security: "on" is not allowed; allowed: off or apply'],
    [
      '--site-url ideas.example.org',
      {},
      /^--site-url: "ideas\.example\.org" is not allowed; allowed: an address such as https:/,
    ],
    ['--site-url https://ideas.example.org/?a', {}, /^--site-url: .* allowed: an address such as https:/],
    ['--param tenant', {}, '--param: "tenant" is not allowed; allowed: KEY=VALUE'],
    ['--param tenant=1', {}, /^--param tenant: mapping native has no such parameter; it has: none$/],
    ['--source no-such-platform', {}, /^--source: no built-in mapping "no-such-platform"; there are: .*native/],
    ['--source /nowhere/mapping.sql', {}, /^--source: cannot read \/nowhere\/mapping\.sql: ENOENT/],
    ['--snapshots=', {}, '--snapshots: "" is not allowed; allowed: a folder'],
    ['--databse-url x', {}, /unknown option '--databse-url'.*--database-url/],
    ['--accept-drop=no', {}, /unknown option '--accept-drop=no'/],
    ['bulid', {}, /"bulid".*build, schedule, demo, check, init, grants, status/],
    ['status now', {}, /"now"/],
    ['status --keep 3', {}, /unknown option '--keep'/],
    [
      'schedule --cron hourly',
      {},
      /^--cron: "hourly" is not allowed: expected 5 fields but got 1; allowed: five cron fields/,
    ],
    ['schedule --accept-drop', {}, /unknown option '--accept-drop'/],
    ['verify', {}, 'no release in DIR/none; build one first'],
    ['verify x', {}, 'no release x in DIR/none; there are: none'],
    ['rollback x', {}, 'no release x in DIR/none; there are: none'],
  ]
  it.concurrent.for(USAGE)('"%s" %o is one line', async ([args, env, message], { onTestFinished }) => {
    const folder = temporaryFolder(onTestFinished)
    const given = args === '' ? [] : args.split(' ')
    const ran = await run(given, { DATABASE_URL: SERVER, ANALYTICS_SNAPSHOTS: join(folder, 'none'), ...env })
    const failure = failureOf(ran)
      .replace(/^analytics-build: /, '')
      .replace(folder, 'DIR')
    if (typeof message === 'string') expect(failure).toBe(message)
    else expect(failure).toMatch(message)
    expect(ran.code).toBe(2)
    expect(ran.stdout).toBe('')
    expect(ran.stderr).not.toContain('pa55word')
  })

  it('names file and line of a mapping with an error', async () => {
    const file = join(temporaryFolder(), 'mine.sql')
    writeFileSync(file, '-- mapping: mine\n\n-- section user\nSELECT 1\n')
    const ran = await run(['--source', file], { DATABASE_URL: SERVER })
    expect(ran.code).toBe(2)
    expect(failureOf(ran)).toBe(
      `analytics-build: ${file}:3: no section "user"; allowed: users, ideas, idea_categories, votes, comments, categories, closed`,
    )
  })

  it('prefers flag to variable to default', async () => {
    const snapshots = temporaryFolder()
    await publishSamples(snapshots, AS_OF_MS)
    const text = async (args: string[], env: Record<string, string>): Promise<string> => (await run(args, env)).stdout
    const elsewhere = join(snapshots, 'elsewhere')
    expect(await text(['status'], { ANALYTICS_SNAPSHOTS: snapshots })).toContain('20260520T093000000Z-')
    expect(await text(['status', '--snapshots', elsewhere], { ANALYTICS_SNAPSHOTS: snapshots })).toContain(
      `no releases in ${elsewhere}`,
    )
  })
})

describe('results', () => {
  it('may be read by somebody who has seen enough', async () => {
    const snapshots = temporaryFolder()
    for (let i = 0; i < 3; i++) await promoteSample(snapshots, AS_OF_MS + i)
    const command = `"${process.execPath}" "${PROGRAM}" status --snapshots "${snapshots}" --json | true; echo "\${PIPESTATUS[0]}"`
    const { stdout, stderr } = spawnSync('bash', ['-c', command], { encoding: 'utf8', cwd: packagePath() })
    expect(stderr).toBe('')
    expect(stdout).toBe('0\n')
  })

  it('of --version is the package version', async () => {
    const { version } = (await import('../../package.json', { with: { type: 'json' } })).default
    expect(await run(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' })
  })
})
