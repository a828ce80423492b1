// A check compares the parameters of a mapping with the database; params.ts.
import { escapeLiteral } from 'pg'
import { execFileSync } from 'node:child_process'
import type { Client } from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import type { MappingSource } from '../../../src/source/mapping/mapping.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { PAST, tableless, errorsOf, about, rowsOf, usePlatform } from './checking.ts'

describeWithPostgres('a check of parameters', (postgres) => {
  let url: string
  let admin: Client
  const { sql, check } = usePlatform(postgres, (platform) => ({ url, admin } = platform))

  describe('parameters', () => {
    const SITES = `-- choices site\nSELECT id AS value, name AS label FROM sites`
    const TAGS = `-- choices done\nSELECT name AS value, name AS label FROM tags WHERE site_id = :site`
    const users = `SELECT 1 AS id, ${PAST} AS created_at WHERE :site > 0`
    beforeAll(() =>
      admin.query(`
        CREATE TABLE sites (id int, name text);
        INSERT INTO sites VALUES (1, 'acme'), (2, 'other one'), (3, NULL), (NULL, 'nameless');
        CREATE TABLE tags (site_id int, name text);
        INSERT INTO tags VALUES (1, 'Done'), (1, 'Won''t do'), (1, 'In progress'), (2, 'Theirs')`),
    )
    const site = (...more: string[]): MappingSource => tableless({ users }, '-- param site : int -- which one', ...more)

    test('that is required and not given is an error with what it may be, and what does not need it goes on', async () => {
      const report = await check(url, site(SITES))
      expect(report.findings[0]).toEqual({
        level: 'error',
        about: 'param site',
        problem: '--param site=VALUE is required (int: which one)',
        fix: 'one of: --param site=1 (acme), --param site=2 (other one), --param site=3',
      })
      expect(errorsOf(report)).toHaveLength(1)
      expect(report.params).toEqual([
        {
          name: 'site',
          type: 'int',
          description: 'which one',
          value: null,
          from: null,
          choices: [
            { value: '1', label: 'acme' },
            { value: '2', label: 'other one' },
            { value: '3', label: null },
          ],
        },
      ])
      expect(rowsOf(report)).toEqual({ ideas: 1, idea_categories: 1, votes: 1, comments: 1, categories: 1 })
    })

    const SITE_9 = { level: 'error', about: 'param site', problem: '--param site: the database has no 9' }
    const required = (fix: unknown): object => ({
      level: 'error',
      problem: '--param site=VALUE is required (int: which one)',
      fix,
    })
    const unknown = (fix: string): object => ({ ...SITE_9, fix })
    const where = (condition: string): string => `${SITES} WHERE ${condition}`
    const numbers = (last: number): string =>
      `-- choices site\nSELECT n AS value, NULL AS label FROM generate_series(1, ${last}) AS n`
    const eight = expect.stringMatching(/^one of: --param site=1, .*--param site=8 and 4 more$/) as unknown
    const three = 'one of: --param site=1 (acme), --param site=2 (other one), --param site=3'
    const closed = '-- section closed\nSELECT false AS closed FROM sites WHERE id = :site'
    test.each<[what: string, lines: string, site: string | null, finding: object | null]>([
      ['of which there is one choice', where('id = 1'), null, required('it can only be: --param site=1 (acme)')],
      ['without a word on what it may be', '--', null, required('')],
      ['with many choices, of which eight are said', numbers(12), null, required(eight)],
      ['whose value is one of the choices', SITES, '2', null],
      ['whose value is a number, however it is written', SITES, '01', null],
      ['with more choices than are compared', numbers(101), '500', null],
      ['whose value the database does not know', SITES, '9', unknown(three)],
      ['with nothing to choose from', where('false'), '9', unknown('there is nothing to choose from')],
      ['that is why section closed has no row: one error, not two', `${SITES}\n${closed}`, '9', SITE_9],
    ])('%s', async (_, lines, value, finding) => {
      const report = await check(url, site(lines), { params: value === null ? {} : { site: value } })
      expect(report.findings.filter(({ level }) => level === 'error')).toMatchObject(finding === null ? [] : [finding])
      expect(report.params[0]).toMatchObject({ value, from: value === null ? null : 'flag' })
      expect(report.totals === null).toBe(finding !== null)
    })

    test('whose value is none that section closed knows, where there are no choices', async () => {
      expect(errorsOf(await check(url, site(closed), { params: { site: '9' } }))).toEqual([
        expect.stringMatching(/^section closed: no row, must be exactly one/),
      ])
    })

    test('that is a list: an item that the database does not know is a warning', async () => {
      const source = site('-- param done : text[] = Done, Shipped', SITES, TAGS)
      const report = await check(url, source, { params: { site: '1', done: 'Done,Shipped' } })
      expect(about(report, 'param done')).toEqual([
        {
          level: 'warning',
          about: 'param done',
          problem: '--param done: the database has no Shipped',
          fix: expect.stringMatching(/^there are: Done, .*give them as --param 'done=ONE,TWO'$/) as string,
        },
      ])
      expect(report.totals).toMatchObject({ ideas: 1 })
      const byDefault = await check(url, source, { params: { site: '1' } })
      expect(about(byDefault, 'param done'), 'of a default one is enough').toEqual([])
      expect(
        about(await check(url, source, { params: { site: '1', done: 'done,In progress' } }), 'param done'),
      ).toEqual([])
    })

    test('whose choices need another one: none until that is given, and no second complaint', async () => {
      const source = site('-- param done : text[] = Done', SITES, TAGS)
      const without = await check(url, source)
      expect(without.params.map(({ name, choices }) => [name, choices?.length])).toEqual([
        ['site', 3],
        ['done', undefined],
      ])
      expect(about(without, 'param done')).toEqual([])
      expect(errorsOf(without)).toHaveLength(1)
      const given = await check(url, source, { params: { site: '1' } })
      expect(given.params[1]?.choices?.map(({ value }) => value)).toEqual(['Done', `Won't do`, 'In progress'])
    })

    test('of a schema: it may be one of those that have what is required', async () => {
      const source = site(SITES, '-- param town : identifier', '-- requires :town.sites(id)')
      const report = await check(url, source, { params: { site: '1' } })
      expect(report.params[1]).toMatchObject({ name: 'town', choices: [{ value: 'public', label: null }] })
    })

    test.each([
      ['fail', 'SELECT id AS value, name AS label FROM nowhere', /^choices site: relation "nowhere" does not exist; /],
      ['lack a column', 'SELECT id AS value FROM sites', /^choices site: column "label" does not exist; /],
      ['write', `DELETE FROM sites RETURNING id AS value, name AS label`, /^choices site: syntax error /],
      [
        'hide a second statement',
        `SELECT 1 AS value, '' AS label) AS source; DROP TABLE sites; SELECT * FROM (SELECT 1`,
        /^choices site: cannot insert multiple commands into a prepared statement; /,
      ],
      ['never end', `SELECT count(*) AS value, '' AS label FROM generate_series(1, 9e12)`, /two thirds of --deadline/],
      ['use what is not declared', 'SELECT :other AS value', /choices site uses :other, but declared: site/],
    ])('whose choices %s: a warning, and the rest goes on', async (_, choices, problem) => {
      const source = site(`-- choices site\n${choices}`)
      const report = await check(url, source, { params: { site: '1' }, statementTimeoutMs: 500 })
      expect(about(report, 'param site')).toEqual([
        { level: 'warning', about: 'param site', problem: expect.stringMatching(problem) as string, fix: '' },
      ])
      expect(report.totals).toMatchObject({ users: 1, ideas: 1 })
      expect(await sql('SELECT count(*) FROM sites')).toBe('4')
    })

    test.each(['plain', 'with space', '$(touch x)', '"double"', 'back\\slash', '`tick`', 'new\nline', `Won't do`])(
      'that may be %j is printed as a shell takes it',
      async (value) => {
        const choices = `-- choices done\nSELECT ${escapeLiteral(value).replace('\n', `' || chr(10) || '`)} AS value, NULL AS label`
        const done = `SELECT 1 AS id, ${PAST} AS created_at WHERE :done <> ''`
        const report = await check(url, tableless({ users: done }, '-- param done : text', choices))
        const fix = report.findings[0]?.fix.replace(/^it can only be: /, '') ?? ''
        expect(execFileSync('sh', ['-c', `printf '%s|' ${fix}`], { encoding: 'utf8' })).toBe(`--param|done=${value}|`)
      },
    )

    test('that a section uses and that is not declared', async () => {
      const report = await check(url, tableless({ users }))
      expect(errorsOf(report)).toEqual([
        'section users: mine.sql: section users uses :site, but none is declared; add a "-- param site : TYPE" line',
      ])
      expect(rowsOf(report)['votes']).toBe(1)
    })
  })
})
