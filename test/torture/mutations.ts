// Owns requests that are nearly sound: seeds and what is done to them, by a seeded stream. Sends nothing.

import { ENDPOINTS } from '../../src/contract/kinds/register.ts'

export type Random = () => number

const STATS = '/api/public/stats'
const TRENDING = '/api/analytics/trending'
const EXPORT = '/api/analytics/export'

const head = (line: string, ...lines: readonly string[]): string =>
  `${line} HTTP/1.1\r\n${['Host: a', ...lines].map((text) => `${text}\r\n`).join('')}\r\n`

/** Every plane, method, precondition, coding and framing there is. */
const SEEDS: readonly string[] = [
  head(`GET ${STATS}`),
  head(`HEAD ${STATS}`, 'Accept-Encoding: br'),
  head(`OPTIONS ${STATS}`, 'Origin: https://a.example', 'Access-Control-Request-Method: GET'),
  head(`GET ${STATS}`, 'If-None-Match: W/"0123456789abcdef", *', 'Accept-Encoding: gzip;q=0.5, br;q=0.1, *;q=0'),
  head(`GET ${STATS}`, 'If-Modified-Since: Wed, 20 May 2026 09:30:00 GMT', 'Range: bytes=0-1'),
  head(`GET ${TRENDING}?period=30d&limit=7&category=Product`, 'Accept-Encoding: gzip'),
  head(`GET ${TRENDING}?limit=100&category=%F0%9F%98%80`, 'X-Forwarded-For: 203.0.113.9, [2001:db8::1]:443'),
  head(`GET ${TRENDING}?category=..%2Fx&period=24h`, 'X-Forwarded-For: ::ffff:203.0.113.9'),
  head('GET /api/analytics/categories?period=all', 'Accept: text/csv'),
  head(`GET ${EXPORT}?format=csv&type=users&period=90d`),
  head(`GET ${EXPORT}?type=ideas&period=7d`, 'Accept-Encoding: br, gzip'),
  head('GET /api/openapi.json', 'If-None-Match: "a", W/"b"'),
  head('GET /snapshots/current/public/stats.json', 'Accept-Encoding: gzip'),
  head('GET /snapshots/releases/20260520T093000123Z-00000000/manifest.json'),
  head('GET /snapshots/current/analytics/export/users/7d.csv', 'If-None-Match: "x"'),
  head('GET /healthz', 'Content-Length: 3') + 'abc',
  head('GET /readyz', 'Transfer-Encoding: chunked') + '3\r\nabc\r\n0\r\n\r\n',
  head('GET /'),
  head('GET /public/stats.json', 'Range: bytes=10-19', 'If-Range: "0123456789abcdef"'),
  head('GET /snapshots/current/manifest.json', 'Range: bytes=-20', 'If-None-Match: "x"'),
  head('GET /nothing/here', 'Accept: text/html, */*;q=0.8', 'Accept-Encoding: gzip'),
  head(`GET http://a${STATS}`),
  head('OPTIONS *'),
  head(`POST ${STATS}`, 'Content-Length: 3') + 'abc',
  head(`GET ${STATS}`, 'Expect: 100-continue', 'Content-Length: 3') + 'abc',
  head(`GET ${STATS}`, 'Connection: Upgrade', 'Upgrade: h2c'),
  head('CONNECT a:443'),
  `GET ${STATS} HTTP/1.0\r\n\r\n`,
]

const PIECES: readonly string[] = [
  '\r\n', '\n', '\r', '\0', '\x7F', '\x80', '\xFF', ' ', '\t', ':', ',', ';', '=', '&', '?', '#', '%', '%00', '%2e',
  '%2F', '%C3', '%F0%9F%98%80', '+', '..', '/', '//', '\\', '*', '"', 'W/"', '[', ']', '[]', '{', '__proto__', 'constructor',
  'period=', 'limit=', 'category=', 'format=csv', 'type=ideas', 'limit=0', 'limit=100', '99999999999999999999', '-1', '1e9',
  'Host: b\r\n', 'Content-Length: 0\r\n', 'Content-Length: 5\r\n', 'Transfer-Encoding: chunked\r\n', 'Transfer-Encoding: x\r\n',
  'Expect: 100-continue\r\n', 'Upgrade: websocket\r\n', 'Connection: close\r\n', 'Connection: upgrade\r\n', 'Trailer: x\r\n',
  'TE: trailers\r\n', 'X-Forwarded-For: 1.2.3.4\r\n', 'X-Forwarded-For: ,,unknown,\r\n', 'If-None-Match: *\r\n',
  'If-Modified-Since: x\r\n', 'Accept-Encoding: *;q=0\r\n', 'HTTP/1.0', 'HTTP/2.0', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '0\r\n\r\n', 'ffffffff\r\n', 'CONNECT ', 'HEAD ', 'TRACE ', 'POST ',
] // prettier-ignore

