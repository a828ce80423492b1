// Owns the tally of rows that a release leaves out or counts differently, and why. Knows no connection.
import type { Relation } from './relations.ts'

export interface IgnoredRows {
  readonly relation: Relation
  readonly reason: string
  readonly rows: number
}

export class Ignored {
  readonly #rows = new Map<string, IgnoredRows>()

  /** Rows that do not exist in this release, or (the reason says so) count in totals and `all` only. */
  add(relation: Relation, reason: string, rows: number): void {
    if (rows === 0) return
    const key = `${relation}\n${reason}`
    this.#rows.set(key, { relation, reason, rows: (this.#rows.get(key)?.rows ?? 0) + rows })
  }

  list(): IgnoredRows[] {
    return [...this.#rows.values()].sort((a, b) => (a.relation + a.reason < b.relation + b.reason ? -1 : 1))
  }
}
