// Owns what an answer is: a status, headers, a body still to be written; and what is known of its request. Values only; writes
// nothing.
import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { ALLOWED_METHODS, PRECONDITION_FAILED, type Problem } from '../../contract/problems.ts'
import type { Coding } from '../../release/format/coding.ts'
import { CSV_MEDIA, JSON_MEDIA } from '../../release/format/served-files.ts'
import type { Fields, RequestHead } from '../http/head.ts'
import { precondition, type Validators } from '../http/preconditions.ts'
import type { ClientKey } from '../limit/client-key.ts'
import { fixedBody, type PreparedBody } from './prepared-body.ts'

export interface Exchange {
  /** The client's own, for a store that passes an origin's answer on as a proxy does. It has the request. */
  readonly response: ServerResponse
  readonly head: RequestHead
  /** Worked out when it is first asked for: where nobody is counted, nobody is warned of a header that is not read. */
  readonly client: () => ClientKey
  /** The headers for this client only, whatever is answered: its rate limit, once that is known. */
  own: Headers
}

/** A body whose stream is open already, so that a missing file is an error before any header is out. */
export interface StreamedBody {
  readonly bytes: number
  readonly coding: Coding | null
  readonly stream: Readable
  /** Whether it gets a fresh timestamp on its way. */
  readonly stamped: boolean
}

export type Body = PreparedBody | StreamedBody

/** Names and values in turn, as node:http takes them fastest. */
export type Headers = readonly string[]

export interface HttpAnswer {
  readonly status: number
  /** Headers that may be remembered and sent to anybody; those of every answer of its plane are added when it is written. */
  readonly headers: Headers
  readonly body: Body | null
}

export const NO_STORE: Headers = ['Cache-Control', 'no-store']
export const NOSNIFF: Headers = ['X-Content-Type-Options', 'nosniff']
export const JSON_TYPE: Headers = ['Content-Type', JSON_MEDIA]
export const CSV_TYPE: Headers = ['Content-Type', CSV_MEDIA]
const ALLOW: Headers = ['Allow', ALLOWED_METHODS]

/** Headers for scripts of other sites, and for pages that isolate themselves, which show only what says that it is for other origins. */
export function forOthers(exposed: string): Headers {
  const open = ['Access-Control-Allow-Origin', '*', 'Cross-Origin-Resource-Policy', 'cross-origin']
  return [...open, 'Access-Control-Expose-Headers', exposed]
}

export function textBody(text: string): PreparedBody {
  return fixedBody(Buffer.from(text, 'utf8'))
}

export type ErrorAnswer = Readonly<ReturnType<typeof problemAnswer>>

/** An error answer: JSON that no cache keeps. A 405 must name the methods there are (RFC 9110 section 15.5.6). */
export function problemAnswer(problem: Problem, headers: Headers = []) {
  const { status, error, message } = problem
  return {
    status,
    headers: [...JSON_TYPE, ...NO_STORE, ...NOSNIFF, ...headers, ...(status === 405 ? ALLOW : [])],
    body: textBody(JSON.stringify({ error, message })),
  }
}

/** The 304 or 412 in the place of a 200, if the client's conditions ask for one. */
export function conditionalAnswer(validators: Validators, conditions: Fields, headers: Headers): HttpAnswer | null {
  const status = precondition(validators, conditions)
  if (status === 412) return problemAnswer(PRECONDITION_FAILED)
  return status === 304 ? { status, headers, body: null } : null
}
