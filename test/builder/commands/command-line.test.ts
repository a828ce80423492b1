// long test: starts the program, or builds, for each case
// depends on: bin/analytics-build.js
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packagePath } from '../../../src/process/package-root.ts'
import { promoteSample, AS_OF_MS } from '../../release/sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { begin, failureOf, PROGRAM, run } from '../build-program.ts'

const COMMANDS = 'build schedule demo setup check init grants status verify diff rollback resume prune'.split(' ')
const SERVER = 'postgresql://user:pa55word@127.0.0.1:1/nothing'

it('the help lists every command, and that of a command says how it is called here', async () => {
  const { stdout } = await run(['--help'])
  for (const command of COMMANDS) expect(stdout).toMatch(new RegExp(`^ {2}${command} `, 'm'))
  const status = await begin(['status', '--help'], {}, { cwd: packagePath() }).done
  expect(status).toMatchObject({ code: 0, stderr: '' })
  expect(status.stdout).toMatch(/\nExample:\n {2}node bin\/analytics-build\.js status --snapshots/)
})

describe('bad usage', () => {
  const invalid = (option: string, given: string, allowed: string): string =>
    `option '${option}' argument '${given}' is invalid. Allowed${allowed}; see analytics-build --help`
  const zone = (given: string, more: string): string =>
    invalid('--time-zone <NAME>', given, `: a name of the IANA list, such as Europe/Madrid${more}`)
  const FIXED =
    ', whose summer time it follows; an offset for all of the year is Etc/GMT-2, which is two hours ahead of UTC'
  const address = (given: string): string =>
    `no release ${given} in DIR/none, and an address begins with https://: https://${given}`
  const PERCENT = ': a whole number from 0 to 100'
  const USAGE: readonly [args: string, env: Record<string, string>, message: string | RegExp][] = [
    [
      '',
      { DATABASE_URL: '' },
      /^--database-url \(or DATABASE_URL\) is not set; give postgresql:.* or try the demo: node .*bin\/analytics-build\.js demo$/,
    ],
    ['', { DATABASE_URL: 'user:pa55word@host/db' }, /^--database-url: not a PostgreSQL URL; expected postgresql:\/\//],
    ['--max-revision 101', {}, invalid('--max-revision <PERCENT>', '101', PERCENT)],
    ['--vote-weight -1', {}, invalid('--vote-weight <N>', '-1', ': a whole number from 0 to 1000')],
    ['--vote-weight 0 --comment-weight 0', {}, /weight are both 0; at least one must be 1 to 1000$/],
    ['--keep 0', {}, invalid('--keep <N>', '0', ': a whole number from 1 to 1000')],
    ['--every 5', {}, /^option '--every <[A-Z]+>' argument '5' is .* a duration such as 30s, 5m or 24h, from 10s to /],
    ['--deadline 500ms', {}, /^option '--deadline <[A-Z]+>' argument '500ms' is .* a duration .* from 1s to /],
    ['--row-security on', {}, invalid('--row-security <off|apply>', 'on', ' choices are off, apply')],
    ['--site-url ideas.example.org', {}, /^option '--site-url <[A-Z]+>' argument .* an address such as https:/],
    ['--time-zone Berlin', {}, zone('Berlin', '; did you mean Europe/Berlin?')],
    ['--time-zone europe/berln', {}, zone('europe/berln', '; did you mean Europe/Berlin?')],
    ['--time-zone new_york', {}, zone('new_york', '; did you mean America/New_York?')],
    ['--time-zone Mars/Base', {}, zone('Mars/Base', '')],
    ['--time-zone CET+1', {}, zone('CET+1', FIXED)],
    ['--time-zone -02:00', {}, zone('-02:00', FIXED)],
    ['--param tenant', {}, invalid('--param <KEY=VALUE>', 'tenant', ': KEY=VALUE')],
    ['--param tenant=1', {}, /^--param tenant: mapping native has no such parameter; it has: none$/],
    ['--source no-such-platform', {}, /^--source: no built-in mapping "no-such-platform", .*; there are: .*native/],
    ['--source /nowhere/mapping.sql', {}, /^--source: cannot read \/nowhere\/mapping\.sql: ENOENT/],
    ['--snapshots=', {}, invalid('--snapshots <DIR>', '', ': a folder')],
    ['bulid', {}, /"bulid".*build, schedule, demo, setup, check, init, grants, status/],
    ['status now', {}, /"now"/],
    ['status --keep 3', {}, /unknown option '--keep'/],
    ['schedule --cron hourly', {}, /^--cron: "hourly" is not allowed: .*; allowed: five cron fields/],
    ['schedule --accept-revision', {}, /unknown option '--accept-revision'/],
    ['verify', {}, 'no release in DIR/none: no such folder; build one first'],
    ['verify ideas.example.org', {}, address('ideas.example.org')],
    ['diff localhost:8080/town current', {}, address('localhost:8080/town')],
    ['verify //x.example', {}, address('x.example')],
    ['verify u:s3cr3t@h/d', {}, address('***@h/d')],
    ['verify ftp://u:s3cr3t@x/d', {}, 'no release ***@x/d in DIR/none, and an address begins with https:// or s3://'],
    ['verify x', {}, 'no release x in DIR/none; there are: none'],
    ['rollback x', {}, 'there is no folder DIR/none; give --snapshots with the one that has the releases'],
    ['prune', {}, /^there is no folder DIR\/none/],
    ['--source fider --param tenant=1 --param tenant=2', {}, '--param tenant is given twice; give it once'],
  ]
  it.for(USAGE)('"%s" %o is one line', async ([args, env, message], { onTestFinished }) => {
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
      `analytics-build: ${file}:3: no section "user"; allowed: users, ideas, idea_categories, votes, comments, categories, closed, page, with`,
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
    // Its data is late.
    expect(stdout).toBe('1\n')
  })
})

describe('what an error quotes does nothing to the terminal', () => {
  const ESCAPE = '\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e'

  it.each([
    ['a mapping', 'own.sql', `-- mapping: x${ESCAPE}\n`, ['grants', '--source']],
    ['a section', 'own.sql', `-- mapping: x\n-- section ${ESCAPE}\n`, ['check', '--source']],
    ['an env file', 'own.env', `ANALYTICS_SNAPSHOT${ESCAPE}=x\n`, ['status', '--env-file']],
    ['an argument', ESCAPE, '', ['status']],
  ])('%s', async (what, name, text, args) => {
    const file = join(temporaryFolder(), name)
    if (what !== 'an argument') writeFileSync(file, text)
    const { code, stderr } = await run([...args, what === 'an argument' ? name : file])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^[^\p{Cc}\u202a-\u202e]+\n$/u)
  })
})
