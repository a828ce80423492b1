// Owns what making a kind of document is, and what all documents of a release are made of. Knows no kind.
import type { StatsDocument } from '../../contract/kinds/stats.ts'
import type { ExportType, RowOf } from '../../contract/kinds/tables.ts'
import type { PeopleMode } from '../../contract/people.ts'
import type { Categories } from '../categories.ts'
import type { History } from '../history.ts'
import type { PublishedPeople } from '../people.ts'
import type { Span } from '../../model/time-cells.ts'
import type { Trending } from '../trending.ts'

export interface Counted {
  readonly asOfMs: number
  /** How numbers of people are published. */
  readonly mode: PeopleMode
  readonly categories: Categories
  readonly trending: Trending
  /** Where `all` begins for the whole site; null = nothing has a date. */
  readonly firstMonthMs: number | null
  readonly people: PublishedPeople
  readonly stats: StatsDocument
  /** null = the site is closed. */
  readonly history: History | null
}

/**
 * What has a row for each category is megabytes where there are thousands: few at once. What is over time may be larger than
 * a string: one after the other.
 */
export type When = 'while reading' | 'first' | 'a row for each category' | 'over time' | 'last'

export interface DocumentMaking<Combination> {
  readonly when: When
  make(combination: Combination, counted: Counted): object
}

/** What is not made while the ideas are read is made in parts, each when the one before is written. */
export type TableMaking<Type extends ExportType> =
  | { readonly when: When; rows(span: Span, counted: Counted): Iterable<readonly RowOf<Type>[]> }
  | { readonly when: 'while reading' }
