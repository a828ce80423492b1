// Owns running the command that a command line names, from a table of typed commands; help and usage errors. Knows no
// command.
import { Command, CommanderError, Option, type ParseOptionsResult } from 'commander'
import { calledAs } from './called-as.ts'
import { usageError, type CliError } from './cli-error.ts'
import { addFromFile, ENV_FILE_FLAG, readSecret } from './env-file.ts'
import { meantOf } from './near.ts'
import type { Log } from './log.ts'
import { variableOf, type Options, type TypedOption, type ValuesOf } from './option.ts'
import { programText } from './package-root.ts'
import { checkNames } from './variables.ts'

/** How many characters of a wrong value are shown. */
const SHOWN_CHARACTERS = 80

/** What a command does with its values and arguments, in the context C of its program; returns the exit code. */
export type Action<V, C> = (
  values: V & WithEnvFile,
  context: C,
  ...args: readonly (string | undefined)[]
) => Promise<number>

/** The file of --env-file, as it was given. */
export type WithEnvFile = Readonly<{ envFile?: string }>

/** A command with any options: no values are those of all of them. */
export interface AnyCommand<C> {
  readonly name: string
  /** What the command takes besides options, such as `[ID]`. */
  readonly argument?: string
  readonly summary: string
  readonly example: string
  readonly isDefault?: true
  readonly options: Options
  readonly action: Action<never, C>
}

/** A command of a program with context C, whose action takes the values of its options. */
export interface CommandOf<O extends Options, C> extends AnyCommand<C> {
  readonly options: O
  readonly action: Action<ValuesOf<O>, C>
}

export interface Program<C> {
  readonly name: string
  readonly summary: string
  readonly commands: readonly AnyCommand<C>[]
}

export interface CommandLineEffects {
  readonly out: (text: string) => void
  readonly log: Pick<Log, 'warn'>
  /** Is told of --quiet, with which nothing that goes well is logged, or that it no longer holds. */
  readonly beQuiet?: (isQuiet: boolean) => void
}

const envFileOption = (): Option =>
  new Option(
    `${ENV_FILE_FLAG} <FILE>`,
    'file of variables: ANALYTICS_TIME_ZONE=UTC for --time-zone UTC; one that is set wins',
  )

/**
 * Runs the command that `argv` (without node and script) names, and returns its exit code. A flag wins over its
 * variable of process.env, that over the file of --env-file, and that over the default.
 * @throws CliError with exit code 2 for bad usage: one line that names the option, the value, what is allowed
 */
