// Owns what every column of the exports means: its unit, a sentence, and what an empty cell says. A column that schemas.ts
// has and this table lacks does not compile. Knows no document and no row.
import { EXPORT_COLUMNS, COLUMN_SCHEMAS, type ColumnOf, type Schema } from './schemas.ts'
import type { ExportType } from './endpoints.ts'

/** How the cells of a column read; a `datetime` is ISO 8601 in UTC with milliseconds. */
export type ColumnType = 'string' | 'integer' | 'number' | 'datetime' | 'date'

interface Meaning {
  readonly description: string
  /** What a number counts, or `percent`; absent = it is no number, or the unit depends on the row. */
  readonly unit?: string
  /** What an empty cell (null in JSON) says; there exactly where the schema allows null. */
  readonly empty?: string
}

export interface Column extends Meaning {
  readonly name: string
  readonly type: ColumnType
  readonly minimum?: number
  /** All values that a cell can have. */
  readonly values?: readonly string[]
  readonly pattern?: string
}

/** A table of a release: `type` of the export, and its CSV files. */
export interface TableMeaning {
  readonly title: string
  /** What a row is. */
  readonly rows: string
}

export const TABLES: Readonly<Record<ExportType, TableMeaning>> = {
  overview: { title: 'Overview', rows: 'One row for each of fifteen numbers, with the window before and the change.' },
  ideas: {
    title: 'Ideas',
    rows: 'One row for each idea created in the window, newest first; no author and no text of the idea.',
  },
  users: {
    title: 'People',
    rows: 'One row for each UTC hour, day or month of the window, also those with zeros; never a row for a person.',
  },
  categories: { title: 'Categories', rows: 'One row for each category, also those with zeros.' },
  timeline: {
    title: 'Timeline',
    rows: 'One row for each UTC hour, day or month of all ideas, category empty; then those of each category that are not all zeros.',
  },
  outcomes: {
    title: 'Outcomes',
    rows: 'One row for each month in which ideas of all categories were created, category empty; then those of each category that has ideas.',
  },
  history: {
    title: 'History',
    rows: 'One row for each UTC day with a release: the totals as the last release of that day published them.',
  },
}

const FEW_PEOPLE = 'Not published: with rounded numbers 1 to 7 people, or numbers of people are not published at all.'
const UNBOUNDED = 'The period is all: there is no window before it.'
const NOT_KNOWN = 'Not known yet, or never: the month is not so long over, or a launch has no date.'
const ALL_IDEAS = 'All ideas of the site.'
const AN_IDEA = 'An idea with several categories counts once in each.'

const IN_WINDOW = {
  ideas: { unit: 'ideas', description: 'Ideas created in the window.' },
  votes: {
    unit: 'votes',
    description: 'Votes cast in the window, on ideas of any age. Only votes above zero count, each as one.',
  },
  comments: { unit: 'comments', description: 'Comments written in the window, on ideas of any age.' },
  launchedIdeas: { unit: 'ideas', description: 'Ideas launched in the window.' },
} as const

const IN_BUCKET = {
  ideas: { unit: 'ideas', description: 'Ideas created in the bucket.' },
  votes: { unit: 'votes', description: 'Votes cast in the bucket. Only votes above zero count, each as one.' },
  comments: { unit: 'comments', description: 'Comments written in the bucket.' },
  launchedIdeas: { unit: 'ideas', description: 'Ideas launched in the bucket.' },
} as const

const BUCKET: Meaning = {
  description:
    'When the hour, day or month begins (UTC). Only rows inside the window count, so the first and the last may be parts.',
}

function launchedWithin(days: number): Meaning {
  return {
    unit: 'ideas',
    description: `Ideas of the month that were launched at most ${days} × 24 hours after they were created.`,
    empty: NOT_KNOWN,
  }
}

