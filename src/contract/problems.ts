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

/** The titles of problems, by status. */
export const PROBLEM_TITLES = {
  400: 'Bad Request',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  414: 'URI Too Long',
  429: 'Rate limit exceeded',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const

function problem(status: keyof typeof PROBLEM_TITLES, message: string): Problem {
  return { status, error: PROBLEM_TITLES[status], message }
}

export function badParameters(bad: readonly BadParameter[]): Problem {
  const each = bad.map(({ name, given, allowed }) => `Parameter "${name}" was "${given}"; allowed: ${allowed}.`)
  return problem(400, each.join(' '))
}

export function badRequest(why: string): Problem {
  return problem(400, `The request could not be read: ${why}.`)
}

export const NOT_FOUND: Problem = problem(
  404,
  `No such endpoint. The endpoints are ${LIST}; their description is at ${OPENAPI_PATH}.`,
)

export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS'

export function methodNotAllowed(method: string): Problem {
  return problem(405, `The method ${method.slice(0, 40)} is not supported; allowed: ${ALLOWED_METHODS}.`)
}

export const REQUEST_TIMEOUT: Problem = problem(408, 'The request head did not arrive in time. Send it at once.')

export const PRECONDITION_FAILED: Problem = problem(
  412,
  'What If-Match or If-Unmodified-Since asks for is not the current version. An ETag that begins with W/ never matches If-Match: use If-None-Match.',
)

export const CONTENT_TOO_LARGE: Problem = problem(413, 'Requests to this API have no body. Send none.')

export const MAX_TARGET_BYTES = 4096
export const MAX_HEADERS_BYTES = 8192

export const URI_TOO_LONG: Problem = problem(414, `The request target is over ${MAX_TARGET_BYTES} bytes.`)

/** Only files have ranges, the API has none, so this title is not among the others. */
export const RANGE_NOT_SATISFIABLE: Problem = {
  status: 416,
  error: 'Range Not Satisfiable',
  message: 'The range begins after the end of the file. Content-Range says how many bytes it has.',
}

export const HEADERS_TOO_LARGE: Problem = problem(431, `The request headers are over ${MAX_HEADERS_BYTES} bytes.`)

const WINDOW_NAMES: Readonly<Record<number, string>> = {
  1000: 'second',
  60_000: 'minute',
  3_600_000: 'hour',
  86_400_000: 'day',
}

/** The published wording for 100 per hour; another limit or window is worded alike. */
export function rateLimitExceeded(limit: number, windowMs: number, retryAfterSeconds: number): Problem {
  const window = WINDOW_NAMES[windowMs] ?? `${windowMs / 1000} seconds`
  return problem(
    429,
    `Rate limit of ${limit} requests per ${window} exceeded. Try again in ${retryAfterSeconds} seconds.`,
  )
}

const FAILURES = {
  'no release': 'No release has been published yet. Try again later.',
  'not yet': 'These numbers are not in this release yet. They come with the first release of a newer builder.',
  damaged: 'The snapshot for this request is missing or damaged. The next release will replace it.',
  unreadable: 'The snapshot for this request could not be read just now. Try again later.',
  unexpected: 'Something unexpected went wrong while answering. Try again later.',
} as const
export type Failure = keyof typeof FAILURES

export function internalError(failure: Failure): Problem {
  return problem(500, FAILURES[failure])
}

export const STREAMS_RETRY_SECONDS = 10

/** The answer where too many large ones are being sent, which take memory for as long as their readers need. */
export const TOO_MANY_STREAMS: Problem = problem(
  503,
  `Too many large answers are being sent, to you or in all. Try again in ${STREAMS_RETRY_SECONDS} seconds.`,
)

export const CONNECTIONS_RETRY_SECONDS = 5

/** A new connection gets this instead of an answer to its first request: none of its requests is read. */
export const TOO_MANY_CONNECTIONS: Problem = problem(
  503,
  `Too many connections are open from this address. Try again in ${CONNECTIONS_RETRY_SECONDS} seconds, over fewer of them.`,
)
