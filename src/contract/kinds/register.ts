// Owns the register of documents: what is asked for, and in which files the answers are. Everything that is known by endpoint
// is derived from it.
import { categories } from './categories.ts'
import { exports } from './export.ts'
import { categoryPath, type DocumentKind, type Endpoint } from './kind.ts'
import { outcomes, type CategoryOutcomes } from './outcomes.ts'
import { stats } from './stats.ts'
import { timeline, type CategoryTimelines } from './timeline.ts'
import { trending } from './trending.ts'

/** The file of a category: it holds answers of several kinds, and each answer takes one of them. */
export type CategoryFile = CategoryTimelines & CategoryOutcomes

const category: DocumentKind<never, { readonly endpoint: 'category'; readonly category: string }> = {
  files: [['analytics/category/<key>.json', 'timelines and outcomes of a category']],
  combinations: (names) => names.map((name) => ({ endpoint: 'category', category: name })),
  lists: () => 'other',
  path: (one, keyOf) => categoryPath(keyOf(one.category)),
}

const kinds = {
  stats,
  trending,
  categories: categories.document,
  timeline: timeline.document,
  outcomes: outcomes.document,
  category,
  export: exports,
}
type Kinds = typeof kinds
type Types<Kind> = Kind extends DocumentKind<infer Asked, infer Kept> ? [Asked, Kept] : never

/** A validated request: raw input is gone. */
export type Query = Types<Kinds[keyof Kinds]>[0]
/** What one file answers: an endpoint with every parameter but `limit`, to which the proxy cuts. */
export type Combination = Types<Kinds[keyof Kinds]>[1]
export type EndpointName = Query['endpoint']

/** Each kind is called with its own queries and combinations only. */
export const KINDS: Readonly<Record<Combination['endpoint'], DocumentKind<Query, Combination>>> = kinds

export const ENDPOINTS: Readonly<Record<EndpointName, Endpoint<EndpointName, Combination>>> = Object.fromEntries(
  Object.entries(KINDS).flatMap(([name, { endpoint }]) =>
    endpoint === undefined ? [] : [[name, { name, ...endpoint }]],
  ),
) as Readonly<Record<EndpointName, Endpoint<EndpointName, Combination>>>

export const OPENAPI_PATH = '/api/openapi.json'
