// Owns a first draft of a mapping for an unknown platform: the SELECTs that follow from its tables, its columns and some
// answers. Pure; asks nothing.
import { tableText, type CatalogTable } from '../database/catalog.ts'
import { written } from '../sql/names.ts'
import { COLUMN_NAMES, plainName, SITE_WORDS, type ColumnRole } from './likely-columns.ts'
import { statusSql, type StatusColumn } from './status-columns.ts'

/** The relations whose tables are asked for. */
export const DRAFTED = ['users', 'ideas', 'votes', 'comments'] as const
export type Drafted = (typeof DRAFTED)[number]

type Column = CatalogTable['columns'][number]

function like(table: CatalogTable, ...patterns: readonly RegExp[]): string | null {
  for (const pattern of patterns) {
    const found = table.columns.find(({ name }) => pattern.test(plainName(name)))
    if (found !== undefined) return found.name
  }
  return null
}

const isLike = (name: string, role: ColumnRole): boolean => COLUMN_NAMES[role].test(plainName(name))

/** The column by which a table refers to another one. */
function keyTo(table: CatalogTable, target: CatalogTable | null): string | null {
  const key = table.foreignKeys.find((one) => one.schema === target?.schema && one.table === target.name)
  return key?.column ?? null
}

/** A condition that leaves out what a visitor cannot see, as SQL. */
export function visibilityOf({ columns }: CatalogTable): string[] {
  return columns.flatMap(({ name, type }) => {
    if (type === 'boolean')
      return isLike(name, 'shown') ? [written(name)] : isLike(name, 'hidden') ? [`NOT ${written(name)}`] : []
    return isLike(name, 'gone') ? [`${written(name)} IS NULL`] : []
  })
}

export const categoryOf = (ideas: CatalogTable): string | null => like(ideas, COLUMN_NAMES.category)

/** Columns of times that have no zone. */
export function zonelessTimes(tables: readonly CatalogTable[]): string[] {
  return tables.flatMap((table) =>
    table.columns.flatMap(({ name, type }) =>
      (isLike(name, 'created') || isLike(name, 'launched')) && isZoneless(type)
        ? [`${tableText(table)}.${written(name)}`]
        : [],
    ),
  )
}

const isZoneless = (type: string): boolean => /^timestamp(?:\(\d\))? without/.test(type)

const SITE_ID = new RegExp(`^(?:${SITE_WORDS})_?id$`, 'i')

/** By this column sites are told apart. */
export function siteOf({ columns }: CatalogTable): Column | null {
  return columns.find(({ name }) => SITE_ID.test(name)) ?? null
}

export interface DraftAnswers {
  /** null = there are none, or they are not in one table. */
  readonly tables: Readonly<Record<Drafted, CatalogTable | null>> & { readonly ideas: CatalogTable }
  /** 1: conditions of an idea that everybody sees. */
  readonly visible: readonly string[]
  /** 2: where the status is, and which of its values mean launched. */
  readonly status: StatusColumn | null
  readonly launched: readonly string[]
  /** 3: a column of the ideas; null = none, or in another table. */
  readonly category: string | null
  /** 4: of times without zone. */
  readonly zone: string
  /** 5: the column that tells sites apart; null = there is one site. */
  readonly site: Column | null
}

/** The template with the answers in it: what could not be told is as the template has it, to be changed. */
export function draftText(template: string, answers: DraftAnswers): string {
  const sections: [string, string | null][] = [
    ['users', usersSelect(answers)],
    ['ideas', ideasSelect(answers)],
    ['idea_categories', categoriesSelect(answers)],
    ['votes', votesSelect(answers)],
    ['comments', commentsSelect(answers)],
    ['categories', ''],
  ]
  const filled = sections.reduce(
    (text, [name, select]) => (select === null ? text : withSection(text, name, select)),
    template,
  )
  const { site } = answers
  return site === null
    ? filled
    : filled.replace(
        '-- section users\n',
        () => `-- param site : ${paramType(site)} -- the site: ${site.name}\n\n-- section users\n`,
      )
}

/** Comments of a section stay; its SELECT is replaced, and an empty one takes the section out. */
function withSection(text: string, name: string, select: string): string {
  const section = new RegExp(`^-- section ${name}\\n((?:--.*\\n)*)(?:(?!-- |\\n).*\\n)+(\\n?)`, 'm')
  return text.replace(section, (_, comments: string, end: string) =>
    select === '' ? '' : `-- section ${name}\n${comments}${select}\n${end}`,
  )
}

function paramType({ type }: Column): string {
  return type === 'integer' ? 'int' : type === 'bigint' || type === 'uuid' ? type : 'text'
}

