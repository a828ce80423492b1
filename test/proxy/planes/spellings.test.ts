// One combination has many addresses: all have one ETag and one body. One mistake has many, too: no cache may keep any.
import { describe, expect, test } from 'vitest'
import { ENDPOINTS, OPENAPI_PATH, type EndpointName } from '../../../src/contract/kinds/register.ts'
import { ask, converse, NOW_MS, serving } from '../../support/proxy.ts'

const clock = { ms: NOW_MS }
// Every answer is of another millisecond.
const served = serving({ categories: ['Product', 'Åland', '../x', '😀'] }, { nowMs: () => (clock.ms += 1) })

type Parameters = readonly (readonly [name: string, value: string])[]

const everyByte = (text: string, digits: (hex: string) => string): string =>
  Array.from(Buffer.from(text), (byte) => `%${digits(byte.toString(16).padStart(2, '0'))}`).join('')

/** Ways to write one pair. */
const PAIRS: readonly ((name: string, value: string) => string)[] = [
  (name, value) => `${name}=${encodeURIComponent(value)}`,
  (name, value) => `${everyByte(name, (hex) => hex)}=${everyByte(value, (hex) => hex.toUpperCase())}`,
  (name, value) => `${name}=${everyByte(value, (hex) => hex)}`,
  (name, value) => `${name}=${encodeURIComponent(value).replaceAll('%20', '+')}`,
]

/** Ways to write a query from its pairs. */
const QUERIES: readonly ((pairs: readonly string[]) => string)[] = [
  (pairs) => pairs.join('&'),
  (pairs) => pairs.toReversed().join('&'),
  (pairs) => `&&${pairs.join('&&')}&`,
  (pairs) => ['utm_source=a', ...pairs, 'cache=no', 'cache=no', '=', '%'].join('&'),
]

/** Combinations of each endpoint: parameters, and others that say the same. */
const COMBINATIONS: Readonly<Record<EndpointName, readonly (readonly Parameters[])[]>> = {
  stats: [[[], [['period', '1y']], [['limit', '0']]]],
  trending: [
    [[], [['period', '7d']], [['limit', '20']], [['limit', '0020'], ['period', '7d']]],
    [
      [['category', 'Åland'], ['limit', '100']],
      [['category', 'A\u030Aland'], ['limit', '100'], ['period', '7d']],
      [['category', ' åLAND\u00A0'], ['limit', '0100']],
    ],
    [[['category', '../x']], [['category', ' ../X ']]],
    [[['category', 'nobody knows']], [['category', '\tnobody knows']]],
  ],
  categories: [[[], [['period', '30d']]]],
  timeline: [
    [[], [['period', '30d']], [['interval', 'day'], ['period', '30d']]],
    [[['period', 'all']], [['interval', 'month'], ['period', 'all']]],
    [[['category', 'Åland']], [['category', 'A\u030Aland'], ['interval', 'day']], [['category', ' åLAND\u00A0'], ['period', '30d']]],
    [[['category', 'nobody knows']], [['category', '\tnobody knows']]],
  ],
  outcomes: [
    [[], [['period', '1y']]],
    [[['category', '../x']], [['category', ' ../X ']]],
    [[['category', 'nobody knows']], [['category', '\tnobody knows']]],
  ],
  export: [
    [[], [['format', 'json'], ['type', 'overview'], ['period', '30d']]],
    [[['format', 'csv'], ['type', 'ideas']], [['period', '30d'], ['type', 'ideas'], ['format', 'csv']]],
    [[['type', 'timeline'], ['period', 'all']], [['type', 'timeline'], ['interval', 'month'], ['period', 'all']]],
  ],
} // prettier-ignore

function spellingsOf(path: string, all: readonly Parameters[]): string[] {
  const queries = all.flatMap((parameters) =>
    PAIRS.flatMap((pair) => QUERIES.map((query) => query(parameters.map(([name, value]) => pair(name, value))))),
  )
  return [...new Set(queries.flatMap((query) => [`${path}?${query}`, `http://elsewhere.example${path}?${query}`]))]
}

