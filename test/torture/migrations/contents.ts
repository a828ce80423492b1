// Owns what the platform has in a state: the rows of each table as SQL, and what a release of that state must say. Runs
// nothing. Two states that follow each other differ in every relation, so a release of both equals neither.

/** All that a state is, but for what no section reads. */
export interface Contents {
  /** How many times the rows changed. */
  readonly step: number
  /** The step that the materialized view shows. */
  readonly archivedStep: number
  readonly closed: boolean
  /** Whether the third partition of the ballots is attached. */
  readonly attached: boolean
  /** Whether the old notes inherit from the notes. */
  readonly inherited: boolean
  /** Hidden ideas are rows that the view leaves out; false = there are none, and the view shows all rows. */
  readonly filtered: boolean
  /** False = a column is missing, or row-level security is on: a build may end without a release. */
  readonly readable: boolean
}

export const FIRST: Contents = {
  step: 1,
  archivedStep: 1,
  closed: false,
  attached: true,
  inherited: true,
  filtered: true,
  readable: true,
}

/** What is in the title of everything that is hidden in each state. */
export const HIDDEN_TITLE = 'PRIVATE'

const at = (day: string): string => `timestamptz '${day} 00:00Z' + n * interval '5 hours'`
const event = (idea: string, day: string): Record<string, string> => ({
  n: 'n',
  idea_id: `(${idea})::bigint`,
  user_id: '(1 + n % 30)::bigint',
  created_at: at(day),
  filler: '0',
})
const comment = (id: number, idea: string): Record<string, string> => ({
  id: `(${id} + n)::bigint`,
  ...event(idea, '2025-05-01'),
})

interface Rows {
  /** How many there are at step 0. */
  readonly base: number
  /** Whether there are more with each step. */
  readonly grows: boolean
  /** Each column in terms of n; `:step` and `:closed` are of the state. */
  readonly columns: Readonly<Record<string, string>>
  /** What the role of the builder may read; null = it reads a view. */
  readonly read: string | null
  readonly where?: (contents: Contents) => string
}

const EVENT_COLUMNS = 'idea_id, user_id, created_at'
const COMMENT_COLUMNS = `id, ${EVENT_COLUMNS}`

