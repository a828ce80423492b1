// What setup proposes for the page, read from each platform as its operator would: section `page` of the built-in mappings, src/builder/setup/
// look.ts and page-proposal.ts.
// long test: every platform
import { beforeAll, describe, expect, test } from 'vitest'
import { lookAt } from '../../src/builder/setup/look.ts'
import { pageVariables } from '../../src/builder/setup/page-proposal.ts'

import { parseDatabaseUrl } from '../../src/source/database/parse-target.ts'
import { parseMappingFile } from '../../src/source/mapping/file-format.ts'
import { openMapping } from '../../src/source/mapping/mapping.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { createPlatform, PLATFORMS } from './create-platform.ts'

/** English, the default, is also what stands where no language is proposed. */
interface Proposed {
  readonly title?: string
  readonly siteUrl?: string
  readonly language?: string
}

const proposedFor = async (
  url: string,
  source: string,
  params: Readonly<Record<string, string>>,
  text?: string,
): Promise<Proposed> => {
  const opened = openMapping(source)
  const mapping = text === undefined ? opened : { ...opened, text, file: parseMappingFile('own.sql', text) }
  const look = lookAt(parseDatabaseUrl(url), new AbortController().signal)
  const variables = Object.fromEntries(pageVariables(await look.page(mapping, params), 'UTC'))
  expect(variables).toMatchObject({ ANALYTICS_TIME_ZONE: 'UTC' })
  const { ANALYTICS_TITLE: title, ANALYTICS_SITE_URL: siteUrl, ANALYTICS_LANGUAGES: language } = variables
  return { ...(title && { title }), ...(siteUrl && { siteUrl }), ...(language && language !== 'en' && { language }) }
}

const SETTINGS = { core: { locales: ['nl-BE', 'fr-BE'], organization_name: { 'nl-BE': 'Stad', 'fr-BE': 'Ville' } } }

/** By platform, what was done to its rows and what is proposed then: at first to none. */
const CASES: Readonly<Record<string, Readonly<Record<string, [statements: string, proposed: Proposed]>>>> = {
  astuto: {
    'its default': ['', { title: 'Acme' }],
    French: [`UPDATE tenants SET locale = 'fr'`, { title: 'Acme', language: 'fr' }],
  },
  consul: {
    'no name': ['', {}],
    'a name and a language': [
      `INSERT INTO settings (key, value) VALUES ('org_name', ' Ciudad '), ('locales.default', 'es-PE')`,
      { title: 'Ciudad', language: 'es' },
    ],
  },
  decidim: {
    'no name, and a language without a page': ['', { siteUrl: 'https://participa.example.org' }],
    'a name in another language only': [
      `UPDATE decidim_organizations SET name = '{"ca": "", "machine_translations": {"fr": "Ville"}, "pt": "Cidade"}'`,
      { title: 'Cidade', siteUrl: 'https://participa.example.org' },
    ],
    'names by language': [
      `UPDATE decidim_organizations SET default_locale = 'es', name = '{"es": "Ciudad", "en": "City"}'`,
      { title: 'Ciudad', language: 'es', siteUrl: 'https://participa.example.org' },
    ],
    'one name, until 0.28': [
      `ALTER TABLE decidim_organizations ALTER name DROP DEFAULT, ALTER name TYPE varchar USING 'Town'`,
      { title: 'Town', siteUrl: 'https://participa.example.org' },
    ],
  },
  discourse: {
    'its title': ['', { title: 'Acme forum' }],
    German: [
      `INSERT INTO site_settings (name, data_type, value) VALUES ('default_locale', 7, 'de')`,
      { title: 'Acme forum', language: 'de' },
    ],
  },
  fider: {
    'before it had languages': ['', { title: 'Acme' }],
    Spanish: [`ALTER TABLE tenants ADD locale varchar(10) NOT NULL DEFAULT 'es-ES'`, { title: 'Acme', language: 'es' }],
  },
  gitlab: {
    'the name of the group': ['', { title: 'Acme' }],
    'the language of the instance, of which the last row holds': [
      `INSERT INTO application_settings (default_preferred_language) VALUES ('en'), ('fr')`,
      { title: 'Acme', language: 'fr' },
    ],
  },
  govocal: {
    'no settings': ['', { siteUrl: 'https://ideas.town.org' }],
    'names by language': [
      `UPDATE ideas_town_org.app_configurations SET settings = '${JSON.stringify(SETTINGS)}'`,
      { title: 'Stad', siteUrl: 'https://ideas.town.org' },
    ],
  },
  logchimp: {
    'no settings': ['', {}],
    'a title': [
      `CREATE TABLE settings (title varchar(255)); INSERT INTO settings VALUES ('Bananas')`,
      { title: 'Bananas' },
    ],
  },
  plane: { 'the name of the project': ['', { title: 'Feedback' }] },
  talkyard: {
    'no settings': ['', {}],
    'its own settings, not those of a category': [
      `ALTER TABLE settings3 ADD org_full_name varchar, ADD language_code varchar;
       UPDATE settings3 SET org_full_name = CASE WHEN category_id IS NULL THEN 'Town' ELSE 'Category' END, language_code = 'de_DE';
       CREATE TABLE hosts3 (site_id int, host varchar, canonical varchar(1));
       INSERT INTO hosts3 VALUES (1, 'old.town.org', 'R'), (1, 'talk.town.org', 'C'), (2, 'other.org', 'C')`,
      { title: 'Town', language: 'de', siteUrl: 'https://talk.town.org' },
    ],
  },
}

