// Owns asking on a terminal. Knows no question.
import { isCancel, log, password, select, text } from '@clack/prompts'
import { CliError } from '../../process/cli-error.ts'
import { harmless } from '../../process/printable.ts'
import type { Ask, Choice } from './ask.ts'

/** More lines of a list than this do not fit a screen. */
const LISTED = 10

function shown(lines: readonly string[]): string {
  return lines.map((line) => harmless(line).trimEnd()).join('\n')
}

function safe<T extends string>(list: readonly Choice<T>[]): Choice<T>[] {
  return list.map(({ value, label, hint }) => ({
    value,
    label: harmless(label),
    ...(hint && { hint: harmless(hint) }),
  }))
}

export function askOnTerminal(out: (text: string) => void): Ask {
  const answered = async <T>(asked: Promise<T>): Promise<Exclude<T, symbol>> => {
    const answer = await asked
    // Ctrl-C came at a question, and all questions come before anything is made.
    if (isCancel(answer)) throw new CliError(130, 'interrupted: nothing was written')
    return answer as Exclude<T, symbol>
  }
  return {
    again: true,
    async text({ message, suggested, hint, fault }) {
      const given = await answered(
        text({
          message: shown([message]),
          ...(hint === undefined ? {} : { placeholder: hint }),
          initialValue: suggested ?? '',
          validate: (typed = '') =>
            typed.trim() === '' && suggested === undefined
              ? 'an answer is needed'
              : (fault?.(typed.trim()) ?? undefined),
        }),
      )
      return (given ?? '').trim()
    },
    secret: async ({ message }) => (await answered(password({ message: shown([message]), mask: '•' }))) ?? '',
    choose: ({ message, options, byDefault }) =>
      answered(
        select({
          message: shown([message]),
          // The types of the library do not follow a type parameter.
          options: safe(options) as never[],
          ...(byDefault !== null && { initialValue: byDefault }),
          maxItems: LISTED,
        }),
      ),
    say: (title, lines = []) => log.step(shown([title, ...lines])),
    show: (lines) => out(`\n${lines.map((line) => `${harmless(line)}\n`).join('')}`),
    warn: (title, lines = []) => log.warn(shown([title, ...lines])),
  }
}
