// A check warns of what keeps setup from proposing what the platform calls itself, and of nothing else; page.ts.
import type { MappingSource } from '../../../src/source/mapping/mapping.ts'
import { describe, expect, test } from 'vitest'
import { describeWithPostgres } from '../../support/postgres.ts'
import { check, shown, sourceOf, tableless, usePlatform } from './checking.ts'

const withPage = (sql: string, { text }: MappingSource = base()): MappingSource =>
  sourceOf(`${text}\n-- section page\n${sql}`)
const base = (): MappingSource => tableless()

describeWithPostgres('a check of section page', (postgres) => {
  let url: string
  const { as, sql } = usePlatform(postgres, (platform) => ({ url } = platform))
  const found = async (source: MappingSource, to = url): Promise<string[]> =>
    (await check(to, source)).findings.filter(({ about }) => about.startsWith('section page')).map(shown)

  describe('says nothing of', () => {
    test.each([
      ['all three', `SELECT 'Ideas' AS title, 'de_AT'::varchar AS language, NULL::text AS url`],
      ['one', `SELECT 'Ideas' AS title`],
      ['no row', `SELECT 'Ideas' AS title WHERE false`],
    ])('%s', async (_, page) => {
      expect(await found(withPage(page))).toEqual([])
    })

    test('a mapping without it', async () => {
      expect(await found(tableless())).toEqual([])
    })

    test('a table that the role may not read, which setup reads as somebody else', async () => {
      await sql('CREATE TABLE settings (name text); CREATE ROLE visitor LOGIN')
      expect(await found(withPage('SELECT name AS title FROM settings'), as('visitor'))).toEqual([])
    })
  })

  describe('warns of', () => {
    test.each([
      [
        'a column that nothing reads',
        `SELECT 'Ideas' AS title, 'x' AS licence`,
        "section page: column licence is not one of page's; allowed: title, language, url",
      ],
      [
        'a column that is no text',
        'SELECT 7 AS title',
        'section page: column title is int4, must be text; write title::text',
      ],
      [
        'several rows',
        `SELECT title FROM unnest(ARRAY['One', 'Two', 'Three']) AS title`,
        'section page: it returns more than one row; return at most one',
      ],
      [
        'what the server rejects',
        'SELECT name AS title FROM nowhere',
        /^section page.*: relation "nowhere" does not exist/,
      ],
      ['a second statement', `SELECT 'a' AS title; SELECT 'b' AS title`, /^section page.*: syntax error/],
      [
        'rows that cannot be had',
        'SELECT (1 / (n - 2))::text AS title FROM generate_series(1, 3) n',
        /^section page.*: division by zero/,
      ],
    ])('%s', async (_, page, expected) => {
      expect(await found(withPage(page))).toEqual([
        typeof expected === 'string' ? expected : expect.stringMatching(expected),
      ])
    })

    test('it, and counts all the same', async () => {
      const report = await check(url, withPage('SELECT name AS title FROM nowhere'))
      expect(report.findings.map(({ level }) => level)).not.toContain('error')
      expect(report.sections.find(({ relation }) => relation === 'ideas')?.rows).toBe(1)
    })
  })
})
