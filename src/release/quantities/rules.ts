// Owns what the rules of a kind of document are: what its documents state, and where that is collected. Knows no kind.
import type { Combination } from '../../contract/kinds/register.ts'
import type { ExportRow } from '../../contract/kinds/tables.ts'
import type { PeopleMode } from '../../contract/people.ts'
import { UTC, type TimeZone } from '../../contract/time-zone.ts'
import type { Period } from '../../contract/windows.ts'
import { Calendar } from './calendar.ts'
import { andMore, Fault, type Members } from './numbers.ts'
import { Quantities } from './relations.ts'

type Of<E extends Combination['endpoint']> = Extract<Combination, { readonly endpoint: E }>
export type ExportCombination = Omit<Of<'export'>, 'format'>

export class Collected {
  /** What is said of all ideas and all people. */
  readonly all: Quantities
  /** Over the categories. */
  readonly sums: Quantities
  readonly calendar: Calendar
  /** The rows of the history, one for each day: nothing sums them up. */
  readonly histories: Map<Period, readonly ExportRow[]> = new Map()
  /** The documents over time that show something: of a closed site not even where `all` begins. */
  readonly showing: string[] = []
  /** Why documents are none, and sentences about cells of people that no other document repeats. */
  readonly unstated: string[] = []

  constructor(people: PeopleMode, zone: TimeZone = UTC) {
    this.calendar = new Calendar(zone)
    this.all = new Quantities(people)
    this.sums = new Quantities(people, ' summed over the categories')
  }

  /** A document that must agree with itself. @param state says what it states */
  alone(path: string, state: (into: Quantities) => void): void {
    const alone = new Quantities('exact')
    const fault = contradictionIn(alone, state)
    // It states nothing else: that would be the same cause again.
    if (fault !== null) return void this.unstated.push(fault)
    state(this.all)
    if ([...alone.of.counts.agreed.values()].some(([n]) => n !== undefined && n !== 0)) this.showing.push(path)
  }

  /** An export of people. @param wrong its cells that its release does not publish so, and what they are */
  notPublished(path: string, [first, ...more]: readonly string[]): void {
    if (first === undefined) return
    const sentence = `${path}: ${first}, which is not how --people ${this.all.people} publishes`
    this.unstated.push(andMore(sentence, more.length, 'cell'))
  }
}

/** Why what is stated is no document; null = it is one. */
export function faultOf(state: () => void): string | null {
  try {
    state()
    return null
  } catch (error) {
    if (error instanceof Fault) return error.message
    throw error
  }
}

/** The same, and what it contradicts itself in. */
export function contradictionIn(alone: Quantities, state: (into: Quantities) => void): string | null {
  const fault = faultOf(() => state(alone))
  const [first = null] = fault === null ? alone.differences() : [fault]
  return first
}

/** States what a document of a kind states, or throws a Fault: it is none. */
export type Stating<E extends Combination['endpoint']> = (
  into: Collected,
  path: string,
  document: Members,
  combination: Of<E>,
) => void

/** The same of what the file of a category has of a kind. */
export type StatingMember = (into: Quantities, file: Members, calendar: Calendar) => void

/** The rows of an export, of which there may be millions. */
export interface ExportRows {
  add(rows: readonly ExportRow[]): void
  /** States what they state, or throws a Fault: they cannot be. */
  state(into: Collected, path: string, combination: ExportCombination, dataAsOf: string): void
}

/** The rows of an export that has few. */
export function fewRows(
  state: (rows: readonly ExportRow[], ...of: Parameters<ExportRows['state']>) => void,
): () => ExportRows {
  return () => {
    const kept: ExportRow[] = []
    return {
      add: (rows) => rows.forEach((row) => kept.push(row)),
      state: (...of) => state(kept, ...of),
    }
  }
}
