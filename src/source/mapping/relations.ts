// Owns the six relations that a mapping must give: their columns, types and what may be NULL. Knows no connection.

export const RELATIONS = ['users', 'ideas', 'idea_categories', 'votes', 'comments', 'categories'] as const
export type Relation = (typeof RELATIONS)[number]

/** `id` = anything that casts to text. */
type ColumnType = 'id' | 'text' | 'timestamptz' | 'boolean' | 'int'

/** By name, in the order in which they are listed. */
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

/** Of the section that only setup reads: each is text, and may be absent. */
export const PAGE_COLUMNS = ['title', 'language', 'url'] as const

/** What a section must return, and what it may. */
function columnsOf(section: Relation | 'closed'): readonly [needed: Columns, optional: Columns] {
  return section === 'closed' ? [{ closed: 'boolean' }, { reason: 'text' }] : [COLUMNS[section], {}]
}

/** A column as the server returns it: its type's name and pg_type.typcategory. */
export interface ReturnedColumn {
  readonly name: string
  readonly type: string
  readonly category: string
}

/** Compares the columns that a section returns with those that it must have. */
export function checkColumns(
  section: Relation | 'closed',
  columnTypes: readonly ReturnedColumn[],
): { readonly errors: readonly string[]; readonly warnings: readonly string[] } {
  const [needed, optional] = columnsOf(section)
  const wanted = { ...needed, ...optional }
  const errors: string[] = []
  const warnings: string[] = []
  for (const [name, type] of Object.entries(wanted)) {
    const [is, ...more] = columnTypes.filter((column) => column.name === name)
    const mustBe = type === 'id' ? 'any type that casts to text' : type
    if (more.length > 0) errors.push(`column ${name} is returned ${more.length + 1} times; return it once`)
    else if (is === undefined) {
      if (name in needed) errors.push(`column ${name} (${mustBe}) is missing; return ${Object.keys(needed).join(', ')}`)
    } else if (type === 'timestamptz' && is.type === 'timestamp')
      warnings.push(
        `column ${name} is timestamp without time zone and is taken as UTC; write ${name} AT TIME ZONE 'UTC' (or its zone) to say so`,
      )
    else {
      const hint = wrongTypeHint(name, type, is)
      if (hint !== null) errors.push(`column ${name} is ${is.type}, must be ${mustBe}; ${hint}`)
    }
  }
  for (const { name } of columnTypes)
    if (!Object.hasOwn(wanted, name))
      errors.push(`column ${name} is not one of ${section}'s; allowed: ${Object.keys(wanted).join(', ')}`)
  return { errors, warnings }
}

/** What to write instead; null = the type is right. */
function wrongTypeHint(name: string, type: ColumnType, is: ReturnedColumn): string | null {
  switch (type) {
    case 'id':
      return is.type === 'bytea' || 'ACP'.includes(is.category) ? `write ${name}::text` : null
    case 'text':
      return 'SE'.includes(is.category) ? null : `write ${name}::text`
    case 'boolean':
      return is.type === 'bool' ? null : 'write a comparison that is true or false, never NULL'
    case 'int':
      return ['int2', 'int4', 'int8'].includes(is.type) ? null : `write ${name}::int`
    case 'timestamptz':
      return is.type === 'timestamptz' ? null : timeHint(name, is)
  }
}

function timeHint(name: string, is: ReturnedColumn): string {
  if (is.category === 'N')
    return `for epoch seconds write to_timestamp(${name}), for milliseconds to_timestamp(${name} / 1000.0)`
  if (is.type === 'date')
    return `a date is midnight somewhere: write (…)::timestamp AT TIME ZONE 'Europe/Paris' AS ${name}, with your zone`
  return `write ${name}::timestamptz${is.category === 'S' ? ' (NULL::timestamptz where there is none)' : ''}`
}

/** The type to which keys that meet in a join are cast: their own when all agree on it, else text. */
export function commonKeyType(types: readonly string[]): 'int8' | 'uuid' | 'text' {
  if (types.every((type) => ['int2', 'int4', 'int8'].includes(type))) return 'int8'
  return types.every((type) => type === 'uuid') ? 'uuid' : 'text'
}
