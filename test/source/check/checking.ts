// Runs a check against a real PostgreSQL: a database with rows of every kind, and mappings to check on it.
import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { packagePath } from '../../../src/process/package-root.ts'
import { checkSource, type CheckReport } from '../../../src/source/check/check.ts'
import type { CheckRequest } from '../../../src/source/check/context.ts'
import type { Connection } from '../../../src/source/database/connect.ts'
import { fitting } from '../../../src/source/mapping/mapping-file.ts'
import { parseMappingFile } from '../../../src/source/mapping/file-format.ts'
import type { Finding } from '../../../src/source/mapping/finding.ts'
import { openMapping, type MappingSource } from '../../../src/source/mapping/mapping.ts'
import { paramValues } from '../../../src/source/mapping/parameters.ts'
import { RELATIONS, type Relation } from '../../../src/source/mapping/relations.ts'
import { roleScript } from '../../../src/source/mapping/role-script.ts'
import type { Postgres } from '../../support/postgres.ts'
import { KeptSessions } from '../../support/kept-sessions.ts'
import { as } from '../../support/session.ts'
import { withConnection } from '../read/reading.ts'

export const NATIVE = openMapping('native')
export const SCHEMA = readFileSync(packagePath('src', 'source', 'mapping', 'built-in', 'native', 'schema.sql'), 'utf8')
export const REQUIRES = NATIVE.text.split('\n').filter((line) => line.startsWith('-- requires'))
export const FIDER_SCHEMA = ['schema.sql', 'seed.sql']
  .map((file) => readFileSync(packagePath('test', 'platforms', 'fider', file), 'utf8'))
  .join('\n')

/** Each row has a comment on whether it counts, and why. */
export const ROWS = `
INSERT INTO users VALUES (1, now() - interval '30 days'), (2, now() - interval '20 days'), (3, now() - interval '1 hour'),
                         (4, now() + interval '1 day');                                    -- tomorrow
INSERT INTO ideas (id, title, created_at, launched, launched_at, url, author_id) VALUES
  (1, 'One', now() - interval '10 days', false, NULL, '/ideas/1', 1),
  (2, 'Two', now() - interval '9 days', true, NULL, NULL, 2),                              -- launched, no date
  (3, 'Three', now() - interval '8 days', true, now() - interval '1 day', '/ideas/3', NULL),
  (4, 'Four', now() - interval '7 days', true, now() + interval '1 day', '/ideas/4', 1),   -- launched tomorrow
  (5, 'Five', now() + interval '1 day', false, NULL, '/ideas/5', 1);                       -- tomorrow
INSERT INTO categories VALUES ('Product'), ('Unused');
INSERT INTO idea_categories VALUES (1, 'Product'), (1, 'Design'), (2, 'Product'), (3, '  '); -- 3: blank; 4: none
INSERT INTO votes VALUES
  (1, 1, 1, now() - interval '5 days'), (1, 2, 1, now() - interval '5 days'),
  (1, 2, 1, now() - interval '4 days'),                                                    -- the same user again
  (1, NULL, 1, now() - interval '3 days'), (1, NULL, 1, now() - interval '3 days'),        -- two who are not known
  (2, 1, -1, now() - interval '5 days'),                                                   -- a down-vote
  (2, 2, 1, now() + interval '1 day'),                                                     -- tomorrow
  (3, 3, 1, NULL),                                                                         -- no date
  (5, 1, 1, now() - interval '1 hour'),                                                    -- on an idea of tomorrow
  (404, 1, 1, now() - interval '5 days');                                                  -- on no idea
INSERT INTO comments VALUES
  (1, 1, 1, now() - interval '5 days'), (2, 2, NULL, now() - interval '4 days'),
  (3, 404, 1, now() - interval '5 days'),                                                  -- on no idea
  (4, 1, 1, now() + interval '1 day');                                                     -- tomorrow
ANALYZE;
`
export const PAST = `now() - interval '1 day'`
export const IDEA = `SELECT 1 AS id, 'One' AS title, ${PAST} AS created_at, false AS launched, NULL::timestamptz AS launched_at,
                     NULL AS url, NULL AS author_id, NULL AS status`
/** Rows of no table at all: an idea, a vote and a comment. */
export const NO_TABLES: Readonly<Record<Relation, string>> = {
  users: `SELECT 1 AS id, ${PAST} AS created_at`,
  ideas: IDEA,
  idea_categories: `SELECT 1 AS idea_id, 'Product' AS category`,
  votes: `SELECT 1 AS idea_id, 8 AS user_id, 1 AS value, ${PAST} AS created_at`,
  comments: `SELECT 1 AS id, 1 AS idea_id, 9 AS user_id, ${PAST} AS created_at`,
  categories: `SELECT 'Product' AS name`,
}

