// Owns which tables of an unknown database look like accounts, ideas, votes, comments and categories, and which are of no
// interest. By names, columns, what refers to what, and estimated rows. Pure.
import type { CatalogTable } from '../database/catalog.ts'
import { COLUMN_NAMES, plainName, type ColumnRole } from './likely-columns.ts'

export const TABLE_ROLES = ['ideas', 'users', 'votes', 'comments', 'categories'] as const
export type TableRole = (typeof TABLE_ROLES)[number]

export interface RankedTables {
  /** All that are of interest, best first. */
  readonly byRole: Readonly<Record<TableRole, readonly CatalogTable[]>>
  /** Of these, the few that really look so, and more like it than like anything else. */
  readonly candidates: Readonly<Record<TableRole, readonly CatalogTable[]>>
  /** To which the likeliest ideas refer: a board or group may decide who sees an idea. */
  readonly aroundIdeas: readonly CatalogTable[]
  /** All that are of interest: candidates first, then what is around the ideas. */
  readonly ordered: readonly CatalogTable[]
  readonly partitions: readonly CatalogTable[]
  /** In which tools note what they have done, such as migrations. */
  readonly bookkeeping: readonly CatalogTable[]
}

type Scores = Readonly<Record<TableRole, number>>

/** The last word of a table's name; of names run together (`ideavote`) its end, if that is no end of other words. */
const NOUNS: Readonly<Record<TableRole, RegExp>> = {
  ideas:
    /(?:idea|idee|ideia|proposal|suggestion|wish|feature|request|post|topic|submission|issue|initiative|feedback|petition|thread|vorschlag|vorschlae?ge|anregung|wunsch|wunsche|wuensche|anliegen|eingabe|beitrag|beitrae?ge|propuesta|sugerencia|iniciativa|peticione?|aporte|proposition|contribution|proposta)$/,
  users:
    /(?:user|account|member|person|people|profile|participant|citizen|customer|nutzer|konto|konten|mitglied|mitglieder|teilnehmer|bue?rger|personen|usuario|cuenta|miembro|persona|ciudadano|utilisateur|compte|membre|personne|citoyen|utente)$/,
  votes:
    /(?:vote|voting|support|supporter|endorsement|reaction|ballot|upvote|stimme|stimmen|unterstue?tzung|unterstue?tzer|bewertung|voto|apoyo|votacione?|soutien)$|^like$/,
  comments:
    /(?:comment|reply|response|remark|message|kommentar|kommentare|antwort|antworten|bemerkung|comentario|respuesta|commentaire|reponse|commento)$/,
  categories:
    /(?:category|label|theme|kategorie|kategorien|themen|bereiche?|schlagwort|schlagworter|schlagwoerter|categoria|etiqueta|categorie|rubrique)$|^(?:tag|topic|board|area|thema|tema)$/,
}

/** Tables that are about one of ours, but none: `user_settings`, `vote_types`. */
const ABOUT =
  /^(?:setting|preference|type|kind|log|token|session|notification|subscription|permission|role|version|history|audit|event|job|queue|cache|stat|statistic|metric|import|export|template|attachment|image|file|upload|view|visit|flag|report|invite|invitation|translation|config|key|device|webhook|integration|backup|archive|status|group|field|rule|follower|bookmark|draft|revision|counter|summary|einstellung|protokoll|verlauf|rolle|recht|ajuste|registro|permiso|sesion|rol)$/

/** What a tool's own table is called: of migrations all names that say so, and those that do not. */
const BOOKKEEPING =
  /(?:^|_)(?:schema_?)?migrations?(?:_?(?:lock|versions?|history|log|meta))?$|^(?:flyway_schema_history|schema_history|databasechangelog(?:lock)?|ar_internal_metadata|_+ef_?migrations_?history|goose_db_version|alembic_version|phinxlog|sequelize_?(?:meta|data)|typeorm_metadata|atlas_schema_revisions|schema_version|schema_info|refinery_schema_history|pgmigrations|spatial_ref_sys)$/