const MEANINGS: { readonly [T in ExportType]: Readonly<Record<ColumnOf<T>, Meaning>> } = {
  overview: {
    metric: { description: 'Which number the row is.' },
    value: {
      description: 'The number in the window; of a metric that begins with total, at its end.',
      empty: FEW_PEOPLE,
    },
    previousValue: {
      description:
        'The same in the window of equal length just before; of a metric that begins with total, at the beginning of the window.',
      empty: 'The period is all, or a number of people that is not published.',
    },
    changePercent: {
      unit: 'percent',
      description: 'The change from previousValue to value, from the two published numbers.',
      empty: 'previousValue is 0 or empty, or value is empty.',
    },
  },
  ideas: {
    id: { description: 'The id of the idea on the platform: an opaque text.' },
    title: {
      description:
        'The title of the idea. One that a spreadsheet would run as a formula begins with an apostrophe here.',
    },
    category: { description: 'All categories of the idea, joined with "; ".' },
    status: {
      description: 'What the platform has made of the idea, in its own words.',
      empty: 'The platform gives it no status.',
    },
    createdAt: { description: 'When the idea was created (UTC).' },
    launchedAt: {
      description: 'When the idea was launched (UTC).',
      empty: 'Not launched, or launched without a date.',
    },
    votes: {
      unit: 'votes',
      description: 'Votes on the idea that were cast in the window. Only votes above zero count, each as one.',
    },
    comments: { unit: 'comments', description: 'Comments on the idea that were written in the window.' },
    totalVotes: { unit: 'votes', description: 'All votes on the idea.' },
    totalComments: { unit: 'comments', description: 'All comments on the idea.' },
    url: { description: 'Where the idea is: an address, or a path of the platform.', empty: 'It has no address.' },
  },
  users: {
    bucket: { description: 'When the hour, day or month begins (UTC).' },
    newUsers: { unit: 'people', description: 'Accounts created in the bucket.', empty: FEW_PEOPLE },
    totalUsers: { unit: 'people', description: 'All accounts at the end of the bucket.', empty: FEW_PEOPLE },
    activeUsers: {
      unit: 'people',
      description:
        'Different people who voted, commented or submitted an idea in the bucket. Do not add buckets: a person may be in several.',
      empty: FEW_PEOPLE,
    },
    ideaAuthors: {
      unit: 'people',
      description: 'Different people who submitted an idea in the bucket.',
      empty: FEW_PEOPLE,
    },
    voters: { unit: 'people', description: 'Different people who voted in the bucket.', empty: FEW_PEOPLE },
    commenters: { unit: 'people', description: 'Different people who commented in the bucket.', empty: FEW_PEOPLE },
  },
  categories: {
    category: { description: `The name of the category; "Uncategorized" for ideas without one. ${AN_IDEA}` },
    ...IN_WINDOW,
    launchSuccessRate: {
      unit: 'percent',
      description: 'Of the ideas created in the window, those that are launched now.',
    },
    avgVotesPerIdea: { unit: 'votes per idea', description: 'votes divided by ideas; 0 without ideas.' },
    avgCommentsPerIdea: { unit: 'comments per idea', description: 'comments divided by ideas; 0 without ideas.' },
    shareOfIdeas: {
      unit: 'percent',
      description: 'The share of the category in all ideas created in the window. Shares may add up to more than 100.',
    },
    totalIdeas: { unit: 'ideas', description: 'All ideas of the category.' },
    previousIdeas: { unit: 'ideas', description: 'Ideas created in the window before.', empty: UNBOUNDED },
    previousVotes: { unit: 'votes', description: 'Votes cast in the window before.', empty: UNBOUNDED },
    previousComments: { unit: 'comments', description: 'Comments written in the window before.', empty: UNBOUNDED },
  },
  timeline: {
    bucket: BUCKET,
    category: { description: `The name of the category. ${AN_IDEA}`, empty: ALL_IDEAS },
    ...IN_BUCKET,
  },
  outcomes: {
    category: { description: `The name of the category. ${AN_IDEA}`, empty: ALL_IDEAS },
    month: {
      description: 'When the UTC month begins in which the ideas were created.',
      empty: 'Ideas without a date.',
    },
    ideas: { unit: 'ideas', description: 'Ideas created in the month.' },
    votedIdeas: { unit: 'ideas', description: 'Those with at least one vote by now.' },
    discussedIdeas: { unit: 'ideas', description: 'Those with at least one comment by now.' },
    launchedIdeas: { unit: 'ideas', description: 'Those that are launched by now.' },
    launchedWithin30Days: launchedWithin(30),
    launchedWithin90Days: launchedWithin(90),
    launchedWithin365Days: launchedWithin(365),
  },
  history: {
    date: { description: 'The UTC day.' },
    dataAsOf: { description: 'The instant that the totals describe: that of the last release of the day (UTC).' },
    mapping: {
      description: 'A mark of what was counted: where it changes, the numbers before and after cannot be compared.',
    },
    totalUsers: { unit: 'people', description: 'All accounts.', empty: FEW_PEOPLE },
    totalIdeas: { unit: 'ideas', description: 'All ideas.' },
    totalVotes: { unit: 'votes', description: 'All votes.' },
    totalComments: { unit: 'comments', description: 'All comments.' },
    launchedIdeas: { unit: 'ideas', description: 'All launched ideas.' },
    activeCategories: { unit: 'categories', description: 'Categories with at least one idea.' },
  },
}

/** The columns of an export, in their order. */
export function columnsOf(type: ExportType): readonly Column[] {
  const meanings: Readonly<Record<string, Meaning>> = MEANINGS[type]
  const schemas: Readonly<Record<string, Schema>> = COLUMN_SCHEMAS[type]
  return EXPORT_COLUMNS[type].map((name) => {
    const meaning = meanings[name]
    const schema = schemas[name]
    if (meaning === undefined || schema === undefined) throw new Error(`column ${name} of ${type} has no meaning`)
    return { name, ...typed(schema), ...meaning }
  })
}

/** Numbers of the columns of times, from 0. */
export function timeColumns(type: ExportType): ReadonlySet<number> {
  return new Set(columnsOf(type).flatMap((column, i) => (column.type === 'datetime' ? [i] : [])))
}

/** Whether a cell of the column may be empty. */
export function mayBeEmpty(type: ExportType, name: string): boolean {
  const schemas: Readonly<Record<string, Schema>> = COLUMN_SCHEMAS[type]
  return typesIn(schemas[name] ?? {}).includes('null')
}

function typesIn(schema: Schema): readonly unknown[] {
  return [schema['type']].flat()
}

const FORMATS: Readonly<Record<string, ColumnType>> = { 'date-time': 'datetime', date: 'date' }
const NUMERIC: readonly ColumnType[] = ['integer', 'number']

function typed(schema: Schema): Omit<Column, 'name' | keyof Meaning> {
  const byFormat = FORMATS[String(schema['format'])]
  if (byFormat !== undefined) return { type: byFormat }
  const number = NUMERIC.find((type) => typesIn(schema).includes(type))
  if (number !== undefined)
    return { type: number, ...(typeof schema['minimum'] === 'number' ? { minimum: schema['minimum'] } : {}) }
  return {
    type: 'string',
    ...(Array.isArray(schema['enum']) ? { values: schema['enum'] as readonly string[] } : {}),
    ...(typeof schema['pattern'] === 'string' ? { pattern: schema['pattern'] } : {}),
  }
}
