// `check` as an operator types it: what it prints and where, its exit code, and how it ends (source-commands.ts).
// long test: a program for each way in which a check ends
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { checkText } from '../../../src/builder/report/check-report.ts'
import type { CheckReport } from '../../../src/source/check/check.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { as } from '../../support/session.ts'
import { begin, failureOf, logOf, run } from '../build-program.ts'
import { UNREACHABLE, mappingText, mappingFile, sourcePlatforms } from './source-platforms.ts'

describeWithPostgres('analytics-build', (postgres) => {
  const { made, reader, sql, check, checkMine } = sourcePlatforms(postgres)
  let small: string
  let site: string
  beforeAll(() => void ({ small, site } = made()))

  describe('check', () => {
    it('of a good source exits 0 and says so on the screen', async () => {
      const ran = await check(reader(small))
      expect(ran).toMatchObject({ code: 0, stderr: '' })
      expect(ran.stdout).toMatch(
        /^check of mapping native on analytics_reader@127\.0\.0\.1:\d+\/small\n {2}server +PostgreSQL 1/,
      )
      expect(ran.stdout).toMatch(
        /^ {2}ideas +150 {3}id int8, title text, created_at timestamptz, launched bool, launched_at timestamptz, url text, author_id int8, status text$/m,
      )
      expect(ran.stdout).toMatch(/^ {2}newest ideas +"Idea 1 second line" {2}\/ideas\/1$/m)
      expect(ran.stdout).toMatch(
        /^ {2}would publish +300 users, 150 ideas \(50 launched, 9 without category\), [\d,]+ votes, 1,000 comments, /m,
      )
      expect(ran.stdout).toMatch(/^ {2}skipped +25 ideas: launched without a date$/m)
      expect(ran.stdout).toMatch(/\n0 errors, 0 warnings: ready to build\n$/)
    })

    it.each([
      ['ANALYTICS_TIME_ZONE', 'Europe/Berln', 'did you mean Europe/Berlin?'],
      ['ANALYTICS_EVERY', '’5m’', 'Allowed: '],
      ['ANALYTICS_PEOPLE', 'some', 'exact, rounded, off'],
      ['ANALYTICS_KEEP', '-1', 'Allowed: '],
    ])('does not call ready what a build would not take: %s=%s', async (name, value, allowed) => {
      for (const command of ['check', 'build']) {
        const ran = await run([command], { DATABASE_URL: reader(small), [name]: value })
        expect([ran.code, ran.stdout]).toEqual([2, ''])
        expect(failureOf(ran)).toContain(`value '${value}' from env '${name}' is invalid. `)
        expect(failureOf(ran)).toContain(allowed)
      }
    })

    it('takes a parameter and says where its value comes from and what else it may be', async () => {
      const given = await check(reader(site), '--source', 'fider', '--param', 'tenant=1')
      expect(given.code).toBe(0)
      expect(given.stdout).toMatch(/^ {2}:tenant +1 {2}\[--param\]\n +there are: 1 \(acme\), 2 \(other\)$/m)
      const variable = await run(['check', '--source', 'fider'], { DATABASE_URL: site, ANALYTICS_PARAM_TENANT: '2' })
      expect(variable.code).toBe(0)
      expect(variable.stdout).toMatch(/^ {2}:tenant +2 {2}\[variable\]$/m)
    })

    it('exits 3 when a build would fail, and prints how to fix it', async () => {
      const ran = await check(as('nobody', small))
      expect(ran).toMatchObject({ code: 3, stderr: '' })
      expect(ran.stdout).toContain(
        'ERROR   requires: role nobody may not read votes(idea_id, user_id, value, created_at)\n',
      )
      expect(ran.stdout).toContain('→ GRANT SELECT (idea_id, user_id, value, created_at) ON votes TO "nobody";\n')
      expect(ran.stdout).toMatch(/\n6 errors, 0 warnings: fix the errors before you build\n$/)
    })

    it('exits 3 when a required parameter is missing, and lists its choices', async () => {
      const ran = await check(reader(site), '--source', 'fider')
      expect(ran.code).toBe(3)
      expect(ran.stdout).toMatch(/^ {2}:tenant +not given\n +there are: 1 \(acme\), 2 \(other\)$/m)
      expect(ran.stdout).toContain('→ one of: --param tenant=1 (acme), --param tenant=2 (other)\n')
    })

    it.each([
      ['without a database', [], /^--database-url \(or DATABASE_URL\) is not set/],
      [
        'with a value of the wrong type',
        ['--database-url', UNREACHABLE, '--source', 'fider', '--param', 'tenant=x'],
        /^--param tenant: "x" is not an integer/,
      ],
      [
        'with an unknown mapping',
        ['--database-url', UNREACHABLE, '--source', 'fidr'],
        /^--source: no built-in mapping "fidr"/,
      ],
      ['with an unknown option', ['--snapshots', 'x'], /^unknown option '--snapshots'/],
      ['with an argument', ['fider'], /"fider"/],
    ])('exits 2 %s', async (_, args, message) => {
      const ran = await run(['check', ...args])
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(failureOf(ran).replace(/^analytics-build: /, '')).toMatch(message)
    })

    it('exits 2 when the mapping file cannot be read as one, naming the line', async () => {
      const ran = await checkMine(small, mappingText({}, '-- section colours', 'SELECT 1'))
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(failureOf(ran)).toMatch(/mine\.sql:2: no section "colours"; allowed: users, /)
    })

    describe('as JSON', () => {
      const SCREENS: readonly [what: string, () => Promise<[readonly string[], number]>][] = [
        ['a good source', async () => [[reader(small)], 0]],
        ['a role that may read nothing', async () => [[as('nobody', small)], 3]],
        ['a parameter that is missing', async () => [[site, '--source', 'fider'], 3]],
        [
          'a mapping that does not say what it reads',
          async () => [[small, '--source', mappingFile(mappingText({ users: 'SELECT 1 AS id' }))], 3],
        ],
      ]
      it.each(SCREENS)('is one object with what the screen says: %s', async (_, given) => {
        const [[to = '', ...args], code] = await given()
        const json = await check(to, ...args, '--json')
        const screen = await check(to, ...args)
        expect({ code: json.code, stderr: json.stderr }).toEqual({ code, stderr: '' })
        expect(screen.code).toBe(code)
        expect(json.stdout.trimEnd().split('\n')).toHaveLength(1)
        const { target, ...report } = JSON.parse(json.stdout) as CheckReport & { target: string }
        const withoutTime = (text: string): string => text.replace(/ at \d{4}-\S+Z/, '')
        expect(withoutTime(screen.stdout)).toBe(withoutTime(checkText(report, target)))
        expect(target).toMatch(/\/(?:small|site)$/)
      })
    })
  })

  describe('check, in the middle', () => {
    const SLEEPS = mappingText({ users: `SELECT 1 AS id, now() AS created_at FROM pg_sleep(120)` })
    const sessions = (): Promise<string> =>
      sql(`SELECT count(*) FROM pg_stat_activity WHERE application_name = 'analytics-build'`, 'postgres')
    const asleep = (): Promise<string> =>
      sql(
        `SELECT pid FROM pg_stat_activity WHERE application_name = 'analytics-build' AND wait_event = 'PgSleep'`,
        'postgres',
      )
    afterEach(async () => {
      await sql(
        `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'analytics-build'`,
        'postgres',
      )
    })

    it('is ended by Ctrl-C: 130, and no session stays', async () => {
      const { child, done } = begin(['check', '--database-url', reader(small), '--source', mappingFile(SLEEPS)])
      onTestFinished(() => void child.kill('SIGKILL'))
      await expect.poll(asleep, { timeout: 20_000, interval: 50 }).not.toBe('')
      const startMs = performance.now()
      child.kill('SIGINT')
      const ran = await done
      expect(performance.now() - startMs).toBeLessThan(5000)
      expect(ran).toMatchObject({ code: 130, stdout: '' })
      expect(logOf(ran)).toEqual([
        expect.objectContaining({ level: 'warn', message: expect.stringMatching(/^interrupted/) as string }),
      ])
      await expect.poll(sessions, { timeout: 15_000, interval: 100 }).toBe('0')
    })

    it('gives one query two thirds of --deadline: the section is a finding, the rest is said', async () => {
      const ran = await checkMine(reader(small), SLEEPS, '--deadline', '6s')
      expect(ran.code).toBe(3)
      expect(ran.stdout).toMatch(
        /ERROR +section users: canceling statement due to statement timeout;[^]*two thirds of --deadline/,
      )
      expect(ran.stdout).toMatch(/^ {2}users +- /m)
      expect(ran.stdout).toMatch(/^ {2}comments +1,000 /m)
    })

    it('keeps --deadline', async () => {
      // One query may take two thirds of it, a second one not.
      const users = 'SELECT 1 AS id, now() AS created_at FROM pg_sleep(120)'
      const sleeps = mappingText({
        users,
        votes: `SELECT id AS idea_id, id AS user_id, 1 AS value, now() FROM (${users}) u`,
      })
      const ran = await checkMine(reader(small), sleeps, '--deadline', '2s')
      expect(ran).toMatchObject({ code: 3, stdout: '' })
      expect(failureOf(ran)).toMatch(/^the check took longer than --deadline 2s; raise it/)
      expect(ran.ms).toBeLessThan(8000)
    })
  })
})