export function rankTables(catalog: readonly CatalogTable[]): RankedTables {
  const partitions = catalog.filter(({ partitionOf }) => partitionOf !== null)
  const whole = catalog.filter(({ partitionOf }) => partitionOf === null)
  const bookkeeping = whole.filter(isBookkeeping)
  const rowsBelow = partitionRows(partitions)
  const tables = whole.filter((table) => !isBookkeeping(table)).map((table) => withRows(table, rowsBelow(table)))
  const scores = scored(tables)
  const of = (table: CatalogTable, role: TableRole): number => scores.get(table)?.[role] ?? 0
  const byRole = (role: TableRole): CatalogTable[] => [...tables].sort((a, b) => of(b, role) - of(a, role))
  const candidates = (role: TableRole): CatalogTable[] =>
    byRole(role)
      .filter((table) => {
        const score = of(table, role)
        return score >= ENOUGH && score >= Math.max(...TABLE_ROLES.map((other) => of(table, other)))
      })
      .slice(0, MAX_CANDIDATES)
  const chosen = eachRole(candidates)
  const around = (chosen.ideas[0]?.foreignKeys ?? []).map(({ schema, table }) => keyOf({ schema, name: table }))
  const aroundIdeas = tables.filter((table) => around.includes(keyOf(table)))
  const first = new Set([...TABLE_ROLES.flatMap((role) => chosen[role]), ...aroundIdeas])
  return {
    byRole: eachRole(byRole),
    candidates: chosen,
    aroundIdeas,
    ordered: [...first, ...tables.filter((table) => !first.has(table))],
    partitions,
    bookkeeping,
  }
}

const ENOUGH = 4
const MAX_CANDIDATES = 5

function eachRole<T>(make: (role: TableRole) => T): Readonly<Record<TableRole, T>> {
  return Object.fromEntries(TABLE_ROLES.map((role) => [role, make(role)])) as unknown as Record<TableRole, T>
}

/** It has few columns, and refers to nothing of the platform's. */
function isBookkeeping({ name, columns, foreignKeys }: CatalogTable): boolean {
  return BOOKKEEPING.test(plainName(name)) && columns.length <= 14 && foreignKeys.length === 0
}

type Named = Pick<CatalogTable, 'schema' | 'name'>
const keyOf = ({ schema, name }: Named): string => `${schema}\n${name}`

/** Of all partitions of a table, also those of its partitions; there may be tens of thousands. */
function partitionRows(partitions: readonly CatalogTable[]): (of: Named) => number {
  const parts = new Map<string, CatalogTable[]>()
  for (const part of partitions) {
    const key = keyOf(part.partitionOf ?? part)
    const known = parts.get(key)
    if (known === undefined) parts.set(key, [part])
    else known.push(part)
  }
  const below = (of: Named): number =>
    (parts.get(keyOf(of)) ?? []).reduce((sum, part) => sum + Math.max(0, part.rows) + below(part), 0)
  return below
}

/** PostgreSQL counts the rows of partitions, and of the whole only when it is told to. */
function withRows(table: CatalogTable, below: number): CatalogTable {
  const rows = Math.max(table.rows, below)
  return rows === table.rows || rows === 0 ? table : { ...table, rows }
}

/** A table with what is looked at again and again. */
interface Seen {
  readonly table: CatalogTable
  readonly words: readonly string[]
  readonly links: ReadonlySet<CatalogTable>
  readonly has: (role: ColumnRole) => number
  /** Refers to rows of several tables: `votable_type`, `votable_id`. */
  readonly toAny: number
  /** Without regard to what it looks like: less than any word of its name brings. */
  readonly standing: number
}

