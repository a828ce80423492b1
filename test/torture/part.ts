// Owns what a torture is: a guarantee, how the fault is injected, and how often. Injects nothing.
import type { Tally } from './tally.ts'
import type { Workshop } from './workshop.ts'

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
