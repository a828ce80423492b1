// Owns what a torture is: a guarantee, how the fault is injected, and how often. Injects nothing.
import type { Tally } from './tally.ts'
import type { Workshop } from './workshop.ts'

export interface Context {
  readonly workshop: Workshop
  readonly random: () => number
  /** Of the full number: 1, or less. */
  readonly part: number
  /** Which of how many slices, counted from 1: the full number in several runs. */
  readonly slice: readonly [nth: number, of: number]
  readonly signal: AbortSignal
}

export interface Part {
  readonly guarantee: string
  readonly injected: string
  run(context: Context): Promise<Tally>
}

/** How often, of a full number. */
export function times(full: number, { part, slice: [, of] }: Context): number {
  return Math.ceil((full * part) / of)
}
