// Owns the colours of text on a terminal. Knows no text.
import { styleText } from 'node:util'

export interface Ink {
  readonly good: (text: string) => string
  readonly warn: (text: string) => string
  readonly bad: (text: string) => string
  readonly strong: (text: string) => string
  readonly dim: (text: string) => string
}

const same = (text: string): string => text
export const PLAIN: Ink = { good: same, warn: same, bad: same, strong: same, dim: same }

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

/**
 * FORCE_COLOR says it for a pipe, too (0 = no colour), else NO_COLOR for a terminal, as their conventions have it; an empty
 * variable says nothing.
 */
export function inkFor(
  { isTTY = false }: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>> = process.env,
): Ink {
  const { FORCE_COLOR: forced = '', NO_COLOR: none = '', TERM: term = '' } = env
  const isColoured = forced === '' ? isTTY && none === '' && term !== 'dumb' : forced !== '0' && forced !== 'false'
  return isColoured ? COLOURS : PLAIN
}
