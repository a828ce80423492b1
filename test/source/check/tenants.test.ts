// A check notices several sites in one database that the mapping counts as one; tenants.ts.
// long test: a database for each case
import { describe, expect, test } from 'vitest'
import { describeWithPostgres } from '../../support/postgres.ts'
import { PAST, IDEA, type Sections, tableless, check, errorsOf, about, usePlatform } from './checking.ts'

describeWithPostgres('a check of several sites', (postgres) => {
  const { as, sql, database } = usePlatform(postgres, () => {})

  describe('several sites in one database', () => {
    /** Ideas in a table with one more column; `values` are those of three ideas. */
    const tenants = (
      table: string,
      column: string,
      type: string,
      values: readonly string[],
    ): Promise<{ name: string; to: string }> =>
      database(
        `CREATE TABLE ${table} (id int, title text, created_at timestamptz, ${column} ${type});
         INSERT INTO ${table} SELECT n, 'Idea ' || n, ${PAST}, (ARRAY[${values.join()}]::${type}[])[n] FROM generate_series(1, 3) n`,
      )
    const ideas = (table: string, where = ''): Sections => ({
      ideas: `SELECT id, title, created_at, false AS launched, NULL::timestamptz AS launched_at, NULL AS url, NULL AS author_id, NULL AS status
                FROM ${table} ${where}`,
    })
    const UUIDS = [1, 2, 3].map((n) => `'00000000-0000-0000-0000-00000000000${n}'`)

    test.each<[string, string, string, string, readonly string[], string, string]>([
      ['an int', 'ideas', 'tenant_id', 'int', ['1', '2', '2'], 'int', 'tenant_id = :tenant'],
      ['a text', 'ideas', 'site_id', 'text', [`'a'`, `'b'`, `'b'`], 'text', 'site_id = :tenant'],
      ['a uuid', 'ideas', 'organization_id', 'uuid', UUIDS, 'text', 'organization_id::text = :tenant'],
      ['a smallint', 'ideas', 'workspace_id', 'smallint', ['1', '2', '3'], 'text', 'workspace_id::text = :tenant'],
      ['in a quoted table', '"Ideas of all"', '"accountId"', 'int', ['1', '1', '2'], 'int', '"accountId" = :tenant'],
    ])(
      '%s: the parameter that tells them apart, which fixes it',
      async (_, table, column, type, values, param, compared) => {
        const { to } = await tenants(table, column, type, values)
        const report = await check(to, tableless(ideas(table)))
        const [finding, ...more] = about(report, 'tenants')
        expect(more).toEqual([])
        expect(finding?.level).toBe('error')
        expect(finding?.problem).toMatch(
          / holds [23] values \(.*\), and the mapping does not mention it: several sites would count as one$/,
        )
        expect(finding?.problem.startsWith(`${table}.${column} `)).toBe(true)
        expect(finding?.fix).toBe(
          `add the line "-- param tenant : ${param}" and, to each section, WHERE ${compared}\nor, if all of them are one site, WHERE ${column} IS NOT NULL in section ideas says so`,
        )
        expect(report.totals).toBeNull()

        const [, line = '', where = '', dismissal = ''] =
          /line "(.*)" and, to each section, (WHERE .*)\nor, .*, (WHERE .*) in section ideas says so$/.exec(
            finding?.fix ?? '',
          ) ?? []
        const first = values[0]!.replaceAll("'", '')
        const fixed = await check(to, tableless(ideas(table, where), line), { params: { tenant: first } })
        expect(errorsOf(fixed)).toEqual([])
        expect(fixed.totals).toMatchObject({ ideas: values.filter((value) => value === values[0]).length })

        const all = await check(to, tableless(ideas(table, dismissal)))
        expect(about(all, 'tenants')).toEqual([])
        expect(all.totals).toMatchObject({ ideas: 3 })
      },
    )

    test.each([
      ['there is only one', 'tenant_id', ['1', '1', '1'], ''],
      ['there is one, and rows of none', 'tenant_id', ['1', 'NULL', '1'], ''],
      ['the mapping mentions it', 'tenant_id', ['1', '2', '3'], 'WHERE tenant_id = 1'],
      ['the mapping mentions it in quotes', '"tenantId"', ['1', '2', '3'], 'WHERE "tenantId" = 1'],
      ['the column is called otherwise', 'account', ['1', '2', '3'], ''],
    ])('nothing is said when %s', async (_, column, values, where) => {
      const { to } = await tenants('ideas', column, 'int', values)
      const report = await check(to, tableless(ideas('ideas', where)))
      expect(errorsOf(report)).toEqual([])
      expect(report.totals).not.toBeNull()
    })

    test('nor where it says that all of them are meant', async () => {
      const { to } = await tenants('ideas', 'tenant_id', 'int', ['1', '2', '3'])
      expect(about(await check(to, tableless(ideas('ideas', 'WHERE TENANT_ID IS NOT NULL'))), 'tenants')).toEqual([])
    })

    test('a mapping that tells sites apart by another column, or by a parameter, is for review only', async () => {
      const { name, to } = await tenants('ideas', 'workspace_id', 'int', ['1', '2', '3'])
      await sql('ALTER TABLE ideas ADD COLUMN site_id int DEFAULT 1', name)
      for (const source of [
        tableless(ideas('ideas', 'WHERE site_id = 1')),
        tableless(ideas('ideas', 'WHERE id > :site - 1'), '-- param site : int = 1'),
      ]) {
        const report = await check(to, source)
        expect(about(report, 'tenants')).toEqual([expect.objectContaining({ level: 'warning' })])
        expect(report.totals).toMatchObject({ ideas: 3 })
        expect(about(report, 'tenants')[0]?.fix).toMatch(
          /^add the line "-- param tenant : int" and, to each section, WHERE/,
        )
      }
    })

    test.each([
      ['instance_id', 'ap_id text, local boolean', 0],
      ['community_id', 'ap_id text', 0],
      ['account_id', 'uri text', 0],
      ['tenant_id', 'uri text', 1],
      ['instance_id', 'title_2 text', 1],
    ])('%s of a table with %s', async (column, others, found) => {
      const { name, to } = await tenants('ideas', column, 'int', ['1', '2', '3'])
      await sql(`ALTER TABLE ideas ${others.replaceAll(/(?:^|, )/g, (comma) => `${comma}ADD COLUMN `)}`, name)
      expect(about(await check(to, tableless(ideas('ideas'))), 'tenants')).toHaveLength(found)
    })

    test('a comment of the mapping does not tell them apart', async () => {
      const { to } = await tenants('ideas', 'tenant_id', 'int', ['1', '2', '3'])
      expect(
        about(await check(to, tableless(ideas('ideas', '/* tenant_id? */ -- tenant_id'))), 'tenants'),
      ).toHaveLength(1)
    })

    test('many are not all counted', async () => {
      const { name, to } = await tenants('ideas', 'tenant_id', 'int', ['1', '2', '3'])
      await sql(`INSERT INTO ideas SELECT n, 'x', ${PAST}, n FROM generate_series(4, 1000) n`, name)
      expect(about(await check(to, tableless(ideas('ideas'))), 'tenants')[0]?.problem).toMatch(
        / holds at least 6 values /,
      )
    })

    test('through a view, and in a partitioned table', async () => {
      const { to } = await database(`
        CREATE TABLE all_ideas (id int, title text, created_at timestamptz, tenant_id int) PARTITION BY LIST (tenant_id);
        CREATE TABLE ideas_1 PARTITION OF all_ideas FOR VALUES IN (1);
        CREATE TABLE ideas_2 PARTITION OF all_ideas FOR VALUES IN (2);
        INSERT INTO all_ideas VALUES (1, 'a', ${PAST}, 1), (2, 'b', ${PAST}, 2);
        CREATE VIEW seen AS SELECT * FROM all_ideas`)
      for (const table of ['all_ideas', 'seen'])
        expect(about(await check(to, tableless(ideas(table))), 'tenants')).toHaveLength(1)
    })

    test('a table that the ideas are joined with', async () => {
      const { to } = await tenants('ideas', 'tenant_id', 'int', ['1', '2', '3'])
      const joined = `${IDEA} WHERE EXISTS (SELECT FROM users AS u JOIN ideas AS i ON true)`
      expect(about(await check(to, tableless({ ideas: joined })), 'tenants')).toHaveLength(1)
    })

    test('what the role may not read is not asked', async () => {
      const { name, to } = await tenants('ideas', 'tenant_id', 'int', ['1', '2', '3'])
      await sql(`GRANT SELECT (id, title, created_at) ON ideas TO reader`, name)
      expect(errorsOf(await check(as('reader', to), tableless(ideas('ideas'))))).toEqual([])
    })

    test('a table whose schema the mapping names', async () => {
      const { to } = await database(`
        CREATE SCHEMA polis;
        CREATE TABLE polis.ideas (id int, title text, created_at timestamptz, tenant_id int);
        INSERT INTO polis.ideas VALUES (1, 'a', ${PAST}, 1), (2, 'b', ${PAST}, 2)`)
      expect(about(await check(to, tableless(ideas('polis.ideas'))), 'tenants')).toEqual([
        expect.objectContaining({
          level: 'error',
          problem: expect.stringContaining('polis.ideas.tenant_id holds 2') as string,
        }),
      ])
    })

    test('a mention of another column is none', async () => {
      const { name, to } = await tenants('ideas', 'tenant_id', 'int', ['1', '2', '3'])
      await sql(`ALTER TABLE ideas ADD COLUMN former_tenant_id int`, name)
      const source = tableless(ideas('ideas', 'WHERE former_tenant_id IS NULL'))
      expect(about(await check(to, source), 'tenants')).toHaveLength(1)
    })

    const towns = (target: string, townIds: readonly number[], categories = `REFERENCES ${target}`, rows = 2) =>
      database(`
        CREATE TABLE gmina (id int PRIMARY KEY); CREATE TABLE obraz (id int PRIMARY KEY);
        INSERT INTO gmina SELECT generate_series(1, ${rows}); INSERT INTO obraz VALUES (1), (2);
        CREATE TABLE users (id int, created_at timestamptz, gmina_id int REFERENCES ${target});
        CREATE TABLE categories (name text, gmina int ${categories});
        CREATE TABLE ideas (id int, title text, created_at timestamptz, gmina_id int REFERENCES ${target});
        INSERT INTO ideas SELECT n, 'x', ${PAST}, n FROM unnest(ARRAY[${townIds.join()}]) n; ANALYZE`)
    const ofTowns = (where = ''): Sections => ({
      ...ideas('ideas', where),
      users: 'SELECT id, created_at FROM users',
      categories: 'SELECT name FROM categories',
    })

    test('a foreign key of any name, to what users and categories refer to, too, is a warning', async () => {
      const { to } = await towns('gmina', [1, 2])
      const report = await check(to, tableless(ofTowns()))
      expect(about(report, 'tenants')).toEqual([
        expect.objectContaining({
          level: 'warning',
          problem: expect.stringContaining('ideas.gmina_id holds 2 values (1, 2') as string,
        }),
      ])
      expect(about(await check(to, tableless(ofTowns('WHERE gmina_id = 1'))), 'tenants')).toEqual([])
    })

    test.each([
      ['one town', 'gmina', [1, 1], undefined, 2],
      ['categories that refer to another table', 'gmina', [1, 2], 'REFERENCES obraz', 2],
      ['categories that refer to none', 'gmina', [1, 2], '', 2],
      ['a table of many rows, such as of files', 'gmina', [1, 2], undefined, 1001],
    ])('but not: %s', async (_, target, values, categories, rows) => {
      const { to } = await towns(target, values, categories, rows)
      expect(about(await check(to, tableless(ofTowns())), 'tenants')).toEqual([])
    })
  })
})
