// Owns what the platform did and when: the states it was in, and the changes from one to the next. Judges nothing.
import type { Contents } from './contents.ts'

/** What a change does to a reader whose snapshot is older. */
export type Harm =
  /** It may read what is in no state. */
  | 'harmful'
  /** It reads right, but the catalogue shows what harm shows, too. */
  | 'looks harmful'
  /** It reads right, and a build must not even begin again. */
  | 'none'

export interface Change {
  readonly kind: string
  readonly harm: Harm
  /** Epoch ms: before its first statement. */
  readonly fromMs: number
  /** After the server said that it is done. */
  toMs: number
}

export interface State {
  readonly contents: Contents
  /** Epoch ms: it was not current before, and may have been from here on. */
  readonly fromMs: number
  /** It was not current later. */
  toMs: number
}

export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** Two clocks of one machine, of whole milliseconds. */
export const CLOCK_MS = 2

export const overlap = (a: Span, b: Span): boolean => a.fromMs <= b.toMs + CLOCK_MS && a.toMs >= b.fromMs - CLOCK_MS

export class Ledger {
  readonly states: State[]
  readonly changes: Change[] = []

  constructor(contents: Contents) {
    this.states = [{ contents, fromMs: 0, toMs: Infinity }]
  }

  get now(): Contents {
    const state = this.states.at(-1)
    if (state === undefined) throw new Error('a ledger has a state')
    return state.contents
  }

  begin(kind: string, harm: Harm): Change {
    const change = { kind, harm, fromMs: Date.now(), toMs: Infinity }
    this.changes.push(change)
    return change
  }

  /** @param commit sends what makes the next state current; where it fails there is none */
  async enter(next: Contents, commit: () => Promise<unknown>): Promise<void> {
    const before = this.states.at(-1)
    const state = { contents: next, fromMs: Date.now(), toMs: Infinity }
    await commit()
    if (before !== undefined) before.toMs = Date.now()
    this.states.push(state)
  }

  statesIn = (span: Span): State[] => this.states.filter((state) => overlap(state, span))

  changesIn = (span: Span): Change[] => this.changes.filter((change) => overlap(change, span))
}
