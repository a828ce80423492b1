// Owns running the command that a command line names, from a table of typed commands; help and usage errors. Knows no
// command.
import { Command, CommanderError, Option, type Help } from 'commander'
import { calledAs } from './called-as.ts'
import { usageError, type CliError } from './cli-error.ts'
import type { LogLevel } from './log-level.ts'
import { ReplacedOption, type Options, type ValuesOf } from './option.ts'
import { programVersion } from './package-root.ts'

const HELP_WIDTH = 118
/** Of a wrong value. */
const SHOWN_CHARACTERS = 80

interface CommandText {
  readonly name: string
  /** As in `[ID]`. */
  readonly argument?: string
  readonly summary: string
  readonly example: string
  readonly isDefault?: true
}

/** What a command does with its values and arguments, in the context C of its program; the exit code. */
export type Action<V, C> = (values: V, context: C, ...args: readonly (string | undefined)[]) => Promise<number>

/** A command of a program with context C and the options O. */
export interface CommandSpec<O extends Options, C> extends CommandText {
  readonly options: O
  readonly action: Action<ValuesOf<O>, C>
}

/** A command of whatever options, so that all of them are in one table. */
export interface AnyCommand<C> extends CommandText {
  readonly options: readonly Option[]
  readonly run: (parsed: Command, context: C) => Promise<number>
}

export interface Program<C> {
  readonly name: string
  readonly summary: string
  readonly commands: readonly AnyCommand<C>[]
}

export interface CommandLineEffects {
  readonly out: (text: string) => void
  /** For --log-level and --quiet. */
  readonly setLevel?: (level: LogLevel) => void
}

export function command<O extends Options, C>({ options, action, ...text }: CommandSpec<O, C>): AnyCommand<C> {
  return {
    ...text,
    options: Object.values(options),
    run: (parsed, context) => action(parsed.opts<ValuesOf<O>>(), context, ...parsed.args),
  }
}

/**
 * Runs the command that `argv` (without node and script) names; its exit code. A flag goes before its variable (of
 * process.env), and that before the default.
 * @throws CliError with exit code 2 for bad usage: one line that names the option, the value, what is allowed
 */
export async function runCommandLine<C extends CommandLineEffects>(
  program: Program<C>,
  argv: readonly string[],
  context: C,
): Promise<number> {
  let exitCode = 0
  const root = new Command(program.name).description(program.summary).version(programVersion())
  const single = program.commands.length === 1
  for (const one of program.commands) {
    const made = single ? root : root.command(one.name, { isDefault: one.isDefault === true })
    describe(made, program, one)
    made.action(async () => {
      const unexpected = made.args[made.registeredArguments.length]
      if (unexpected !== undefined) throw unexpectedArgument(program, one, unexpected)
      const { logLevel } = made.opts<{ logLevel?: LogLevel }>()
      if (logLevel !== undefined) context.setLevel?.(logLevel)
      exitCode = await one.run(made, context)
    })
  }
  if (!single) describeCommands(root, program)
  for (const one of [root, ...root.commands])
    one.exitOverride().configureOutput({ writeOut: context.out, writeErr: () => {}, outputError: () => {} })
  root.hook('preSubcommand', (_, made) => readVariables(made, argv))
  try {
    if (single) readVariables(root, argv)
    await root.parseAsync([...argv], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode !== 0) throw usageError(`${usageText(error.message)}; see ${program.name} --help`)
  }
  return exitCode
}

function describe<C>(
  made: Command,
  program: Program<C>,
  { argument, summary, options, example, name }: AnyCommand<C>,
): void {
  made.summary(summary).description(summary).allowExcessArguments(true)
  for (const one of argument?.split(' ') ?? []) made.argument(one)
  for (const one of options) made.addOption(one)
  const typed = program.commands.length === 1 ? calledAs(program.name) : `${calledAs(program.name)} ${name}`
  // Whoever reads it knows the flag, and a screen is short.
  made.addHelpOption(new Option('-h, --help').hideHelp())
  made.addHelpText('after', `${foldedText(options)}\nExample:\n  ${example.replaceAll('$0', typed)}`)
  made.configureHelp({ helpWidth: HELP_WIDTH, optionDescription })
}

