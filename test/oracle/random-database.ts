// Small, nasty databases in the native shape: a fast-check arbitrary of the rows, and the loader that puts them into
// PostgreSQL. Few rows, so that failures shrink to something readable; every value from a pool chosen for its edges.
import { readFileSync } from 'node:fs'
import {
  array,
  boolean,
  constant,
  constantFrom,
  nat,
  noBias,
  oneof,
  option,
  record,
  tuple,
  uniqueArray,
} from 'fast-check'
import type { Arbitrary } from 'fast-check'
import pg, { type ClientBase } from 'pg'
import type { Postgres } from '../support/postgres.ts'

/** Ids are decimal text (bigint in the table); times are ISO 8601 UTC with microseconds. */
export interface NativeDatabase {
  /** dataAsOf of the release that is to be built from it: ISO 8601 UTC with milliseconds. */
  asOf: string
  users: { id: string | null; created_at: string | null }[]
  ideas: NativeIdea[]
  categories: { name: string | null }[]
  idea_categories: { idea_id: string | null; category: string | null }[]
  votes: { idea_id: string | null; user_id: string | null; value: number | null; created_at: string | null }[]
  comments: { id: string; idea_id: string | null; user_id: string | null; created_at: string | null }[]
}

export interface NativeIdea {
  id: string | null
  title: string | null
  created_at: string | null
  launched: boolean | null
  launched_at: string | null
  url: string | null
  author_id: string | null
  status: string | null
}

const COLUMNS = {
  users: 'id bigint, created_at timestamptz',
  ideas:
    'id bigint, title text, created_at timestamptz, launched boolean, launched_at timestamptz, url text, author_id bigint, status text',
  categories: 'name text',
  idea_categories: 'idea_id bigint, category text',
  votes: 'idea_id bigint, user_id bigint, value integer, created_at timestamptz',
  comments: 'id bigint, idea_id bigint, user_id bigint, created_at timestamptz',
}
const TABLES = ['users', 'ideas', 'categories', 'idea_categories', 'votes', 'comments'] as const

const NATIVE_SCHEMA = new URL('../../src/source/mapping/built-in/native/schema.sql', import.meta.url)

/**
 * The native schema as it ships, then without the constraints that would keep out what a mapping of another platform
 * may return: categories of unknown ideas, the same category twice, NULL anywhere.
 */
/** A database with the native tables, and a connection, which the caller ends. */
export async function openNativeDatabase(
  postgres: Postgres,
  name?: string,
): Promise<{ readonly url: string; readonly client: pg.Client }> {
  const url = await postgres.createDatabase(name)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await createNativeTables(client)
  return { url, client }
}

export async function createNativeTables(client: ClientBase): Promise<void> {
  await client.query(readFileSync(NATIVE_SCHEMA, 'utf8'))
  await client.query(`
    ALTER TABLE idea_categories DROP CONSTRAINT idea_categories_idea_id_fkey, DROP CONSTRAINT idea_categories_pkey;
    ALTER TABLE categories DROP CONSTRAINT categories_pkey, ALTER name DROP NOT NULL;
    ALTER TABLE idea_categories ALTER idea_id DROP NOT NULL, ALTER category DROP NOT NULL;
    ALTER TABLE users DROP CONSTRAINT users_pkey, ALTER id DROP NOT NULL, ALTER created_at DROP NOT NULL;
    ALTER TABLE ideas DROP CONSTRAINT ideas_pkey, ALTER id DROP NOT NULL, ALTER title DROP NOT NULL,
      ALTER created_at DROP NOT NULL, ALTER launched DROP NOT NULL;
    ALTER TABLE votes ALTER idea_id DROP NOT NULL, ALTER value DROP NOT NULL;
    ALTER TABLE comments ALTER idea_id DROP NOT NULL, ALTER created_at DROP NOT NULL`)
}

export async function loadDatabase(client: ClientBase, database: NativeDatabase): Promise<void> {
  await client.query(`TRUNCATE ${TABLES.join(', ')}`)
  for (const table of TABLES) {
    if (database[table].length === 0) continue
    const sql = `INSERT INTO ${table} SELECT * FROM json_to_recordset($1) AS row (${COLUMNS[table]})`
    await client.query(sql, [JSON.stringify(database[table])])
  }
}

