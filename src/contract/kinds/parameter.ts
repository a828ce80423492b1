// Owns how the contract says what may be asked: a parameter of an endpoint, and the type of its value. Knows no kind.
import { INTERVALS, PERIODS, type Interval, type Period } from '../windows.ts'

/**
 * How a parameter is read; every parameter is optional. `category` is a category name, null without one. Which values of
 * `interval` are allowed, and which is the default, follows from the parameters before it.
 */
export type Parameter<Name extends string = string, Value = unknown> = {
  readonly name: Name
  readonly description: string
  /** No parameter has it: it carries the type of the value. */
  readonly type?: Value
} & (
  | { readonly kind: 'enum'; readonly values: readonly string[]; readonly default: string }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number; readonly default: number }
  | { readonly kind: 'category' }
  /** `ofTypes`: the values of `type` with which alone it is judged. */
  | { readonly kind: 'interval'; readonly values: readonly Interval[]; readonly ofTypes?: readonly string[] }
)

/** A validated request of an endpoint: raw input is gone. */
export type QueryOf<Name extends string, Parameters extends readonly Parameter[]> = { readonly endpoint: Name } & {
  readonly [One in Parameters[number] as One['name']]: One extends Parameter<string, infer Value> ? Value : never
}

export function choice<Name extends string, Value extends string>(
  name: Name,
  values: readonly Value[],
  byDefault: Value,
  description: string,
): Parameter<Name, Value> {
  return { name, kind: 'enum', values, default: byDefault, description }
}

export const anyPeriod: Parameter<'period', Period> = choice(
  'period',
  PERIODS,
  '30d',
  'The window [dataAsOf - period, dataAsOf); `all` is everything before dataAsOf.',
)

/** @param nothing what a name gives that no idea has */
export function categoryParameter(nothing: string): Parameter<'category', string | null> {
  return {
    name: 'category',
    kind: 'category',
    description: `Only ideas of this category; a name that no idea has gives ${nothing}.`,
  }
}

export const INTERVAL_RULE =
  'The width of a bucket: `hour` for 24h; `day` for 7d, 30d and 90d; `month` (the default) or `day` for all.'

export function intervalParameter(description: string, ofTypes?: readonly string[]): Parameter<'interval', Interval> {
  return {
    name: 'interval',
    kind: 'interval',
    values: INTERVALS,
    description,
    ...(ofTypes === undefined ? {} : { ofTypes }),
  }
}
