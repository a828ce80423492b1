// The commands about a source, as an operator types them: what they print and where, which exit code they end with, and
// what they leave behind.
import { escapeIdentifier, escapeLiteral } from 'pg'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { packagePath } from '../../../src/process/package-root.ts'
import type { CheckReport } from '../../../src/source/check/check.ts'
import { parseMappingFile } from '../../../src/source/mapping/file-format.ts'
import { builtInMappings, openMapping } from '../../../src/source/mapping/mapping.ts'
import { RELATIONS, type Relation } from '../../../src/source/mapping/relations.ts'
import { temporaryFolder } from '../../release/sample-release.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { begin, failureOf, logOf, PROGRAM, run, type Ran } from '../build-program.ts'
import { createSmallPlatform } from '../small-platform.ts'

const NATIVE = openMapping('native')
const FIDER = openMapping('fider')
const UNREACHABLE = 'postgresql://stats:S3CRET@127.0.0.1:1/ideas'
const fider = (file: string): string => readFileSync(packagePath('test', 'platforms', 'fider', file), 'utf8')
const native = (file: string): string =>
  readFileSync(packagePath('src', 'source', 'mapping', 'built-in', 'native', file), 'utf8')

/** The native mapping without its `requires` lines, below other lines, with some sections in place of its own. */
function mappingText(sections: Partial<Record<Relation, string>> = {}, ...head: readonly string[]): string {
  const all: Readonly<Record<string, string>> = { ...Object.fromEntries(NATIVE.file.sections), ...sections }
  const lines = RELATIONS.map((relation) => `-- section ${relation}\n${all[relation]}\n`)
  return ['-- mapping: mine', ...head, ...lines].join('\n')
}

/** A file that goes with the test. */
function mappingFile(text: string): string {
  const file = join(temporaryFolder(), 'mine.sql')
  writeFileSync(file, text)
  return file
}

/** In a folder of the test's own, where a command writes when it is not told where. */
async function runIn(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  return begin(args, env, { cwd: folder }).done
}

