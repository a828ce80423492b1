// Owns the text of the queries that send rows as they are: nothing is grouped, sorted or joined but what the mapping itself
// does. Reads nothing.
import { randomBytes } from 'node:crypto'
import { MAX_CATEGORY_CODE_POINTS } from '../../contract/category-name.ts'
import type { OneInstant } from '../database/one-instant.ts'
import type { Relation } from '../mapping/relations.ts'
import { timeLiteral, type TemplateParameters } from '../sql/template.ts'

/** A longer title is cut; a longer url or status is dropped, because a part of it would mean something else. */
export const MAX_TEXT_CODE_POINTS = 10_000
export const LONGEST = `${MAX_TEXT_CODE_POINTS.toLocaleString('en')} characters`
/** The date of an idea is published from the year 1 on: an earlier one does not fit the 24 characters of a timestamp. */
export const FIRST_YEAR_MS: number = Date.parse('0001-01-01T00:00:00Z')
/** One code point more than is published, so that a longer text is noticed. */
const TEXT_CUT = MAX_TEXT_CODE_POINTS + 1
/** A name is cut far beyond what can be published: composing (NFC) turns at most three code points into one. */
export const NAME_CUT: number = 5 * MAX_CATEGORY_CODE_POINTS + 1

export interface RawQuery {
  readonly sql: string
  /** How many fields a row has. */
  readonly fields: number
  /** The place of a key that no two rows have; absent = there is none, or repeated keys are noticed otherwise. */
  readonly unique?: number
}

export type IdeaKey = 'int8' | 'uuid' | 'text'

// The places of fields. In place 0 is the key of the idea, but in accounts, which have none.
export const IDEA = { createdAt: 1, launchedAt: 2, isLong: 3 } as const
/** The places in votes and comments. Only votes have `isNull`: NULL where the vote counts, else whether its value is NULL. */
export const EVENT = { createdAt: 1, isNull: 2, ownKey: 2 } as const
const IS_NULL = 'CASE WHEN value > 0 THEN NULL ELSE value IS NULL END'
export const ACCOUNT = { createdAt: 0, hasNoId: 1, ownKey: 2 } as const
export const FACTS = { id: 1, title: 2, createdAt: 3, launched: 4, launchedAt: 5, url: 6, status: 7 } as const

/**
 * The fields of a row, in this order: the key of the idea, then those of its relation, last the key of a person. No person is
 * known outside the server: their keys are hashed there, with another seed in each read. Among a million people, the
 * probability that two have the same key is below 10^-7 (64 bits).
 * @param hasPeople false = no key of a person is asked for
 * @param select writes a SELECT of a section
 */
export function rawRows(
  { sections = new Map(), keys = {} }: TemplateParameters,
  hasPeople: boolean,
  select: OneInstant['select'],
) {
  const ideaKey = (keys['idea_key'] ?? 'text') as IdeaKey
  const bytes = randomBytes(16)
  const seeds = [String(bytes.readBigInt64LE(0)), String(bytes.readBigInt64LE(8))] as const
  const query = (relation: Relation, columns: readonly string[], rest?: string): RawQuery => {
    const sql = select(columns.join(', '), sections.get(relation) ?? '', rest)
    return { sql, fields: columns.length }
  }
  /** A text is sent as two hashes in one field, 128 bits, which are as good as the text. */
  const key = (column: string): string => {
    const hashes = seeds.map((seed) => `pg_catalog.int8send(${hashed(`${column}::text`, seed)})`)
    return ideaKey === 'text' ? hashes.join(' || ') : `${column}::${ideaKey}`
  }
  /** Ids are hashed as text: hashint8extended folds a number to 32 bits before the seed comes in, so 1 and 4294967296 would be one. */
  const person = (column: string): string[] =>
    hasPeople ? [hashed(`${column}::${keys['user_key'] ?? 'text'}::text`, seeds[0])] : []
  return {
    ideaKey,
    /** The fields of IDEA, and the idea's author. */
    ideas() {
      const launch = 'CASE WHEN launched THEN launched_at::timestamptz END'
      // Numbers and uuids are never too long to be published.
      const isLong = ideaKey === 'text' ? `length(id::text) > ${MAX_TEXT_CODE_POINTS}` : 'false'
      return query('ideas', [key('id'), 'created_at::timestamptz', launch, isLong, ...person('author_id')])
    },
    /** The beginning of the name of each category. */
    ideaCategories: () => query('idea_categories', [key('idea_id'), `left(btrim(category::text), ${NAME_CUT})`]),
    /** The fields of EVENT, and who voted. */
    votes: () => query('votes', [key('idea_id'), 'created_at::timestamptz', IS_NULL, ...person('user_id')]),
    /** The fields of EVENT without `isNull`, the comment's own key, and who wrote it. */
    comments() {
      const own = keys['comment_key'] === 'int8' ? 'id::int8' : hashed('id::text', seeds[0])
      const columns = [key('idea_id'), 'created_at::timestamptz', own, ...person('user_id')]
      return { ...query('comments', columns), unique: EVENT.ownKey }
    },
    /** The fields of ACCOUNT, and the account's key. */
    accounts(): RawQuery {
      const columns = ['created_at::timestamptz', 'id IS NULL']
      if (!hasPeople) return query('users', columns)
      return { ...query('users', [...columns, hashed('id::text', seeds[0])]), unique: ACCOUNT.ownKey }
    },
    /** The fields of FACTS, for the ideas that may be published, newest first. */
    publishedIdeas(asOfMs: number) {
      const cut = (column: string): string => `left(${column}::text, ${TEXT_CUT})`
      const times = ['created_at::timestamptz', 'launched', 'launched_at::timestamptz']
      const columns = [key('id'), cut('id'), cut('title'), ...times, cut('url'), cut('status')]
      const where = `WHERE created_at::timestamptz >= ${timeLiteral(FIRST_YEAR_MS)} AND created_at::timestamptz < ${timeLiteral(asOfMs)}`
      const order = `date_trunc('milliseconds', created_at::timestamptz) DESC, ${cut('id')} COLLATE "C"`
      return query('ideas', columns, `${where} ORDER BY ${order}`)
    },
  }
}

function hashed(text: string, seed: string): string {
  return `pg_catalog.hashtextextended(${text} COLLATE "C", ${seed})`
}