function time(table: CatalogTable, name: string | null, zone: string): string {
  if (name === null) return 'NULL::timestamptz'
  const type = table.columns.find((column) => column.name === name)?.type ?? ''
  if (/^(?:smallint|integer|bigint|numeric|double)/.test(type)) return `to_timestamp(${written(name)})`
  const literal = `'${zone.replaceAll("'", "''")}'`
  if (type === 'date') return `${written(name)}::timestamp AT TIME ZONE ${literal}`
  return isZoneless(type) ? `${written(name)} AT TIME ZONE ${literal}` : written(name)
}

const named = (expression: string, name: string): string => (expression === name ? name : `${expression} AS ${name}`)
const column = (name: string | null, otherwise: string): string => (name === null ? otherwise : written(name))
const idOf = (table: CatalogTable): string =>
  like(table, /^id$/i, /^uuid$/i, /_?id$/i) ?? table.columns[0]?.name ?? 'id'

function fromWhere(table: CatalogTable, conditions: readonly string[], site: Column | null): string {
  const ofSite =
    site !== null && table.columns.some(({ name }) => name === site.name) ? [`${written(site.name)} = :site`] : []
  const all = [...ofSite, ...conditions]
  return `  FROM ${tableText(table)}${all.length === 0 ? '' : `\n WHERE ${all.join('\n   AND ')}`}`
}

function usersSelect({ tables: { users }, zone, site }: DraftAnswers): string | null {
  if (users === null) return 'SELECT NULL::int AS id, NULL::timestamptz AS created_at\n WHERE false'
  return `SELECT ${named(written(idOf(users)), 'id')}, ${named(time(users, like(users, COLUMN_NAMES.created), zone), 'created_at')}\n${fromWhere(users, [], site)}`
}

function ideasSelect({ tables: { ideas, users }, visible, status, launched, zone, site }: DraftAnswers): string {
  const text = status === null ? 'NULL::text' : statusSql(ideas, status)
  const values = launched.map((value) => `'${value.replaceAll("'", "''")}'`).join(', ')
  const id = written(idOf(ideas))
  return [
    `SELECT ${named(id, 'id')}, ${named(column(like(ideas, COLUMN_NAMES.title), `'Idea ' || ${id}`), 'title')},`,
    `       ${named(time(ideas, like(ideas, COLUMN_NAMES.created), zone), 'created_at')},`,
    `       ${values === '' ? 'false' : `coalesce(${text} IN (${values}), false)`} AS launched,`,
    `       ${named(time(ideas, like(ideas, COLUMN_NAMES.launched), zone), 'launched_at')},`,
    `       NULL::text AS url, ${named(column(personColumn(ideas, users), 'NULL::int'), 'author_id')},`,
    `       ${text} AS status`,
    fromWhere(ideas, visible, site),
  ].join('\n')
}

function categoriesSelect({ tables: { ideas }, category }: DraftAnswers): string {
  const id = named(written(idOf(ideas)), 'idea_id')
  if (category === null) return `SELECT ${id}, NULL::text AS category\n  FROM ${tableText(ideas)}\n WHERE false`
  return `SELECT ${id}, ${written(category)}::text AS category\n  FROM ${tableText(ideas)}\n WHERE ${written(category)} IS NOT NULL`
}

function votesSelect({ tables: { votes, ideas, users }, zone }: DraftAnswers): string {
  if (votes === null)
    return 'SELECT NULL::int AS idea_id, NULL::int AS user_id, 1 AS value, NULL::timestamptz AS created_at\n WHERE false'
  return `SELECT ${named(column(ideaColumn(votes, ideas), 'NULL::int'), 'idea_id')}, ${named(column(personColumn(votes, users), 'NULL::int'), 'user_id')}, 1 AS value,\n       ${named(time(votes, like(votes, COLUMN_NAMES.created), zone), 'created_at')}\n  FROM ${tableText(votes)}`
}

function commentsSelect({ tables: { comments, ideas, users }, zone }: DraftAnswers): string {
  if (comments === null)
    return 'SELECT NULL::int AS id, NULL::int AS idea_id, NULL::int AS user_id, NULL::timestamptz AS created_at\n WHERE false'
  return `SELECT ${named(written(idOf(comments)), 'id')}, ${named(column(ideaColumn(comments, ideas), 'NULL::int'), 'idea_id')}, ${named(column(personColumn(comments, users), 'NULL::int'), 'user_id')},\n       ${named(time(comments, like(comments, COLUMN_NAMES.created), zone), 'created_at')}\n${fromWhere(comments, visibilityOf(comments), null)}`
}

/** `wish_id` for a table `wishes`, else what usually refers to an idea. */
function ideaColumn(table: CatalogTable, ideas: CatalogTable): string | null {
  const stem = ideas.name.replace(/(?:es|s)$/i, '')
  const own = table.columns.find(({ name }) => name.toLowerCase().startsWith(stem.toLowerCase()) && /_?id$/i.test(name))
  return keyTo(table, ideas) ?? own?.name ?? like(table, COLUMN_NAMES.idea)
}

const personColumn = (table: CatalogTable, users: CatalogTable | null): string | null =>
  keyTo(table, users) ?? like(table, COLUMN_NAMES.person)
