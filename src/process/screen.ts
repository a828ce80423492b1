// Owns what is known of the terminal that a text goes to: how wide it is, and whether it shows colours. Knows no text.
import { styleText } from 'node:util'

export interface Ink {
  readonly good: (text: string) => string
  readonly warn: (text: string) => string
  readonly bad: (text: string) => string
  readonly strong: (text: string) => string
  readonly dim: (text: string) => string
}

export interface Screen {
  /** Of a terminal, in columns; null = no terminal: nothing is wrapped for it. */
  readonly width: number | null
  readonly ink: Ink
}

const same = (text: string): string => text
const NO_INK: Ink = { good: same, warn: same, bad: same, strong: same, dim: same }

type Style = Parameters<typeof styleText>[0]

// Without its own look at the stream: what it asks for differs between versions of Node.js.
const styled =
  (style: Style) =>
  (text: string): string =>
    text === '' ? '' : styleText(style, text, { validateStream: false })

const COLOURS: Ink = {
  good: styled('green'),
  warn: styled('yellow'),
  bad: styled('red'),
  strong: styled('bold'),
  dim: styled('dim'),
}

/** Of a text that nobody looks at. */
export const NO_SCREEN: Screen = { width: null, ink: NO_INK }

/** A narrower terminal is not known to be one: some report 0 columns. */
const NARROWEST = 20

interface Output {
  readonly isTTY?: boolean
  /** Of a terminal. */
  readonly columns?: number
}

/** The screen that a stream is now: terminals are resized. */
export function screenOf(stream: Output, env: Readonly<Record<string, string | undefined>> = process.env): Screen {
  const { columns = 0 } = stream
  return {
    width: stream.isTTY === true && columns >= NARROWEST ? columns : null,
    ink: showsColour(stream, env) ? COLOURS : NO_INK,
  }
}

/**
 * FORCE_COLOR says it for a pipe, too (0 = no colour), else NO_COLOR for a terminal, as their conventions have it; an empty
 * variable says nothing.
 */
function showsColour({ isTTY = false }: Output, env: Readonly<Record<string, string | undefined>>): boolean {
  const { FORCE_COLOR: forced = '', NO_COLOR: none = '', TERM: term = '' } = env
  if (forced !== '') return forced !== '0' && forced !== 'false'
  return isTTY && none === '' && term !== 'dumb'
}
