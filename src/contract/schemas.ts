// Owns the columns of the exports, and the JSON Schemas (2020-12, as OpenAPI 3.1 uses) of all documents and problems.
import { OVERVIEW_METRICS } from './documents.ts'
import { EXPORT_TYPES, MAX_TRENDING, VERSION, type ExportType } from './endpoints.ts'
import { BOUNDED_PERIODS, INTERVALS, PERIODS } from './windows.ts'

export type Schema = Readonly<Record<string, unknown>>

const count: Schema = { type: 'integer', minimum: 0 }
const ratio: Schema = { type: 'number', minimum: 0, description: 'At most two decimals, rounded half away from zero.' }
const text: Schema = { type: 'string' }
const timestamp: Schema = {
  type: 'string',
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
  description: 'ISO 8601 UTC with milliseconds.',
}

function orNull(schema: Schema): Schema {
  return { ...schema, type: [schema['type'], 'null'] }
}

const people: Schema = {
  ...orNull(count),
  description: 'Numbers of people may be rounded to 5, then null = 1 to 7; or all null.',
}

/** An object with exactly these keys, all required. */
function exactly(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

function listOf(items: Schema, more: Schema = {}): Schema {
  return { type: 'array', items, ...more }
}

const endKeys = { generatedAt: timestamp, version: { const: VERSION } }

const numbers = {
  ideas: count,
  votes: count,
  comments: count,
  launchedIdeas: count,
  launchSuccessRate: ratio,
  avgVotesPerIdea: ratio,
  avgCommentsPerIdea: ratio,
  shareOfIdeas: ratio,
  totalIdeas: count,
  previousIdeas: orNull(count),
  previousVotes: orNull(count),
  previousComments: orNull(count),
}

const stats: Schema = exactly({
  stats: exactly({
    totalUsers: { ...count, description: 'Never null: where numbers of people are rounded or null, 1 to 7 are 5.' },
    totalIdeas: count,
    totalVotes: count,
    totalComments: count,
    launchedIdeas: count,
    activeCategories: count,
  }),
  metrics: exactly({ avgVotesPerIdea: ratio, avgCommentsPerIdea: ratio, launchSuccessRate: ratio }),
  topCategories: listOf(exactly({ category: text, count })),
  ...endKeys,
})

const trending: Schema = exactly({
  period: { enum: [...BOUNDED_PERIODS] },
  category: orNull(text),
  from: timestamp,
  to: timestamp,
  limit: { type: 'integer', minimum: 1, maximum: MAX_TRENDING },
  count: { type: 'integer', minimum: 0, maximum: MAX_TRENDING },
  ideas: listOf(
    exactly({
      rank: { type: 'integer', minimum: 1 },
      id: text,
      title: text,
      category: text,
      categories: listOf(text, { minItems: 1 }),
      status: orNull(text),
      url: orNull(text),
      score: { type: 'integer', minimum: 1 },
      votes: count,
      comments: count,
      previousScore: count,
      totalVotes: count,
      totalComments: count,
      createdAt: timestamp,
      launchedAt: orNull(timestamp),
    }),
    { maxItems: MAX_TRENDING },
  ),
  dataAsOf: timestamp,
  ...endKeys,
})

const categories: Schema = exactly({
  period: { enum: [...PERIODS] },
  from: orNull(timestamp),
  to: timestamp,
  count,
  categories: listOf(exactly({ category: text, ...numbers })),
  totals: exactly(numbers),
  dataAsOf: timestamp,
  ...endKeys,
})

const timelineCounts = {
  ideas: count,
  votes: count,
  comments: count,
  launchedIdeas: count,
}

const timeline: Schema = exactly({
  period: { enum: [...PERIODS] },
  interval: { enum: [...INTERVALS] },
  category: orNull(text),
  from: orNull(timestamp),
  to: timestamp,
  count,
  buckets: listOf(
    exactly({
      bucket: timestamp,
      ...timelineCounts,
      totalIdeas: count,
      totalVotes: count,
      totalComments: count,
      totalLaunchedIdeas: count,
    }),
  ),
  undated: exactly(timelineCounts),
  dataAsOf: timestamp,
  ...endKeys,
})

const days: Schema = { ...ratio, description: 'Days of 24 hours, at most two decimals.' }
const notYet: Schema = { ...orNull(count), description: 'null = not known, or not known yet.' }

const cohort = {
  month: orNull(timestamp),
  ideas: count,
  votedIdeas: count,
  discussedIdeas: count,
  launchedIdeas: count,
  launchedWithin30Days: notYet,
  launchedWithin90Days: notYet,
  launchedWithin365Days: notYet,
}

const outcomes: Schema = exactly({
  category: orNull(text),
  statuses: listOf(exactly({ status: orNull(text), ideas: count, votes: count, comments: count, shareOfIdeas: ratio })),
  launched: exactly({
    ideas: count,
    votes: count,
    shareOfVotes: ratio,
    dated: count,
    medianDays: orNull(days),
    p90Days: orNull(days),
  }),
  cohorts: listOf(exactly(cohort)),
  dataAsOf: timestamp,
  ...endKeys,
})

/** Each column of each export. The types keep the names: columns.ts says of every one what it means. */
export const COLUMN_SCHEMAS = {
  overview: {
    metric: { enum: [...OVERVIEW_METRICS] },
    value: { type: ['number', 'null'], minimum: 0, description: 'null only of people, as in the users export.' },
    previousValue: { type: ['number', 'null'], minimum: 0 },
    changePercent: { type: ['number', 'null'] },
  },
  ideas: {
    id: text,
    title: text,
    category: text,
    status: orNull(text),
    createdAt: timestamp,
    launchedAt: orNull(timestamp),
    votes: count,
    comments: count,
    totalVotes: count,
    totalComments: count,
    url: orNull(text),
  },
  users: {
    bucket: timestamp,
    newUsers: people,
    totalUsers: people,
    activeUsers: people,
    ideaAuthors: people,
    voters: people,
    commenters: people,
  },
  categories: { category: text, ...numbers },
  timeline: { bucket: timestamp, category: orNull(text), ...timelineCounts },
  outcomes: { category: orNull(text), ...cohort },
  history: {
    date: { type: 'string', format: 'date', pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'UTC day of dataAsOf.' },
    dataAsOf: timestamp,
    mapping: {
      type: 'string',
      pattern: '^[0-9a-f]{8}$',
      description: 'The beginning of the sha256 of mapping and parameters: another one counts something else.',
    },
    totalUsers: people,
    totalIdeas: count,
    totalVotes: count,
    totalComments: count,
    launchedIdeas: count,
    activeCategories: count,
  },
} satisfies Readonly<Record<ExportType, Readonly<Record<string, Schema>>>>

export type ColumnOf<T extends ExportType> = keyof (typeof COLUMN_SCHEMAS)[T] & string

/** The columns of each export, in order: append-only. JSON rows have the same keys in the same order. */
export const EXPORT_COLUMNS: Readonly<Record<ExportType, readonly string[]>> = {
  overview: Object.keys(COLUMN_SCHEMAS.overview),
  ideas: Object.keys(COLUMN_SCHEMAS.ideas),
  users: Object.keys(COLUMN_SCHEMAS.users),
  categories: Object.keys(COLUMN_SCHEMAS.categories),
  timeline: Object.keys(COLUMN_SCHEMAS.timeline),
  outcomes: Object.keys(COLUMN_SCHEMAS.outcomes),
  history: Object.keys(COLUMN_SCHEMAS.history),
}

function exportOf(type: ExportType): Schema {
  return exactly({
    type: { const: type },
    period: { enum: [...PERIODS] },
    from: orNull(timestamp),
    to: timestamp,
    data: listOf(exactly(COLUMN_SCHEMAS[type])),
    rowCount: count,
    dataAsOf: timestamp,
    ...endKeys,
  })
}

/** The component name of an export's schema: ExportByMonth for by-month. */
export function exportSchemaName(type: ExportType): string {
  return `Export${type.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`
}

/** Schemas by component name, as the OpenAPI document lists them. */
export const SCHEMAS: Readonly<Record<string, Schema>> = {
  Stats: stats,
  Trending: trending,
  Categories: categories,
  Timeline: timeline,
  Outcomes: outcomes,
  ...Object.fromEntries(EXPORT_TYPES.map((type) => [exportSchemaName(type), exportOf(type)])),
  Problem: exactly({ error: text, message: text }),
}
