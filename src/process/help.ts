// Owns what the help has beside commander's own: variables and defaults of options, and examples. Knows no command.
import type { Command, Option } from 'commander'
import { calledAs } from './called-as.ts'

/** @param example as it is typed */
export function describeOptions(made: Command, example: string): void {
  made.addHelpText('after', exampleText(example)).configureHelp({ optionDescription })
}

/** The help of a program with commands lists them. */
export function describeCommands(root: Command, name: string, example: string | undefined): void {
  const shown = example === undefined ? '' : exampleText(example.replaceAll('$0', calledAs(name)))
  root.addHelpText('after', `\nOptions of a command:\n  ${name} COMMAND --help\n${shown}`)
}

function optionDescription({ description, envVar = '', defaultValueDescription = '' }: Option): string {
  const details = [envVar, defaultValueDescription].filter((part) => part !== '')
  return details.length === 0 ? description : `${description} [${details.join('; ')}]`
}

function exampleText(example: string): string {
  return `\nExample:\n  ${example}`
}
