// Owns the six relations that a mapping must give: their columns, types and what may be NULL. Knows no connection.

export const RELATIONS = ['users', 'ideas', 'idea_categories', 'votes', 'comments', 'categories'] as const
export type Relation = (typeof RELATIONS)[number]

/** `id` = anything that casts to text. */
type ColumnType = 'id' | 'text' | 'timestamptz' | 'boolean' | 'int'

/** Types of columns by name, in the order in which they are listed. */
type Columns = Readonly<Record<string, ColumnType>>

export const COLUMNS: Readonly<Record<Relation, Columns>> = {
  users: { id: 'id', created_at: 'timestamptz' },
  ideas: {
    id: 'id',
    title: 'text',
    created_at: 'timestamptz',
    launched: 'boolean',
    launched_at: 'timestamptz',
    url: 'text',
    author_id: 'id',
    status: 'text',
  },
  idea_categories: { idea_id: 'id', category: 'text' },
  votes: { idea_id: 'id', user_id: 'id', value: 'int', created_at: 'timestamptz' },
  comments: { id: 'id', idea_id: 'id', user_id: 'id', created_at: 'timestamptz' },
  categories: { name: 'text' },
}

/** The columns of section `page`, which only setup reads: each is text, and may be absent. */
export const PAGE_COLUMNS = ['title', 'language', 'url'] as const

/** A column as the server returns it: its type's name (with a scale, if it has one) and pg_type.typcategory. */
export interface ReturnedColumn {
  readonly name: string
  readonly type: string
  readonly category: string
  /** Where it comes from, as written in SQL; null or absent = it is an expression. */
  readonly from?: { readonly table: string; readonly column: string } | null
}

/** Compares the columns that a section returns with those that it must have. */
export function checkColumns(
  section: Relation | 'closed',
  columnTypes: readonly ReturnedColumn[],
): { readonly errors: readonly string[]; readonly warnings: readonly string[] } {
  const needed: Columns = section === 'closed' ? { closed: 'boolean' } : COLUMNS[section]
  const wanted: Columns = section === 'closed' ? { ...needed, reason: 'text' } : needed
  const errors: string[] = []
  const warnings: string[] = []
  for (const [name, type] of Object.entries(wanted)) {
    const [is, ...more] = columnTypes.filter((column) => column.name === name)
    const mustBe = type === 'id' ? 'any type that casts to text, to one text for each value' : type
    if (more.length > 0) errors.push(`column ${name} is returned ${more.length + 1} times; return it once`)
    else if (is === undefined) {
      if (name in needed) errors.push(`column ${name} (${mustBe}) is missing; return ${Object.keys(needed).join(', ')}`)
    } else if (type === 'timestamptz' && is.type === 'timestamp')
      warnings.push(
        `column ${name} is timestamp without time zone and is taken as UTC; write ${name} AT TIME ZONE 'UTC' (or its zone) to say so`,
      )
    else if (!FITS[type](is)) errors.push(`column ${name} is ${is.type}, must be ${mustBe}; ${hintOf(name, type, is)}`)
  }
  for (const { name } of columnTypes)
    if (!Object.hasOwn(wanted, name))
      errors.push(`column ${name} is not one of ${section}'s; allowed: ${Object.keys(wanted).join(', ')}`)
  return { errors, warnings }
}

/** Whether a column is of a type, or can be taken as one unchanged. */
const FITS: Readonly<Record<ColumnType, (is: ReturnedColumn) => boolean>> = {
  // In the other types one id may be written in several ways, and would not match itself in a join.
  id: ({ type, category }) => !/^(?:bytea|citext|float[48]|numeric\(.*)$/.test(type) && !'ACP'.includes(category),
  text: ({ category }) => 'SE'.includes(category),
  timestamptz: ({ type }) => type === 'timestamptz',
  boolean: ({ type }) => type === 'bool',
  int: ({ type }) => ['int2', 'int4', 'int8'].includes(type),
}

function hintOf(name: string, type: ColumnType, { type: is, category }: ReturnedColumn): string {
  // As a whole number, a weight below one half would be 0.
  if (type === 'int' && category === 'N') return `write (${name} > 0)::int AS ${name}`
  if (type === 'id' && is === 'citext') return `write lower(${name}::text) AS ${name}, and so in every section`
  if (type === 'id' && category === 'N') return `write ${name}::bigint AS ${name}`
  if (type === 'boolean') return 'write a comparison that is true or false, never NULL'
  if (type !== 'timestamptz') return `write ${name}::${type === 'id' ? 'text' : type}`
  return category === 'N'
    ? `for epoch seconds write to_timestamp(${name}), for milliseconds to_timestamp(${name} / 1000.0)`
    : `write (…)::timestamp AT TIME ZONE 'Europe/Paris' AS ${name}, with your zone, or NULL::timestamptz where there is none`
}

/** The type to which keys that meet in a join are cast: their own when all agree on it, else text. */
export function commonKeyType(types: readonly string[]): 'int8' | 'uuid' | 'text' {
  if (types.every((type) => ['int2', 'int4', 'int8'].includes(type))) return 'int8'
  return types.every((type) => type === 'uuid') ? 'uuid' : 'text'
}
