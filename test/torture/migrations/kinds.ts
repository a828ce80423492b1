// Owns the kinds of change: which statements each one is, and what it does to a reader whose snapshot is older (PostgreSQL
// manual, "Caveats" of MVCC, and ALTER TABLE). Knows no build.
import { columnsOf, grantOn, insertRows, ROLE, rowChanges, selectRows, type Contents, type Table } from './contents.ts'
import type { Harm } from './ledger.ts'
import { newSchema, SITE, withRows, type Platform } from './platform.ts'

export interface Kind {
  readonly name: string
  readonly harm: Harm
  readonly run: (platform: Platform) => Promise<void>
  /** What it needs, and what would else be a change of its own before it. */
  readonly ready?: (platform: Platform) => Promise<void>
}

export const kind = (name: string, harm: Harm, run: Kind['run'], ready?: Kind['ready']): Kind => {
  return { name, harm, run, ...(ready && { ready }) }
}

/** Tables without views, partitions or children: they may be made anew. Two of them decide what is public. */
const PLAIN = 'settings moderation members proposals tags idea_tags votes comments replies listed'.split(
  ' ',
) as readonly Table[]
const RELOADED: readonly Table[] = ['votes', 'comments', 'ideas', 'members', 'moderation', 'listed']
const OTHERS: readonly Table[] = ['proposals', 'tags', 'idea_tags', 'replies', 'ballots']
export const ANY: readonly Table[] = [...PLAIN, 'ideas']

/** The half of the changes that make tables anew change rows, too. */
export function nextStep({ contents, random }: Platform): Contents {
  return random() < 0.5 ? contents : { ...contents, step: contents.step + 1 }
}

export const asIs = ({ step, archivedStep, closed }: Contents): Partial<Contents> => ({ step, archivedStep, closed })

const keptView = (filtered: boolean, name = 'kept_ideas', from = 'ideas'): string =>
  `VIEW ${name} AS SELECT id, title, created_at, launched, author_id FROM ${from}${filtered ? ' WHERE kept' : ''}`
const publicView = (name = 'public_ideas', from = 'kept_ideas'): string[] => [
  `CREATE VIEW ${name} AS SELECT id, title, created_at, launched, author_id FROM ${from}`,
  `GRANT SELECT (id, title, created_at, launched, author_id) ON ${name} TO ${ROLE}`,
]

function reload(table: Table): (platform: Platform) => Promise<void> {
  return async (platform) => {
    const next = nextStep(platform)
    const one = table === 'ballots' && platform.random() < 0.5
    const parts = one
      ? ['TRUNCATE ballots_1', `INSERT INTO ballots_1 (${columnsOf(table)}) ${selectRows(table, next, 'n % 3 = 1')}`]
      : [`TRUNCATE ${table}`, insertRows(table, next)]
    // The rows of the other partitions are not made anew.
    await platform.transaction(withRows(platform, next, parts, one ? [] : [table]), asIs(next))
  }
}

const RELOADS: readonly Kind[] = [
  ...RELOADED.map((table) =>
    kind(`TRUNCATE + INSERT: ${table}${table === 'ideas' ? ' (below two views)' : ''}`, 'harmful', reload(table)),
  ),
  kind('TRUNCATE + INSERT: settings', 'harmful', async (platform) => {
    const closed = platform.random() < 0.3 ? !platform.contents.closed : platform.contents.closed
    const next = { ...nextStep(platform), closed }
    const statements = ['TRUNCATE settings', insertRows('settings', next)]
    await platform.transaction(withRows(platform, next, statements, ['settings']), asIs(next))
  }),
  kind('TRUNCATE + INSERT: other tables, one partition', 'harmful', (platform) =>
    reload(platform.choose(OTHERS))(platform),
  ),
  kind('DELETE + INSERT', 'none', async (platform) => {
    const table = platform.choose(ANY)
    const next = nextStep(platform)
    const statements = [`DELETE FROM ${table}`, insertRows(table, next)]
    await platform.transaction(withRows(platform, next, statements, [table]), asIs(next))
  }),
  kind('TRUNCATE of an empty table', 'looks harmful', (platform) => platform.transaction(['TRUNCATE late_votes'])),
]