describeWithPostgres('analytics-build', (postgres) => {
  let small: string
  let site: string
  let empty: string
  let home: string
  const as = (role: string, to: string): string => to.replace('//postgres@', `//${role}@`)
  const reader = (to: string): string => as('analytics_reader', to)
  const sql = (text: string, database: string): Promise<string> => postgres().psql(text, database)
  let databases = 0
  /** A database of one test's own. */
  const database = async (text: string): Promise<{ name: string; to: string }> => {
    const name = `own_${++databases}`
    const to = await postgres().createDatabase(name)
    onTestFinished(async () => void (await sql(`DROP DATABASE ${name} WITH (FORCE)`, 'postgres')))
    await sql(text, name)
    return { name, to }
  }
  const check = (to: string, ...args: readonly string[]): Promise<Ran> => run(['check', '--database-url', to, ...args])
  const checkMine = (to: string, text: string, ...args: readonly string[]): Promise<Ran> =>
    check(to, '--source', mappingFile(text), ...args)

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'source-commands-'))
    small = await createSmallPlatform(postgres(), 'small')
    // Nobody votes twice: a good source has no finding.
    await sql(
      'DELETE FROM votes a USING votes b WHERE (a.idea_id, a.user_id) = (b.idea_id, b.user_id) AND a.ctid > b.ctid; ANALYZE',
      'small',
    )
    site = await postgres().createDatabase('site')
    await sql(`${fider('schema.sql')}\n${fider('seed.sql')}\nANALYZE`, 'site')
    empty = await postgres().createDatabase('empty')
    for (const [source, name] of [
      ['native', 'small'],
      ['fider', 'site'],
    ] as const)
      await sql((await run(['grants', '--source', source])).stdout, name)
    await sql(
      `CREATE ROLE locked LOGIN PASSWORD 'S3CRET' IN ROLE password_required; CREATE ROLE nobody LOGIN`,
      'postgres',
    )
  })
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  describe('check', () => {
    it('of a good source exits 0 and says so on the screen', async () => {
      const ran = await check(reader(small))
      expect(ran).toMatchObject({ code: 0, stderr: '' })
      expect(ran.stdout).toMatch(
        /^check of mapping native on analytics_reader@127\.0\.0\.1:\d+\/small\n {2}server +PostgreSQL 1/,
      )
      expect(ran.stdout).toMatch(/^ {2}ideas +150 {3}id int8, title text, created_at timestamptz, launched bool,$/m)
      expect(ran.stdout).toMatch(/^ {2}newest ideas +"Idea 1 second line" {2}\/ideas\/1$/m)
      expect(ran.stdout).toMatch(
        /^ {2}would publish +300 users, 150 ideas \(50 launched, 9 without category\), [\d,]+ votes, 1,000 comments, /m,
      )
      expect(ran.stdout).toMatch(/^ {2}skipped +25 ideas: launched without a date$/m)
      expect(ran.stdout).toMatch(/^ {2}a build reads +about \d/m)
      expect(ran.stdout).toMatch(/\n0 errors, 0 warnings: ready to build\n$/)
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
        const report = JSON.parse(json.stdout) as CheckReport
        const errors = report.findings.filter(({ level }) => level === 'error').length
        expect(screen.stdout).toMatch(
          new RegExp(`\\n${errors} errors?, ${report.findings.length - errors} warnings?: [a-z ]+\\n$`),
        )
        expect(screen.stdout).toContain(`check of mapping ${report.mapping} on `)
        for (const { problem, fix } of report.findings) {
          // Broken where the screen ends.
          expect(screen.stdout.replaceAll(/\s+/g, ' ')).toContain(problem)
          for (const line of fix.split('\n')) expect(screen.stdout).toContain(line)
        }
        for (const { relation, rows } of report.sections)
          expect(screen.stdout).toMatch(new RegExp(`^  ${relation} +${rows?.toLocaleString('en') ?? '-'}   `, 'm'))
        for (const { url } of report.samples) expect(screen.stdout).toContain(url)
        for (const { reason } of report.ignored) expect(screen.stdout).toContain(reason)
        for (const { name, value } of report.params) expect(screen.stdout).toContain(`:${name}${value ?? ''}`)
        expect(screen.stdout.includes('would publish')).toBe(report.totals !== null)
        expect(screen.stdout.includes('a build reads')).toBe(report.cost !== null)
      })

      it('names the database', async () => {
        expect((await check(reader(small), '--json')).stdout).toContain('/small')
      })
    })

    describe('fits a screen', () => {
      const LONG = `SELECT id, repeat('日本', 40) AS title, created_at, launched, launched_at, repeat('/long', 50) AS url, author_id, status FROM ideas`
      const CASES: readonly [what: string, () => Promise<Ran>][] = [
        ['a platform with a parameter', () => check(site, '--source', 'fider', '--param', 'tenant=1')],
        ['a required parameter', () => check(site, '--source', 'fider')],
        ['a role that may read nothing', () => check(as('nobody', small))],
        ['a good source', () => check(reader(small))],
        ['an empty database', () => check(empty)],
        ['the wrong mapping', () => check(small, '--source', 'decidim', '--param', 'organization=1')],
        ['a role that may read nothing of a large mapping', () => check(as('nobody', site), '--source', 'fider')],
        ['a mapping that does not say what it reads', () => checkMine(small, mappingText())],
        ['long titles and addresses', () => checkMine(small, mappingText({ ideas: LONG }))],
        [
          'sections with every mistake',
          () =>
            checkMine(
              small,
              mappingText({
                users: 'SELECT 1 AS a, 2 AS b',
                ideas: 'SELEC',
                votes: 'SELECT * FROM nowhere',
                comments: 'SELECT *, 1 AS x FROM comments',
              }),
            ),
        ],
        [
          'several sites',
          async () => {
            const { to } = await database(
              `${native('schema.sql')}; ALTER TABLE ideas ADD tenant_id int;
               INSERT INTO ideas (id, title, created_at, tenant_id) SELECT n, 'Idea', now() - interval '1 day', n FROM generate_series(1, 9) n`,
            )
            return check(to)
          },
        ],
      ]
      /** A line to be pasted stays whole. */
      const PASTED = /^ {8}(?:→| ) (?:GRANT|ALTER|CREATE|REVOKE|ANALYZE|--) /
      it.each(CASES)('of 120 columns and about 50 lines: %s', async (_, ran) => {
        const { stdout } = await ran()
        const lines = stdout.trimEnd().split('\n')
        expect(lines.length).toBeGreaterThan(5)
        expect(lines.length).toBeLessThanOrEqual(55)
        expect(lines.filter((line) => !PASTED.test(line) && Array.from(line).length > 120)).toEqual([])
      })
    })

    describe('lets nothing of the database at the terminal:', () => {
      const NOT_TEXT = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
      const NASTY = 'a\u001B[2J\u001B]0;owned\u0007\u009B31m\u202Eb\rc\nd'
      const nasty = escapeLiteral(NASTY)
      const idea = (columns: Readonly<Record<string, string>>): string => {
        const all: Record<string, string> = {
          id: '1',
          title: `'One'`,
          created_at: `now() - interval '1 day'`,
          launched: 'false',
          launched_at: 'NULL::timestamptz',
          url: 'NULL',
          author_id: 'NULL',
          status: 'NULL',
          ...columns,
        }
        return `SELECT ${Object.entries(all)
          .map(([name, value]) => `${value} AS ${name}`)
          .join(', ')}`
      }
      const users = (columns: string): Partial<Record<Relation, string>> => ({ users: `SELECT ${columns}` })
      const CASES: readonly [what: string, () => string, shows: RegExp][] = [
        ['titles', () => mappingText({ ideas: idea({ title: nasty }) }), /newest ideas +"a/],
        ['addresses', () => mappingText({ ideas: idea({ url: nasty }) }), /newest ideas +"One"/],
        [
          'ids',
          () => mappingText({ ideas: `${idea({ id: nasty })} UNION ALL ${idea({ id: nasty })}` }),
          /ERROR +rows: /,
        ],
        [
          'ideas that somebody votes for twice',
          () =>
            mappingText({
              ideas: idea({ id: nasty }),
              votes: `SELECT ${nasty} AS idea_id, 1 AS user_id, 1 AS value, now() AS created_at FROM generate_series(1, 2)`,
            }),
          /several votes on an idea/,
        ],
        [
          'names of columns',
          () => mappingText(users(`1 AS id, now() AS created_at, 1 AS ${escapeIdentifier(NASTY.replace('\n', ' '))}`)),
          /is not one of users/,
        ],
        [
          'values in what the server says',
          () => mappingText(users(`${nasty}::int AS id, now() AS created_at`)),
          /ERROR +section users, line \d+: invalid input syntax|ERROR +section users: invalid input syntax/,
        ],
        [
          'choices',
          () =>
            mappingText(
              users(`1 AS id, now() - interval '1 day' AS created_at WHERE :p <> ''`),
              '-- param p : text = x',
              `-- choices p\nSELECT 'x' AS value, ${nasty.replace('\n', "' || chr(10) || '")} AS label`,
            ),
          /:p +x/,
        ],
      ]
      it.each(CASES)('%s', async (_, text, shows) => {
        const { stdout } = await checkMine(small, text())
        expect(stdout).toMatch(shows)
        expect(NOT_TEXT.exec(stdout)).toBeNull()
      })

      it('sites', async () => {
        const { to } = await database(`CREATE TABLE ideas (tenant_id text); INSERT INTO ideas VALUES (${nasty}), ('b')`)
        const { stdout } = await checkMine(to, mappingText({ ideas: `${idea({})} FROM ideas` }))
        expect(stdout).toMatch(/ERROR +tenants: ideas\.tenant_id holds 2 values/)
        expect(NOT_TEXT.exec(stdout)).toBeNull()
      })
    })
  })

  describe('whatever the command,', () => {
    const COMMANDS: readonly [name: string, args: () => readonly string[]][] = [
      ['check', () => ['check', '--json']],
      ['init', () => ['init', '--output', '-']],
      ['grants', () => ['grants', '--source', mappingFile(mappingText())]],
    ]
    const locked = (password: string): string => small.replace('//postgres@', `//locked:${password}@`)

    it.each(COMMANDS)('%s exits 3 when nothing listens there', async (_, args) => {
      const ran = await run([...args(), '--database-url', UNREACHABLE])
      expect(ran).toMatchObject({ code: 3, stdout: '' })
      expect(failureOf(ran)).toMatch(
        /^cannot connect to stats@127\.0\.0\.1:1\/ideas: .*ECONNREFUSED.*nothing listens there/,
      )
      expect(ran.stderr).not.toContain('S3CRET')
    })

    it.each(COMMANDS)('%s exits 3 for a wrong password, and shows none', async (_, args) => {
      const ran = await run([...args(), '--database-url', locked('WR0NG')])
      expect(ran).toMatchObject({ code: 3, stdout: '' })
      expect(failureOf(ran)).toMatch(
        /password authentication failed for user "locked".*; check the user and the password/,
      )
      expect(ran.stderr).not.toContain('WR0NG')
    })

    it.each(COMMANDS)('%s shows no password that is right', async (_, args) => {
      const ran = await run(args(), { DATABASE_URL: locked('S3CRET') })
      expect([0, 3]).toContain(ran.code)
      expect(ran.stdout.length).toBeGreaterThan(100)
      expect(ran.stdout + ran.stderr).not.toContain('S3CRET')
    })

    it.each(COMMANDS)('%s exits 2 for what is no address, and shows none of it', async (_, args) => {
      const ran = await run([...args(), '--database-url', 'postgresql://me:S3CR@ET/x@db/ideas'])
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(ran.stderr).not.toContain('S3CR')
      expect(failureOf(ran)).toContain('%40')
    })

    it.each(COMMANDS)('%s warns of a connection that is not verified', async (_, args) => {
      const ran = await run([...args(), '--database-url', `${small}?sslmode=require`])
      expect(logOf(ran)[0]).toMatchObject({
        level: 'warn',
        message: expect.stringMatching(/^sslmode=require encrypts/) as string,
      })
    })
  })

  describe('init', () => {
    const written = async (folder: string): Promise<string[]> => (await readdir(folder)).sort()

    it.each(builtInMappings())('%s: a copy, beside what to do next', async (name) => {
      const folder = temporaryFolder()
      // Nobody is asked when the name is given.
      const ran = await runIn(folder, ['init', name], { DATABASE_URL: UNREACHABLE })
      expect(ran).toMatchObject({ code: 0, stderr: '' })
      expect(await written(folder)).toEqual([`${name}.sql`])
      const text = readFileSync(join(folder, `${name}.sql`), 'utf8')
      expect(text).toBe(openMapping(name).text)
      const required = openMapping(name).file.params.filter((param) => param.default === null)
      const params = required.map((param) => ` --param ${param.name}=VALUE`).join('')
      expect(ran.stdout).toBe(
        `wrote ${name}.sql\n  a copy of the built-in mapping, to be changed\nnext: node ${PROGRAM} check --source ./${name}.sql${params}\n`,
      )
    })

    it.each([
      [
        'nope',
        /^analytics-build: NAME: there is no built-in mapping "nope"; there are: astuto, decidim, discourse, fider, logchimp, native\. For the template under that name give --output too: analytics-build init nope --output nope\.sql$/,
      ],
      ['fidder', /there is no built-in mapping "fidder"; did you mean fider\? There are: astuto, /],
      ['Fider', /did you mean fider\?/],
      ['decdiim', /did you mean decidim\?/],
      ['dicsourse', /did you mean discourse\?/],
      ['log', /did you mean logchimp\?/],
      ['discourse-topic-voting', /did you mean discourse\?/],
      ['nativ', /did you mean native\?/],
      ['ab', /"ab"; there are: /],
    ])('writes nothing of %s, which no mapping is called', async (name, why) => {
      const folder = temporaryFolder()
      const ran = await runIn(folder, ['init', name], { DATABASE_URL: UNREACHABLE })
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(failureOf(ran)).toMatch(why)
      expect(await written(folder)).toEqual([])
    })

    it('writes nothing of a mistyped platform with --output either', async () => {
      const folder = temporaryFolder()
      const ran = await runIn(folder, ['init', 'fidder', '--output', 'fider.sql'])
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(await written(folder)).toEqual([])
    })

    it('of a name that no mapping has, with --output: the template under that name, with the five questions', async () => {
      const folder = temporaryFolder()
      const ran = await runIn(folder, ['init', 'My_Platform-2', '--output', 'My_Platform-2.sql'])
      expect(ran).toMatchObject({ code: 0, stderr: '' })
      expect(ran.stdout).toContain('  the template: no built-in mapping is called My_Platform-2\n')
      const text = readFileSync(join(folder, 'My_Platform-2.sql'), 'utf8')
      expect(parseMappingFile('x', text)).toMatchObject({ name: 'My_Platform-2', params: [], requires: [] })
      for (const asked of ['logged-out visitor', 'launched', 'category', 'UTC', 'Several sites'])
        expect(text).toContain(asked)
      expect(text).not.toMatch(/TABLES|NAME\b.*mapping: NAME/)
    })

    describe('without a name asks the database:', () => {
      it('says that it is Fider and why, and what it writes is accepted by check', async () => {
        const folder = temporaryFolder()
        const ran = await runIn(folder, ['init'], { DATABASE_URL: site })
        expect(ran).toMatchObject({ code: 0, stderr: '' })
        expect(ran.stdout).toMatch(
          /^wrote fider\.sql\n {2}the database looks like fider: 7 of 7 tables and 36 of 36 columns that its mapping reads\n/,
        )
        expect(ran.stdout).toMatch(
          /\n {2}the next nearest is \w+: \d+ of \d+ tables and \d+ of \d+ columns that its mapping reads\n/,
        )
        expect(ran.stdout).toMatch(
          /\nnext: node \S+analytics-build\.js check --source \.\/fider\.sql --param tenant=VALUE\n$/,
        )
        const checked = await runIn(folder, ['check', '--source', './fider.sql', '--param', 'tenant=1'], {
          DATABASE_URL: reader(site),
        })
        expect(checked.code).toBe(0)
        expect(checked.stdout).toMatch(/\n0 errors, 0 warnings: ready to build\n$/)
        expect(checked.stdout).toMatch(/would publish +4 users, 7 ideas \(2 launched, /)
      })

      it('of an older Fider says what it lacks', async () => {
        const { to } = await database(
          `${fider('schema.sql')}; ALTER TABLE posts DROP is_approved; ALTER TABLE comments DROP is_approved`,
        )
        const { stdout } = await run(['init', '--database-url', to, '--output', join(temporaryFolder(), 'old.sql')])
        expect(stdout).toContain('looks like fider: 7 of 7 tables and 34 of 36 columns')
        expect(stdout).toContain('\n  not there: posts.is_approved, comments.is_approved; an older version?\n')
      })

      it('of the native tables says so', async () => {
        const file = join(temporaryFolder(), 'copy.sql')
        const ran = await run(['init', '--database-url', reader(small), '--output', file])
        expect(ran.stdout).toMatch(/ the database looks like native: 6 of 6 tables and 21 of 21 columns/)
        const checked = await check(reader(small), '--source', file)
        expect(checked).toMatchObject({ code: 0, stderr: '' })
      })

      it('of any other writes the template with its tables', async () => {
        const folder = temporaryFolder()
        const { to } = await database(`
          CREATE TABLE suggestions ("Id" uuid, "createdAt" timestamp(3), title varchar(80), "order" int);
          CREATE SCHEMA crm; CREATE TABLE crm.customers (id bigint);
          CREATE VIEW best AS SELECT title FROM suggestions`)
        const ran = await runIn(folder, ['init'], { DATABASE_URL: to })
        expect(ran).toMatchObject({ code: 0, stderr: '' })
        expect(ran.stdout).toMatch(
          /^wrote my-platform\.sql\n {2}the template: the database looks like no platform that is built in; the nearest, /,
        )
        const text = readFileSync(join(folder, 'my-platform.sql'), 'utf8')
        expect(text).toMatch(
          /^--\W+suggestions\("Id" uuid, "createdAt" timestamp, title varchar, "?order"? integer\)$/m,
        )
        expect(text).toMatch(/^--\W+crm\.customers\(id bigint\)$/m)
        expect(text).toMatch(/^--\W+best\(title varchar\)$/m)
        expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(125)
        // It does not fit before it is changed, but it is a mapping.
        const checked = await runIn(folder, ['check', '--source', './my-platform.sql'], { DATABASE_URL: to })
        expect(checked).toMatchObject({ code: 3, stderr: '' })
        expect(checked.stdout).toContain('ERROR   section users, line 3: relation "users" does not exist')
      })

      it('of an empty one, too', async () => {
        const ran = await run(['init', '--database-url', empty, '--output', '-'])
        expect(ran).toMatchObject({ code: 0, stderr: '' })
        expect(parseMappingFile('x', ran.stdout).name).toBe('my-platform')
      })

      it('of a very large one lists what fits', async () => {
        const { to } = await database(`
          DO $$ BEGIN FOR i IN 1..200 LOOP EXECUTE format('CREATE TABLE t%s (id int)', lpad(i::text, 3, '0')); END LOOP; END $$;
          CREATE TABLE a_wide_one (id int);
          DO $$ BEGIN FOR i IN 1..300 LOOP EXECUTE format('ALTER TABLE a_wide_one ADD c%s numeric(12, 2)', i); END LOOP; END $$`)
        const { stdout } = await run(['init', '--database-url', to, '--output', '-'])
        expect(stdout).toMatch(/^--\W+a_wide_one\(id integer, c1 /m)
        expect(stdout).toMatch(/^--\W+t079\(id integer\)$/m)
        expect(stdout).not.toContain('t080(')
        expect(stdout).toMatch(/^-- and 121 more tables$/m)
        expect(stdout.split('\n').every((line) => line.length <= 125)).toBe(true)
      })

      it.each([
        'mapping: x',
        'a\nSELECT 1',
        'a\r\n-- section users',
        'a\u2028b',
        'quote"d',
        '*/ ; --',
        'select',
        'section users',
        'section',
        'param',
        'requires',
        'choices',
      ])('with a table and columns called %j: a mapping still', async (name) => {
        const columns = Array.from({ length: 30 }, (_, i) => `${escapeIdentifier(`${name}${i === 0 ? '' : i}`)} int`)
        const { to } = await database(`CREATE TABLE ${escapeIdentifier(name)} (${columns.join()})`)
        const { code, stdout } = await run(['init', '--database-url', to, '--output', '-'])
        expect(code).toBe(0)
        const file = parseMappingFile('x', stdout)
        expect(file).toMatchObject({ name: 'my-platform', params: [], requires: [] })
        expect([...file.sections.keys()]).toEqual(RELATIONS)
        expect([...file.sections.values()]).toEqual([
          ...parseMappingFile('x', (await run(['init', 'x', '--output', '-'])).stdout).sections.values(),
        ])
      })
    })

    describe('writes', () => {
      it('where --output says, over folders', async () => {
        const folder = temporaryFolder()
        mkdirSync(join(folder, 'deep'))
        const ran = await runIn(folder, ['init', 'fider', '--output', 'deep/mine.sql'])
        expect(ran.code).toBe(0)
        expect(ran.stdout).toMatch(
          /^wrote deep\/mine\.sql\n[^]*next: node \S+analytics-build\.js check --source deep\/mine\.sql --param tenant=VALUE\n$/,
        )
        expect(readFileSync(join(folder, 'deep/mine.sql'), 'utf8')).toBe(FIDER.text)
        expect(await written(folder)).toEqual(['deep'])
      })

      it('with - to standard output, nothing but the file', async () => {
        const folder = temporaryFolder()
        const ran = await runIn(folder, ['init', 'fider', '--output', '-'])
        expect(ran).toMatchObject({ code: 0, stdout: FIDER.text, stderr: '' })
        expect(await written(folder)).toEqual([])
      })

      it.each([
        ['by default', ['init', 'fider'], 'fider.sql'],
        ['with --output', ['init', 'fider', '--output', 'other.sql'], 'other.sql'],
        ['without a name', ['init'], 'fider.sql'],
      ])('never over a file that exists: %s', async (_, args, file) => {
        const folder = temporaryFolder()
        writeFileSync(join(folder, file), 'mine')
        const ran = await runIn(folder, args, { DATABASE_URL: site })
        expect(ran).toMatchObject({ code: 2, stdout: '' })
        expect(failureOf(ran)).toBe(
          `analytics-build: --output: ${file} exists; give another name, or - for standard output`,
        )
        expect(readFileSync(join(folder, file), 'utf8')).toBe('mine')
      })

      it('never through a link that leads to nothing', async () => {
        const folder = temporaryFolder()
        symlinkSync(join(folder, 'target.sql'), join(folder, 'fider.sql'))
        expect(await runIn(folder, ['init', 'fider'])).toMatchObject({ code: 2, stdout: '' })
        expect(await written(folder)).toEqual(['fider.sql'])
      })

      it('nothing where a folder stands, or none does', async () => {
        const folder = temporaryFolder()
        mkdirSync(join(folder, 'fider.sql'))
        const over = await runIn(folder, ['init', 'fider'])
        expect(over).toMatchObject({ code: 2, stdout: '' })
        const beside = await runIn(folder, ['init', 'fider', '--output', 'none/x.sql'])
        expect(beside).toMatchObject({ code: 2, stdout: '' })
        expect(failureOf(beside)).toMatch(/--output: cannot write none\/x\.sql: ENOENT/)
      })

      // Permissions do not bind root while it may override them (capabilities(7)); util-linux is on every Linux.
      const asAnybody = process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override'] : []
      it('nothing in a folder that may not be written to', async () => {
        const folder = temporaryFolder()
        execFileSync('chmod', ['a-w', folder])
        onTestFinished(() => void execFileSync('chmod', ['u+w', folder]))
        const ran = await begin(['init', 'fider'], {}, { cwd: folder }, asAnybody).done
        expect(ran).toMatchObject({ code: 2, stdout: '' })
        expect(failureOf(ran)).toMatch(/--output: cannot write fider\.sql: EACCES/)
        expect(await written(folder)).toEqual([])
      })
    })

    it.each(['../evil', 'a/b', 'a.sql', '', ' ', 'ä', 'a b', 'x'.repeat(65), '.', '..'])(
      'refuses the name %j',
      async (name) => {
        const folder = temporaryFolder()
        const ran = await runIn(folder, ['init', name], { DATABASE_URL: site })
        expect(ran).toMatchObject({ code: 2, stdout: '' })
        expect(failureOf(ran)).toMatch(
          /^analytics-build: NAME: ".*" is not allowed; allowed: 1 to 64 of A-Z a-z 0-9 _ -$/,
        )
        expect(await written(folder)).toEqual([])
      },
    )

    it('refuses a name with a line break in one line', async () => {
      const ran = await run(['init', 'a\nb'])
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(failureOf(ran)).toMatch(/is not allowed; allowed: 1 to 64 of A-Z a-z 0-9 _ -$/)
    })

    it('without a name and a database says what to give', async () => {
      const ran = await run(['init'])
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(failureOf(ran)).toMatch(
        /without NAME, init looks at the tables of a database: set --database-url \(or DATABASE_URL\), or give NAME$/,
      )
    })
  })

  describe('grants', () => {
    const readable = async (role: string, name: string): Promise<string> =>
      sql(
        `SELECT c.relname || '.' || a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
          WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND has_column_privilege(${escapeLiteral(role)}, c.oid, a.attnum, 'SELECT')
          ORDER BY 1`,
        name,
      )

    it('prints a script that psql runs, twice, and that grants what the mapping reads and no more', async () => {
      const { name, to } = await database(`${fider('schema.sql')}; ${fider('seed.sql')}; ANALYZE`)
      const ran = await run(['grants', '--source', 'fider', '--role', 'fider_stats'])
      expect(ran).toMatchObject({ code: 0, stderr: '' })
      await sql(ran.stdout, name)
      await sql(ran.stdout, name)
      const required = FIDER.file.requires.flatMap(({ table, columns }) =>
        columns.map((column) => `${table}.${column}`),
      )
      expect((await readable('fider_stats', name)).split('\n')).toEqual([...required].sort())
      const checked = await check(as('fider_stats', to), '--source', 'fider', '--param', 'tenant=1')
      expect(checked.code).toBe(0)
      expect(checked.stdout).toMatch(/\n0 errors, 0 warnings: ready to build\n$/)
      expect(
        await sql(`SELECT rolcanlogin, rolsuper, rolconnlimit FROM pg_roles WHERE rolname = 'fider_stats'`, name),
      ).toBe('t|f|4')
    })

    it('needs no database where the mapping says what it reads', async () => {
      expect(await run(['grants'], { DATABASE_URL: UNREACHABLE })).toMatchObject({ code: 0, stderr: '' })
    })

    it('asks the database where the mapping does not say, and says that it did', async () => {
      const { name, to } = await database(native('schema.sql'))
      const file = mappingFile(mappingText())
      const ran = await run(['grants', '--source', file, '--role', 'guessed', '--database-url', to])
      expect(ran.code).toBe(0)
      expect(logOf(ran)).toEqual([
        expect.objectContaining({
          level: 'warn',
          message: `${file} has no "-- requires" lines: these grants are what its SELECTs read; review them`,
        }),
      ])
      await sql(ran.stdout, name)
      expect((await check(as('guessed', to), '--source', file)).code).toBe(0)
      const required = NATIVE.file.requires.flatMap(({ table, columns }) =>
        columns.map((column) => `${table}.${column}`),
      )
      expect((await readable('guessed', name)).split('\n')).toEqual([...required].sort())
    })

    it('asks the database, whose tables may be in a schema of the search_path', async () => {
      const { name, to } = await database(
        `CREATE SCHEMA polis; CREATE TABLE polis.users (id int, created_at timestamptz)`,
      )
      await sql(`ALTER DATABASE ${name} SET search_path = polis`, 'postgres')
      const idle =
        'SELECT NULL::int AS id, NULL::int AS idea_id, NULL::int AS user_id, NULL::timestamptz AS created_at WHERE false'
      const file = mappingFile(
        mappingText({
          ideas: `SELECT 1 AS id, 'One' AS title, now() AS created_at, false AS launched, NULL::timestamptz AS launched_at, NULL AS url, NULL AS author_id, NULL AS status WHERE false`,
          idea_categories: `SELECT 1 AS idea_id, 'x' AS category WHERE false`,
          votes: 'SELECT 1 AS idea_id, 1 AS user_id, 1 AS value, now() AS created_at WHERE false',
          comments: idle,
          categories: `SELECT 'x' AS name`,
        }),
      )
      const ran = await run(['grants', '--source', file, '--role', 'polis_reader', '--database-url', to])
      await sql(ran.stdout, name)
      const checked = await check(as('polis_reader', to), '--source', file)
      expect(checked.stdout).not.toContain('ERROR')
      expect(checked.code).toBe(0)
    })

    it('exits 2 where the mapping does not say, and no database does', async () => {
      const file = mappingFile(mappingText())
      const ran = await run(['grants', '--source', file])
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(failureOf(ran)).toBe(
        `analytics-build: ${file} has no "-- requires TABLE(column, …)" lines; add them, or set --database-url (or DATABASE_URL), which tells what its SELECTs read`,
      )
    })

    it.each([
      'plain',
      `o'Brien`,
      'the "reader"',
      'Öffentliche STATISTIK 日本',
      'x; DROP TABLE votes; --',
      '\\! touch owned',
      ':variable',
      '*/',
      'x'.repeat(63),
      'y'.repeat(64),
      'a$$b',
      'one\nDROP TABLE votes;',
    ])('for a role called %j: it makes that role, run once or twice, or is refused', async (role) => {
      const { name } = await database(native('schema.sql'))
      const ran = await run(['grants', '--role', role])
      if (ran.code === 2) {
        expect(failureOf(ran)).toMatch(/--role <NAME>' .*Allowed: /)
        return
      }
      expect(ran.code).toBe(0)
      await sql(ran.stdout, name)
      await sql(ran.stdout, name)
      expect(await sql(`SELECT count(*) FROM pg_roles WHERE rolname = ${escapeLiteral(role)}`, name)).toBe('1')
      expect(await sql(`SELECT has_column_privilege(${escapeLiteral(role)}, 'votes', 'idea_id', 'SELECT')`, name)).toBe(
        't',
      )
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
    const untilAsleep = async (): Promise<number> => {
      await expect.poll(asleep, { timeout: 20_000, interval: 50 }).not.toBe('')
      return Number(await asleep())
    }
    afterEach(async () => {
      await sql(
        `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'analytics-build'`,
        'postgres',
      )
    })

    it('is ended by Ctrl-C: 130, and no session stays', async () => {
      const { child, done } = begin(['check', '--database-url', reader(small), '--source', mappingFile(SLEEPS)])
      onTestFinished(() => void child.kill('SIGKILL'))
      await untilAsleep()
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

    it('keeps --statement-timeout: the section is a finding, the rest is said', async () => {
      const ran = await checkMine(reader(small), SLEEPS, '--statement-timeout', '500ms')
      expect(ran.code).toBe(3)
      expect(ran.stdout).toMatch(
        /ERROR +section users: canceling statement due to statement timeout;[^]*--statement-timeout/,
      )
      expect(ran.stdout).toMatch(/^ {2}users +- /m)
      expect(ran.stdout).toMatch(/^ {2}comments +1,000 /m)
    })

    it('keeps --deadline', async () => {
      const ran = await checkMine(reader(small), SLEEPS, '--deadline', '2s')
      expect(ran).toMatchObject({ code: 3, stdout: '' })
      expect(failureOf(ran)).toMatch(/^the check took longer than --deadline 2s; raise it/)
      expect(ran.ms).toBeLessThan(8000)
    })

    /** Runs while `pid` is stopped, as a machine that hangs. */
    const whileStopped = async (pid: number, work: () => Promise<Ran>): Promise<Ran> => {
      process.kill(pid, 'SIGSTOP')
      try {
        return await work()
      } finally {
        process.kill(pid, 'SIGCONT')
      }
    }

    it('keeps --deadline when the server stops while it is being connected to', async () => {
      const ran = await whileStopped(postgres().pid, () => check(reader(small), '--deadline', '2s'))
      expect(ran).toMatchObject({ code: 3, stdout: '' })
      expect(failureOf(ran)).toMatch(/^the check took longer than --deadline 2s; raise it/)
      expect(ran.ms).toBeLessThan(8000)
    })

    it('keeps --deadline when the session stops in the middle of a query', async () => {
      const { child, done } = begin([
        'check',
        '--database-url',
        reader(small),
        '--source',
        mappingFile(SLEEPS),
        '--deadline',
        '4s',
      ])
      onTestFinished(() => void child.kill('SIGKILL'))
      const ran = await whileStopped(await untilAsleep(), () => done)
      expect(ran).toMatchObject({ code: 3, stdout: '' })
      expect(failureOf(ran)).toMatch(/^the check took longer than --deadline 4s; raise it/)
      expect(ran.ms).toBeLessThan(10_000)
    })
  })
})