export async function runCommandLine<C extends CommandLineEffects>(
  program: Program<C>,
  argv: readonly string[],
  context: C,
): Promise<number> {
  let exitCode = 0
  let isRunning = false
  const root = new CommandWithVariables(program.name).description(program.summary).version(programText())
  const single = program.commands.length === 1
  let asked: Command = root
  root.hook('preSubcommand', (_, made) => void (asked = made))
  for (const one of program.commands) {
    const made = single ? root : root.command(one.name, { isDefault: one.isDefault === true })
    describe(made, program, one)
    made.action(async () => {
      const unexpected = made.args[made.registeredArguments.length]
      if (unexpected !== undefined) throw unexpectedArgument(program, one, unexpected, argv)
      const isQuiet = made.opts<{ quiet?: boolean }>().quiet === true
      // Cron would mail the warning after every build.
      checkNames(process.env, (message) => (isQuiet ? undefined : context.log.warn({}, message)))
      if (isQuiet) context.beQuiet?.(true)
      isRunning = true
      exitCode = await one.action(made.opts<never>(), context, ...made.args)
    })
  }
  if (!single) {
    const example = program.commands.find(({ isDefault }) => isDefault)?.example
    const shown = example === undefined ? '' : exampleText(example, calledAs(program.name))
    root.addHelpText('after', `\nOptions of a command:\n  ${program.name} COMMAND --help\n${shown}`)
  }
  for (const one of [root, ...root.commands])
    one.exitOverride().configureOutput({ writeOut: context.out, writeErr: () => {}, outputError: () => {} })
  try {
    await root.parseAsync([...argv], { from: 'user' })
  } catch (error) {
    // A wrong variable must not keep anybody from reading what is allowed.
    const isShown = error instanceof CommanderError && error.code === 'commander.helpDisplayed'
    if (!isRunning && !isShown && argv.some((word) => word === '--help' || word === '-h')) asked.outputHelp()
    else if (!(error instanceof CommanderError)) throw error
    // commander takes the exit code of `help` from process.exitCode, so that one is no error.
    else if (error.exitCode !== 0 && error.code !== 'commander.help')
      throw usageError(`${usageText(program, asked, error)}; see ${program.name} --help`)
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
  for (const one of [...Object.values(options), envFileOption()]) made.addOption(one)
  const typed = program.commands.length === 1 ? calledAs(program.name) : `${calledAs(program.name)} ${name}`
  made.addHelpText('after', exampleText(example, typed)).configureHelp({ optionDescription })
}

function exampleText(example: string, typed: string): string {
  return `\nExample:\n  ${example.replaceAll('$0', typed)}`
}

/** The description with the default, and with the variable where that is not named after the flag. */
function optionDescription({ long, description, envVar = '', defaultValueDescription = '' }: Option): string {
  const variable = envVar === variableOf(long ?? '') ? '' : envVar
  const details = [variable, defaultValueDescription].filter((part) => part !== '')
  return details.length === 0 ? description : `${description} [${details.join('; ')}]`
}

/** Prepares the variables after the flags, which name the file of --env-file, and before commander itself reads them. */
class CommandWithVariables extends Command {
  override createCommand(name?: string): CommandWithVariables {
    return new CommandWithVariables(name)
  }

  override parseOptions(words: string[]): ParseOptionsResult {
    const parsed = super.parseOptions(words)
    prepareVariables(this)
    return parsed
  }
}

/**
 * Adds the variables of the file of --env-file to those of the environment. To commander an empty variable is a value, and
 * any variable of a switch means true. Here an empty one counts as unset, because compose files and unit files cannot
 * leave out a variable that they name; and the variable of a switch must be true or false.
 */
function prepareVariables(made: Command): void {
  const { envFile } = made.opts<WithEnvFile>()
  if (envFile !== undefined) addFromFile(process.env, envFile)
  for (const option of made.options) {
    const { envVar = '', required, flags, secrets = [] }: TypedOption<unknown> = option
    const isFlag = made.getOptionValueSource(option.attributeName()) === 'cli'
    const given = process.env[envVar]
    if (given === '' || (given === 'false' && !required)) delete process.env[envVar]
    else if (given !== undefined && given !== 'true' && !required && !isFlag)
      made.error(`option '${flags}' value '${given}' from env '${envVar}' is invalid. Allowed: true or false.`)
    for (const one of secrets) if (one !== envVar || !isFlag) readSecret(process.env, one)
  }
}

/**
 * Checks the variables of options, but for secrets, whose files are not read.
 * @throws CommanderError as a command with these options does, for a wrong value
 */
export function checkVariables(options: Options): void {
  const made = new CommandWithVariables().exitOverride().configureOutput({ outputError: () => {} })
  for (const option of Object.values<TypedOption<unknown>>(options))
    if (option.secrets === undefined) made.addOption(option)
  made.parse([], { from: 'user' })
}

// commander's own error names neither the argument nor what is allowed.
function unexpectedArgument<C>(
  program: Program<C>,
  { name, argument, isDefault }: AnyCommand<C>,
  given: string,
  argv: readonly string[],
): CliError {
  const takes = `takes ${argument ?? 'options only'}`
  const commands = program.commands.map((one) => one.name)
  const allowed = commands.length === 1 ? `it ${takes}` : `${name} ${takes}; commands: ${commands.join(', ')}`
  const shown = oneLine(given).slice(0, SHOWN_CHARACTERS)
  // The options are not shown: one may have a password.
  if (isDefault && argv[0]?.startsWith('-') && commands.includes(given))
    return usageError(`a command comes before its options: ${calledAs(program.name)} ${given} …`)
  const meant = isDefault ? meantOf(given, commands) : ''
  return usageError(`unexpected argument "${shown}"${meant}; ${allowed}; see ${program.name} --help`)
}

/**
 * commander's message in one line; a value is cut. Where only other commands have an unknown option, it names them: commander would
 * name an option that is spelt alike.
 */
function usageText<C>({ commands }: Program<C>, asked: Command, { message }: CommanderError): string {
  const [, flag] = /^error: unknown option '(--[\w-]+)(?=['=])/.exec(message) ?? []
  const isOwn = asked.options.some(({ long }) => long === flag)
  const having = isOwn
    ? []
    : commands.filter(({ options }) => Object.values(options).some(({ long }) => long === flag)).map(({ name }) => name)
  if (having.length > 0) return `unknown option '${flag}'; it is an option of ${having.join(', ')}`
  const end = message.lastIndexOf(' is invalid. ')
  const [given, allowed] = end < 0 ? [message, ''] : [message.slice(0, end), message.slice(end)]
  const cut = new RegExp(`(?<= (?:argument|value) '.{${SHOWN_CHARACTERS}}).*(?='(?: from env '\\w+')?$)`)
  return `${oneLine(given.replace(/^error: /, '')).replace(cut, '')}${allowed.replace(/\.$/, '')}`
}

/** What somebody typed, in one line. What is before the last `@` of an address may be a password, and is not shown. */
export function oneLine(text: string): string {
  return text.replace(/:\/\/.*@/s, '://***@').replaceAll(/\s*\n\s*/g, ' ')
}
