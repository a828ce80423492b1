// Owns turning a table of commands and options into a command line: flag > variable > default, help, refusals.
import { Command, CommanderError, Option } from 'commander'
import { calledAs } from './called-as.ts'
import { usageError, type CliError } from './cli-error.ts'
import { programVersion } from './package-root.ts'
import type { Parse } from './value-syntax.ts'

const HELP_WIDTH = 118

/** One option. `default` is written as a user would write it; null = none. */
export interface OptionSpec<T> {
  readonly flag: `--${string}`
  /** Shown after the flag; null = a switch, which is `true` or absent. */
  readonly argument: string | null
  /** null = no variable. */
  readonly variable: string | null
  readonly default: string | null
  /** Shown instead of `default` in the help, when that depends on something. */
  readonly defaultText?: string
  readonly repeatable?: true
  readonly group: string
  readonly description: string
  readonly parse: Parse<T>
}

export type OptionTable = Readonly<Record<string, OptionSpec<unknown>>>

/** The table that gives these values: null where an option may be absent, a list where it may be repeated. */
export type OptionTableOf<V> = {
  readonly [K in keyof V]: OptionSpec<NonNullable<V[K]> extends readonly (infer One)[] ? One : NonNullable<V[K]>>
}

export interface CommandSpec {
  readonly name: string
  /** As in `[ID]`. */
  readonly argument?: string
  readonly summary: string
  readonly options: OptionTable
  readonly example: string
  readonly isDefault?: true
  run(values: Readonly<Record<string, unknown>>, args: readonly string[], given: ReadonlySet<string>): Promise<number>
}

export interface ProgramSpec {
  readonly name: string
  readonly summary: string
  readonly commands: readonly CommandSpec[]
}

export interface CommandLineEffects {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly out: (text: string) => void
}

/** ANALYTICS_ + the flag in upper snake case. */
export function variableOf(flag: string): string {
  return `ANALYTICS_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`
}

/** A row of a table; its variable follows from its flag unless `more` says otherwise. */
export function option<T>(
  flag: `--${string}`,
  argument: string | null,
  byDefault: string | null,
  group: string,
  description: string,
  parse: Parse<T>,
  more: Partial<OptionSpec<T>> = {},
): OptionSpec<T> {
  return { flag, argument, variable: variableOf(flag), default: byDefault, group, description, parse, ...more }
}

/**
 * Runs the command that `argv` (without node and script) names; its exit code.
 * @throws CliError with exit code 2 for bad usage: one line that names the option, the value, what is allowed
 */