/** NAME_next comes into the place of NAME; a view that shows the old one, whatever its name, must be made to show the new one. */
function swap(table: Table): string[] {
  const view = table === 'ideas' ? [`CREATE OR REPLACE ${keptView(true)}`] : []
  return [`ALTER TABLE ${table} RENAME TO ${table}_old`, `ALTER TABLE ${table}_next RENAME TO ${table}`, ...view]
}

const load = (table: Table, next: Contents, name = `${table}_next`): string[] => [
  `CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL)`,
  insertRows(table, next, name),
  ...grantOn(table).map((sql) => sql.replace(` ON ${table} `, ` ON ${name} `)),
]

/** The old table goes at once, or a moment later. */
async function replace(
  platform: Platform,
  next: Contents,
  table: Table,
  { statements, drop }: { readonly statements: readonly string[]; readonly drop: string },
): Promise<void> {
  const atOnce = platform.random() < 0.5
  const all = withRows(platform, next, statements, [table])
  await platform.transaction(atOnce ? [...all, drop] : all, asIs(next))
  if (!atOnce) await platform.prepare([drop])
}

/** Where the view shows all rows, its table stays. */
const SWAPPED = ({ contents }: Platform): readonly Table[] => (contents.filtered ? ANY : PLAIN)

const SWAPS: readonly Kind[] = [
  kind('swap by rename, loaded in the transaction', 'harmful', async (platform) => {
    const table = platform.choose(SWAPPED(platform))
    const next = nextStep(platform)
    const statements = [...load(table, next), ...swap(table)]
    await replace(platform, next, table, { statements, drop: `DROP TABLE ${table}_old` })
  }),
  kind('swap by rename, loaded and committed before', 'harmful', async (platform) => {
    const table = platform.choose(SWAPPED(platform))
    const next = nextStep(platform)
    await platform.prepare(load(table, next))
    await replace(platform, next, table, { statements: swap(table), drop: `DROP TABLE ${table}_old` })
  }),
  kind('swap by SET SCHEMA', 'harmful', async (platform) => {
    const table = platform.choose(PLAIN)
    const next = nextStep(platform)
    await platform.prepare(load(table, next, `waiting.${table}`))
    const statements = [`ALTER TABLE ${table} SET SCHEMA attic`, `ALTER TABLE waiting.${table} SET SCHEMA ${SITE}`]
    await replace(platform, next, table, { statements, drop: `DROP TABLE attic.${table}` })
  }),
  kind('swap by ALTER SCHEMA RENAME', 'harmful', async (platform) => {
    const step = platform.contents.step + 1
    const next = { ...platform.contents, step, archivedStep: step, attached: true, inherited: true, filtered: true }
    await platform.prepare(newSchema('next', next))
    await platform.transaction([`ALTER SCHEMA ${SITE} RENAME TO gone`, `ALTER SCHEMA next RENAME TO ${SITE}`], next)
    await platform.prepare(['DROP SCHEMA gone CASCADE'])
  }),
  kind('restore of the whole schema', 'harmful', async (platform) => {
    const step = platform.contents.step + 1
    const next = { ...platform.contents, step, archivedStep: step, attached: true, inherited: true, filtered: true }
    await platform.transaction([`DROP SCHEMA ${SITE} CASCADE`, ...newSchema(SITE, next)], next)
  }),
  kind('DROP + CREATE TABLE AS', 'harmful', async (platform) => {
    const table = platform.choose(PLAIN)
    const next = nextStep(platform)
    const make = [`CREATE TABLE ${table} AS ${selectRows(table, next)}`, `ALTER TABLE ${table} ADD PRIMARY KEY (n)`]
    const statements = [`DROP TABLE ${table}`, ...make, ...grantOn(table)]
    await platform.transaction(withRows(platform, next, statements, [table]), asIs(next))
  }),
]

const archiveView = (name: string): string[] => [
  `CREATE MATERIALIZED VIEW ${name} AS SELECT n, idea_id, user_id, created_at FROM archived`,
  `CREATE UNIQUE INDEX ON ${name} (n)`,
  `GRANT SELECT (idea_id, user_id, created_at) ON ${name} TO ${ROLE}`,
]

