import { assert, constantFrom, nat, oneof, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalizeCategory } from '../../src/contract/category-name.ts'
import type { Endpoint } from '../../src/contract/kinds/kind.ts'
import { ENDPOINTS, type EndpointName } from '../../src/contract/kinds/register.ts'
import { EXPORT_TYPES } from '../../src/contract/kinds/tables.ts'
import { parseQuery, type BadParameter } from '../../src/contract/parse-query.ts'
import { badParameters } from '../../src/contract/problems.ts'
import { BOUNDED_PERIODS } from '../../src/contract/windows.ts'
import { anyText } from './any-text.ts'

const read = (endpoint: EndpointName, raw: string): unknown => {
  const parsed = parseQuery(ENDPOINTS[endpoint], raw)
  return parsed.ok ? parsed.query : parsed.bad.map(({ name, given }) => `${name}: ${given}`)
}
const refused = (endpoint: Endpoint, raw: string): readonly BadParameter[] => {
  const parsed = parseQuery(endpoint, raw)
  return parsed.ok ? [] : parsed.bad
}

const DEFAULTS: Readonly<Record<EndpointName, object>> = {
  stats: {},
  trending: { period: '7d', category: null, limit: 20 },
  categories: { period: '30d' },
  timeline: { period: '30d', category: null, interval: 'day' },
  outcomes: { category: null },
  export: { format: 'json', type: 'overview', period: '30d' },
}

describe('without parameters the defaults apply', () => {
  const NOTHING = ['', '&', '&&', '=', '=7d', 'utm_source=x', 'periods=24h', 'PERIODS=24h', '[period]=24h', '%=1']
  test.each(Object.values(ENDPOINTS))('$name', ({ name }) => {
    const query = { endpoint: name, ...DEFAULTS[name] }
    for (const raw of NOTHING) expect([raw, read(name, raw)]).toEqual([raw, query])
  })
})

test('a name in another case is ignored where the endpoint has no such parameter', () => {
  expect(read('stats', 'Period=7d&LIMIT=5')).toEqual({ endpoint: 'stats' })
  expect(read('categories', 'Limit=5')).toEqual({ endpoint: 'categories', period: '30d' })
})

describe('what is allowed is taken', () => {
  const trending = { endpoint: 'trending', period: '7d', category: null, limit: 20 }
  const exported = { endpoint: 'export', format: 'json', type: 'overview', period: '30d' }
  test.each([
    ['trending', 'period=24h&category=Cars&limit=100', { ...trending, period: '24h', category: 'Cars', limit: 100 }],
    ['trending', 'limit=1', { ...trending, limit: 1 }],
    ['trending', 'limit=020', trending],
    ['trending', '%6cimit=%31%30', { ...trending, limit: 10 }],
    ['trending', 'category=a+b%2Bc', { ...trending, category: 'a b+c' }],
    ['trending', 'category=%20+%C2%A0Cafe%CC%81%E3%80%80', { ...trending, category: 'Café' }],
    ['trending', 'category=a=b=c', { ...trending, category: 'a=b=c' }],
    ['trending', 'category=__proto__', { ...trending, category: '__proto__' }],
    ['trending', 'category=..%2Fx', { ...trending, category: '../x' }],
    ['trending', 'category=all', { ...trending, category: 'all' }],
    ['trending', 'category=%00', { ...trending, category: '\0' }],
    ['trending', `category=${'%F0%9F%98%80'.repeat(200)}`, { ...trending, category: '😀'.repeat(200) }],
    ['trending', `category=+${'x'.repeat(200)}+`, { ...trending, category: 'x'.repeat(200) }],
    ['categories', 'period=all', { endpoint: 'categories', period: 'all' }],
    ['categories', 'limit=0&category=', { endpoint: 'categories', period: '30d' }],
    ['export', 'format=csv&type=users&period=all', { ...exported, format: 'csv', type: 'users', period: 'all' }],
    ['stats', 'period=nonsense&limit=0', { endpoint: 'stats' }],
  ] as const)('%s?%s', (endpoint, raw, query) => {
    expect(read(endpoint, raw)).toEqual(query)
  })
})