function scored(tables: readonly CatalogTable[]): Map<CatalogTable, Scores> {
  const targets = new Map(tables.map((table) => [keyOf(table), table]))
  const stems = stemsOf(tables)
  const seen = tables.map((table) => see(table, targets, stems))
  const linksTo = new Map<CatalogTable, Seen[]>()
  for (const one of seen)
    for (const target of one.links) if (target !== one.table) linksTo.set(target, [...(linksTo.get(target) ?? []), one])
  const incoming = (one: Seen): readonly Seen[] => linksTo.get(one.table) ?? []

  const usersOf = (one: Seen): number => ofUsers(one) + Math.min(3, Math.log2(1 + incoming(one).length))
  const people = best(seen, usersOf, 1)[0]?.table ?? null
  const ideasOf = (one: Seen): number => ofIdeas(one, people) + fromWithout(incoming(one), people)
  const ideas = best(seen, ideasOf, 3).map(({ table }) => table)
  const context = { people, ideas }
  return new Map(
    seen.map((one): [CatalogTable, Scores] => {
      const base = one.standing
      return [
        one.table,
        {
          users: base + usersOf(one),
          ideas: base + ideasOf(one),
          votes: base + ofVotes(one) + toIdeas(one, context) + refers(one, people, 1.5),
          comments: base + ofComments(one) + toIdeas(one, context) + refers(one, people, 1),
          categories: base + ofCategories(one) + fromIdeas(one, context, incoming(one)),
        },
      ]
    }),
  )
}

function see(
  table: CatalogTable,
  targets: ReadonlyMap<string, CatalogTable>,
  stems: ReadonlyMap<string, CatalogTable>,
): Seen {
  const names = table.columns.map(({ name }) => plainName(name))
  const words = wordsOf(table.name)
  const rows = Math.min(1, Math.log10(Math.max(0, table.rows) + 1) / 6)
  const keyed = table.foreignKeys.flatMap((key) => targets.get(keyOf({ schema: key.schema, name: key.table })) ?? [])
  const guessed = names.flatMap((name) => stems.get(stemOfReference(name) ?? '') ?? [])
  return {
    table,
    words,
    links: new Set([...keyed, ...guessed]),
    has: (role) => (names.some((name) => COLUMN_NAMES[role].test(name)) ? 1 : 0),
    toAny: names.some((name) => {
      const stem = COLUMN_NAMES.anyOther.exec(name)?.[1]
      return stem !== undefined && (names.includes(`${stem}_id`) || names.includes('object_id'))
    })
      ? 1
      : 0,
    standing: rows + (table.visible ? 0.5 : 0) - (ABOUT.test(words.at(-1) ?? '') ? 4 : 0),
  }
}

const wordsOf = (name: string): string[] =>
  plainName(name)
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
    .map(singular)

function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(?:sh|ch|x|ss)es$/.test(word)) return word.slice(0, -2)
  return /[^s]s$/.test(word) && !word.endsWith('us') ? word.slice(0, -1) : word
}

/** By what a column that refers to a table may call it: the whole name, and its last words. */
function stemsOf(tables: readonly CatalogTable[]): Map<string, CatalogTable> {
  const stems = new Map<string, CatalogTable>()
  const add = (stem: string, table: CatalogTable): void =>
    void (stem === '' || stems.has(stem) || stems.set(stem, table))
  for (const table of tables) add(wordsOf(table.name).join('_'), table)
  for (const table of tables) add(wordsOf(table.name).slice(1).join('_'), table)
  return stems
}

/** `wish` of wish_id and id_wish; null = it refers to nothing. */
function stemOfReference(column: string): string | null {
  const found = /^(.+?)_?(?:id|uuid|fk|nr|ref|key)$/.exec(column) ?? /^(?:id|fk)_(.+)$/.exec(column)
  return found === null ? null : (found[1] ?? '').split('_').map(singular).join('_')
}

/** 4 for the last word of the name, half a point for any other. */
function named({ words }: Seen, role: TableRole): number {
  if (NOUNS[role].test(words.at(-1) ?? '')) return 4
  return words.some((word) => NOUNS[role].test(word)) ? 0.5 : 0
}

