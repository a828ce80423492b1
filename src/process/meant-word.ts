// Owns which command or option a word of a command line was probably meant to be. Knows no table of them.
import { probablyMeant } from './near-name.ts'

/** As in `; did you mean --port`, which ends a sentence; empty = nobody knows. */
export function meantWord(given: string, known: readonly string[]): string {
  const near = probablyMeant(bare(given), known.map(bare))
  const meant = known.find((one) => bare(one) === near)
  return meant === undefined ? '' : `; did you mean ${meant}`
}

/** Without dashes and value: `port` of `--port=80`. */
function bare(word: string): string {
  return word.replace(/^-+/, '').replace(/=.*$/s, '')
}
