// Owns the tally of rows that a release leaves out or counts differently, and why; and telling those that a slip of the mapping may
// lose from those that it leaves out on purpose. Knows no check and no build.
import type pg from 'pg'
import { EARLY, FUTURE } from '../../contract/windows.ts'
import { recordOf } from '../../model/record-of.ts'
import { attempt, queryOne } from '../database/attempt.ts'
import { RELATIONS, type Relation } from '../mapping/relations.ts'
import { fillTemplate, type TemplateParameters } from '../sql/template.ts'

export interface SkippedRows {
  readonly relation: Relation
  readonly reason: string
  readonly rows: number
}

/** `fault` = the row breaks a rule of its relation: the source, or the mapping, needs a review. */
export type NoteKind = 'ordinary' | 'fault'

export const NO_IDEA = 'the idea is not among the ideas'
export const NO_IDEA_ID = 'idea_id is NULL'
export const IDEA_LEFT_OUT = 'the idea is left out'
export const IDEA_TO_COME = 'the idea is dated at or after dataAsOf'
export const NO_VALUE = 'value is NULL'
/** A vote against is a proper row, but does not count as a vote. */
export const NO_VOTE = 'value is not above zero'

/** Each of these reasons, if many rows have it, is the sign of a wrong column, join, type or unit. */
const SUSPECT: readonly string[] = [NO_IDEA, NO_IDEA_ID, NO_VALUE, FUTURE, EARLY]
const LOST: readonly string[] = [...SUSPECT, NO_VOTE, IDEA_LEFT_OUT, IDEA_TO_COME]

/** Rows with one reason that are so many of their relation that the mapping may be wrong. */
export interface SuspectRows extends SkippedRows {
  /** How many rows were read, without votes against. */
  readonly of: number
  /** Whether no row of the relation counts, whatever the reasons are. */
  readonly isAll: boolean
}

/** A share of fewer rows says nothing; one row says nothing either. */
const LEAST_ROWS = 5
const LEAST_SHARE = 0.1

export function isSuspect({ rows, of }: Pick<SuspectRows, 'rows' | 'of'>): boolean {
  return of >= LEAST_ROWS && rows > 1 && rows >= LEAST_SHARE * of
}

export class SkippedRowTally {
  /** The noted rows of each relation, by reason. */
  readonly #noted = recordOf(RELATIONS, () => new Map<string, { rows: number; readonly kind: NoteKind }>())
  /** How many rows each relation has in all. */
  readonly read = new Map<Relation, number>()

  /** Notes rows that this release leaves out or (the reason says so) counts differently. Makes no text: there may be millions. */
  add(relation: Relation, reason: string, rows = 1, kind: NoteKind = 'ordinary'): void {
    const noted = this.#noted[relation].get(reason)
    if (noted === undefined) this.#noted[relation].set(reason, { rows, kind })
    else noted.rows += rows
  }

  /** @param kinds that are listed */
  list(kinds: readonly NoteKind[] = ['ordinary', 'fault']): SkippedRows[] {
    const listed = RELATIONS.flatMap((relation) =>
      [...this.#noted[relation]].map(([reason, { rows, kind }]) =>
        kinds.includes(kind) ? { relation, reason, rows } : [],
      ),
    )
    return listed.flat().sort((a, b) => (a.relation + a.reason < b.relation + b.reason ? -1 : 1))
  }

  suspects(): SuspectRows[] {
    const list = this.list()
    return list
      .map((one) => {
        const ours = list.filter(({ relation, reason }) => relation === one.relation && LOST.includes(reason))
        const read = this.read.get(one.relation) ?? 0
        const against = ours.find(({ reason }) => reason === NO_VOTE)?.rows ?? 0
        const isAll = ours.reduce((sum, { rows }) => sum + rows, 0) === read
        return { ...one, of: against < read ? read - against : read, isAll }
      })
      .filter(
        (one) => (SUSPECT.includes(one.reason) || (one.reason === NO_VOTE && one.rows === one.of)) && isSuspect(one),
      )
  }
}

/** On some sites many rows belong to hidden ideas, which is no fault: where most of the rows do, nothing is suspect. */
export async function suspectsOf(
  client: pg.Client,
  tally: SkippedRowTally,
  parameters: TemplateParameters,
): Promise<SuspectRows[]> {
  const found: SuspectRows[] = []
  for (const one of tally.suspects()) {
    const sql = fillTemplate('read/hidden-ideas', { ...parameters, rows: one.relation })
    const of = one.reason === NO_IDEA ? await attempt(client, () => queryOne<{ hidden: number }>(client, sql)) : null
    const hidden = of?.ok === true ? (of.value[0]?.hidden ?? 0) : 0
    if (isSuspect({ rows: one.rows * (1 - hidden), of: one.of })) found.push(one)
  }
  return found
}
