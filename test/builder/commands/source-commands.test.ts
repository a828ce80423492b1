// What the commands about a source have in common, and `init` and `grants`: what they print and where, which exit code
// they end with, and what they leave behind.
// long test: a program for each odd name and file
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { parseMappingFile } from '../../../src/source/mapping/file-format.ts'
import { builtInMappings, openMapping } from '../../../src/source/mapping/mapping.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { begin, failureOf, logOf, PROGRAM, run, runIn } from '../build-program.ts'
import { FIDER, UNREACHABLE, fider, mappingText, mappingFile, sourcePlatforms } from './source-platforms.ts'

describeWithPostgres('analytics-build', (postgres) => {
  const { made, reader, database, check } = sourcePlatforms(postgres)
  let small: string
  let site: string
  beforeAll(() => void ({ small, site } = made()))

  describe('whatever the command,', () => {
    const COMMANDS: readonly [name: string, args: () => readonly string[]][] = [
      ['check', () => ['check', '--json']],
      ['init', () => ['init', '--output', '-']],
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
        /^analytics-build: NAME: there is no built-in mapping "nope"; there are: astuto, consul, decidim, discourse, fider, gitlab, govocal, logchimp, native, plane, talkyard\. For the template under that name give --output too: analytics-build init nope --output nope\.sql$/,
      ],
      ['ab', /"ab"; there are: /],
    ])('writes nothing of %s, which no mapping is called', async (name, why) => {
      const folder = temporaryFolder()
      const ran = await runIn(folder, ['init', name], { DATABASE_URL: UNREACHABLE })
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(failureOf(ran)).toMatch(why)
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
          /^wrote fider\.sql\n {2}the database looks like fider: 7 of 7 tables and 34 of 34 columns that its mapping reads\n/,
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
          `${fider('schema.sql')}; ALTER TABLE posts DROP is_approved; ALTER TABLE comments DROP deleted_at`,
        )
        const file = join(temporaryFolder(), 'old.sql')
        const { stdout } = await run(['init', '--database-url', to, '--output', file])
        expect(stdout).toContain(
          'looks like fider, an older or newer version: 7 of 7 tables and 33 of 34 columns that its mapping reads\n',
        )
        expect(stdout).toContain('\n  not there: comments.deleted_at\n')
        expect(stdout).toContain('\nnext: change what reads that (the head of the file lists it), then ')
        expect(readFileSync(file, 'utf8').split('\n').slice(0, 4)).toEqual([
          '-- mapping: fider',
          expect.stringContaining('the database lacks what follows'),
          '--   comments.deleted_at',
          expect.stringContaining('-- Fider (fider.io)'),
        ])
        const checked = await check(to, '--source', file, '--param', 'tenant=1')
        expect(checked.code).toBe(3)
        expect(checked.stdout).toContain('column comments.deleted_at does not exist')
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
          /^wrote my-platform\.sql\n {2}the template: the database looks like no platform that is built in\n/,
        )
        const text = readFileSync(join(folder, 'my-platform.sql'), 'utf8')
        expect(text).toMatch(
          /^--\W+suggestions\("Id" uuid, "createdAt" timestamp\(3\) without time zone, title character varying\(80\),(?:\n--)?\s+"?order"? integer\)$/m,
        )
        expect(text).toMatch(/^--\W+crm\.customers\(id bigint\)$/m)
        expect(text).toMatch(/^--\W+best\(title character varying\(80\)\)$/m)
        expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(125)
        // It does not fit before it is changed, but it is a mapping.
        const checked = await runIn(folder, ['check', '--source', './my-platform.sql'], { DATABASE_URL: to })
        expect(checked).toMatchObject({ code: 3, stderr: '' })
        expect(checked.stdout).toContain('section users, in "')
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
          `analytics-build: --output: ${file} is there already: remove it, or give another name`,
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

    it.each(['../evil', 'a/b', 'a.sql', '', ' ', 'ä', 'a b', 'a\nb', 'x'.repeat(65), '.', '..'])(
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

    it('without a name and a database says what to give', async () => {
      const ran = await run(['init'])
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(failureOf(ran)).toMatch(
        /without NAME, init looks at the tables of a database: set --database-url \(or DATABASE_URL\), or give NAME$/,
      )
    })
  })

  describe('grants', () => {
    it('needs no database where the mapping says what it reads', async () => {
      expect(await run(['grants'], { DATABASE_URL: UNREACHABLE })).toMatchObject({ code: 0, stderr: '' })
    })

    it('exits 2 where the mapping does not say, and names the command that proposes it', async () => {
      const file = mappingFile(mappingText())
      const ran = await run(['grants', '--source', file])
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(failureOf(ran)).toBe(
        `analytics-build: ${file} has no "-- requires TABLE(column, …)" lines, which say what its role may read; add those that this proposes: analytics-build check --source ${file}`,
      )
    })

    // What a role may be called all the same: test/source/mapping/role-script.test.ts.
    it.each(['y'.repeat(64), 'one\nDROP TABLE votes;'])('refuses a role called %j', async (role) => {
      const ran = await run(['grants', '--role', role])
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(failureOf(ran)).toMatch(/--role <NAME>' .*Allowed: /)
    })
  })
})
