// What the role may read and the mapping does not is said: src/source/check/role.ts and role-reads.sql.
import type { Client } from 'pg'
import { expect, test } from 'vitest'
import { describeWithPostgres } from '../../support/postgres.ts'
import { NATIVE, check, usePlatform } from './checking.ts'

describeWithPostgres('a role that may read more than the mapping', (postgres) => {
  let admin: Client
  const { as } = usePlatform(postgres, (platform) => ({ admin } = platform))
  const said = async (role: string): Promise<string[]> =>
    (await check(as(role), NATIVE)).findings.filter(({ about }) => about === 'role').map(({ problem }) => problem)

  test('is warned of with a bounded list; one that grants makes is not', async () => {
    const problems = await said('reader')
    expect(problems.filter((one) => one.includes('mapping does not'))).toEqual([])
    const wide = Array.from({ length: 9 }, (_, i) => `secret_${i} text`).join(', ')
    await admin.query(
      `CREATE TABLE a1 (${wide}); CREATE TABLE a2 (x int); CREATE TABLE a3 (x int); CREATE TABLE a4 (x int);
       CREATE ROLE greedy LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO greedy`,
    )
    expect((await said('greedy')).join('\n')).toMatch(
      /role greedy may read what the mapping does not: public\.a1\(secret_0, secret_1, secret_2, secret_3 and 5 more\); public\.a2\(x\); public\.a3\(x\) and \d+ more/,
    )
    expect((await said('reader')).join('\n')).not.toContain('mapping does not')
  })

  test('through a single column, a group that reads everything, or as everybody', async () => {
    await admin.query(
      'CREATE TABLE keys (id int, secret text); CREATE ROLE one LOGIN IN ROLE reader; GRANT SELECT (secret) ON keys TO one',
    )
    const { rows } = await admin.query<{ hasGroup: boolean }>(
      `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = 'pg_read_all_data') AS "hasGroup"`,
    )
    // Version 14 brings this group.
    if (rows[0]?.hasGroup !== true)
      await admin.query('CREATE ROLE all_tables; GRANT SELECT ON ALL TABLES IN SCHEMA public TO all_tables')
    const group = rows[0]?.hasGroup === true ? 'pg_read_all_data' : 'all_tables'
    await admin.query(`CREATE ROLE allreading LOGIN IN ROLE ${group}`)
    expect((await said('one')).join('\n')).toContain('mapping does not: public.keys(secret)')
    expect((await said('allreading')).join('\n')).toContain('mapping does not: ')
    await admin.query('GRANT SELECT (id) ON keys TO PUBLIC')
    expect((await said('reader')).join('\n')).toContain('mapping does not: public.keys(id)')
  })
})