export function emptyDatabase(asOf: string): NativeDatabase {
  return { asOf, users: [], ideas: [], categories: [], idea_categories: [], votes: [], comments: [] }
}

/** Microseconds, because that is what PostgreSQL stores and a JavaScript Date cannot say. */
export function isoMicros(ms: number, micros = 0): string {
  const whole = ms + Math.floor(micros / 1000)
  const rest = ((micros % 1000) + 1000) % 1000
  return new Date(whole).toISOString().replace('Z', `${String(rest).padStart(3, '0')}Z`)
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const CLOCKS = [
  '2024-05-01T00:00:00.000Z', // midnight on the first: hours, days and months all end here
  '2025-01-01T00:00:00.000Z',
  '2024-02-29T12:00:00.000Z', // on the hour, leap day
  // 30, 90 and 365 days after the end of a month, and just before: whole cohorts become as old as that.
  '2024-02-29T00:00:00.000Z',
  '2024-02-28T23:59:59.999Z',
  '2023-05-30T00:00:00.000Z',
  '2023-05-29T23:59:59.999Z',
  '2024-03-01T00:00:00.001Z',
  '2023-12-31T23:59:59.999Z',
  '2025-03-30T01:30:00.123Z', // in the hour that Europe skips
  '2026-10-25T02:30:00.000Z', // after the one that it has twice
  '2012-01-02T12:00:00.000Z', // days after the one that Samoa skipped
  '2018-11-04T12:00:00.000Z', // on a day of São Paulo without a midnight
  '2009-11-01T12:00:00.000Z', // on one of Newfoundland that was over once before
  '2026-07-14T09:41:07.653Z',
]

/** The beginning and the end of one, and the day after February in years that have none. */
const LEAP_DAYS = [Date.UTC(2024, 1, 29), Date.UTC(2024, 2, 1), Date.UTC(2023, 2, 1), Date.UTC(2000, 1, 29)]

/** In hours after that of UTC, in summer and in winter: those of TIME_ZONES. */
const LOCAL_MIDNIGHTS = [-14, -13.75, -13, -12.75, -9, -5.75, -2, -1, 2, 2.5, 3, 3.5, 4, 5, 10, 11]

/** Every instant at which an answer can change, and its neighbours a millisecond and a microsecond away. */
function instants(asOf: number): Readonly<Record<'recent' | 'past' | 'undated' | 'future', string[]>> {
  const date = new Date(asOf)
  const midnight = asOf - (asOf % DAY_MS)
  const edges = [1, 2, 7, 14, 30, 60, 90, 180, 365, 366, 372, 395, 455].flatMap((days) => [
    asOf - days * DAY_MS,
    midnight - days * DAY_MS,
  ])
  const starts = [
    asOf - (asOf % HOUR_MS),
    asOf - DAY_MS - ((asOf - DAY_MS) % HOUR_MS),
    asOf - (asOf % DAY_MS),
    asOf - 7 * DAY_MS - (asOf % DAY_MS),
    asOf - 30 * DAY_MS - (asOf % DAY_MS),
    // Where the second bucket of a window begins: the first one is only a part.
    asOf - DAY_MS - ((asOf - DAY_MS) % HOUR_MS) + HOUR_MS,
    asOf - 7 * DAY_MS - (asOf % DAY_MS) + DAY_MS,
    asOf - 30 * DAY_MS - (asOf % DAY_MS) + DAY_MS,
    asOf - 90 * DAY_MS - (asOf % DAY_MS) + DAY_MS,
    Date.UTC(date.getUTCFullYear(), date.getUTCMonth()),
    Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1),
    Date.UTC(date.getUTCFullYear(), 0),
    // Where days begin to be cut by windows.
    midnight - 181 * DAY_MS,
    midnight - 179 * DAY_MS,
    ...LOCAL_MIDNIGHTS.flatMap((hours) => [0, 1, 7].map((days) => midnight + hours * HOUR_MS - days * DAY_MS)),
  ]
  const longAgo = [-2, -4, -12, -13, -14, -25].map((months) =>
    Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months),
  )
  // prettier-ignore
  const around = (list: readonly number[]) => list.flatMap((ms) => [
    isoMicros(ms), isoMicros(ms, -1), isoMicros(ms, 1), isoMicros(ms - 1), isoMicros(ms + 1, 999),
  ])
  const within = [1, 20, 30, 75, 240, 500, 1000, 3000].map((hours) => isoMicros(asOf - hours * HOUR_MS - 1234))
  const old = [isoMicros(asOf - 400 * DAY_MS), '1990-01-01T00:00:00.000000Z', '1990-01-31T23:59:59.999999Z']
  // prettier-ignore
  const undated = [
    '1989-12-31T23:59:59.999999Z', '1970-01-01T00:00:00.000000Z', '1969-12-31T23:59:59.999999Z', '1912-02-29T00:00:00.000000Z',
    '0001-01-01T00:00:00.000001Z',
  ]
  const now = [isoMicros(asOf, -1), isoMicros(asOf - 1), isoMicros(asOf - 1, -1)]
  // prettier-ignore
  const future = [
    isoMicros(asOf), isoMicros(asOf, 1), isoMicros(asOf, 999), isoMicros(asOf + 1), isoMicros(asOf + HOUR_MS),
    isoMicros(asOf + 400 * DAY_MS), '9999-12-31T23:59:59.999999Z',
  ]
  const before = (list: readonly string[]) => list.filter((at) => at < isoMicros(asOf))
  const recent = before([...now, ...around([...edges, ...starts]), ...within])
  return { recent, past: before([...around([...longAgo, ...LEAP_DAYS]), ...old]), undated, future }
}

