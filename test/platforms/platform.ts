// What the test of a built-in mapping is made of: a schema and a seed full of traps, and the numbers worked out by hand.
// In this folder, a folder per platform holds schema.sql, seed.sql (with the reasons at its rows) and expected.ts.

/** Everything is dated against this instant. */
export const AS_OF = '2024-06-01T00:00:00.000Z'

interface Totals {
  readonly users: number
  readonly ideas: number
  readonly votes: number
  readonly comments: number
  readonly launched: number
}

export interface ExpectedIdea {
  readonly id: string
  readonly title: string
  readonly createdAt: string
  readonly status: string | null
  /** false; true = launched without a date; or the date. */
  readonly launched: boolean | string
  readonly url: string | null
  readonly categories: readonly string[]
  /** In all, and in the last 24 hours before AS_OF: a time zone that is off by a few hours changes the second. */
  readonly votes: readonly [total: number, lastDay: number]
  readonly comments: readonly [total: number, lastDay: number]
}

export interface ExpectedRead {
  readonly totals: Totals
  /** Newest first. */
  readonly ideas: readonly ExpectedIdea[]
  /** By UTC month, months of nothing left out. */
  readonly months: Readonly<
    Record<string, { newUsers: number; active: number; authors: number; voters: number; commenters: number }>
  >
  /** Users who ever voted, commented or submitted. */
  readonly active: number
  /** What section `categories` lists. */
  readonly listed: readonly string[]
  /** `relation: reason` → rows. */
  readonly skipped: Readonly<Record<string, number>>
}

/** Of a site that is not there, private or closed. */
export const NOTHING: ExpectedRead = {
  totals: { users: 0, ideas: 0, votes: 0, comments: 0, launched: 0 },
  ideas: [],
  months: {},
  active: 0,
  listed: [],
  skipped: {},
}

/** The same with other ideas launched: id → date, or true where it has none. */
export function launchedAre(dates: Readonly<Record<string, string | true>>, right: ExpectedRead): ExpectedRead {
  const undated = Object.values(dates).filter((date) => date === true).length
  const skipped = Object.entries(right.skipped).filter(([reason]) => !reason.startsWith('ideas: launched'))
  if (undated > 0) skipped.push(['ideas: launched without a date', undated])
  return {
    ...right,
    totals: { ...right.totals, launched: Object.keys(dates).length },
    ideas: right.ideas.map((idea) => ({ ...idea, launched: dates[idea.id] ?? false })),
    skipped: Object.fromEntries(skipped),
  }
}

/** These ideas, but for what is given by id. */
export function ideasBut(
  ideas: readonly ExpectedIdea[],
  changes: Readonly<Record<string, Partial<ExpectedIdea>>>,
): ExpectedIdea[] {
  return ideas.map((idea) => ({ ...idea, ...changes[idea.id] }))
}

/** Skipped rows of ideas that are not counted. */
export function notOurs(votes: number, comments: number, categories: number): ExpectedRead['skipped'] {
  const rows = Object.entries({ votes, comments, idea_categories: categories })
  return Object.fromEntries(rows.map(([relation, n]) => [`${relation}: the idea is not among the ideas`, n]))
}

export interface OtherVersion {
  readonly statements: string
  readonly right: ExpectedRead
}

export interface PlatformCase {
  /** The built-in mapping's name, and that of the folder. */
  readonly mapping: string
  readonly params: Readonly<Record<string, string>>
  readonly right: ExpectedRead
  /** The same seed with other parameters: another tenant, other launched names, another locale. */
  readonly variants: Readonly<
    Record<string, { readonly params: Readonly<Record<string, string>>; readonly right: ExpectedRead }>
  >
  /** Other versions of the platform: how the schema and its rows differ, with the same numbers as a result unless others are given. */
  readonly versions?: Readonly<Record<string, string | OtherVersion>>
  /** Ways to close the site (how → statements run before the build): each must leave an empty API. */
  readonly closed: Readonly<Record<string, string>>
  /** Of these the reason that section `closed` gives; one that is not named is empty, and open all the same. */
  readonly reasons: Readonly<Record<string, string>>
  /** What looks like closing and is not (how → statements): each must read as open. */
  readonly open: Readonly<Record<string, string>>
  /** Parameters of a site that is not there: an error of section `closed`; null = there is one site only. */
  readonly nowhere: Readonly<Record<string, string>> | null
  /** Conditions whose removal changes no number, with the reason: `section: condition`. */
  readonly survivors: Readonly<Record<string, string>>
}

type Cells = [string, string, string, string, string, string, string, string, string]

/**
 * An idea as a line of a table:
 * `id | title | created | launched | status | votes | comments | categories | url`.
 * A time without `.000Z`; `-` = null, none or not launched; `undated` = launched without a date; votes and comments in all and
 * in the last day; categories with ` + ` between them; a text as JSON where it looks otherwise.
 */
function ideaOf(line: string, idOf: (id: string) => string = (id) => id): ExpectedIdea {
  const cells = line.split(' | ').map((cell) => cell.trim()) as Cells
  const [id, title, created, launched, status, votes, comments, categories, url] = cells
  const text = (cell: string): string => (cell.startsWith('"') ? (JSON.parse(cell) as string) : cell)
  const time = (cell: string): string => (cell.endsWith('Z') ? cell : `${cell}.000Z`)
  const pair = (cell: string): readonly [number, number] => {
    const [total, lastDay] = cell.split(' ').map(Number)
    return [total ?? Number.NaN, lastDay ?? Number.NaN]
  }
  return {
    id: idOf(id),
    title: text(title),
    createdAt: time(created),
    status: status === '-' ? null : text(status),
    launched: launched === '-' ? false : launched === 'undated' || time(launched),
    url: url === '-' ? null : text(url),
    categories: categories === '-' ? [] : categories.split(' + ').map(text),
    votes: pair(votes),
    comments: pair(comments),
  }
}

/** A line for each, newest first. */
export function ideasOf(table: string, idOf?: (id: string) => string): ExpectedIdea[] {
  return table
    .trim()
    .split('\n')
    .map((line) => ideaOf(line, idOf))
}