async function firstFiltered(platform: Platform): Promise<void> {
  if (!platform.contents.filtered) await moveFilter((filtered) => [`CREATE OR REPLACE ${keptView(filtered)}`])(platform)
}

/** A view without its filter is harmful to a reader that still sees the hidden rows; with it again it is not. */
function moveFilter(view: (filtered: boolean) => string[]): (platform: Platform) => Promise<void> {
  return async (platform) => {
    const filtered = !platform.contents.filtered
    const next = { ...nextStep(platform), filtered }
    const rows = filtered
      ? `INSERT INTO ideas (${columnsOf('ideas')}) ${selectRows('ideas', next, 'n % 5 = 0')}`
      : 'DELETE FROM ideas WHERE NOT kept'
    const statements = platform.random() < 0.5 ? [rows, ...view(filtered)] : [...view(filtered), rows]
    const harm = filtered ? 'looks harmful' : 'harmful'
    const changes = next.step === platform.contents.step ? [] : rowChanges(next)
    await platform.transaction([...statements, ...changes], { ...asIs(next), filtered }, harm)
  }
}

const VIEWS: readonly Kind[] = [
  kind(
    'CREATE OR REPLACE VIEW, its filter moves',
    'harmful',
    moveFilter((filtered) => [`CREATE OR REPLACE ${keptView(filtered)}`]),
    firstFiltered,
  ),
  kind(
    'DROP + CREATE VIEW, its filter moves',
    'harmful',
    moveFilter((filtered) => ['DROP VIEW public_ideas, kept_ideas', `CREATE ${keptView(filtered)}`, ...publicView()]),
    firstFiltered,
  ),
  kind('CREATE OR REPLACE VIEW with the same text', 'looks harmful', (platform) =>
    platform.transaction([`CREATE OR REPLACE ${keptView(platform.contents.filtered)}`]),
  ),
  kind('swap of views by rename, over a table loaded before', 'harmful', async (platform) => {
    const next = nextStep(platform)
    const { filtered } = next
    await platform.prepare([
      ...load('ideas', next),
      `CREATE ${keptView(filtered, 'kept_next', 'ideas_next')}`,
      ...publicView('public_next', 'kept_next'),
    ])
    const swapping = ['ALTER VIEW public_ideas RENAME TO public_old', 'ALTER VIEW public_next RENAME TO public_ideas']
    await platform.transaction(withRows(platform, next, swapping, ['ideas']), asIs(next))
    await platform.rest()
    const names = ['ALTER TABLE ideas_next RENAME TO ideas', 'ALTER VIEW kept_next RENAME TO kept_ideas']
    await platform.transaction(['DROP VIEW public_old, kept_ideas', 'DROP TABLE ideas', ...names], {}, 'looks harmful')
  }),
  kind('swap of a materialized view by rename', 'harmful', async (platform) => {
    const { step } = platform.contents
    const make = archiveView('archive_next')
    const before = platform.random() < 0.5
    if (before) await platform.prepare(make)
    await platform.transaction(
      [
        ...(before ? [] : make),
        'DROP MATERIALIZED VIEW vote_archive',
        'ALTER MATERIALIZED VIEW archive_next RENAME TO vote_archive',
      ],
      { archivedStep: step },
    )
  }),
  kind('REFRESH MATERIALIZED VIEW', 'harmful', async (platform) => {
    const next = nextStep(platform)
    const statements = [...withRows(platform, next, [], []), 'REFRESH MATERIALIZED VIEW vote_archive']
    await platform.transaction(statements, { step: next.step, archivedStep: next.step })
  }),
  kind('REFRESH MATERIALIZED VIEW CONCURRENTLY', 'none', async (platform) => {
    const next = nextStep(platform)
    const statements = [...withRows(platform, next, [], []), 'REFRESH MATERIALIZED VIEW CONCURRENTLY vote_archive']
    await platform.transaction(statements, { step: next.step, archivedStep: next.step })
  }),
]

/** Those that make a table or a view anew. */
export const WHOLE_KINDS: readonly Kind[] = [...RELOADS, ...SWAPS, ...VIEWS]
