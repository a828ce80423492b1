// Owns what may follow on a command line that is being typed, from the table of commands. Pure but for the completers that
// a program gives; knows no shell.
import type { Option } from 'commander'
import { ENV_FILE_FLAG } from './env-file.ts'
import { NO_COLOUR_FLAG, NO_COLOUR_TEXT } from './help.ts'
import { ReplacedOption } from './option.ts'

export interface CompletedCommand {
  readonly name: string
  readonly argument?: string
  readonly summary: string
  readonly isDefault?: true
  readonly options: readonly Option[]
}

/** What may be the value of an option or an argument. @param given the values of the options that are typed already */
export type Completer = (given: ReadonlyMap<string, string>) => Promise<readonly string[]> | readonly string[]

/** By flag, or by argument as it is in the help. */
export type Completers = Readonly<Record<string, Completer>>

export interface CompletedProgram {
  readonly commands: readonly CompletedCommand[]
  readonly completers?: Completers
}

export interface Candidate {
  readonly value: string
  readonly about: string
}

export interface Candidates {
  readonly words: readonly Candidate[]
  /** What else may be there. */
  readonly paths: 'files' | 'folders' | 'none'
}

const OF_EACH: readonly Candidate[] = [
  { value: ENV_FILE_FLAG, about: 'file of variables' },
  { value: NO_COLOUR_FLAG, about: NO_COLOUR_TEXT },
  { value: '--help', about: 'what there is' },
]
const VERSION: Candidate = { value: '--version', about: 'of the program' }
const NOTHING: Candidates = { words: [], paths: 'none' }

/** What the words before the last one say. */
interface Typed {
  readonly command: CompletedCommand | null
  readonly named: boolean
  /** Arguments that are there already. */
  readonly operands: number
  readonly given: ReadonlyMap<string, string>
  /** The option whose value is next; null = none. */
  readonly open: string | null
}

/** @param words those behind the name of the program; the last one is being typed, and may be empty */
export async function candidatesFor(program: CompletedProgram, words: readonly string[]): Promise<Candidates> {
  // A shell may split --flag=value in three.
  const joined = words.filter((word, i) => word !== '=' || i === words.length - 1)
  const last = joined.at(-1) ?? ''
  const current = last === '=' ? '' : last
  const typed = typedOf(program, joined.slice(0, -1))
  const found = await following(program, typed, current)
  return { ...found, words: found.words.filter(({ value }) => value.startsWith(current)) }
}

function typedOf({ commands }: CompletedProgram, words: readonly string[]): Typed {
  const byDefault = commands.length === 1 ? commands[0] : commands.find(({ isDefault }) => isDefault === true)
  let command = byDefault ?? null
  let named = commands.length === 1
  let operands = 0
  let open: string | null = null
  const given = new Map<string, string>()
  for (const word of words) {
    const asCommand = named || open !== null ? undefined : commands.find(({ name }) => name === word)
    if (open !== null) {
      given.set(open, word)
      open = null
    } else if (word.startsWith('-')) {
      const [flag = '', value] = word.split(/=(.*)/s)
      given.set(flag, value ?? '')
      if (value === undefined && takesValue(command, flag)) open = flag
    } else if (asCommand === undefined) operands += 1
    else [command, named] = [asCommand, true]
  }
  return { command, named, operands, given, open }
}

function optionOf(command: CompletedCommand | null, flag: string): Option | undefined {
  return command?.options.find(({ long }) => long === flag)
}

function takesValue(command: CompletedCommand | null, flag: string): boolean {
  return flag === ENV_FILE_FLAG || optionOf(command, flag)?.required === true
}

async function following(program: CompletedProgram, typed: Typed, current: string): Promise<Candidates> {
  const { command, open } = typed
  if (open !== null) return valuesOf(program, typed, open)
  const [flag = '', value] = current.split(/=(.*)/s)
  if (flag.startsWith('--') && value !== undefined && takesValue(command, flag)) {
    const found = await valuesOf(program, typed, flag)
    return { ...found, words: found.words.map((one) => ({ ...one, value: `${flag}=${one.value}` })) }
  }
  if (current.startsWith('-')) return { words: flagsFor(typed), paths: 'none' }
  const commands = typed.named || typed.operands > 0 ? [] : program.commands
  const names = commands.map(({ name, summary }) => ({ value: name, about: summary }))
  const found = await argumentsFor(program, typed)
  return { ...found, words: [...names, ...found.words] }
}

function flagsFor({ command, named, given }: Typed): Candidate[] {
  const own = (command?.options ?? []).flatMap((one) =>
    one instanceof ReplacedOption || one.long === undefined ? [] : [{ value: one.long, about: one.description }],
  )
  // Without a variable of its own it may be given several times, as --param.
  const isLeft = ({ value }: Candidate): boolean => !given.has(value) || value === '--param'
  return [...own, ...OF_EACH, ...(named ? [] : [VERSION])].filter(isLeft)
}

async function valuesOf(program: CompletedProgram, { command, given }: Typed, flag: string): Promise<Candidates> {
  const option = optionOf(command, flag)
  const placeholder = flag === ENV_FILE_FLAG ? '<FILE>' : (option?.flags ?? '')
  const named = option?.argChoices ?? (await program.completers?.[flag]?.(given)) ?? []
  return { words: named.map((value) => ({ value, about: '' })), paths: pathsOf(placeholder) }
}

function pathsOf(placeholder: string): Candidates['paths'] {
  if (/\bDIR\b/.test(placeholder)) return 'folders'
  return /\bFILE\b/.test(placeholder) ? 'files' : 'none'
}

async function argumentsFor({ completers = {} }: CompletedProgram, typed: Typed): Promise<Candidates> {
  const { command, named, operands, given } = typed
  const argument = named ? command?.argument?.split(' ')[operands] : undefined
  if (argument === undefined) return NOTHING
  const values = (await completers[argument]?.(given)) ?? []
  return { words: values.map((value) => ({ value, about: '' })), paths: pathsOf(argument) }
}