const refers = ({ links }: Seen, table: CatalogTable | null, score: number): number =>
  table !== null && links.has(table) ? score : 0

function ofUsers(one: Seen): number {
  return named(one, 'users') + 3 * one.has('email') + 3 * one.has('password') + one.has('login')
}

function ofIdeas(one: Seen, people: CatalogTable | null): number {
  const { has } = one
  const own = 2 * has('title') + has('text') + has('status') + 0.5 * has('created') + 0.5 * has('person')
  // What a login belongs to is a person, whatever else it has.
  return named(one, 'ideas') + own + refers(one, people, 1.5) - 4 * has('password')
}

/** What looks like votes and comments refers to it. */
function fromWithout(from: readonly Seen[], people: CatalogTable | null): number {
  const any = (looks: (one: Seen) => boolean): boolean => from.some(looks)
  const votes = any((one) => named(one, 'votes') === 4) ? 2 : any((one) => isBare(one, people)) ? 1 : 0
  const comments = any((one) => named(one, 'comments') === 4) ? 2 : any((one) => isWordy(one, people)) ? 1 : 0
  return votes + comments
}

/** As votes are, whatever they are called: a person, a thing, and little else. */
const isBare = (one: Seen, people: CatalogTable | null): boolean =>
  refers(one, people, 1) > 0 &&
  one.links.size <= 3 &&
  one.table.columns.length <= 8 &&
  one.has('title') + one.has('text') === 0
const isWordy = (one: Seen, people: CatalogTable | null): boolean =>
  refers(one, people, 1) > 0 && one.has('text') === 1 && one.has('title') === 0

function ofVotes(one: Seen): number {
  const { has, links, table } = one
  const shape = (links.size >= 2 ? 1 : 0) + (table.columns.length <= 8 ? 1 : 0) + 1.5 * one.toAny
  return named(one, 'votes') + shape + 0.5 * has('person') - 3 * has('title') - 3 * has('text')
}

function ofComments(one: Seen): number {
  const { has } = one
  return (
    named(one, 'comments') +
    2 * has('text') +
    0.5 * has('person') +
    0.5 * has('created') +
    1.5 * one.toAny -
    2 * has('title')
  )
}

function ofCategories(one: Seen): number {
  const { has, table } = one
  const shape = (has('title') === 1 ? 2 : -2) + (table.columns.length <= 12 ? 0.5 : 0)
  return named(one, 'categories') + shape - 4 * has('email') - 4 * has('password') - has('status') - has('text') / 2
}

interface Context {
  readonly people: CatalogTable | null
  /** The likely one first. */
  readonly ideas: readonly CatalogTable[]
}

/** The likelier the table of ideas, the more a reference to it is worth. */
function toIdeas({ table, links }: Seen, { ideas }: Context): number {
  return Math.max(0, ...ideas.map((one, i) => (one !== table && links.has(one) ? 3 - i : 0)))
}

/** Ideas refer to it, or a table that joins the two. */
function fromIdeas(one: Seen, context: Context, incoming: readonly Seen[]): number {
  const { ideas, people } = context
  const direct = incoming.some(({ table }) => table === ideas[0]) ? 3 : 0
  const joined = incoming.some(
    (other) =>
      ideas[0] !== undefined &&
      other.links.has(ideas[0]) &&
      other.table.columns.length <= 6 &&
      refers(other, people, 1) === 0,
  )
  return one.table === people ? 0 : Math.max(direct, joined ? 3 : 0)
}

function best(seen: readonly Seen[], scoreOf: (one: Seen) => number, atMost: number): Seen[] {
  return seen
    .map((one) => ({ one, score: scoreOf(one) + one.standing }))
    .sort((a, b) => b.score - a.score)
    .slice(0, atMost)
    .map(({ one }) => one)
}
