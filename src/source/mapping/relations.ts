// Owns the six relations that a mapping must give: their columns, types and what may be NULL. Knows no connection.

export const RELATIONS = ['users', 'ideas', 'idea_categories', 'votes', 'comments', 'categories'] as const
export type Relation = (typeof RELATIONS)[number]

/** `id` = anything that casts to text. */
type ColumnType = 'id' | 'text' | 'timestamptz' | 'boolean' | 'int'

interface Column {
  readonly name: string
  readonly type: ColumnType
  readonly optional?: true
}

export const COLUMNS: Readonly<Record<Relation, readonly Column[]>> = {
  users: [
    { name: 'id', type: 'id' },
    { name: 'created_at', type: 'timestamptz' },
  ],
  ideas: [
    { name: 'id', type: 'id' },
    { name: 'title', type: 'text' },
    { name: 'created_at', type: 'timestamptz' },
    { name: 'launched', type: 'boolean' },
    { name: 'launched_at', type: 'timestamptz' },
    { name: 'url', type: 'text' },
    { name: 'author_id', type: 'id' },
    { name: 'status', type: 'text' },
  ],
  idea_categories: [
    { name: 'idea_id', type: 'id' },
    { name: 'category', type: 'text' },
  ],
  votes: [
    { name: 'idea_id', type: 'id' },
    { name: 'user_id', type: 'id' },
    { name: 'value', type: 'int' },
    { name: 'created_at', type: 'timestamptz' },
  ],
  comments: [
    { name: 'id', type: 'id' },
    { name: 'idea_id', type: 'id' },
    { name: 'user_id', type: 'id' },
    { name: 'created_at', type: 'timestamptz' },
  ],
  categories: [{ name: 'name', type: 'text' }],
}

/** Of the section that is no relation. */
const CLOSED_COLUMNS: readonly Column[] = [
  { name: 'closed', type: 'boolean' },
  { name: 'reason', type: 'text', optional: true },
]

/** Of the section that only setup reads: each is text, and may be absent. */
export const PAGE_COLUMNS = ['title', 'language', 'url'] as const

/** What a section must return. */
function columnsOf(section: Relation | 'closed' | 'page'): readonly Column[] {
  if (section === 'page') return PAGE_COLUMNS.map((name) => ({ name, type: 'text', optional: true }))
  return section === 'closed' ? CLOSED_COLUMNS : COLUMNS[section]
}

/** A column as the server returns it: its type's name and pg_type.typcategory. */
export interface ReturnedColumn {
  readonly name: string
  readonly type: string
  readonly category: string
}

export interface ColumnFindings {
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}

/** Compares the columns that a section returns with those that it must have. */
export function checkColumns(
  section: Relation | 'closed' | 'page',
  columnTypes: readonly ReturnedColumn[],
): ColumnFindings {
  const wanted = columnsOf(section)
  const errors: string[] = []
  const warnings: string[] = []
  const names = wanted.map((column) => column.name).join(', ')
  const needed = wanted.filter(({ optional }) => optional !== true).map((column) => column.name)
  for (const column of wanted) {
    const found = columnTypes.filter(({ name }) => name === column.name)
    const one = found[0]
    if (found.length > 1) errors.push(`column ${column.name} is returned ${found.length} times; return it once`)
    else if (one !== undefined) {
      const finding = checkType(column, one)
      if (finding?.level === 'error') errors.push(finding.text)
      if (finding?.level === 'warning') warnings.push(finding.text)
    } else if (column.optional !== true) {
      errors.push(`column ${column.name} (${typeName(column.type)}) is missing; return ${needed.join(', ')}`)
    }
  }
  for (const { name } of columnTypes)
    if (!wanted.some((column) => column.name === name))
      errors.push(`column ${name} is not one of ${section}'s; allowed: ${names}`)
  return { errors, warnings }
}

function typeName(type: ColumnType): string {
  return type === 'id' ? 'any type that casts to text' : type
}

function checkType(column: Column, is: ReturnedColumn): { level: 'error' | 'warning'; text: string } | null {
  const wrong = (hint: string): { level: 'error'; text: string } => ({
    level: 'error',
    text: `column ${column.name} is ${is.type}, must be ${typeName(column.type)}${hint}`,
  })
  switch (column.type) {
    case 'id':
      return is.type === 'bytea' || 'ACP'.includes(is.category) ? wrong(`; write ${column.name}::text`) : null
    case 'text':
      return 'SE'.includes(is.category) ? null : wrong(`; write ${column.name}::text`)
    case 'boolean':
      return is.type === 'bool' ? null : wrong('; write a comparison that is true or false, never NULL')
    case 'int':
      return ['int2', 'int4', 'int8'].includes(is.type) ? null : wrong(`; write ${column.name}::int`)
    case 'timestamptz':
      if (is.type === 'timestamptz') return null
      if (is.type === 'timestamp')
        return {
          level: 'warning',
          text: `column ${column.name} is timestamp without time zone and is taken as UTC; write ${column.name} AT TIME ZONE 'UTC' (or its zone) to say so`,
        }
      return wrong(timeHint(column.name, is))
  }
}

function timeHint(name: string, is: ReturnedColumn): string {
  if (is.category === 'N')
    return `; for epoch seconds write to_timestamp(${name}), for milliseconds to_timestamp(${name} / 1000.0)`
  if (is.type === 'date')
    return `; a date is midnight somewhere: write (…)::timestamp AT TIME ZONE 'Europe/Paris' AS ${name}, with your zone`
  return `; write ${name}::timestamptz${is.category === 'S' ? ' (NULL::timestamptz where there is none)' : ''}`
}

/** The type to which keys that meet in a join are cast: their own when all agree on it, else text. */
export function commonKeyType(types: readonly string[]): 'int8' | 'uuid' | 'text' {
  if (types.every((type) => ['int2', 'int4', 'int8'].includes(type))) return 'int8'
  return types.every((type) => type === 'uuid') ? 'uuid' : 'text'
}
