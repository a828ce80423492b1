// Owns what a kind of document is: what is asked for it, where its files are, and what is in them. Knows none of them.
import type { Intervals, Parameter } from './parameter.ts'
import type { Shapes } from './shape.ts'

/** Gives the key in paths for the public name of a category. */
export type KeyOf = (name: string) => string

/** What an answer takes of a file that has more. */
export interface AnswerPart {
  /** Differs from the key of every other part of the same file, and is in the ETag of the answer. */
  readonly key: string
  /** The document of the answer without its last keys, or what the file lacks; absent = it is the whole file. */
  readonly from?: (file: unknown) => object | string
}

export interface Endpoint<Name extends string = string, Combination = unknown> {
  readonly name: Name
  readonly path: string
  readonly summary: string
  readonly parameters: readonly Parameter[]
  /** Generated clients name a function by it; absent = the endpoint's name, which must then be allowed as the name of a function. */
  readonly operationId?: string
  readonly hasCsv?: true
  /** The example in the reference: a query, and the combination that has its answer as a file. */
  readonly example: { readonly query: string; readonly of: Combination }
}

/**
 * What rows list that a closed site must not: `ideas`, which the archive of a month leaves out as well; or `other`: categories,
 * or what was published before. null = rows of buckets and metrics, which are there also when nothing is counted.
 */
export type Listing = 'ideas' | 'other' | null

/** Its functions are methods, so that the kinds fit into one table: each is called with its own queries and combinations only. */
export interface DocumentKind<Query, Combination> {
  /** Its name is that of the kind in the register; absent = the kind is a file only. */
  readonly endpoint?: Omit<Endpoint<string, Combination>, 'name'>
  /** What its documents are, by the names of their schemas; absent = a file has several documents that are described by themselves. */
  readonly shapes?: Shapes
  /** The key of its rows, where there are many. */
  readonly list?: string
  readonly files: readonly (readonly [path: string, what: string])[]
  /** What its files answer, in a fixed order: for all ideas, or also for these published categories. */
  combinations(categories: readonly string[]): Iterable<Combination>
  path(query: Query | Combination, keyOf: KeyOf): string
  lists(combination: Combination): Listing
  /** The part of a file that is an answer; absent = an answer is always a whole file. */
  part?(query: Query): AnswerPart | null
  /**
   * Makes the answer for a category that no idea has from the file of all ideas, without its last keys. It is there
   * exactly where there is a parameter `category`.
   */
  nothing?(file: unknown, query: Query & { readonly category: string }): object
}

/** A kind of export: a table, whose columns are append-only. JSON rows have the same keys in the same order. */
export interface TableKind {
  readonly title: string
  readonly rows: string
  readonly columns: Shapes
  readonly lists: Listing
  /** Whether every number is one of people: the window then ends at the instant for which people are counted. */
  readonly isOfPeople?: true
  /** The intervals that may be asked for: `any` that the period has, or its own; absent = the parameter is ignored. */
  readonly intervals?: Intervals
}

export function categoryPath(key: string): string {
  return `analytics/category/${key}.json`
}