describe('interval', () => {
  const ok = (endpoint: EndpointName, raw: string) => {
    const query = read(endpoint, raw)
    return Array.isArray(query) ? query : (query as { interval?: string }).interval
  }

  test.each([
    ['24h', 'hour', [], 'hour for period 24h'],
    ['7d', 'day', [], 'day for period 7d'],
    ['30d', 'day', [], 'day for period 30d'],
    ['90d', 'day', [], 'day for period 90d'],
    ['all', 'month', ['day'], 'one of month, day for period all'],
  ] as const)('of %s is %s unless another is asked for: %j', (period, own, more, allowed) => {
    for (const endpoint of ['timeline', 'export'] as const) {
      const base = `type=timeline&period=${period}`
      // An export names it only where it is not the period's own.
      const ofOwn = endpoint === 'timeline' ? own : undefined
      expect([endpoint, ok(endpoint, base)]).toEqual([endpoint, ofOwn])
      for (const interval of ['hour', 'day', 'month', 'year', 'Day', '', 'day ']) {
        const raw = `${base}&interval=${encodeURIComponent(interval)}`
        const expected =
          interval === own
            ? ofOwn
            : (more as readonly string[]).includes(interval)
              ? interval
              : [`interval: ${interval}`]
        expect([raw, ok(endpoint, raw)]).toEqual([raw, expected])
      }
      expect(refused(ENDPOINTS[endpoint], `${base}&interval=week`)).toEqual([
        { name: 'interval', given: 'week', allowed },
      ])
    }
  })

  test('of a category is the period’s own: days since the beginning are of all ideas only', () => {
    expect(ok('timeline', 'period=all&category=Product&interval=month')).toBe('month')
    expect(ok('timeline', 'period=7d&category=Product&interval=day')).toBe('day')
    // Also beside a name that is none: whoever gives one means a category.
    for (const category of ['Product', 'nobody+knows', '']) {
      const bad = refused(ENDPOINTS.timeline, `interval=day&period=all&category=${category}`)
      expect(bad.at(-1)).toEqual({ name: 'interval', given: 'day', allowed: 'month for period all of a category' })
      expect(bad.length).toBe(category === '' ? 2 : 1)
    }
  })

  test('of the timeline by category is the period’s own, too', () => {
    const ofType = 'type=timeline-by-category'
    for (const own of ['period=all&interval=month', 'period=7d&interval=day', 'period=24h&interval=hour', 'period=all'])
      expect(ok('export', `${ofType}&${own}`)).toBeUndefined()
    expect(refused(ENDPOINTS.export, `${ofType}&period=all&interval=day`)).toEqual([
      { name: 'interval', given: 'day', allowed: 'month for period all of a category' },
    ])
  })

  test.each(['hour', 'nonsense', '%zz', '', 'day&interval=day', 'day&interval[]=hour'])(
    'interval=%s is not judged beside a period that is invalid, nor where it means nothing',
    (raw) => {
      for (const period of ['1y', '', '%zz', '7d&period=7d', '7D'])
        for (const endpoint of ['timeline', 'export'] as const)
          expect(
            refused(ENDPOINTS[endpoint], `type=timeline&period=${period}&interval=${raw}`).map(({ name }) => name),
          ).toEqual(['period'])
      expect(refused(ENDPOINTS.export, `type=secrets&interval=${raw}`).map(({ name }) => name)).toEqual(['type'])
      const ofOthers = EXPORT_TYPES.filter((type) => !type.startsWith('timeline'))
      for (const type of ofOthers) expect(ok('export', `type=${type}&period=all&interval=${raw}`)).toBeUndefined()
      for (const endpoint of ['stats', 'trending', 'categories', 'outcomes'] as const)
        expect(ok(endpoint, `interval=${raw}`)).toBeUndefined()
    },
  )

  test.each([
    ['%zz', '%zz', 'one of month, day for period all, as percent-encoded UTF-8'],
    ['day&interval=day', 'day, day', 'one value, given once'],
    ['day&interval[]=day', 'day, day', 'one value, given once'],
  ])('interval=%s is an error as of any parameter', (raw, given, allowed) => {
    for (const endpoint of [ENDPOINTS.timeline, ENDPOINTS.export])
      expect(refused(endpoint, `period=all&type=timeline&interval=${raw}`)).toEqual([
        { name: 'interval', given, allowed },
      ])
  })

  test('one 400 names it with the others', () => {
    expect(badParameters(refused(ENDPOINTS.timeline, 'interval=hour&category=+&period=all')).message).toBe(
      'Parameter "category" was " "; allowed: a category name of 1 to 200 characters. ' +
        'Parameter "interval" was "hour"; allowed: month for period all of a category.',
    )
  })
})