/** No times at all, or none that could be published. */
const NO_TIMES = [null, '-infinity', 'infinity', '0044-03-15 12:00:00+00 BC', '12026-01-01 00:00:00+00']

function times(asOf: string): { readonly any: Arbitrary<string | null>; readonly created: Arbitrary<string | null> } {
  const { recent, past, undated, future } = instants(Date.parse(asOf))
  const rare = [
    { weight: 1, arbitrary: constantFrom(...future) },
    { weight: 1, arbitrary: constantFrom(...NO_TIMES) },
    { weight: 1, arbitrary: constantFrom(...undated) },
  ]
  const any = oneof(
    { weight: 10, arbitrary: constantFrom(...recent) },
    { weight: 2, arbitrary: constantFrom(...past) },
    ...rare,
  )
  const created = oneof(
    { weight: 5, arbitrary: any },
    { weight: 5, arbitrary: constantFrom(...past) },
    { weight: 1, arbitrary: constantFrom(...undated) },
  )
  return { any, created }
}

// Around 2^53 two ids differ that are one JavaScript number; by code point '-5' < '10' < '9'.
const IDS = ['1', '2', '3', '9', '10', '11', '100', '-5', '-10', '9007199254740992', '9007199254740993', '42']
const PEOPLE = ['1', '2', '3', '10', '-5', '9007199254740993', '77', '78']
const UNKNOWN_IDEAS = ['404', '-404', null]

// prettier-ignore
const NAMES = [
  'Product', 'product', 'PRODUCT', 'Mobile', 'all', '__proto__', 'constructor', '../x', 'a; b', 'a', '=1+1',
  'Caf\u00e9', 'Cafe\u0301', '\u0130', 'i\u0307', 'I', '\u212b', '\u00c5', '"quoted", \'single\' \\', 'line\nbreak',
  // UTF-16 puts the emoji before the private and full-width characters, code points put it after.
  '\u{1f600}', '\ue000', '\uff5e', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}', '\u200bzwsp', '\ufeffbom',
  `${'long '.repeat(9)}one`, `${'long '.repeat(9)}two`, '\u6587'.repeat(41),
  'Uncategorized', 'UNCATEGORIZED', 'uncategorized', 'Uncategori\u0307zed', '',
  // The longest name that a request may have, and one more.
  '\u{1f600}'.repeat(200), '\u{1f600}'.repeat(201), 'e\u0301'.repeat(200), 'x'.repeat(20_000),
]
const WHITE_SPACE = ['', ' ', '\t\n', '\u00a0', '\u0085', '\u1680', '\u2003', '\u2028', '\u202f', '\u205f\u3000 ']

