// Owns how the contract says what may be asked: a parameter of an endpoint, and the type of its value. Knows no kind.
import { isAskable, MAX_CATEGORY_CODE_POINTS, normalizeCategory } from '../category-name.ts'
import { INTERVALS, PERIODS, type Interval, type Period } from '../windows.ts'
import type { Schema } from './shape.ts'

/** Of a period: any that it has, or its own only. */
export type Intervals = 'any' | 'own'

/** Every parameter is optional. */
export interface Parameter<Name extends string = string, Value = unknown> {
  readonly name: Name
  readonly description: string
  /** What is allowed, in words: for messages and the documentation. */
  readonly allowed: string
  /** What is allowed, in the words of OpenAPI, with the default. */
  readonly json: Schema
  readonly byDefault: Value
  /** Reads a value; null = it is not allowed. */
  read(text: string): Value | null
  /**
   * Only for an interval, whose values and default follow from the parameters before it: the values of `type` with which it is judged,
   * and what it may be.
   */
  readonly ofTypes?: Readonly<Record<string, Intervals | undefined>> | undefined
}

/** A validated request of an endpoint: raw input is gone. */
export type QueryOf<Name extends string, Parameters extends readonly Parameter[]> = { readonly endpoint: Name } & {
  readonly [One in Parameters[number] as One['name']]: One extends Parameter<string, infer Value> ? Value : never
}

export function choiceParameter<Name extends string, Value extends string>(
  name: Name,
  values: readonly Value[],
  byDefault: Value,
  description: string,
): Parameter<Name, Value> {
  return {
    name,
    description,
    allowed: `one of ${values.join(', ')}`,
    json: { type: 'string', enum: values, default: byDefault },
    byDefault,
    read: (text) => values.find((value) => value === text) ?? null,
  }
}

export function integerParameter<Name extends string>(
  name: Name,
  min: number,
  max: number,
  byDefault: number,
  description: string,
): Parameter<Name, number> {
  return {
    name,
    description,
    allowed: `an integer from ${min} to ${max}`,
    json: { type: 'integer', minimum: min, maximum: max, default: byDefault },
    byDefault,
    read(text) {
      const value = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN
      return value >= min && value <= max ? value : null
    },
  }
}

export const anyPeriod: Parameter<'period', Period> = choiceParameter(
  'period',
  PERIODS,
  '30d',
  'The window [dataAsOf - period, dataAsOf); `all` is everything before dataAsOf.',
)

/** @param nothing what the answer is for a name that no idea has */
export function categoryParameter(nothing: string): Parameter<'category', string | null> {
  return {
    name: 'category',
    description: `Only ideas of this category; a name that no idea has gives ${nothing}.`,
    allowed: `a category name of 1 to ${MAX_CATEGORY_CODE_POINTS} characters`,
    json: { type: 'string', minLength: 1, maxLength: MAX_CATEGORY_CODE_POINTS },
    byDefault: null,
    read(text) {
      const name = normalizeCategory(text)
      return name !== '' && isAskable(name) ? name : null
    },
  }
}

export const INTERVAL_RULE =
  'The width of a bucket: `hour` for 24h; `day` for 7d, 30d and 90d; `month` (the default) or `day` for all.'

export function intervalParameter(
  description: string,
  ofTypes?: Parameter['ofTypes'],
): Parameter<'interval', Interval> {
  const json = { type: 'string', enum: INTERVALS }
  return { ...choiceParameter('interval', INTERVALS, 'month', description), json, ofTypes }
}
