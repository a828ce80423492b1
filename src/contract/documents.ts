// Owns the shapes of the documents and how they end. Knows neither how they are computed nor where they are stored.
import { createHash } from 'node:crypto'
import { VERSION, type ExportType } from './endpoints.ts'
import type { Timestamp } from './timestamp.ts'
import type { BoundedPeriod, Period } from './windows.ts'

export interface StatsDocument {
  readonly stats: {
    readonly totalUsers: number
    readonly totalIdeas: number
    readonly totalVotes: number
    readonly totalComments: number
    readonly launchedIdeas: number
    readonly activeCategories: number
  }
  readonly metrics: {
    readonly avgVotesPerIdea: number
    readonly avgCommentsPerIdea: number
    readonly launchSuccessRate: number
  }
  readonly topCategories: readonly { readonly category: string; readonly count: number }[]
}

export interface TrendingIdea {
  readonly rank: number
  readonly id: string
  readonly title: string
  readonly category: string
  readonly categories: readonly string[]
  readonly status: string | null
  readonly url: string | null
  readonly score: number
  readonly votes: number
  readonly comments: number
  readonly previousScore: number
  readonly totalVotes: number
  readonly totalComments: number
  readonly createdAt: Timestamp
  readonly launchedAt: Timestamp | null
}

export interface TrendingDocument {
  readonly period: BoundedPeriod
  readonly category: string | null
  readonly from: Timestamp
  readonly to: Timestamp
  readonly limit: number
  readonly count: number
  readonly ideas: readonly TrendingIdea[]
  readonly dataAsOf: Timestamp
}

export interface CategoryNumbers {
  readonly ideas: number
  readonly votes: number
  readonly comments: number
  readonly launchedIdeas: number
  readonly launchSuccessRate: number
  readonly avgVotesPerIdea: number
  readonly avgCommentsPerIdea: number
  readonly shareOfIdeas: number
  readonly totalIdeas: number
  readonly previousIdeas: number | null
  readonly previousVotes: number | null
  readonly previousComments: number | null
}

export interface CategoryRow extends CategoryNumbers {
  readonly category: string
}

export interface CategoriesDocument {
  readonly period: Period
  readonly from: Timestamp | null
  readonly to: Timestamp
  readonly count: number
  readonly categories: readonly CategoryRow[]
  readonly totals: CategoryNumbers
  readonly dataAsOf: Timestamp
}

/** The rows of `overview`, in order. */
export const OVERVIEW_METRICS = [
  'newUsers',
  'activeUsers',
  'ideas',
  'votes',
  'comments',
  'launchedIdeas',
  'activeCategories',
  'avgVotesPerIdea',
  'avgCommentsPerIdea',
  'launchSuccessRate',
  'totalUsers',
  'totalIdeas',
  'totalVotes',
  'totalComments',
  'totalLaunchedIdeas',
] as const

/** The columns of each export, in order: append-only. JSON rows have the same keys in the same order. */
export const EXPORT_COLUMNS: Readonly<Record<ExportType, readonly string[]>> = {
  overview: ['metric', 'value', 'previousValue', 'changePercent'],
  ideas: [
    'id',
    'title',
    'category',
    'status',
    'createdAt',
    'launchedAt',
    'votes',
    'comments',
    'totalVotes',
    'totalComments',
    'url',
  ],
  users: ['bucket', 'newUsers', 'totalUsers', 'activeUsers', 'ideaAuthors', 'voters', 'commenters'],
  categories: [
    'category',
    'ideas',
    'votes',
    'comments',
    'launchedIdeas',
    'launchSuccessRate',
    'avgVotesPerIdea',
    'avgCommentsPerIdea',
    'shareOfIdeas',
    'totalIdeas',
    'previousIdeas',
    'previousVotes',
    'previousComments',
  ],
}

/** The columns that hold free text; every other cell is a number, a time or empty. */
export const TEXT_COLUMNS: ReadonlySet<string> = new Set(['metric', 'id', 'title', 'category', 'status', 'url'])

export type Cell = string | number | boolean | null

/** One row of an export: the columns of its type, in their order. */
export type ExportRow = Readonly<Record<string, Cell>>

/** The keys of an export document before its rows. */
export interface ExportHead {
  readonly type: ExportType
  readonly period: Period
  readonly from: Timestamp | null
  readonly to: Timestamp
}

const TAIL = `","version":${JSON.stringify(VERSION)}}`
const STAMP_BYTES = 24

/** The last two keys of every JSON document of the API, in this order, at a known distance from its end. */
export function closing(generatedAt: Timestamp): string {
  return `"generatedAt":"${generatedAt}${TAIL}`
}

