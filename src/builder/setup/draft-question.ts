// Owns the questions about a database that looks like no known platform: its tables, and the five questions of the template.
// Effects are given.
import { dirname, join } from 'node:path'
import { tableText, type CatalogTable } from '../../source/database/catalog.ts'
import {
  categoryOf,
  DRAFTED,
  draftText,
  siteOf,
  visibilityOf,
  zonelessTimes,
  type Drafted,
} from '../../source/mapping/draft.ts'
import { plainName } from '../../source/mapping/likely-columns.ts'
import { rankTables, type RankedTables } from '../../source/mapping/likely-tables.ts'
import { statusOf, type StatusColumn } from '../../source/mapping/status-columns.ts'
import { columnKey, templateByTables } from '../../source/mapping/template.ts'
import { count, some } from '../../process/printable.ts'
import { usageError } from '../../process/cli-error.ts'
import type { Ask } from './ask.ts'
import type { Look } from './look.ts'

/** What platforms call it, in four languages; without accents. */
const LAUNCHED =
  /^(?:done|launched|completed?|implemented|shipped|released|delivered|finished|reali[sz]ed|umgesetzt|erledigt|fertig|abgeschlossen|realisiert|termine|realisee?|mise? en (?:oeuvre|place)|hecho|realizad[ao]|completad[ao]|implementad[ao]|terminad[ao])$/i

const NONE = ''
const FLAG = '--source FILE.sql'

const MESSAGES: Readonly<Record<Drafted, string>> = {
  ideas: 'Which table has the ideas?',
  users: 'Which table has the accounts?',
  votes: 'Which table has the votes?',
  comments: 'Which table has the comments?',
}

/** Writes the draft of a mapping, or the copy of a built-in one for another version of its platform; its path. */
export async function draftMapping(
  ask: Ask,
  catalog: readonly CatalogTable[],
  look: Look,
  path: string,
  write: (path: string, text: string) => Promise<void>,
): Promise<string> {
  if (catalog.length === 0)
    throw usageError('the database has no table: is it the right one, and may this role use its schemas?')
  const { name, text, missing } = templateByTables(catalog)
  if (missing.length > 0) {
    const copy = join(dirname(path), `${name}.sql`)
    await write(copy, text)
    return copy
  }
  const ranked = rankTables(catalog)
  const tableFor = (relation: Drafted): Promise<CatalogTable | null> => askTable(ask, relation, ranked)
  const ideas = await tableFor('ideas')
  if (ideas === null) throw usageError('without a table of ideas there is nothing to count')
  const [users, votes, comments] = [await tableFor('users'), await tableFor('votes'), await tableFor('comments')]
  const tables = { ideas, users, votes, comments }
  const visible = await askVisible(ask, ideas)
  const chosen = DRAFTED.flatMap((relation) => tables[relation] ?? [])
  const values = await look.values(catalog, chosen)
  const status = statusOf(ideas, catalog)
  const launched = status === null ? [] : await askLaunched(ask, values.get(columnKey(ideas, status.column)), status)
  const category = await askCategory(ask, ideas)
  const zone = await askZone(ask, chosen)
  const site = await askSite(ask, ideas)
  const answers = { tables, visible, status, launched, category, zone, site }
  await write(path, draftText(templateByTables(catalog, values).text, answers))
  return path
}

async function askTable(ask: Ask, relation: Drafted, ranked: RankedTables): Promise<CatalogTable | null> {
  const likely = ranked.byRole[relation]
  const labelOf = (table: CatalogTable): string =>
    `${tableText(table)}${table.rows < 0 ? '' : `, about ${count(table.rows)} rows`}: ${some(
      table.columns.map(({ name }) => name),
      4,
    )}`
  const chosen = await ask.choose({
    message: MESSAGES[relation],
    flag: FLAG,
    options: [
      ...likely.map((table, i) => ({ value: String(i), label: labelOf(table) })),
      ...(relation === 'ideas' ? [] : [{ value: NONE, label: 'none of them' }]),
    ],
    byDefault: null,
  })
  return likely[Number.parseInt(chosen, 10)] ?? null
}

async function askVisible(ask: Ask, ideas: CatalogTable): Promise<readonly string[]> {
  const conditions = visibilityOf(ideas)
  if (conditions.length === 0) return []
  return ask.several({
    message: '1. An idea is seen by everybody only where',
    flag: FLAG,
    options: conditions.map((value) => ({ value, label: value })),
    byDefault: conditions,
  })
}

async function askLaunched(
  ask: Ask,
  values: readonly string[] = [],
  { column }: StatusColumn,
): Promise<readonly string[]> {
  if (values.length === 0) return []
  return ask.several({
    message: `2. Which values of ${column} mean launched?`,
    flag: FLAG,
    options: values.map((value) => ({ value, label: value })),
    byDefault: values.filter((value) => LAUNCHED.test(plainName(value))),
  })
}

async function askCategory(ask: Ask, ideas: CatalogTable): Promise<string | null> {
  const column = categoryOf(ideas)
  if (column === null) return null
  const is = await ask.confirm({ message: `3. Is ${column} the category of an idea?`, flag: FLAG, byDefault: true })
  return is ? column : null
}

async function askZone(ask: Ask, tables: readonly CatalogTable[]): Promise<string> {
  const times = zonelessTimes(tables)
  if (times.length === 0) return 'UTC'
  return ask.text({
    message: `4. Time zone of ${some(times, 2)}`,
    flag: FLAG,
    byDefault: 'UTC',
    fault: (zone) => (/^[\w+/-]{1,64}$/.test(zone) ? null : 'a name such as UTC or Europe/Paris'),
  })
}

async function askSite(ask: Ask, ideas: CatalogTable): Promise<ReturnType<typeof siteOf>> {
  const column = siteOf(ideas)
  if (column === null) return null
  const several = await ask.confirm({
    message: `5. Does ${column.name} tell several sites apart, of which one is published?`,
    flag: FLAG,
    byDefault: true,
  })
  return several ? column : null
}
