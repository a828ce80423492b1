// Owns the error answers of the API: status, title, message. Knows no HTTP server; never a path or a stack.
import { ENDPOINTS, OPENAPI_PATH } from './kinds/register.ts'
import type { BadParameter } from './parse-query.ts'

export interface Problem {
  readonly status: number
  readonly error: string
  readonly message: string
}

const LIST = Object.values(ENDPOINTS)
  .map((endpoint) => endpoint.path)
  .join(', ')

export function badParameters(bad: readonly BadParameter[]): Problem {
  const each = bad.map(({ name, given, allowed }) => `Parameter "${name}" was "${given}"; allowed: ${allowed}.`)
  return { status: 400, error: 'Bad Request', message: each.join(' ') }
}

export function badRequest(why: string): Problem {
  return { status: 400, error: 'Bad Request', message: `The request could not be read: ${why}.` }
}

export function notFound(): Problem {
  return {
    status: 404,
    error: 'Not Found',
    message: `No such endpoint. The endpoints are ${LIST}; their description is at ${OPENAPI_PATH}.`,
  }
}

export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS'

export function methodNotAllowed(method: string): Problem {
  return {
    status: 405,
    error: 'Method Not Allowed',
    message: `The method ${method.slice(0, 40)} is not supported; allowed: ${ALLOWED_METHODS}.`,
  }
}

export function requestTimeout(): Problem {
  return { status: 408, error: 'Request Timeout', message: 'The request head did not arrive in time. Send it at once.' }
}

export function preconditionFailed(): Problem {
  return {
    status: 412,
    error: 'Precondition Failed',
    message:
      'What If-Match or If-Unmodified-Since asks for is not the current version. An ETag that begins with W/ never matches If-Match: use If-None-Match.',
  }
}

export function contentTooLarge(): Problem {
  return { status: 413, error: 'Content Too Large', message: 'Requests to this API have no body. Send none.' }
}

export const MAX_TARGET_BYTES = 4096
export const MAX_HEADERS_BYTES = 8192

/** Only of files: the API has no ranges. */
export function rangeNotSatisfiable(): Problem {
  return {
    status: 416,
    error: 'Range Not Satisfiable',
    message: 'The range begins after the end of the file. Content-Range says how many bytes it has.',
  }
}

export function uriTooLong(): Problem {
  return { status: 414, error: 'URI Too Long', message: `The request target is over ${MAX_TARGET_BYTES} bytes.` }
}

export function headersTooLarge(): Problem {
  return {
    status: 431,
    error: 'Request Header Fields Too Large',
    message: `The request headers are over ${MAX_HEADERS_BYTES} bytes.`,
  }
}

const WINDOW_NAMES: ReadonlyMap<number, string> = new Map([
  [1000, 'second'],
  [60_000, 'minute'],
  [3_600_000, 'hour'],
  [86_400_000, 'day'],
])

/** The published wording for 100 per hour; another limit or window is worded alike. */
export function rateLimitExceeded(limit: number, windowMs: number, retryAfterSeconds: number): Problem {
  const window = WINDOW_NAMES.get(windowMs) ?? `${windowMs / 1000} seconds`
  return {
    status: 429,
    error: 'Rate limit exceeded',
    message: `Rate limit of ${limit} requests per ${window} exceeded. Try again in ${retryAfterSeconds} seconds.`,
  }
}

export const STREAMS_RETRY_SECONDS = 10

export type Failure = 'no release' | 'not yet' | 'damaged' | 'unreadable' | 'unexpected'

const FAILURES: Readonly<Record<Failure, string>> = {
  'no release': 'No release has been published yet. Try again later.',
  'not yet': 'These numbers are not in this release yet. They come with the first release of a newer builder.',
  damaged: 'The snapshot for this request is missing or damaged. The next release will replace it.',
  unreadable: 'The snapshot for this request could not be read just now. Try again later.',
  unexpected: 'Something unexpected went wrong while answering. Try again later.',
}

export function internalError(failure: Failure): Problem {
  return { status: 500, error: 'Internal Server Error', message: FAILURES[failure] }
}

/** Of large answers, which take memory for as long as their readers need. */
export function tooManyStreams(): Problem {
  return {
    status: 503,
    error: 'Service Unavailable',
    message: `Too many large answers are being sent, to you or in all. Try again in ${STREAMS_RETRY_SECONDS} seconds.`,
  }
}

export const CONNECTIONS_RETRY_SECONDS = 5

/** Instead of an answer to its first request: none of its requests is read. */
export function tooManyConnections(): Problem {
  return {
    status: 503,
    error: 'Service Unavailable',
    message: `Too many connections are open from this address. Try again in ${CONNECTIONS_RETRY_SECONDS} seconds, over fewer of them.`,
  }
}

/** The titles by status, for the documentation. */
export const PROBLEM_TITLES: ReadonlyMap<number, string> = new Map(
  [
    badParameters([]),
    notFound(),
    methodNotAllowed(''),
    requestTimeout(),
    preconditionFailed(),
    contentTooLarge(),
    uriTooLong(),
    rateLimitExceeded(100, 3_600_000, 1),
    headersTooLarge(),
    internalError('unexpected'),
    tooManyStreams(),
  ].map(({ status, error }) => [status, error]),
)
