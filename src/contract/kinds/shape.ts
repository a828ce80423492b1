// Owns how the contract says what a value is: its JSON Schema (2020-12, as OpenAPI 3.1 uses), what it means, and its type in
// TypeScript, each written once. Knows no kind of document.
import type { Label } from '../time-zone.ts'
import type { Timestamp } from '../timestamp.ts'

export type Schema = Readonly<Record<string, unknown>>

export interface Shape<T> {
  readonly json: Schema
  readonly description: string
  /** What a number counts, or `percent`; absent = it is no number, or the unit depends on the row. */
  readonly unit?: string | undefined
  /** Why a cell of a column is empty (null in JSON); there exactly where the column may be null. */
  readonly empty?: EmptyReason | undefined
  /** Whether it may be absent, as in releases of earlier versions, which are still served. */
  readonly isOptional?: boolean
  readonly properties?: Shapes
  /** The shape of each item of a list. */
  readonly items?: Shape<unknown>
  /** No shape really has this key: it only carries the type. */
  readonly type?: T
}
export type Shapes = Readonly<Record<string, Shape<unknown>>>
/** The type of a shape, or of a function that checks a value. */
export type TypeOf<S> = S extends Shape<infer T> | ((value: unknown) => value is infer T) ? T : never
/** The object with these properties; those that may be undefined may be absent. */
export type ObjectOf<P> = {
  readonly [Name in keyof P as undefined extends TypeOf<P[Name]> ? never : Name]: TypeOf<P[Name]>
} & { readonly [Name in keyof P as undefined extends TypeOf<P[Name]> ? Name : never]?: TypeOf<P[Name]> }

/** The version of the format. */
export const VERSION = '1.0'

const DAY = '\\d{4}-\\d{2}-\\d{2}'
const CLOCK = 'T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z'
const COUNT: Schema = { type: 'integer', minimum: 0 }
const RATIO: Schema = { type: 'number', minimum: 0, description: 'At most two decimals, rounded half away from zero.' }
const TIME: Schema = {
  type: 'string',
  format: 'date-time',
  pattern: `^${DAY}${CLOCK}$`,
  description: 'ISO 8601 UTC with milliseconds.',
}

export function text(description: string, json: Schema = {}): Shape<string> {
  return { json: { type: 'string', ...json }, description }
}

export function flag(description: string): Shape<boolean> {
  return { json: { type: 'boolean' }, description }
}

/** @param description of the schema: which day it is */
export function day(description: string): Shape<string> {
  return text('The day.', { format: 'date', pattern: `^${DAY}$`, description })
}

/** A month or a year, by the date on which it begins: it is of a time zone, and no instant. */
export function firstDayOf(description: string): Shape<Label> {
  return text(description, { format: 'date', pattern: `^${DAY}$` })
}

/** ISO 8601 in UTC with milliseconds. */
export function time(description: string): Shape<Timestamp> {
  return { json: TIME, description }
}

type OfNumber = (description: string, unit?: string, more?: Schema) => Shape<number>
const numeric =
  (json: Schema): OfNumber =>
  (description, unit, more = {}) => ({ json: { ...json, ...more }, unit, description })
export const whole: OfNumber = numeric(COUNT)
export const ratio: OfNumber = numeric(RATIO)
export const number: OfNumber = numeric({ type: 'number' })

export function oneOf<const Value extends string>(values: readonly Value[], description: string): Shape<Value> {
  return { json: { enum: [...values] }, description }
}

/** @param empty why a cell of a column is null */
export function orNull<T>(shape: Shape<T>, empty?: EmptyReason): Shape<T | null> {
  const { json, description, unit } = shape
  return { json: { ...json, type: [json['type'], 'null'] }, unit, description, empty }
}