/** The flags of folded groups. */
function foldedText(options: readonly Option[]): string {
  const folded = options.filter((one) => one.hidden && !(one instanceof ReplacedOption))
  const headings = [...new Set(folded.map(({ helpGroupHeading = '' }) => helpGroupHeading))]
  const flagsOf = (heading: string): string =>
    folded.flatMap((one) => (one.helpGroupHeading === heading ? [one.long] : [])).join(', ')
  return headings.map((heading) => `\n${heading}\n  ${flagsOf(heading)}\n`).join('')
}

function optionDescription(this: Help, option: Option): string {
  const { description, envVar = '', defaultValueDescription = '' } = option
  const more = [envVar, defaultValueDescription].filter((part) => part !== '').join('; ')
  return more === '' ? description : `${description} [${more}]`
}

/** The help of the program itself, which is a list of commands. */
function describeCommands<C>(root: Command, { name, commands }: Program<C>): void {
  const example = commands.find(({ isDefault }) => isDefault === true)?.example.replaceAll('$0', calledAs(name))
  const more = `Options of a command:\n  ${name} COMMAND --help`
  root.addHelpText('after', `\n${more}${example === undefined ? '' : `\n\nExample:\n  ${example}`}`)
  root.configureHelp({ helpWidth: HELP_WIDTH })
}

/**
 * To commander an empty variable is a value, and any variable of a switch is true. Here an empty one is unset, because
 * compose files and unit files cannot leave out a variable that they name; and a switch is true or false. An option that
 * was replaced ends the command, by flag or by variable: what it meant must not be ignored.
 */
function readVariables(made: Command, argv: readonly string[]): void {
  for (const option of made.options) {
    const { envVar = '', required, long = '', flags } = option
    const given = process.env[envVar]
    if (option instanceof ReplacedOption) {
      const isFlag = argv.some((word) => word === long || word.startsWith(`${long}=`))
      if (isFlag || given)
        made.error(`${isFlag ? `option '${long}'` : `variable '${envVar}'`} is gone; use ${option.by}`)
    }
    if (given === '' || (given === 'false' && !required)) delete process.env[envVar]
    else if (given !== undefined && given !== 'true' && !required && !argv.includes(long))
      made.error(`option '${flags}' value '${given}' from env '${envVar}' is invalid. Allowed: true or false.`)
  }
}

// commander's own error names neither the argument nor what is allowed.
function unexpectedArgument<C>(program: Program<C>, { name, argument }: AnyCommand<C>, given: string): CliError {
  const takes = `takes ${argument ?? 'options only'}`
  const commands = program.commands.map((one) => one.name)
  const allowed = commands.length === 1 ? `it ${takes}` : `${name} ${takes}; commands: ${commands.join(', ')}`
  const shown = oneLine(given).slice(0, SHOWN_CHARACTERS)
  return usageError(`unexpected argument "${shown}"; ${allowed}; see ${program.name} --help`)
}

/** commander's message in one line; a value is cut. */
function usageText(message: string): string {
  const end = message.lastIndexOf(' is invalid. ')
  const [given, allowed] = end < 0 ? [message, ''] : [message.slice(0, end), message.slice(end)]
  const cut = new RegExp(`(?<= (?:argument|value) '.{${SHOWN_CHARACTERS}}).*(?='(?: from env '\\w+')?$)`)
  return `${oneLine(given.replace(/^error: /, '')).replace(cut, '')}${allowed.replace(/\.$/, '')}`
}

/** One line of what somebody typed. What is before the last `@` of an address may be a password, and is not shown. */
export function oneLine(text: string): string {
  return text.replace(/:\/\/.*@/s, '://***@').replaceAll(/\s*\n\s*/g, ' ')
}
