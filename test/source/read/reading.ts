// Reads a real PostgreSQL once: sections of no table to change one by one, and a small native platform.
import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { afterAll, beforeAll } from 'vitest'
import type { IdeaFacts, UserFacts } from '../../../src/model/facts.ts'
import { connect, type Connection } from '../../../src/source/database/connect.ts'
import { parseDatabaseUrl } from '../../../src/source/database/parse-target.ts'
import { SourceError } from '../../../src/source/database/source-error.ts'
import { loadMapping, type Mapping } from '../../../src/source/mapping/mapping.ts'
import type { Relation } from '../../../src/source/mapping/relations.ts'
import {
  beginConsistentRead,
  type ConsistentRead,
  type ConsistentReadOptions,
} from '../../../src/source/read/consistent-read.ts'
import type { SkippedRows } from '../../../src/source/read/skipped-rows.ts'
import { KeptSessions } from '../../support/kept-sessions.ts'
import type { Postgres } from '../../support/postgres.ts'

export const OPTIONS: ConsistentReadOptions = {
  statementTimeoutMs: 20_000,
  lockTimeoutMs: 5000,
  rowSecurity: 'off',
  asOfMs: null,
}
export const AS_OF = Date.UTC(2026, 4, 20, 9, 30)
export const THEN = `'2026-05-01 12:00:00+00'::timestamptz`
export const THEN_MS = Date.UTC(2026, 4, 1, 12)

/** An idea, a vote and a comment, of no table at all. */
export const SECTIONS: Readonly<Record<Relation, string>> = {
  users: `SELECT 1 AS id, ${THEN} AS created_at`,
  ideas: `SELECT 1 AS id, 'Dark mode' AS title, ${THEN} AS created_at, true AS launched, ${THEN} AS launched_at,
                 '/ideas/1' AS url, 7 AS author_id, 'open' AS status`,
  idea_categories: `SELECT 1 AS idea_id, 'Product' AS category`,
  votes: `SELECT 1 AS idea_id, 8 AS user_id, 1 AS value, ${THEN} AS created_at`,
  comments: `SELECT 1 AS id, 1 AS idea_id, 9 AS user_id, ${THEN} AS created_at`,
  categories: `SELECT 'Product' AS name`,
}
export const mappingOf = (sections: Partial<Record<Relation | 'closed', string>>): Mapping => ({
  name: 'test',
  sha256: '',
  asked: { builtIn: false, sections: {}, params: {} },
  requires: [],
  selects: Object.entries({ ...SECTIONS, ...sections }).map(([name, sql]) => ({
    kind: 'section',
    name,
    about: `section ${name}`,
    sql,
    needs: [],
  })),
})
export const NATIVE = loadMapping('native', {})

/** A SELECT with some of the columns replaced: `of('users', { id: 'NULL::int' })`. */
export const of = (relation: Relation, columns: Readonly<Record<string, string>>): string => {
  const replaced = Object.entries(columns).map(([name, value]) => `${value} AS ${name}`)
  const kept = {
    users: 'id created_at',
    ideas: 'id title created_at launched launched_at url author_id status',
    idea_categories: 'idea_id category',
    votes: 'idea_id user_id value created_at',
    comments: 'id idea_id user_id created_at',
    categories: 'name',
  }[relation].split(' ')
  return `SELECT ${[...kept.filter((name) => !(name in columns)), ...replaced].join(', ')} FROM (${SECTIONS[relation]}) AS it`
}

export const EIGHT_TIMES_1 = Array.from({ length: 8 }, () => 1)
export const EIGHT_TIMES_0 = Array.from({ length: 8 }, () => 0)

export interface Read {
  readonly ideas: IdeaFacts[]
  readonly users: UserFacts
  readonly skipped: SkippedRows[]
  readonly source: ConsistentRead
}

export async function withConnection<T>(
  url: string,
  use: (connection: Connection) => Promise<T>,
  signal = new AbortController().signal,
): Promise<T> {
  const connection = await connect(parseDatabaseUrl(url), signal, () => 60_000)
  try {
    return await use(connection)
  } finally {
    await connection.close()
  }
}

type ReadAll = (url: string, mapping: Mapping, options?: Partial<ConsistentReadOptions>) => Promise<Read>

async function readBy(
  { client }: Connection,
  mapping: Mapping,
  options: Partial<ConsistentReadOptions> = {},
): Promise<Read> {
  const source = await beginConsistentRead(client, mapping, { ...OPTIONS, ...options })
  const ideas: IdeaFacts[] = []
  for await (const batch of source.facts()) ideas.push(...batch)
  const { users } = await source.counted()
  await source.end()
  return { ideas, users, skipped: source.skippedRows(), source }
}

export const readAll: ReadAll = (url, ...what) => withConnection(url, (connection) => readBy(connection, ...what))

/** Reads by sessions that are kept until the tests of this block have ended. */
export function useReadAll(): ReadAll {
  const sessions = new KeptSessions()
  afterAll(() => sessions.close())
  return (url, ...what) => sessions.use(url, (connection) => readBy(connection, ...what))
}

/** The one error that reading ends with. */
export async function failure(work: Promise<unknown>): Promise<SourceError> {
  const error = await work.then(
    () => new Error('nothing failed'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof SourceError)) throw error
  return error
}

/** A small native platform; `ready` is given its URL and a session of its superuser once it is there. */
export function useIdeas(postgres: () => Postgres, ready: (url: string, admin: Client) => void): void {
  let admin: Client
  beforeAll(async () => {
    const url = await postgres().createDatabase('ideas')
    admin = new Client({ connectionString: url })
    // The server is stopped with the test; what breaks then is nobody's error.
    admin.on('error', () => {})
    await admin.connect()
    await admin.query(readFileSync('src/source/mapping/built-in/native/schema.sql', 'utf8'))
    await admin.query(`
      INSERT INTO users VALUES (1, ${THEN}), (2, ${THEN});
      INSERT INTO ideas (id, title, created_at) VALUES (1, 'One', ${THEN}), (2, 'Two', ${THEN});
      INSERT INTO votes VALUES (1, 1, 1, ${THEN}), (2, 1, 1, ${THEN}), (2, 2, 1, ${THEN});`)
    ready(url, admin)
  })
  afterAll(() => admin?.end())
}