/** What an empty cell of a column says, by the reason. */
export const EMPTY = {
  few: 'Not published: 1 to 7 people where numbers are rounded, or the site publishes no numbers of people.',
  notGiven: 'The platform gives none.',
  noDate: 'Not launched, or launched without a date.',
  noMonth: 'Ideas without a date.',
  noDateOfRows: 'Without a date; or not compared.',
  notCompared: 'A build of the day was not compared by month with the one before: what it changed is not known.',
  notKnown: 'Not known yet, or never: ideas of the month are too young, or a date is missing.',
  noBucket: 'What has no date.',
  unbounded: 'The period is all, or the number is not published.',
  noChange: 'previousValue is 0 or empty, value is empty, or the number is in percent itself.',
  noYear:
    'There was no idea before that window, the number is not kept for it (totals, activeCategories, launchSuccessRate), or not published.',
} as const
export type EmptyReason = keyof typeof EMPTY

/** A number of people: it may be null. */
export function people(description: string): Shape<number | null> {
  const says = { description: 'Numbers of people may be rounded to 5, then null = 1 to 7; or all null.' }
  return orNull(whole(description, 'people', says), 'few')
}

export function optional<T>(shape: Shape<T>): Shape<T | undefined> {
  return { ...shape, isOptional: true }
}

/** An object with exactly these keys, all required but those that may be absent. */
export interface ObjectShape<P extends Shapes> extends Shape<ObjectOf<P>> {
  readonly properties: P
}

export function object<const P extends Shapes>(description: string, properties: P): ObjectShape<P> {
  const schemas = Object.fromEntries(Object.entries(properties).map(([name, { json }]) => [name, json]))
  const required = Object.keys(schemas).filter((name) => properties[name]?.isOptional !== true)
  const json = { type: 'object', properties: schemas, required, additionalProperties: false }
  return { json, description, properties }
}

export function listOf<T>(description: string, items: Shape<T>, json: Schema = {}): Shape<readonly T[]> {
  return { json: { type: 'array', items: items.json, ...json }, description, items }
}

/** The key of documents that are cut into hours, days, months or years. */
export const TIME_ZONE: Shape<string | undefined> = optional(
  text('The time zone (IANA) in which hours, days, months and years begin; absent = UTC.'),
)
export const PERIOD = 'The period that was asked for.'
export const FROM: Shape<Timestamp> = time('When the window begins (included); null = everything before `to`.')
export const TO: Shape<Timestamp> = time('When the window ends (excluded): dataAsOf; of people, it may be a midnight.')
export const CATEGORY: Shape<string | null> = orNull(text('The category that was asked for; null = all ideas.'))
export const AN_IDEA = 'An idea with several categories counts once in each.'
export const IN_EACH =
  'An idea in two categories is counted in both, so the rows may add up to more than those of all ideas.'
/** A column of a table that has rows of each category. */
export const CATEGORY_OF_ROW: Shape<string> = text(`The name of the category. ${AN_IDEA}`)
export const VOTES: Shape<number> = whole(
  'Votes cast in the window, whenever the idea was created. Only votes above zero count, each as one.',
  'votes',
)
export const COMMENTS: Shape<number> = whole(
  'Comments written in the window, whenever the idea was created.',
  'comments',
)
export const TOTAL_IDEAS: Shape<number> = whole('All ideas, whenever they were created.', 'ideas')
export const TOTAL_VOTES: Shape<number> = whole('All votes, whenever they were cast.', 'votes')
export const TOTAL_COMMENTS: Shape<number> = whole('All comments, whenever they were written.', 'comments')
/** An hour is an instant; a day or a month is named by a date, because it is not an instant: where it begins, its time zone says. */
export const BUCKET: Shape<Label> = text(
  'The hour, by its first instant (UTC); or the day, or the first day of the month, in the time zone. Only rows inside the window count, so the first and the last may be parts.',
  { pattern: `^${DAY}(${CLOCK})?$` },
)
export const AS_OF: Shape<Timestamp> = time('The instant that all numbers describe.')

/** A document; its type lacks the keys that end every answer. */
export function answer<const P extends Shapes>(properties: P): Shape<ObjectOf<P>> {
  return object('', {
    ...properties,
    generatedAt: time('When this answer was made; in a file, when the release was built.'),
    version: { json: { const: VERSION }, description: 'The version of the format.' },
  }) as Shape<unknown> as Shape<ObjectOf<P>>
}
