// Owns the register of documents: what is asked for, and in which files the answers are. Everything that is known by endpoint
// is derived from it.
import { exports } from './export.ts'
import type { DocumentKind, Endpoint } from './kind.ts'
import { DOCUMENTS } from './tables.ts'

type Kinds = typeof DOCUMENTS & { readonly export: typeof exports }
type Types<Kind> = Kind extends DocumentKind<infer Asked, infer Kept> ? [Asked, Kept] : never

/** A validated request: raw input is gone. */
export type Query = Types<Kinds[keyof Kinds]>[0]
/** What one file answers: an endpoint with every parameter but `limit`, to which the proxy cuts. */
export type Combination = Types<Kinds[keyof Kinds]>[1]
export type EndpointName = Query['endpoint']

/** Each is called with its own queries and combinations only. */
export const KINDS: Readonly<Record<Combination['endpoint'], DocumentKind<Query, Combination>>> = {
  ...DOCUMENTS,
  export: exports,
}

export const ENDPOINTS: Readonly<Record<EndpointName, Endpoint<EndpointName, Combination>>> = Object.fromEntries(
  Object.entries(KINDS).flatMap(([name, { endpoint }]) => (endpoint === undefined ? [] : [[name, endpoint]])),
) as Readonly<Record<EndpointName, Endpoint<EndpointName, Combination>>>

export const OPENAPI_PATH = '/api/openapi.json'