export async function runCommandLine(
  spec: ProgramSpec,
  argv: readonly string[],
  effects: CommandLineEffects,
): Promise<number> {
  let exitCode = 0
  const program = commanderOf(spec, effects, (code) => {
    exitCode = code
  })
  try {
    await program.parseAsync([...argv], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return 0
    throw usageError(`${oneLine(error.message.replace(/^error: /, ''))}; see ${spec.name} --help`)
  }
  return exitCode
}

function commanderOf(spec: ProgramSpec, effects: CommandLineEffects, done: (code: number) => void): Command {
  const program = new Command(spec.name).description(spec.summary).version(programVersion())
  const single = spec.commands.length === 1 ? spec.commands[0] : undefined
  for (const command of spec.commands) {
    const own = command === single ? program : program.command(command.name, { isDefault: command.isDefault === true })
    describe(own, spec, command)
    own.action(async () => {
      const unexpected = own.args[own.registeredArguments.length]
      if (unexpected !== undefined) throw unexpectedArgument(spec, command, unexpected)
      const { values, given } = valuesOf(command.options, own.opts(), effects.env)
      done(await command.run(values, own.args, given))
    })
  }
  if (single === undefined) describeCommands(program, spec)
  for (const command of [program, ...program.commands])
    command.exitOverride().configureOutput({ writeOut: effects.out, writeErr: () => {}, outputError: () => {} })
  return program
}

function describe(
  command: Command,
  spec: ProgramSpec,
  { argument, summary, options, example, name }: CommandSpec,
): void {
  command.summary(summary).description(summary).allowExcessArguments(true)
  if (argument !== undefined) for (const one of argument.split(' ')) command.argument(one)
  for (const row of Object.values(options)) {
    const shown = [
      row.variable === null ? '' : row.variable,
      row.default === null ? (row.defaultText ?? '') : `default ${row.defaultText ?? row.default}`,
    ].filter((part) => part !== '')
    const flags = row.argument === null ? row.flag : `${row.flag} <${row.argument}>`
    const made = new Option(flags, `${row.description}${shown.length === 0 ? '' : ` [${shown.join('; ')}]`}`)
    if (row.repeatable === true)
      made.argParser((text: string, before: string[] | undefined) => [...(before ?? []), text])
    command.addOption(made.helpGroup(`${row.group}:`))
  }
  const typed = spec.commands.length === 1 ? calledAs(spec.name) : `${calledAs(spec.name)} ${name}`
  command.addHelpText('after', `\nExample:\n  ${example.replaceAll('$0', typed)}`)
  command.configureHelp({ helpWidth: HELP_WIDTH })
}

/** The help of the program itself, which is a list of commands. */
function describeCommands(program: Command, spec: ProgramSpec): void {
  const example = spec.commands
    .find((command) => command.isDefault === true)
    ?.example.replaceAll('$0', calledAs(spec.name))
  const more = `Options of a command:\n  ${spec.name} COMMAND --help`
  program.addHelpText('after', `\n${more}${example === undefined ? '' : `\n\nExample:\n  ${example}`}`)
  program.configureHelp({ helpWidth: HELP_WIDTH })
}

// commander's own refusal names neither the argument nor what is allowed.
function unexpectedArgument(spec: ProgramSpec, { name, argument }: CommandSpec, given: string): CliError {
  const takes = `takes ${argument ?? 'options only'}`
  const commands = spec.commands.map((command) => command.name)
  const allowed = commands.length === 1 ? `it ${takes}` : `${name} ${takes}; commands: ${commands.join(', ')}`
  return usageError(`unexpected argument "${oneLine(given).slice(0, 80)}"; ${allowed}; see ${spec.name} --help`)
}

/** Where a value came from stands in its refusal. */
function valuesOf(
  table: OptionTable,
  flags: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string | undefined>>,
): { values: Record<string, unknown>; given: Set<string> } {
  const values: Record<string, unknown> = {}
  const given = new Set<string>()
  for (const [key, row] of Object.entries(table)) {
    // commander gives text, true for a switch, a list for what may be repeated.
    const flag = flags[camelCase(row.flag)] as string | true | readonly string[] | undefined
    // An empty variable is an unset one: compose files and unit files cannot omit what they mention.
    const variable = row.variable === null ? undefined : env[row.variable] || undefined
    const raw = flag ?? variable
    if (raw !== undefined) given.add(key)
    const name = flag === undefined && variable !== undefined ? `${row.flag} (from ${row.variable})` : row.flag
    values[key] = Array.isArray(raw)
      ? raw.map((one) => parsed(row, name, String(one)))
      : raw === undefined && row.default === null
        ? null
        : parsed(row, name, raw === undefined ? (row.default ?? '') : String(raw))
    if (row.repeatable === true && !Array.isArray(values[key])) values[key] = values[key] === null ? [] : [values[key]]
  }
  return { values, given }
}

function parsed(row: OptionSpec<unknown>, name: string, raw: string): unknown {
  const result = row.parse(raw)
  if ('value' in result) return result.value
  throw usageError(`${name}: "${oneLine(raw).slice(0, 80)}" is not allowed; allowed: ${result.allowed}`)
}

/** One line of what somebody typed; whatever stands before the last `@` of an address may be a password. */
export function oneLine(text: string): string {
  return text.replace(/:\/\/.*@/s, '://***@').replaceAll(/\s*\n\s*/g, ' ')
}

function camelCase(flag: string): string {
  return flag.slice(2).replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