// prettier-ignore
const TITLES = [
  'Dark mode', 'Light mode', '', ' padded ', 'two\nlines', 'tab\there', 'carriage\rreturn', 'back\\slash \\n \\. \\N',
  '"quoted", comma; semicolon', "it's", '\u{1f680} launch', '=HYPERLINK("http://evil.example")', '+1', '-1', '@sum',
  `${'\u{1f600}'.repeat(10_000)}behind`, '\u2028separators\u2029', '<script>alert(1)</script>', '\u202ereversed', 'e\u0301', '\ufeffbom', '\u0001', '\\.',
]
// prettier-ignore
const URLS = [
  null, '/ideas/7', '/', '/a?b=c&d="e"#f', 'https://example.org/x', 'http://example.org', 'HTTPS://EXAMPLE.ORG/X',
  '//evil.example/x', 'javascript:alert(1)', 'data:text/html,x', 'ftp://example.org', 'ideas/7', '', ' /ideas/7',
]
// prettier-ignore
const STATUSES = [
  null, 'open', 'open', 'Completed', '', 'in progress, nearly', '=cmd', '\u00dcberpr\u00fcft', '\u{1f600}', '\uff5e',
  'x'.repeat(10_001), // too long: none
]

/** Ages at launch, in microseconds: about the limits of cohorts, and where two decimals of a day are rounded. */
const SECOND = 1_000_000
const DAY = 86_400 * SECOND
const AGES = [
  0,
  -1,
  -5 * DAY,
  3 * 3600 * SECOND,
  432 * SECOND,
  432 * SECOND - 100,
  1296 * SECOND,
  DAY,
  75 * DAY,
].concat([30, 90, 365].flatMap((days) => [0, -1, 999, 1000].map((by) => days * DAY + by)))

const padded = tuple(
  oneof({ weight: 3, arbitrary: constant('') }, constantFrom(...WHITE_SPACE)),
  constantFrom(...NAMES),
  oneof({ weight: 3, arbitrary: constant('') }, constantFrom(...WHITE_SPACE)),
).map((parts) => parts.join(''))

const index = nat({ max: 1000 })
/** Rarely none, where there should be one. */
const mostly = <T>(arbitrary: Arbitrary<T>): Arbitrary<T | null> =>
  oneof({ weight: 14, arbitrary }, { weight: 1, arbitrary: constant(null) })
const person = oneof({ weight: 6, arbitrary: constantFrom(...PEOPLE) }, constant(null))
const maybe = <T>(arbitrary: Arbitrary<T>) => option(arbitrary, { freq: 4, nil: null })

/**
 * What is left of a database: all of it, or of some tables nothing, or one row. A site begins with that, and a bucket or
 * month has it that nothing else fills.
 */
function thinned(rows: NativeDatabase, keep: Partial<Record<(typeof TABLES)[number], 0 | 1>>): NativeDatabase {
  const kept = TABLES.map((table) => [table, rows[table].slice(0, keep[table] ?? rows[table].length)])
  return { ...rows, ...Object.fromEntries(kept) }
}

const NOTHING = { users: 0, ideas: 0, categories: 0, idea_categories: 0, votes: 0, comments: 0 } as const
// prettier-ignore
const KEPT = [
  NOTHING, { ...NOTHING, users: 1 }, { ...NOTHING, ideas: 1 }, { ...NOTHING, ideas: 1, votes: 1 },
  { ...NOTHING, ideas: 1, comments: 1, idea_categories: 1 }, { ideas: 1 }, { users: 0 }, { users: 0, votes: 1, comments: 0 },
] as const

/** A time some microseconds after another; null without one, and where the year has not four digits. */
function after(time: string | null, micros: number): string | null {
  const parts = /^(\d{4}-.*\.\d{3})(\d{3})Z$/.exec(time ?? '')
  if (parts === null) return null
  const later = isoMicros(Date.parse(`${parts[1]}Z`), Number(parts[2]) + micros)
  return /^(?!0000)\d{4}-/.test(later) ? later : null
}

