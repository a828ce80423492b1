// Owns how help looks: groups of options, examples, and lines that fit the terminal. Knows no command.
import type { Command, Help, Option } from 'commander'
import { calledAs } from './called-as.ts'
import { columnsOf, folded, wrap } from './printable.ts'
import type { Screen } from './screen.ts'

/** Longer lines are hard to read. Also where nobody knows how wide it will be shown: a screen of it has all options. */
const WIDEST = 118
/** On a narrower terminal a description has lines of its own. */
const NARROW = 72

export interface HelpedProgram {
  readonly name: string
  readonly commands: readonly { readonly isDefault?: true; readonly example: string }[]
}

function widthOf({ width }: Screen): number {
  return Math.min(width ?? WIDEST, WIDEST)
}

/** The help of one command. `typed` is how it is called. */
export function describeOptions(made: Command, options: readonly Option[], example: string, screen: Screen): void {
  const width = widthOf(screen)
  made.addHelpText('after', `${foldedGroups(options, screen)}\n${exampleText(example, screen)}`)
  made.configureHelp({ ...looks(screen), helpWidth: width })
}

/** The help of the program itself, which is a list of commands. */
export function describeCommands(
  root: Command,
  { name, commands }: HelpedProgram,
  screen: Screen,
  envFile: Option,
): void {
  const width = widthOf(screen)
  const example = commands.find(({ isDefault }) => isDefault === true)?.example.replaceAll('$0', calledAs(name))
  const ofEach = [
    [envFile.flags, envFile.description],
    [NO_COLOUR_FLAG, NO_COLOUR_TEXT],
  ].map(([flags = '', text = '']) => `  ${flags.padEnd(envFile.flags.length)}  ${text}`)
  const more = [
    screen.ink.strong('Options of a command:'),
    `  ${name} COMMAND --help`,
    '',
    screen.ink.strong('Of each command:'),
    ...ofEach.flatMap((line) => folded(line, width, ' '.repeat(envFile.flags.length + 4))),
  ].join('\n')
  root.addHelpText('after', `\n${more}${example === undefined ? '' : `\n\n${exampleText(example, screen)}`}`)
  root.configureHelp({ ...looks(screen), helpWidth: width })
}

export const NO_COLOUR_FLAG = '--no-color'
export const NO_COLOUR_TEXT = 'show no colours, as with NO_COLOR=1'

function looks(screen: Screen): Partial<Help> {
  const { ink, width } = screen
  const description = (option: Option): string => {
    const more = detailsOf(option)
    return more === '' ? option.description : `${option.description} ${ink.dim(`[${more}]`)}`
  }
  return {
    displayWidth: columnsOf,
    minWidthToWrap: 16,
    optionDescription: description,
    styleTitle: ink.strong,
    styleUsage: (usage) => wrap(usage.split(' '), widthOf(screen) - 'Usage: '.length, ' ').join('\n       '),
    ...(width !== null && width < NARROW ? { formatItem: inTwoLines } : {}),
  }
}

function detailsOf({ envVar = '', defaultValueDescription = '' }: Option): string {
  return [envVar, defaultValueDescription].filter((part) => part !== '').join('; ')
}

function inTwoLines(this: Help, term: string, _termWidth: number, text: string, helper: Help): string {
  const indent = ' '.repeat(6)
  const lines = text === '' ? [] : helper.boxWrap(text, (this.helpWidth ?? WIDEST) - indent.length).split('\n')
  return [`  ${term}`, ...lines.map((line) => `${indent}${line}`)].join('\n')
}

/** The flags of folded groups. */
function foldedGroups(options: readonly Option[], screen: Screen): string {
  const hidden = options.filter((one) => one.hidden)
  const headings = [...new Set(hidden.map(({ helpGroupHeading = '' }) => helpGroupHeading))]
  const flagsOf = (heading: string): string[] =>
    hidden.flatMap((one) => (one.helpGroupHeading === heading ? (one.long ?? []) : []))
  const lines = (heading: string): string[] => wrap(flagsOf(heading), widthOf(screen) - 2).map((line) => `  ${line}\n`)
  return headings.map((heading) => `\n${screen.ink.strong(heading)}\n${lines(heading).join('')}`).join('')
}

/** It is copied: where it does not fit, the shell is told that it goes on. */
function exampleText(example: string, screen: Screen): string {
  const lines = wrap(example.split(' '), widthOf(screen) - '      \\'.length, ' ')
  return `${screen.ink.strong('Example:')}\n  ${lines.join(' \\\n    ')}`
}
