// Owns names as SQL writes them: folded to lower case unless quoted, with or without a schema. Pure.

export interface TableName {
  /** null = wherever the search_path leads. */
  readonly schema: string | null
  readonly name: string
}

const PART = /"(?:[^"]|"")+"|[^".]+/g

/** What the server calls a name: `"userId"` is userId, `Users` is users. */
export function folded(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text.toLowerCase()
}

/** @param text such as `posts`, `polis.votes`, `"Post"` */
export function tableName(text: string): TableName {
  const parts = (text.match(PART) ?? []).map(folded)
  return { schema: parts.length > 1 ? (parts[0] ?? null) : null, name: parts.at(-1) ?? '' }
}

/** As it must be written: quoted where it would be folded, or would not be a name. */
export function written(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : quoted(name)
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