export const TABLES = {
  members: {
    base: 30,
    grows: true,
    columns: { n: 'n', id: 'n::bigint', created_at: at('2025-01-01'), filler: '0' },
    read: 'id, created_at',
  },
  ideas: {
    base: 25,
    grows: true,
    columns: {
      n: 'n',
      id: 'n::bigint',
      title: `CASE WHEN n = 1 THEN 'Idea of step :step' WHEN n % 5 = 0 THEN '${HIDDEN_TITLE} idea ' || n ELSE 'Idea ' || n END`,
      created_at: at('2025-02-01'),
      launched: 'n % 3 = 1',
      author_id: '(1 + n % 30)::bigint',
      kept: 'n % 5 <> 0',
      filler: '0',
    },
    read: null,
    where: ({ filtered }) => (filtered ? 'true' : 'n % 5 <> 0'),
  },
  proposals: {
    base: 24,
    grows: true,
    columns: {
      n: 'n',
      id: '(1000 + n)::bigint',
      title: `CASE WHEN n = 1 THEN 'Proposal of step :step' WHEN n % 2 = 0 THEN '${HIDDEN_TITLE} proposal ' || n ELSE 'Proposal ' || n END`,
      created_at: at('2025-02-11'),
      author_id: '(1 + n % 30)::bigint',
      filler: '0',
      hidden: 'n % 4 = 0',
    },
    read: 'id, title, created_at, author_id, hidden',
  },
  moderation: {
    base: 24,
    grows: true,
    columns: { n: 'n', proposal_id: '(1000 + n)::bigint', filler: '0' },
    read: 'proposal_id',
    where: () => 'n % 4 = 2',
  },
  tags: {
    base: 3,
    grows: false,
    columns: { n: 'n', id: 'n::bigint', name: `'Tag ' || n`, filler: '0' },
    read: 'id, name',
  },
  idea_tags: {
    base: 25,
    grows: true,
    columns: { n: 'n', idea_id: 'n::bigint', tag_id: '(1 + n % 3)::bigint', filler: '0' },
    read: 'idea_id, tag_id',
  },
  votes: { base: 60, grows: true, columns: event('1 + n % 20', '2025-03-01'), read: EVENT_COLUMNS },
  late_votes: { base: 0, grows: false, columns: event('1', '2025-03-01'), read: EVENT_COLUMNS },
  ballots: {
    base: 45,
    grows: true,
    columns: { ...event('1001 + n % 20', '2025-03-11'), part: 'n % 3' },
    read: EVENT_COLUMNS,
    where: ({ attached }) => (attached ? 'true' : 'n % 3 <> 2'),
  },
  archived: { base: 20, grows: true, columns: event('1 + 7 * n % 20', '2025-04-01'), read: null },
  comments: { base: 40, grows: true, columns: comment(0, '1 + 3 * n % 20'), read: COMMENT_COLUMNS },
  replies: { base: 15, grows: true, columns: comment(10_000, '1001 + 3 * n % 20'), read: COMMENT_COLUMNS },
  notes: { base: 5, grows: true, columns: comment(20_000, '1 + 11 * n % 20'), read: COMMENT_COLUMNS },
  old_notes: { base: 4, grows: false, columns: comment(30_000, '1 + 13 * n % 20'), read: null },
  listed: { base: 4, grows: true, columns: { n: 'n', name: `'Listed ' || n`, filler: '0' }, read: 'name' },
  settings: {
    base: 5,
    grows: true,
    columns: {
      n: 'n',
      name: `CASE n WHEN 1 THEN 'login_required' WHEN 2 THEN 'public' ELSE 'other ' || n END`,
      value: `CASE WHEN n = 1 AND :closed OR n = 2 AND NOT :closed THEN 't' ELSE 'f' END`,
      filler: '0',
    },
    read: 'name, value',
  },
} as const satisfies Readonly<Record<string, Rows>>

export type Table = keyof typeof TABLES
export const TABLE_NAMES = Object.keys(TABLES) as Table[]
const rowsOf = (table: Table): Rows => TABLES[table]

/** So many steps until the tables are small again. */
const CYCLE = 40

function countOf(table: Table, { step }: Pick<Contents, 'step'>): number {
  const { base, grows } = rowsOf(table)
  return base + (grows ? step % CYCLE : 0)
}

export const columnsOf = (table: Table): string => Object.keys(rowsOf(table).columns).join(', ')

/** A SELECT of the rows that a table has. */
export function selectRows(table: Table, contents: Contents, condition = 'true'): string {
  const { columns, where = () => 'true' } = rowsOf(table)
  const fill = (sql: string): string =>
    sql.replaceAll(':step', String(contents.step)).replaceAll(':closed', String(contents.closed))
  const list = Object.entries(columns).map(([name, sql]) => `${fill(sql)} AS ${name}`)
  const from = `generate_series(1, ${countOf(table, contents)}) AS n`
  return `SELECT ${list.join(', ')} FROM ${from} WHERE ${where(contents)} AND ${condition}`
}

/** @param name of the table, if it is not yet in its place */
export const insertRows = (table: Table, contents: Contents, name: string = table): string =>
  `INSERT INTO ${name} (${columnsOf(table)}) ${selectRows(table, contents)}`

