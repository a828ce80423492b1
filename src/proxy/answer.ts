// Owns what an answer is: a status, headers, a body still to be written. Values only; writes nothing.
import type { Readable } from 'node:stream'
import type { Problem } from '../contract/problems.ts'
import type { Coding } from '../release/open.ts'
import type { PreparedBody } from './bodies.ts'

export type Body =
  | { readonly kind: 'none' }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'prepared'; readonly body: PreparedBody }
  /** Already open: a missing file is an error before any header is out. `stamped` = with a fresh timestamp on its way. */
  | {
      readonly kind: 'stream'
      readonly bytes: number
      readonly stamped: boolean
      readonly coding: Coding | null
      readonly stream: Readable
    }

/** Names and values in turn, as node:http takes them fastest. */
export type Headers = readonly string[]

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
  /** The connection ends with this answer. */
  readonly close?: true
}

export const NO_BODY: Body = { kind: 'none' }

export const NO_STORE: Headers = ['Cache-Control', 'no-store']
export const NOSNIFF: Headers = ['X-Content-Type-Options', 'nosniff']
export const JSON_TYPE: Headers = ['Content-Type', 'application/json; charset=utf-8']
export const CSV_TYPE: Headers = ['Content-Type', 'text/csv; charset=utf-8']

export function bytesBody(text: string): Body {
  return { kind: 'bytes', bytes: Buffer.from(text, 'utf8') }
}

/** An error answer: JSON that no cache keeps. */
export function problemAnswer(problem: Problem, headers: Headers, close = false): Answer {
  const { status, error, message } = problem
  return {
    status,
    headers: [...JSON_TYPE, ...NO_STORE, ...NOSNIFF, ...headers],
    body: bytesBody(JSON.stringify({ error, message })),
    ...(close ? { close: true } : {}),
  }
}

/** Said of what is coded; nothing of what is as it is. */
export function codingHeaders(body: Body): Headers {
  const coding = body.kind === 'prepared' ? body.body.coding : body.kind === 'stream' ? body.coding : null
  return coding === null ? [] : CODED[coding]
}

const CODED: Readonly<Record<Coding, Headers>> = {
  br: ['Content-Encoding', 'br'],
  gzip: ['Content-Encoding', 'gzip'],
}

export function bodyBytes(body: Body): number {
  switch (body.kind) {
    case 'none':
      return 0
    case 'bytes':
      return body.bytes.length
    case 'prepared':
      return body.body.bytes
    case 'stream':
      return body.bytes
  }
}
