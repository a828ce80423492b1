// A check prints the lines that give a role what it lacks; running them is enough. Files: check.ts, sections.ts.
// long test: a database for each case
import { escapeIdentifier, type Client } from 'pg'
import { describe, expect, test } from 'vitest'
import type { MappingSource } from '../../../src/source/mapping/mapping.ts'
import { roleScript } from '../../../src/source/mapping/role-script.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { NATIVE, REQUIRES, native, tableless, check, errorsOf, about, usePlatform } from './checking.ts'

describeWithPostgres('a check that prints grants', (postgres) => {
  let url: string
  let admin: Client
  const { as, sql, database } = usePlatform(postgres, (platform) => ({ url, admin } = platform))

  // Of each kind of what is missing: test/source/mapping/requirements.test.ts.
  test.each<[string, MappingSource, string]>([
    ['with requires lines', native({}, ...REQUIRES), `o'Brien "the reader"; --`],
    ['without them', native(), 'Öffentliche\nSTATISTIK'],
  ])('gives a role that may read nothing all that it needs, in one go: %s', async (_, source, role) => {
    await admin.query(`CREATE ROLE ${escapeIdentifier(role)} LOGIN`)
    const { findings } = await check(as(role), source)
    const lines = findings.filter(({ level }) => level === 'error').flatMap(({ fix }) => fix.split(/(?<=;) (?=GRANT)/))
    await sql([...new Set(lines.filter((line) => /^(GRANT|ALTER)\b/.test(line)))].join('\n'))
    const report = await check(as(role), source)
    expect(errorsOf(report)).toEqual([])
    expect(report.totals).toMatchObject({ ideas: 4, votes: 6 })
    expect(about(report, 'role')).toEqual([])
  })

  describe('warns of a role that may do more than read', () => {
    const readOnly = 'a role that only reads: analytics-build grants --source native > role.sql'
    const CASES: readonly [may: string, role: string, made: string, problem: string][] = [
      ['insert', 'w1', 'GRANT INSERT ON votes TO w1', 'may write votes'],
      ['update a column', 'w2', 'GRANT UPDATE (title) ON ideas TO w2', 'may write ideas'],
      ['truncate', 'w3', 'GRANT TRUNCATE ON comments TO w3', 'may write comments'],
      [
        'write much',
        'w4',
        'GRANT DELETE ON users, ideas, votes, comments TO w4',
        'may write comments, ideas, users and 1 more',
      ],
      [
        'write through a group',
        'w5',
        'CREATE ROLE crew; GRANT INSERT ON votes TO crew; GRANT crew TO w5',
        'may write votes',
      ],
      [
        'much else',
        'w6',
        'ALTER ROLE w6 CREATEROLE CREATEDB REPLICATION',
        'may create roles, create databases, replicate',
      ],
      ['create schemas', 'w7', 'GRANT CREATE ON DATABASE ideas TO w7', 'may create schemas'],
      ['run programs', 'w8', 'GRANT pg_execute_server_program TO w8', 'is a member of pg_execute_server_program'],
    ]
    test.each(CASES)('%s', async (_, role, made, problem) => {
      await sql(`${roleScript('native', NATIVE.file.requires, role)}; ${made}`)
      const report = await check(as(role), NATIVE)
      expect(errorsOf(report)).toEqual([])
      expect(about(report, 'role')).toEqual([
        { level: 'warning', about: 'role', problem: `role ${role} ${problem}`, fix: readOnly },
      ])
    })

    test('everything, which a superuser may', async () => {
      expect(about(await check(url, NATIVE), 'role')).toEqual([
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