describe('any other value is rejected, never clamped', () => {
  // prettier-ignore
  test.each([
    '0', '00', '101', '1000', '99999999999999999999', '-5', '+5', '%2B5', '5.0', '5.', '.5', '1e2', '0x10', '5 ', '%205', '5%0A',
    '5,6', '', 'ten', 'NaN', 'Infinity', '%D9%A5', '%EF%BC%95', '5%00',
  ])('limit=%s', (raw) => {
    const given = decodeURIComponent(raw.replaceAll('+', ' '))
    expect(refused(ENDPOINTS.trending, `limit=${raw}`)).toEqual([
      { name: 'limit', given, allowed: 'an integer from 1 to 100' },
    ])
  })

  const periods = 'one of 24h, 7d, 30d, 90d'
  const category = 'a category name of 1 to 200 characters'
  const encoded = `${category}, as percent-encoded UTF-8`
  test.each([
    ['another value', 'period=1y', 'period', '1y', periods],
    ['another case', 'period=7D', 'period', '7D', periods],
    ['white space around', 'period=7d+', 'period', '7d ', periods],
    ['all, where the endpoint has no all', 'period=all', 'period', 'all', periods],
    ['empty', 'period=', 'period', '', periods],
    ['a name alone', 'period', 'period', '', periods],
    ['empty, encoded name', '%70eriod=', 'period', '', periods],
    ['given twice', 'period=7d&limit=5&period=7d', 'period', '7d, 7d', 'one value, given once'],
    ['given twice, once encoded', 'period=7d&perio%64=24h', 'period', '7d, 24h', 'one value, given once'],
    ['given twice, once in brackets', 'period=7d&period[]=24h', 'period', '7d, 24h', 'one value, given once'],
    ['in brackets', 'period[]=7d', 'period', 'period[]=7d', 'written period=…'],
    ['with a name in another case', 'Period=7d', 'period', 'Period=7d', 'written period=…'],
    ['with an encoded one', '%50ERIOD=24h', 'period', 'PERIOD=24h', 'written period=…'],
    ['with one in brackets', 'LIMIT[]=5', 'limit', 'LIMIT[]=5', 'written limit=…'],
    ['given twice, once in another case', 'period=7d&Period=24h', 'period', '7d, 24h', 'one value, given once'],
    ['in encoded brackets', 'period%5B0%5D=7d', 'period', 'period[0]=7d', 'written period=…'],
    ['in brackets that hold a line break', 'period[%0A]=7d', 'period', 'period[\n]=7d', 'written period=…'],
    ['in brackets that cannot be decoded', 'period[%zz]=7d', 'period', 'period[%zz]=7d', 'written period=…'],
    ['malformed percent-encoding', 'period=%zz', 'period', '%zz', `${periods}, as percent-encoded UTF-8`],
    ['a lone percent sign', 'limit=5%', 'limit', '5%', 'an integer from 1 to 100, as percent-encoded UTF-8'],
    ['a cut sequence', 'category=%E2%82', 'category', '%E2%82', encoded],
    ['an overlong sequence', 'category=%C0%AF', 'category', '%C0%AF', encoded],
    ['half a surrogate pair', 'category=%ED%A0%80', 'category', '%ED%A0%80', encoded],
    ['an empty category', 'category=', 'category', '', category],
    ['a category of white space', 'category=+%E3%80%80', 'category', ' \u3000', category],
    ['over 200 code points', `category=${'x'.repeat(201)}`, 'category', `${'x'.repeat(40)}…`, category],
    ['cut between characters', `period=${'%F0%9F%98%80'.repeat(41)}`, 'period', `${'😀'.repeat(40)}…`, periods],
    ['40 characters are not cut', `period=${'x'.repeat(40)}`, 'period', 'x'.repeat(40), periods],
  ])('%s', (_, raw, name, given, allowed) => {
    expect(refused(ENDPOINTS.trending, raw)).toEqual([{ name, given, allowed }])
  })

  test('one 400 lists every bad parameter: its name, what was given, what is allowed', () => {
    const bad = refused(ENDPOINTS.trending, 'limit=0&category=+&period=1y&other=%zz')
    expect(badParameters(bad)).toEqual({
      status: 400,
      error: 'Bad Request',
      message:
        'Parameter "period" was "1y"; allowed: one of 24h, 7d, 30d, 90d. ' +
        'Parameter "category" was " "; allowed: a category name of 1 to 200 characters. ' +
        'Parameter "limit" was "0"; allowed: an integer from 1 to 100.',
    })
    const all = ['format: xml', 'type: secrets', 'period: 24H']
    expect(read('export', 'format=xml&type=secrets&period=24H')).toEqual(all)
  })
})

describe('for any text', () => {
  const pieces = constantFrom(...'= & % %5B [] 7d 20 + é %C3%A9 \xFF'.split(' '), 'period', 'limit', 'category', '')
  const raws = oneof(string({ unit: pieces, maxLength: 12 }), anyText({ maxLength: 30 }))

  test('the answer is a query of allowed values, or names bad parameters; it never throws', () => {
    assert(
      property(raws, (raw) => {
        const parsed = parseQuery(ENDPOINTS.trending, raw)
        if (!parsed.ok) expect(parsed.bad.map(({ name }) => name).join()).toMatch(/^(?:period|category|limit|,)+$/)
        else if (parsed.query.endpoint === 'trending') {
          const { period, category, limit } = parsed.query
          expect(BOUNDED_PERIODS).toContain(period)
          expect(Number.isInteger(limit) && limit >= 1 && limit <= 100).toBe(true)
          expect(category === null || (category === normalizeCategory(category) && category !== '')).toBe(true)
        } else throw new Error(parsed.query.endpoint)
      }),
    )
  })

  test('a category survives any client that encodes its query, by form rules or by percent signs', () => {
    const names = anyText({ minLength: 1, maxLength: 50 })
      .map(normalizeCategory)
      .filter((name) => name !== '')
    assert(
      property(names, (name) => {
        const forms = [String(new URLSearchParams({ category: name })), `category=${encodeURIComponent(name)}`]
        for (const raw of forms) expect(read('trending', raw)).toMatchObject({ category: name })
      }),
    )
  })

  test('exactly the integers 1 to 100 are limits', () => {
    assert(
      property(nat(300), (limit) => {
        expect(parseQuery(ENDPOINTS.trending, `limit=${limit}`).ok).toBe(limit >= 1 && limit <= 100)
      }),
    )
  })
})