/** Makes the rows of all tables but some those of a state, by what hinders no reader and changes nothing for an older one. */
export function rowChanges(to: Contents, but: readonly Table[] = []): string[] {
  const only = (table: Table): string => (table === 'notes' ? 'ONLY notes' : table)
  const grown = TABLE_NAMES.filter((table) => rowsOf(table).grows && !but.includes(table))
  return grown.flatMap((table) => [
    `DELETE FROM ${only(table)} WHERE n > ${countOf(table, to)}`,
    `INSERT INTO ${table} (${columnsOf(table)}) ${selectRows(table, to, `n > (SELECT coalesce(max(old.n), 0) FROM ${only(table)} AS old)`)}`,
    ...(table === 'ideas' || table === 'proposals'
      ? [`UPDATE ${table} SET title = regexp_replace(title, '\\d+$', '${to.step}') WHERE n = 1`]
      : []),
    ...(table === 'settings'
      ? [`UPDATE settings SET value = CASE WHEN (n = 1) = ${to.closed} THEN 't' ELSE 'f' END WHERE n <= 2`]
      : []),
  ])
}

export function grantOn(table: Table): string[] {
  const { read } = rowsOf(table)
  return read === null ? [] : [`GRANT SELECT (${read}) ON ${table} TO ${ROLE}`]
}

/** Of the builder, with rights on columns only. */
export const ROLE = 'analyst'

export const GRANT_VIEWS = `GRANT SELECT (id, title, created_at, launched, author_id) ON public_ideas TO ${ROLE}`

/** What a release says, as text: equal = of the same state. */
export interface Answer {
  readonly closed: boolean
  readonly users: number
  /** Title, votes, comments and categories of each idea. */
  readonly ideas: readonly string[]
  readonly categories: readonly string[]
  readonly totals: Readonly<Record<'ideas' | 'votes' | 'comments', number>>
}

export const CLOSED: Answer = {
  closed: true,
  users: 0,
  ideas: [],
  categories: [],
  totals: { ideas: 0, votes: 0, comments: 0 },
}

export const ideaLine = (title: string, votes: number, comments: number, categories: readonly string[]): string =>
  `${title}: ${votes} votes, ${comments} comments, ${[...categories].sort().join('+') || 'no category'}`

/** What a release of a state must say. */
export function answerOf(contents: Contents): Answer {
  if (contents.closed) return CLOSED
  const upTo = (table: Table, step = contents.step): number[] =>
    Array.from({ length: countOf(table, { step }) }, (_, i) => i + 1)
  const voted = [
    ...upTo('votes').map((n) => 1 + (n % 20)),
    ...upTo('ballots')
      .filter((n) => contents.attached || n % 3 !== 2)
      .map((n) => 1001 + (n % 20)),
    ...upTo('archived', contents.archivedStep).map((n) => 1 + ((7 * n) % 20)),
  ]
  const commented = [
    ...upTo('comments').map((n) => 1 + ((3 * n) % 20)),
    ...upTo('replies').map((n) => 1001 + ((3 * n) % 20)),
    ...upTo('notes').map((n) => 1 + ((11 * n) % 20)),
    ...(contents.inherited ? upTo('old_notes').map((n) => 1 + ((13 * n) % 20)) : []),
  ]
  const title = (what: string, n: number): string => (n === 1 ? `${what} of step ${contents.step}` : `${what} ${n}`)
  const ideas = [
    ...upTo('ideas')
      .filter((n) => n % 5 !== 0)
      .map((n) => ({ id: n, title: title('Idea', n), categories: [`Tag ${1 + (n % 3)}`] })),
    ...upTo('proposals')
      .filter((n) => n % 2 !== 0)
      .map((n) => ({ id: 1000 + n, title: title('Proposal', n), categories: [] })),
  ].map((idea) => ({
    ...idea,
    votes: voted.filter((id) => id === idea.id).length,
    comments: commented.filter((id) => id === idea.id).length,
  }))
  const sum = (of: 'votes' | 'comments'): number => ideas.reduce((all, idea) => all + idea[of], 0)
  return {
    closed: false,
    users: upTo('members').length,
    ideas: ideas.map((idea) => ideaLine(idea.title, idea.votes, idea.comments, idea.categories)).sort(),
    categories: ['Tag 1', 'Tag 2', 'Tag 3', ...upTo('listed').map((n) => `Listed ${n}`)].sort(),
    totals: { ideas: ideas.length, votes: sum('votes'), comments: sum('comments') },
  }
}
