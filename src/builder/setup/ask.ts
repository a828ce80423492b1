// Owns what setup asks, and the answers without a terminal. Knows neither a terminal nor what an answer is for.
import { usageError } from '../../process/cli-error.ts'
import { some } from '../../process/printable.ts'

interface Question {
  readonly message: string
  /** The flag that answers it: `--source NAME`. */
  readonly flag: string
}

export interface TextQuestion extends Question {
  /** The answer that is taken where nobody is asked. */
  readonly suggested?: string
  readonly hint?: string
  /** What is wrong with an answer; null = nothing. */
  readonly fault?: (text: string) => string | null
}

export interface Choice<T extends string = string> {
  readonly value: T
  readonly label: string
  readonly hint?: string
}

export interface ChoiceQuestion<T extends string> extends Question {
  /** The choices, the likely one first. */
  readonly options: readonly Choice<T>[]
  /** The answer where nobody is asked; null = nobody but the operator can know. */
  readonly byDefault: T | null
}

export interface Ask {
  text(question: TextQuestion): Promise<string>
  /** Asks for a text that is not shown while it is typed. */
  secret(question: Question): Promise<string>
  choose<T extends string>(question: ChoiceQuestion<T>): Promise<T>
  /** Shows a paragraph about what was found or done. */
  say(title: string, lines?: readonly string[]): void
  /** Shows lines to copy as they are. */
  show(lines: readonly string[]): void
  warn(title: string, lines?: readonly string[]): void
  /** Whether a fault can be told, and the question be asked again. */
  readonly again: boolean
}

/** The answers with `--yes`: what is not given and has no default is an error that names its flag. */
export function answersOfFlags(out: (text: string) => void): Ask {
  const missing = ({ message, flag }: Question, there = ''): never => {
    throw usageError(`--yes: ${message} Give ${flag}${there}`)
  }
  const labels = (options: readonly Choice[]): string[] => options.map(({ label }) => label)
  const tell = (title: string, lines: readonly string[] = []): void =>
    out([title, ...lines.map((line) => `  ${line}`)].map((line) => `${line.trimEnd()}\n`).join(''))
  return {
    text: async (question) => question.suggested ?? missing(question),
    secret: async (question) => missing(question),
    choose: async (question) =>
      question.byDefault ?? missing(question, `; there are: ${some(labels(question.options), 8)}`),
    say: tell,
    show: (lines) => out(lines.map((line) => `${line}\n`).join('')),
    warn: (title, lines) => tell(`warning: ${title}`, lines),
    again: false,
  }
}