/** Up to 8 users and a crowd of 40, 10 ideas, 40 votes, 20 comments, 5 categories and their spellings, around one dataAsOf. */
export function nativeDatabases(): Arbitrary<NativeDatabase> {
  return constantFrom(...CLOCKS).chain((asOf) => {
    const { any: time, created } = times(asOf)
    const idea = record({
      id: mostly(constantFrom(...IDS)),
      title: mostly(constantFrom(...TITLES)),
      created: index,
      launched: mostly(boolean()),
      launched_at: maybe(time),
      age: option(constantFrom(...AGES), { freq: 2 }),
      url: constantFrom(...URLS),
      author_id: person,
      status: constantFrom(...STATUSES),
    })
    const user = record({ id: mostly(constantFrom(...PEOPLE)), created_at: time })
    // Places in lists, not ids: so they still point at something while the lists shrink.
    const vote = record({
      idea: index,
      user_id: person,
      value: oneof({ weight: 6, arbitrary: constant(1) }, constantFrom(-1, 0, 3, null)),
      created_at: maybe(time),
    })
    const comment = record({ idea: index, user_id: person, created_at: time })
    const rows = record({
      users: uniqueArray(user, { maxLength: 8, selector: (row) => row.id }),
      ideas: uniqueArray(idea, { maxLength: 10, size: 'max', selector: (row) => row.id }),
      // Few enough that ideas share their moment of creation.
      created: array(created, { minLength: 1, maxLength: 5, size: 'max' }),
      names: array(mostly(padded), { maxLength: 5, size: 'max' }),
      listed: array(index, { maxLength: 5 }),
      filed: array(record({ idea: index, name: index }), { maxLength: 20, size: 'max' }),
      votes: array(vote, { maxLength: 40, size: 'max' }),
      comments: array(comment, { maxLength: 20, size: 'max' }),
      // Enough people for a number that is rounded; each votes once.
      crowd: oneof(
        { weight: 2, arbitrary: constant<{ idea: number; joined: string | null; voted: string | null }[]>([]) },
        {
          weight: 3,
          arbitrary: array(record({ idea: index, joined: time, voted: maybe(time) }), { maxLength: 40, size: 'max' }),
        },
      ),
      keep: oneof({ weight: 4, arbitrary: constant({}) }, constantFrom(...KEPT)),
    })
    // Without fast-check's preference for small numbers, which makes most ideas share one moment.
    return noBias(rows).map((drawn) => {
      const { ideas, created: creations, names, listed, filed, comments, crowd } = drawn
      const users = [...drawn.users, ...crowd.map(({ joined }, i) => ({ id: String(1000 + i), created_at: joined }))]
      const ofCrowd = crowd.map(({ idea: place, voted }, i) => ({
        idea: place,
        user_id: String(1000 + i),
        value: 1,
        created_at: voted,
      }))
      const votes = [...drawn.votes, ...ofCrowd]
      const targets = [...ideas.map((row) => row.id), ...UNKNOWN_IDEAS]
      const ideaId = (place: number) => targets[place % targets.length]!
      const categories = names.length === 0 ? [] : listed.map((place) => ({ name: names[place % names.length]! }))
      const ideaCategories = filed.flatMap((row) =>
        names.length === 0 ? [] : [{ idea_id: ideaId(row.idea), category: names[row.name % names.length]! }],
      )
      const everything = {
        asOf,
        users,
        ideas: ideas.map(({ created: place, age, ...row }) => {
          const created_at = creations[place % creations.length]!
          return { ...row, created_at, launched_at: age === null ? row.launched_at : after(created_at, age) }
        }),
        categories,
        idea_categories: ideaCategories,
        votes: votes.map(({ idea: place, ...row }) => ({ idea_id: ideaId(place), ...row })),
        comments: comments.map(({ idea: place, ...row }, at) => ({ id: String(at), idea_id: ideaId(place), ...row })),
      }
      return thinned(everything, drawn.keep)
    })
  })
}

/** Ahead and behind, by half and three quarters of an hour, without some midnights, and without a day. */
const TIME_ZONES = [
  'Europe/Madrid',
  'Asia/Tokyo',
  'America/New_York',
  'America/Sao_Paulo',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Pacific/Chatham',
]

/** Weights that make scores tie where votes differ, and weights of nothing; for the oracle and the product alike. */
export function buildOptions(): Arbitrary<{
  voteWeight: number
  commentWeight: number
  siteUrl: string | null
  people: 'exact' | 'rounded' | 'off'
  timeZone: string
}> {
  const weights = constantFrom([5, 3], [5, 3], [1, 1], [2, 1], [0, 1], [1, 0], [1000, 1000])
  return record({
    weights,
    siteUrl: constantFrom(null, 'https://ideas.example', 'https://example.org/base'),
    people: constantFrom('exact', 'exact', 'rounded', 'rounded', 'off'),
    timeZone: constantFrom('UTC', 'UTC', 'UTC', ...TIME_ZONES),
  }).map(({ weights: [voteWeight, commentWeight], ...rest }) => ({ voteWeight, commentWeight, ...rest }))
}
