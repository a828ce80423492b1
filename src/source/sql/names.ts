// Owns names as SQL writes them: folded to lower case unless quoted, with or without a schema. Pure.
import { escapeIdentifier } from 'pg'

const PART = /"(?:[^"]|"")+"|[^".]+/g

/** What the server calls a name: `"userId"` is userId, `Users` is users; beyond ASCII it folds nothing (UTF8). */
export function foldedName(text: string): string {
  return text.startsWith('"')
    ? text.slice(1, -1).replaceAll('""', '"')
    : text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/**
 * @param text such as `posts`, `polis.votes`, `"Post"`
 * @returns with schema null = wherever the search_path leads
 */
export function tableName(text: string): { readonly schema: string | null; readonly name: string } {
  const parts = (text.match(PART) ?? []).map(foldedName)
  return { schema: parts.length > 1 ? (parts[0] ?? null) : null, name: parts.at(-1) ?? '' }
}

/** Words that are no names unless quoted (PostgreSQL manual, appendix C: reserved, also as function or type). */
const RESERVED = new Set(
  `all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation column
   concurrently constraint create cross current_catalog current_date current_role current_schema current_time
   current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze from
   full grant group having ilike in initially inner intersect into is isnull join lateral leading left like limit
   localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing primary references
   returning right select session_user similar some symmetric system_user table tablesample then to trailing true union
   unique user using variadic verbose when where window with`.split(/\s+/),
)

/** A name as it must be written: quoted where it would be folded, or would not be a name. */
export function sqlName(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !RESERVED.has(name) ? name : escapeIdentifier(name)
}