describeWithPostgres('setup proposes for the page of', (postgres) => {
  test('every built-in platform', () => {
    expect(Object.keys(CASES).sort()).toEqual(PLATFORMS.map(({ mapping }) => mapping).sort())
  })

  for (const { mapping, params } of PLATFORMS)
    describe(mapping, () => {
      test.each(Object.entries(CASES[mapping] ?? {}))('%s', async (how, [statements, proposed]) => {
        const name = `page_${mapping}_${Object.keys(CASES[mapping] ?? {}).indexOf(how)}`
        await createPlatform(postgres(), mapping, name, statements)
        expect(await proposedFor(postgres().url(name), mapping, params)).toEqual(proposed)
      })
    })

  describe('a mapping of one’s own: what cannot be proposed is not', () => {
    let url = ''
    beforeAll(async () => {
      await postgres().createDatabase('page_own')
      url = postgres().url('page_own')
    })
    const own = (page: string): string => `${openMapping('native').text}\n-- section page\n${page}`
    test.each([
      [
        'all of it',
        `SELECT 'A' AS title, 'pt-BR' AS language, 'https://a.example' AS url`,
        { title: 'A', siteUrl: 'https://a.example' },
      ],
      ['another column', `SELECT 'A' AS title, 1 AS more`, { title: 'A' }],
      ['no row', `SELECT 'A' AS title WHERE false`, {}],
      ['two rows', `SELECT 'A' AS title UNION ALL SELECT 'B'`, {}],
      ['NULL', `SELECT NULL AS title, NULL::text AS language`, {}],
      ['blanks', `SELECT '  ' AS title, '' AS language, ' ' AS url`, {}],
      ['numbers and objects', `SELECT 7 AS title, '{"a": 1}'::jsonb AS language, true AS url`, {}],
      ['a title of 20,000 characters', `SELECT repeat('x', 20000) AS title, 'DE_at' AS language`, { language: 'de' }],
      ['control characters', `SELECT E'a\\nb' AS title, E'\\u001bfr' AS language`, {}],
      ['text that runs backwards', `SELECT U&'abc\\202Edcb' AS title`, {}],
      ['the end of its own session', 'SELECT pg_terminate_backend(pg_backend_pid())::text AS title', {}],
      ['a script for an address', `SELECT 'javascript:alert(1)' AS url`, {}],
      ['a word that begins like a language', `SELECT 'english' AS language`, {}],
      ['a table that is not there', 'SELECT title FROM nowhere', {}],
      ['what takes too long', `SELECT pg_sleep(30)::text AS title`, {}],
      ['a second statement', `SELECT 'A' AS title; CREATE TABLE hacked ()`, {}],
      ['a parameter that is not declared', 'SELECT :nothing AS title', {}],
    ])('%s', async (_, page, proposed) => {
      expect(await proposedFor(url, 'native', {}, own(page))).toEqual(proposed)
    })

    test('a parameter and shared SQL', async () => {
      const text = `${openMapping('native').text}
-- param site : int
-- section with
mine AS (SELECT 'Own'::text AS label, 2 AS site)
-- section page
SELECT label AS title FROM mine WHERE site = :site`
      expect(await proposedFor(url, 'native', { site: '2' }, text)).toEqual({ title: 'Own' })
    })
  })
})
