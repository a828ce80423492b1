// Owns the text of a document, how it ends, and its content hash. Knows no key but `generatedAt`, `version`, the times and
// `timelines`, whose values have times of their own.
import { hash } from 'node:crypto'
import { VERSION } from './kinds/shape.ts'
import type { Timestamp } from './timestamp.ts'

const VERSION_END = `"version":${JSON.stringify(VERSION)}}`
const TAIL = `",${VERSION_END}`
const STAMP_BYTES = 24

/** The last two keys of every JSON document of the API, in this order, at a known distance from its end. */
export function documentEnd(generatedAt: Timestamp): string {
  return `"generatedAt":"${generatedAt}${TAIL}`
}

/** How many bytes at the end of a document hold the timestamp and what follows it. */
export const STAMP_TAIL_BYTES: number = STAMP_BYTES + TAIL.length

/** A document as text: the given keys, then `generatedAt` and `version`. Does not end in a newline. */
export function documentText(document: object, generatedAt: Timestamp): string {
  return joined(keysOf(document), documentEnd(generatedAt))
}

/** The text and the content hash of a document, with each key written once: the lists are nearly all of both. */
export function textAndHash(document: object, generatedAt: Timestamp) {
  const keys = keysOf(document)
  return { text: joined(keys, documentEnd(generatedAt)), contentHash: hashOf(keys) }
}

/** `covered` is what the content hash covers of the text, where that is not all of it. */
type KeyText = readonly [key: string, text: string, covered?: string]

/** The key, in the file of a category, whose values are documents. */
const DOCUMENTS = 'timelines'

/** @param document that somebody serves may have anything where a document belongs */
function keysOf(document: unknown): KeyText[] {
  return Object.entries(Object(document) as object).map(([key, value]: [string, unknown]) => {
    const name = JSON.stringify(key)
    if (key !== DOCUMENTS) return [key, `${name}:${JSON.stringify(value)}`]
    const documents = Object.entries(Object(value) as object).map(
      ([member, one]) => [JSON.stringify(member), keysOf(one)] as const,
    )
    const textOf = (take: (keys: readonly KeyText[]) => readonly KeyText[]): string =>
      `${name}:{${documents.map(([member, keys]) => `${member}:${joined(take(keys))}}`).join(',')}}`
    return [key, textOf((keys) => keys), textOf(hashed)]
  })
}

/** An object with these keys but its closing brace, which `last` brings. */
function joined(keys: readonly KeyText[], ...last: readonly string[]): string {
  return `{${[...keys.map(([, text]) => text), ...last].join(',')}`
}

/** Keys that differ from release to release even when no number does, and `version`, which always comes last. */
const NOT_HASHED: ReadonlySet<string> = new Set(['from', 'to', 'dataAsOf', 'generatedAt', 'version'])

function hashed(keys: readonly KeyText[]): KeyText[] {
  return keys.filter(([key]) => !NOT_HASHED.has(key)).map(([key, text, covered = text]) => [key, covered])
}

/**
 * sha256 hex of a document without `from`, `to`, `dataAsOf`, `generatedAt`, also in the documents of a category's file:
 * equal hashes mean that the numbers are the same.
 */
export function contentHash(document: object): string {
  return hashOf(keysOf(document))
}

function hashOf(keys: readonly KeyText[]): string {
  return hash('sha256', joined(hashed(keys), VERSION_END))
}

/**
 * What is before the first element of a list and after its last, in the text of a document that is written or read piece by piece and
 * in what the content hash covers of it. `before` needs only the keys that precede the list, and no time.
 */
export function aroundList(document: object, list: string, generatedAt: Timestamp = '') {
  const keys = keysOf({ ...document, [list]: [] })
  return { text: split(keys, list, documentEnd(generatedAt)), hashed: split(hashed(keys), list, VERSION_END) }
}

function split(keys: readonly KeyText[], list: string, end: string) {
  const at = 1 + keys.findIndex(([key]) => key === list)
  return {
    before: joined(keys.slice(0, at), '').slice(0, -'],'.length),
    after: `],${joined(keys.slice(at), end).slice(1)}`,
  }
}
