// A check prints the lines that give a role what it lacks; running them is enough. Files: check.ts, sections.ts.
// long test: a database for each case
import { escapeIdentifier, escapeLiteral } from 'pg'
import type { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import type { CheckReport } from '../../../src/source/check/check.ts'
import type { MappingSource } from '../../../src/source/mapping/mapping.ts'
import { roleScript } from '../../../src/source/mapping/role-script.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { NATIVE, REQUIRES, PAST, native, tableless, check, errorsOf, about, usePlatform } from './checking.ts'

describeWithPostgres('a check that prints grants', (postgres) => {
  let url: string
  let admin: Client
  const { as, sql, database } = usePlatform(postgres, (platform) => ({ url, admin } = platform))

  describe('prints the lines that fix it', () => {
    let roles = 0
    /** A role that may log in, and nothing else. */
    const newRole = async (name = `nobody_${++roles}`): Promise<string> => {
      await admin.query(`CREATE ROLE ${escapeIdentifier(name)} LOGIN`)
      return name
    }
    const statements = (report: CheckReport): string[] => [
      ...new Set(
        report.findings
          .filter(({ level }) => level === 'error')
          .flatMap(({ fix }) => fix.split(/(?<=;) (?=GRANT)/))
          .filter((line) => /^(GRANT|ALTER)\b/.test(line)),
      ),
    ]
    /** Runs exactly what is printed, as long as something is; a server says one refusal at a time. */
    const applyFixes = async (
      to: string,
      name: string,
      source: MappingSource,
      rounds: number,
      path = 'public',
    ): Promise<CheckReport> => {
      let report = await check(to, source)
      expect(errorsOf(report)).not.toEqual([])
      for (let round = 0; round < rounds && errorsOf(report).length > 0; round++) {
        const lines = statements(report)
        if (lines.length === 0) break
        await sql([`SET search_path = ${path};`, ...lines].join('\n'), name)
        report = await check(to, source)
      }
      return report
    }

    test.each<[string, MappingSource, string]>([
      ['with requires lines', native({}, ...REQUIRES), 'reader_1'],
      ['without them', native(), 'reader_2'],
      ['for a role with quotes in its name', native(), `o'Brien "the reader"; --`],
      ['for a role in capitals, with spaces and umlauts', native({}, ...REQUIRES), 'Öffentliche STATISTIK'],
      ['for a role with a line break in its name', native(), 'one\ntwo'],
      ['for a role with as long a name as there may be', native({}, ...REQUIRES), 'x'.repeat(63)],
    ])('a role that may read nothing, in one go: %s', async (_, source, role) => {
      await newRole(role)
      const report = await applyFixes(as(role), 'ideas', source, 1)
      expect(errorsOf(report)).toEqual([])
      expect(report.totals).toMatchObject({ ideas: 4, votes: 6 })
      expect(about(report, 'role')).toEqual([])
    })

    test.each([
      ['with requires lines', ['-- requires hidden.users(id, created_at)']],
      ['without them', []],
    ])('a table whose schema the mapping names, and the role may not use: %s', async (_, head) => {
      const { name, to } = await database(
        `CREATE SCHEMA hidden; CREATE TABLE hidden.users AS SELECT 1 AS id, ${PAST} AS created_at`,
      )
      const role = await newRole()
      const source = tableless({ users: 'SELECT id, created_at FROM hidden.users' }, ...head)
      expect(errorsOf(await applyFixes(as(role, to), name, source, 2))).toEqual([])
    })

    test.each(['plain', 'größe', 'y'.repeat(63), 'order', 'user', 'select'])(
      'a table and a column called %j, and proposes its requires line',
      async (odd) => {
        const { name, to } = await database(
          `CREATE TABLE ${escapeIdentifier(odd)} (${escapeIdentifier(odd)} int, at timestamptz, secret text);
         INSERT INTO ${escapeIdentifier(odd)} VALUES (7, ${PAST}, 'x')`,
        )
        const users = `SELECT "t".${escapeIdentifier(odd)} AS id, "t".at AS created_at FROM ${escapeIdentifier(odd)} AS "t"`
        const role = await newRole()
        const report = await applyFixes(as(role, to), name, tableless({ users }), 1)
        expect(errorsOf(report)).toEqual([])
        const readable = await sql(
          `SELECT attname FROM pg_attribute WHERE attrelid = ${escapeLiteral(escapeIdentifier(odd))}::regclass AND attnum > 0
              AND has_column_privilege('${role}', attrelid, attnum, 'SELECT') ORDER BY attnum`,
          name,
        )
        expect(readable).toBe(`${odd}\nat`)

        const lines = about(report, 'requires').flatMap(({ fix }) => fix.split('\n').slice(1))
        const proposed = tableless({ users }, ...lines)
        expect(proposed.file.requires).toHaveLength(1)
        const other = await newRole()
        await sql(roleScript('mine', proposed.file.requires, other), name)
        const again = await check(as(other, to), proposed)
        expect(errorsOf(again)).toEqual([])
        expect(about(again, 'requires')).toEqual([])
      },
    )
  })

  describe('warns of a role that may do more than read', () => {
    const readOnly = 'a role that only reads: analytics-build grants --source native > role.sql'
    const CASES: readonly [may: string, role: string, made: string, problems: readonly string[]][] = [
      ['insert', 'w1', 'GRANT INSERT ON votes TO w1', ['may write votes']],
      ['update a column', 'w2', 'GRANT UPDATE (title) ON ideas TO w2', ['may write ideas']],
      ['truncate', 'w3', 'GRANT TRUNCATE ON comments TO w3', ['may write comments']],
      [
        'write many tables',
        'w4',
        'GRANT DELETE ON users, ideas, votes, comments TO w4',
        ['may write comments, ideas, users and 1 more'],
      ],
      [
        'write through a group',
        'w5',
        'CREATE ROLE crew; GRANT INSERT ON votes TO crew; GRANT crew TO w5',
        ['may write votes'],
      ],
      [
        'create roles and databases, and replicate',
        'w6',
        'ALTER ROLE w6 CREATEROLE CREATEDB REPLICATION',
        ['may create roles, create databases, replicate'],
      ],
      ['create schemas', 'w7', 'GRANT CREATE ON DATABASE ideas TO w7', ['may create schemas']],
      [
        'run programs on the server',
        'w8',
        'GRANT pg_execute_server_program TO w8',
        ['is a member of pg_execute_server_program'],
      ],
    ]
    test.each(CASES)('%s', async (_, role, made, problems) => {
      await sql(`${roleScript('native', NATIVE.file.requires, role)}; ${made}`)
      const report = await check(as(role), NATIVE, { sourceName: 'native' })
      expect(errorsOf(report)).toEqual([])
      expect(about(report, 'role')).toEqual(
        problems.map((problem) => ({
          level: 'warning',
          about: 'role',
          problem: `role ${role} ${problem}`,
          fix: readOnly,
        })),
      )
    })

    test('everything, which a superuser may', async () => {
      expect(about(await check(url, NATIVE, { sourceName: 'native' }), 'role')).toEqual([
        {
          level: 'warning',
          about: 'role',
          problem: 'role postgres is a superuser: it may read and change everything',
          fix: readOnly,
        },
      ])
    })

    test.each([
      ['everybody', 'PUBLIC'],
      ['the role', 'creator'],
    ])('create tables, as %s may; the line takes it back', async (_, grantee) => {
      const { name, to } = await database(`CREATE SCHEMA "My Schema"; CREATE SCHEMA other`)
      await sql(
        `DO $$ BEGIN CREATE ROLE creator LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
         GRANT CREATE ON SCHEMA "My Schema" TO ${grantee}`,
        name,
      )
      const report = await check(as('creator', to), tableless())
      const [finding, ...more] = about(report, 'role')
      expect(more).toEqual([])
      expect(finding?.problem).toBe('role creator may create tables in schema My Schema')
      await sql(/REVOKE .*;/.exec(finding?.fix ?? '')?.[0] ?? '', name)
      expect(about(await check(as('creator', to), tableless()), 'role')).toEqual([])
    })
  })
})
