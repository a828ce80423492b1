// Owns what a torture is: a guarantee, how the fault is injected, how often; and counting: attempts, some at a time, each of
// which survives or is a loss that says what happened. Knows no fault.
import type { Workshop } from './workshop.ts'

export interface Attempt {
  readonly what: string
  /** Throws = a loss; a word it returns is counted, such as where the fault hit. */
  run(): Promise<string>
}

export interface Tally {
  readonly tried: number
  readonly losses: readonly string[]
  /** How often each word was returned. */
  readonly words: ReadonlyMap<string, number>
  /** Lines with more numbers, where there are any. */
  readonly table?: readonly string[]
}

/** Two processor cores are what this project is measured on. */
const AT_ONCE = 2

/** @param signal ends it between two attempts */
export async function tallyOf(
  attempts: Iterable<Attempt>,
  signal: AbortSignal,
  atOnce: number = AT_ONCE,
): Promise<Tally> {
  const queue = attempts[Symbol.iterator]()
  const losses: string[] = []
  const words = new Map<string, number>()
  let tried = 0
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true && !signal.aborted; next = queue.next()) {
      tried += 1
      try {
        const word = await next.value.run()
        words.set(word, (words.get(word) ?? 0) + 1)
      } catch (error) {
        losses.push(`${next.value.what}: ${(error as Error).message}`)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return { tried, losses, words }
}

export function sumOf(tallies: readonly Tally[]): Tally {
  const words = new Map<string, number>()
  for (const tally of tallies) for (const [word, n] of tally.words) words.set(word, (words.get(word) ?? 0) + n)
  return {
    tried: tallies.reduce((sum, { tried }) => sum + tried, 0),
    losses: tallies.flatMap(({ losses }) => losses),
    words,
  }
}

/** The first of each kind, and how many there are: losses are alike that differ in numbers, in names made by chance and in the file. */
export function lossKinds(losses: readonly string[]): Map<string, number> {
  const firsts = new Map<string, string>()
  const kinds = new Map<string, number>()
  for (const loss of losses) {
    const kind = loss.replaceAll(/\/\S*\/(?=[^\s/])|[\da-f]*\d[\da-f]*/g, '')
    const first = firsts.get(kind) ?? loss
    firsts.set(kind, first)
    kinds.set(first, (kinds.get(first) ?? 0) + 1)
  }
  return kinds
}

/** How much of it, by which chance. */
export interface Share {
  readonly random: () => number
  /** Of the full number: 1, or less. */
  readonly part: number
  readonly signal: AbortSignal
}

export interface Context extends Share {
  readonly workshop: Workshop
}

export interface Part<Given = Context> {
  readonly guarantee: string
  readonly injected: string
  run(given: Given): Promise<Tally>
}

/** How often, of a full number. */
export function times(full: number, { part }: Share): number {
  return Math.ceil(full * part)
}