const LONG_CHARS = [64, 4_000, 9_000, 40_000]

const below = (random: Random, end: number): number => Math.floor(random() * end)
const pick = <T>(random: Random, from: readonly T[]): T => from[below(random, from.length)] as T

type Mutation = (text: string, random: Random) => string

const splice = (text: string, at: number, cut: number, by: string): string =>
  text.slice(0, at) + by + text.slice(at + cut)

const MUTATIONS: readonly Mutation[] = [
  // Another byte, a byte more, some less, some twice, their places changed.
  (text, random) => splice(text, below(random, text.length), 1, String.fromCharCode(below(random, 256))),
  (text, random) => splice(text, below(random, text.length), 0, String.fromCharCode(below(random, 256))),
  (text, random) => splice(text, below(random, text.length), below(random, 12), ''),
  (text, random) => {
    const at = below(random, text.length)
    return splice(text, at, 0, text.slice(at, at + below(random, 40)))
  },
  // What matters to one parser or another.
  (text, random) => splice(text, below(random, text.length), 0, pick(random, PIECES)),
  (text, random) => splice(text, below(random, text.length), below(random, 8), pick(random, PIECES)),
  // At the start of a line, where it is a header.
  (text, random) => splice(text, Math.max(0, text.indexOf('\r\n') + 2), 0, pick(random, PIECES)),
  // In the target.
  (text, random) => splice(text, text.indexOf(' ') + 1 + below(random, 30), below(random, 4), pick(random, PIECES)),
  // The end of another.
  (text, random) => {
    const other = pick(random, SEEDS)
    return text.slice(0, below(random, text.length)) + other.slice(below(random, other.length))
  },
  // Cut off.
  (text, random) => text.slice(0, below(random, text.length)),
  (text, random) =>
    random() < 0.9 ? text : splice(text, below(random, text.length), 0, 'x'.repeat(pick(random, LONG_CHARS))),
]

/** One to four mutations of a seed; one in eight is left as it is. */
export function mutatedRequest(random: Random): string {
  let text = pick(random, SEEDS)
  if (random() < 0.125) return text
  for (let n = 1 + below(random, 4); n > 0; n--) text = pick(random, MUTATIONS)(text, random)
  return text
}

/** Mutations of a value: the request stays one, and its connection goes on. */
export function oddRequest(random: Random): string {
  const path = pick(random, [
    ...Object.values(ENDPOINTS).map((endpoint) => endpoint.path),
    '/snapshots/current/public/stats.json',
    '/nowhere',
  ])
  const word = (): string => encodeURIComponent(pick(random, PIECES)).slice(0, 1 + below(random, 12))
  const parameter = (): string => pick(random, ['period', 'limit', 'category', 'format', 'type', word()])
  const value = (): string => pick(random, ['7d', 'all', '5', '100', 'csv', 'ideas', 'Product', word(), word()])
  const query = Array.from({ length: below(random, 4) }, () => `${parameter()}=${value()}`).join('&')
  const lines = [
    `If-None-Match: ${pick(random, ['*', '"a"', 'W/', ',,"', '"a" "b"'])}`,
    `Accept-Encoding: ${pick(random, ['br', 'gzip', 'x;q=2', '*', 'gzip;q=0, br;q=0.001', ';,='])}`,
    `X-Forwarded-For: ${below(random, 256)}.${below(random, 256)}.1.1, ${pick(random, ['127.0.0.1', '::1', 'x', ''])}`,
    `If-Modified-Since: ${pick(random, ['0', 'Wed, 20 May 2026 09:30:00 GMT', 'GMT'])}`,
    `__proto__: ${below(random, 9)}`,
  ].filter(() => random() < 0.3)
  return head(`${pick(random, ['GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'PUT'])} ${path}?${query}`, ...lines)
}
