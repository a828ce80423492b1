// Owns one option: flag, variable, default and parser, as commander's Option with the type of its value. Knows no command.
import { InvalidArgumentError, Option } from 'commander'
import type { Parse } from './value-syntax.ts'

/** An option whose value is a T. */
export interface TypedOption<T> extends Option {
  /** For the compiler only. */
  readonly valueType?: T
}

/** The options that give the values V. */
export type OptionTable<V> = { readonly [K in keyof V]: TypedOption<V[K]> }

/** The options of any command. */
export type Options = Readonly<Record<string, Option>>

/** ANALYTICS_ + the flag in upper snake case. */
export function variableOf(flag: string): string {
  return `ANALYTICS_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`
}

/** An option with a value. `byDefault` is written as on the command line; null = none, and the value is null then. */
export function option<T>(
  flags: string,
  byDefault: string,
  group: string,
  description: string,
  parse: Parse<T>,
): TypedOption<T>
export function option<T>(
  flags: string,
  byDefault: null,
  group: string,
  description: string,
  parse: Parse<T>,
): TypedOption<T | null>
export function option<T>(
  flags: string,
  byDefault: string | null,
  group: string,
  description: string,
  parse: Parse<T>,
): TypedOption<T | null> {
  const made = withVariable(flags, group, description).argParser((given) => valueOf(parse, given))
  return byDefault === null ? made.default(null) : made.default(valueOf(parse, byDefault), `default ${byDefault}`)
}

export function choice<T extends string>(
  flags: string,
  byDefault: T,
  group: string,
  description: string,
  choices: readonly T[],
): TypedOption<T> {
  return withVariable(flags, group, description).choices(choices).default(byDefault, `default ${byDefault}`)
}

/** An option without a value: true or false. */
export function switchOption(name: `--${string}`, group: string, description: string): TypedOption<boolean> {
  return withVariable(name, group, description).default(false)
}

/** A switch for one call by hand: no variable sets it. */
export function switchOnce(name: `--${string}`, group: string, description: string): TypedOption<boolean> {
  return inGroup(name, group, description).default(false)
}

/** An option that may be given several times. No variable sets it. */
export function repeatable<T>(
  flags: string,
  group: string,
  description: string,
  parse: Parse<T>,
): TypedOption<readonly T[]> {
  return inGroup(flags, group, description)
    .argParser((given, before: readonly T[]) => [...before, valueOf(parse, given)])
    .default([])
}

function withVariable(flags: string, group: string, description: string): Option {
  const made = inGroup(flags, group, description)
  return made.env(variableOf(made.long ?? ''))
}

function inGroup(flags: string, group: string, description: string): Option {
  return new Option(flags, description).helpGroup(`${group}:`)
}

function valueOf<T>(parse: Parse<T>, given: string): T {
  const parsed = parse(given)
  if ('value' in parsed) return parsed.value
  throw new InvalidArgumentError(`Allowed: ${parsed.allowed}.`)
}
