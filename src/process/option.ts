// Owns one option: flag, variable, default and parser, as commander's Option with the type of its value. Knows no command.
import { InvalidArgumentError, Option } from 'commander'
import type { Parse } from './value-syntax.ts'
import type { SecretVariable } from './variables.ts'

/** An option whose value is a T. */
export interface TypedOption<T> extends Option {
  /** No option really has this: it only carries the type. */
  readonly valueType?: T
  /** The variables that may hold its secret. */
  readonly secrets?: readonly SecretVariable[]
}

/** An option whose value may hold a password: each of these variables may be given as a file instead. */
export function secret<T>(made: TypedOption<T>, ...variables: readonly SecretVariable[]): TypedOption<T> {
  return Object.assign(made, { secrets: variables })
}

export type Options = Readonly<Record<string, Option>>

/** The values that a table of options gives. */
export type ValuesOf<T> = { readonly [K in keyof T]: T[K] extends TypedOption<infer V> ? V : never }

/** Puts options under a heading of the help. */
export function group<T extends Options>(heading: string, options: T): T {
  for (const one of Object.values(options)) one.helpGroup(`${heading}:`)
  return options
}

/** ANALYTICS_ + the flag in upper snake case. */
export function variableOf(flag: string): string {
  return `ANALYTICS_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`
}

/** An option with a value. `byDefault` is written as on the command line. */
export function option<T>(flags: string, byDefault: string, description: string, parse: Parse<T>): TypedOption<T> {
  return withVariable(flags, description)
    .argParser((given) => valueOf(parse, given))
    .default(valueOf(parse, byDefault), byDefault)
}

/** An option that is null if it is not given. */
export function optionalOption<T>(flags: string, description: string, parse: Parse<T>): TypedOption<T | null> {
  return withVariable(flags, description)
    .argParser((given) => valueOf(parse, given))
    .default(null)
}

/** The same option with another default; the help shows `shown`. */
export function withDefault<T, D>(
  made: TypedOption<T>,
  byDefault: D,
  shown = made.defaultValueDescription,
): TypedOption<T | D> {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(made) as object) as TypedOption<T | D>, made)
  return copy.default(byDefault, shown)
}

export function choice<T extends string>(
  flags: string,
  byDefault: T,
  description: string,
  choices: readonly T[],
): TypedOption<T> {
  return withVariable(flags, description).choices(choices).default(byDefault, byDefault)
}

/** An option without a value: true or false. `--no-x` makes the value of `x` false. */
export function switchOption(name: `--${string}`, description: string): TypedOption<boolean> {
  const made = withVariable(name, description)
  return made.default(made.negate)
}

/** A switch for one call by hand: no variable sets it. */
export function switchOnce(name: `--${string}`, description: string): TypedOption<boolean> {
  return new Option(name, description).default(false)
}

/** An option that may be given several times. No variable sets it. */
export function repeatable<T>(flags: string, description: string, parse: Parse<T>): TypedOption<readonly T[]> {
  return new Option(flags, description)
    .argParser((given, before: readonly T[]) => [...before, valueOf(parse, given)])
    .default([])
}

function withVariable(flags: string, description: string): Option {
  const made = new Option(flags, description)
  return made.env(variableOf(made.long ?? ''))
}

function valueOf<T>(parse: Parse<T>, given: string): T {
  const parsed = parse(given)
  if ('value' in parsed) return parsed.value
  throw new InvalidArgumentError(`Allowed: ${parsed.allowed}.`)
}
