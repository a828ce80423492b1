// Owns the tally of rows that a release leaves out or counts differently, and why. Knows no connection.
import type { Relation } from '../mapping/relations.ts'

export interface SkippedRows {
  readonly relation: Relation
  readonly reason: string
  readonly rows: number
}

/** `fault` = the row breaks a rule of its relation: the source, or the mapping, needs a review. */
export type NoteKind = 'ordinary' | 'fault'

export class SkippedRowTally {
  readonly #rows = new Map<string, SkippedRows>()
  readonly #faults = new Set<string>()

  /** Rows that do not exist in this release, or (the reason says so) count differently. */
  add(relation: Relation, reason: string, rows: number, kind: NoteKind = 'ordinary'): void {
    if (rows === 0) return
    const key = `${relation}\n${reason}`
    if (kind === 'fault') this.#faults.add(key)
    this.#rows.set(key, { relation, reason, rows: (this.#rows.get(key)?.rows ?? 0) + rows })
  }

  list(): SkippedRows[] {
    return this.#sorted([...this.#rows.keys()])
  }

  faults(): SkippedRows[] {
    return this.#sorted([...this.#faults])
  }

  #sorted(keys: readonly string[]): SkippedRows[] {
    return keys
      .flatMap((key) => this.#rows.get(key) ?? [])
      .sort((a, b) => (a.relation + a.reason < b.relation + b.reason ? -1 : 1))
  }
}