export function sourceOf(text: string): MappingSource {
  return { name: './mine.sql', path: 'mine.sql', text, file: parseMappingFile('mine.sql', text) }
}

export type Sections = Partial<Record<Relation, string>>

export function mappingOf(sections: Readonly<Record<string, string>>, head: readonly string[]): MappingSource {
  const lines = RELATIONS.map((relation) => `-- section ${relation}\n${sections[relation]}`)
  return sourceOf(['-- mapping: mine', ...head, ...lines].join('\n'))
}
/** The native mapping without its `requires` lines, below other lines, with some sections in place of its own. */
export const native = (sections: Sections = {}, ...head: string[]): MappingSource =>
  mappingOf({ ...Object.fromEntries(fitting(NATIVE.file, []).sections), ...sections }, head)
export const tableless = (sections: Sections = {}, ...head: string[]): MappingSource =>
  mappingOf({ ...NO_TABLES, ...sections }, head)

export const OPTIONS = { statementTimeoutMs: 20_000, lockTimeoutMs: 5000, rowSecurity: 'off' } as const

export interface Checking extends Partial<Pick<CheckRequest, 'statementTimeoutMs' | 'lockTimeoutMs' | 'rowSecurity'>> {
  readonly params?: Readonly<Record<string, string>>
}

type Check = (url: string, source: MappingSource, checking?: Checking) => Promise<CheckReport>

const checkBy = ({ client }: Connection, source: MappingSource, { params = {}, ...options }: Checking = {}) =>
  checkSource(client, { source, values: paramValues(source.file, params, {}), ...OPTIONS, ...options })

export const check: Check = (url, ...what) => withConnection(url, (connection) => checkBy(connection, ...what))

/** Checks by sessions that are kept until the tests of this block have ended. */
export function useCheck(): Check {
  const sessions = new KeptSessions()
  afterAll(() => sessions.close())
  return (url, ...what) => sessions.use(url, (connection) => checkBy(connection, ...what))
}

export const shown = ({ about, problem }: Finding): string => `${about}: ${problem}`
export const errorsOf = ({ findings }: CheckReport): string[] =>
  findings.filter(({ level }) => level === 'error').map(shown)
export const about = ({ findings }: CheckReport, what: string): Finding[] =>
  findings.filter((one) => one.about === what)
export const rowsOf = ({ sections }: CheckReport): Record<string, number | null> =>
  Object.fromEntries(sections.map(({ relation, rows }) => [relation, rows]))
export const columnsOf = ({ sections }: CheckReport, relation: Relation): string | undefined =>
  sections
    .find((one) => one.relation === relation)
    ?.columns?.map(({ name, type }) => `${name} ${type}`)
    .join(', ')

/** The database of a check, and what its tests do with it. */
export interface Platform {
  readonly url: string
  readonly admin: Client
}

export interface PlatformTools {
  readonly as: (role: string, to?: string) => string
  readonly check: Check
  readonly sql: (text: string, database?: string) => Promise<string>
  /** A database of one test's own. */
  readonly database: (text: string) => Promise<{ name: string; to: string }>
}

/** @param ready is given the database once it is there */
export function usePlatform(postgres: () => Postgres, ready: (platform: Platform) => void): PlatformTools {
  let url: string
  let admin: Client
  const sql = (text: string, database = 'ideas'): Promise<string> => postgres().psql(text, database)
  let databases = 0
  beforeAll(async () => {
    url = await postgres().createDatabase('ideas')
    // What the server does by itself must not look like something that a check has written.
    await sql(`ALTER SYSTEM SET autovacuum = off; SELECT pg_reload_conf()`)
    await sql(`${SCHEMA}\n${ROWS}\n${roleScript('native', NATIVE.file.requires, 'reader')}`)
    admin = new Client({ connectionString: url })
    admin.on('error', () => {})
    await admin.connect()
    ready({ url, admin })
  })
  afterAll(() => admin?.end())
  return {
    as: (role, to = url) => as(role, to),
    check: useCheck(),
    sql,
    async database(text) {
      const name = `own_${++databases}`
      const to = await postgres().createDatabase(name)
      await sql(text, name)
      onTestFinished(() => postgres().dropDatabase(name))
      return { name, to }
    },
  }
}