/** A document as text: the given keys, then `generatedAt` and `version`. Does not end in a newline. */
export function documentText(document: object, generatedAt: Timestamp): string {
  return inDocument(keysOf(document), closing(generatedAt))
}

/** The text and the content hash of a document, with each key written once: the lists are nearly all of both. */
export function textAndHash(
  document: object,
  generatedAt: Timestamp,
): { readonly text: string; readonly contentHash: string } {
  const keys = keysOf(document)
  return { text: inDocument(keys, closing(generatedAt)), contentHash: hashOf(keys) }
}

type KeyText = readonly [key: string, text: string]

function keysOf(document: object): KeyText[] {
  return Object.entries(document).map(([key, value]) => [key, `${JSON.stringify(key)}:${JSON.stringify(value)}`])
}

function inDocument(keys: readonly KeyText[], last: string): string {
  return `{${[...keys.map(([, text]) => text), last].join(',')}`
}

/** How many bytes at the end of a document hold the timestamp and what follows it. */
export const STAMP_TAIL_BYTES: number = STAMP_BYTES + TAIL.length

/** Where in a document of `bytes` bytes the 24 bytes of `generatedAt` begin. */
export function stampOffset(bytes: number): number {
  return bytes - STAMP_TAIL_BYTES
}

/** Keys that differ from release to release even when no number does. */
const TIME_KEYS: ReadonlySet<string> = new Set(['from', 'to', 'dataAsOf', 'generatedAt'])

/**
 * sha256 hex of a document without `from`, `to`, `dataAsOf`, `generatedAt`: equal hashes say that the numbers are the
 * same. Streamed exports compute the same by feeding the same text piece by piece (exportHead, exportTail).
 */
export function contentHash(document: object): string {
  return hashOf(keysOf(document))
}

function hashOf(keys: readonly KeyText[]): string {
  return createHash('sha256')
    .update(inDocument(keys.filter(isHashed), HASHED_END))
    .digest('hex')
}

const HASHED_END = `"version":${JSON.stringify(VERSION)}}`

function isHashed([key]: KeyText): boolean {
  return !TIME_KEYS.has(key)
}

/**
 * What the content hash covers before the first element of a list and after its last, for a document that is read piece
 * by piece. Of one that was read up to the list, `before` is right already.
 */
export function hashedAround(document: object, list: string): { readonly before: string; readonly after: string } {
  const { version: _, ...hashed } = document as Readonly<Record<string, unknown>>
  const keys = keysOf({ ...hashed, [list]: [] }).filter(isHashed)
  const at = 1 + keys.findIndex(([key]) => key === list)
  return {
    before: inDocument(keys.slice(0, at), '').slice(0, -'],'.length),
    after: `],${inDocument(keys.slice(at), HASHED_END).slice(1)}`,
  }
}

/** The text of an export document before its first row, and the part of it that the content hash covers. */
export function exportHead(head: ExportHead): { readonly text: string; readonly hashed: string } {
  return {
    text: `${JSON.stringify(head).slice(0, -1)},"data":[`,
    hashed: `${JSON.stringify({ type: head.type, period: head.period }).slice(0, -1)},"data":[`,
  }
}

/** The text of an export document after its last row, and the part of it that the content hash covers. */
export function exportTail(
  rowCount: number,
  dataAsOf: Timestamp,
  generatedAt: Timestamp,
): { readonly text: string; readonly hashed: string } {
  return {
    text: `],"rowCount":${rowCount},"dataAsOf":"${dataAsOf}",${closing(generatedAt)}`,
    hashed: `],"rowCount":${rowCount},"version":${JSON.stringify(VERSION)}}`,
  }
}

/** `analytics-<type>-<period>-<YYYYMMDD>T<HHMMSS>Z.csv` */
export function csvFileName(type: ExportType, period: Period, dataAsOf: Timestamp): string {
  return `analytics-${type}-${period}-${dataAsOf.slice(0, 19).replaceAll(/[-:]/g, '')}Z.csv`
}

/** Cuts a trending snapshot, which holds up to 100 ideas, to what was asked for. */
export function cutTrending(document: TrendingDocument, limit: number): TrendingDocument {
  const ideas = document.ideas.slice(0, limit)
  return { ...document, limit, count: ideas.length, ideas }
}

/** The answer for a category that no idea has: an ordinary document with nothing in it. */
export function emptyTrending(
  period: BoundedPeriod,
  category: string,
  window: { readonly from: Timestamp; readonly to: Timestamp },
  limit: number,
): TrendingDocument {
  return { period, category, ...window, limit, count: 0, ideas: [], dataAsOf: window.to }
}