describe('one combination, differently spelled', () => {
  const table = Object.values(ENDPOINTS).flatMap(({ name, path }) =>
    COMBINATIONS[name].map((all, i) => [`${name} ${i}`, spellingsOf(path, all)] as const),
  )

  test.each(table)('%s', async (_, spellings) => {
    const seen = new Set<string>()
    for (const target of spellings) {
      const { status, headers, text } = await ask(served().port, target)
      expect([target, status]).toEqual([target, 200])
      seen.add(`${headers.etag} ${text.replace(/"generatedAt":"[^"]{24}"/, '')}`)
    }
    expect([...seen]).toHaveLength(1)
  })

  test('more than 200, and each combination has an ETag of its own', async () => {
    expect(table.flatMap(([, spellings]) => spellings).length).toBeGreaterThan(200)
    const others = ['limit=4', 'category=nobody%20else', 'category=nobody%20knows&limit=3', 'category=../x&period=90d']
    const targets = [
      ...table.map(([, [first = '']]) => first),
      ...others.map((query) => `/api/analytics/trending?${query}`),
      OPENAPI_PATH,
    ]
    const etags = await Promise.all(targets.map(async (target) => (await ask(served().port, target)).headers.etag))
    expect(new Set(etags).size).toBe(targets.length)
  })
})

const PATHS = [...Object.values(ENDPOINTS).map(({ path }) => path), '/snapshots/current/public/stats.json']

/** Mistakes in a path: none is repaired, and none may be taken by a cache for what it resembles. */
const MISSPELLED: readonly ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `${path}/.`,
  (path) => `${path};a=b`,
  (path) => `${path}.json`,
  (path) => `${path}%20`,
  (path) => `${path}%00`,
  (path) => `${path}%3Fperiod=7d`,
  (path) => `${path}#a`,
  (path) => `/${path}`,
  (path) => `/.${path}`,
  (path) => `/a/..${path}`,
  (path) => path.toUpperCase(),
  (path) => path.replaceAll('/', '//'),
  (path) => path.replace(/\/(?=[^/]+$)/, '%2F'),
  (path) => path.replace(/.$/, (last) => everyByte(last, (hex) => hex)),
  (path) => path.replace(/\/[^/]+$/, ''),
  (path) => path.replaceAll('/', '\\').replace('\\', '/'),
]

/** No parameter of trending or export, but a category, takes any of these. */
// prettier-ignore
const BAD_VALUES = [
  '', '%20', '0', '101', '-1', '+5', '1e1', '5.0', '%D9%A5', '7D', '7d%20', '7d%00', '%', '%zz', '%E4', '%C3', 'null', 'xml', 'CSV', '[]',
]
const BAD_QUERIES = [
  ...['limit', 'period', 'li%6Dit', 'pe%72iod', 'period[]', 'limit[0]'].flatMap((name) => BAD_VALUES.map((value) => `/api/analytics/trending?${name}=${value}`)),
  ...['format', 'type', 'period'].flatMap((name) => BAD_VALUES.map((value) => `/api/analytics/export?${name}=${value}`)),
  '/api/analytics/trending?limit=5&limit=5',
  '/api/analytics/trending?category=a&category=b',
  '/api/analytics/trending?category',
  `/api/analytics/trending?category=${'x'.repeat(201)}`,
] // prettier-ignore

const MISTAKES = [
  ...new Set([...PATHS.flatMap((path) => MISSPELLED.map((misspell) => misspell(path))), ...BAD_QUERIES]),
]

describe('no error may be stored', () => {
  const expectUnstorable = (headers: Readonly<Record<string, unknown>>, what: string): void => {
    expect([what, headers['cache-control']]).toEqual([what, 'no-store'])
    for (const name of ['etag', 'last-modified', 'expires', 'age'])
      expect([what, headers[name]]).toEqual([what, undefined])
  }

  test('more than 200 mistakes, by GET, HEAD and POST', async () => {
    expect(MISTAKES.length).toBeGreaterThan(200)
    for (const target of MISTAKES)
      for (const method of ['GET', 'HEAD', 'POST']) {
        const answer = await ask(served().port, target, { method })
        const what = `${method} ${target}`
        expect([what, answer.status >= 400 && answer.status < 500]).toEqual([what, true])
        expectUnstorable(answer.headers, what)
        if (method !== 'HEAD') expect(Object.keys(answer.json())).toEqual(['error', 'message'])
      }
  })

  test('nor one with a validator of a good answer', async () => {
    for (const target of MISTAKES.slice(0, 20)) {
      const { status, headers } = await ask(served().port, target, { headers: { 'If-None-Match': '*' } })
      expect([target, status >= 400]).toEqual([target, true])
      expectUnstorable(headers, target)
    }
  })

  test('nor what cannot be read', async () => {
    for (const target of [
      '/api/public/stats x',
      '*',
      'ftp://a/',
      `/${'x'.repeat(5000)}`,
      '/\xE4',
      '/\0',
      'http:///api',
    ]) {
      const { answers } = await converse(served().port, [`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`])
      expect(answers).toHaveLength(1)
      expectUnstorable(answers[0]?.headers ?? {}, target)
    }
  })
})
