import { Script } from 'node:vm'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { EXPORT_COLUMNS } from '../../src/contract/columns.ts'
import { exportSchemaName } from '../../src/contract/kinds/export.ts'
import { SCHEMAS } from '../../src/contract/schemas.ts'
import { emptyOutcomes } from '../../src/contract/kinds/outcomes.ts'
import { ENDPOINTS } from '../../src/contract/kinds/register.ts'
import { EXPORT_TYPES } from '../../src/contract/kinds/tables.ts'
import { openApiDocument, type ApiWords } from '../../src/contract/openapi.ts'
import { DEFAULT_SITE } from '../../src/contract/site-options.ts'
import { outcomesDocument, timelineDocument } from '../support/hand-made.ts'

type Json = { readonly [key: string]: Json } & readonly Json[]
const document = JSON.parse(JSON.stringify(openApiDocument())) as Json

const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true })
formats.default(ajv)
// So that a schema of the document can be compiled with what it refers to.
ajv.addVocabulary(['components'])
const accepts = (name: string, value: unknown): boolean => ajv.compile(SCHEMAS[name]!)(value)

/** Every object inside a value, with the pointer to it. */
function* objects(value: unknown, at = '#'): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return
  yield [at, value as Record<string, unknown>]
  for (const [key, inner] of Object.entries(value)) yield* objects(inner, `${at}/${key}`)
}

function resolve(pointer: string): unknown {
  return pointer
    .slice(2)
    .split('/')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document)
}

describe('the schemas', () => {
  test.each(Object.keys(SCHEMAS))('%s compiles, strictly', (name) => {
    expect(() => ajv.compile(SCHEMAS[name]!)).not.toThrow()
  })

  /** Of UTC no document names the zone, and people are counted of all ideas only. */
  const requiredOf = (at: string, properties: unknown): string[] =>
    Object.keys(properties as object).filter(
      (key) => key !== 'timeZone' && (key !== 'activeUsers' || at.includes('ExportUsers')),
    )

  test('of objects name every key as required but what may be absent, and allow no other', () => {
    const open = [...objects(SCHEMAS)].filter(
      ([at, { type, properties, required, additionalProperties }]) =>
        type === 'object' &&
        (additionalProperties !== false || String(required) !== String(requiredOf(at, properties))),
    )
    expect(open.map(([at]) => at)).toEqual([])
  })

  test('of exports have the published columns, in order', () => {
    for (const type of EXPORT_TYPES) {
      const row = resolve(`#/components/schemas/${exportSchemaName(type)}/properties/data/items`) as Json
      expect(Object.keys(row['properties']!)).toEqual(EXPORT_COLUMNS[type])
      expect(Object.values(row['properties']!).filter((schema) => Object.keys(schema).length === 0)).toEqual([])
    }
  })

  const stats = {
    stats: { totalUsers: 1, totalIdeas: 2, totalVotes: 3, totalComments: 4, launchedIdeas: 1, activeCategories: 1 },
    metrics: { avgVotesPerIdea: 1.5, avgCommentsPerIdea: 2, launchSuccessRate: 50 },
    topCategories: [{ category: 'Product', count: 2 }],
    generatedAt: '2026-05-20T09:31:00.456Z',
    version: '1.0',
  }
  test.each([
    ['the documented document', {}, true],
    ['another version', { version: '2.0' }, false],
    ['a key more', { dataAsOf: '2026-05-20T09:31:00.456Z' }, false],
    ['a number as text', { metrics: { ...stats.metrics, launchSuccessRate: '50' } }, false],
    ['a broken number', { metrics: { ...stats.metrics, launchSuccessRate: null } }, false],
    ['a broken count', { stats: { ...stats.stats, totalUsers: 1.5 } }, false],
    ['a time in seconds', { generatedAt: '2026-05-20T09:31:00Z' }, false],
    ['a time with an offset', { generatedAt: '2026-05-20T09:31:00.456+00:00' }, false],
    ['a day that is none', { generatedAt: '2026-02-30T09:31:00.456Z' }, false],
    ['the year 1', { generatedAt: '0001-01-01T00:00:00.000Z' }, true],
  ])('say of %s', (_, changed, valid) => {
    expect(accepts('Stats', { ...stats, ...changed })).toBe(valid)
  })

  const { generatedAt, version } = stats
  const timed = { dataAsOf: generatedAt, generatedAt, version }
  const timeline = { ...timelineDocument('all', null, { days: 40 }), ...timed }
  const { totalIdeas: _left, ...lacking } = timeline.buckets[0]!
  test.each<[string, object, boolean]>([
    ['of all ideas', {}, true],
    ['of a category, by hour', { category: '../x', period: '24h', interval: 'hour', from: generatedAt }, true],
    ['that is empty', { count: 0, buckets: [] }, true],
    ['of another interval', { interval: 'year' }, false],
    ['without what is undated', { undated: null }, false],
    ['with a bucket that lacks a total', { buckets: [lacking] }, false],
    ['with a number that is not known', { buckets: [{ ...timeline.buckets[0], votes: null }] }, false],
  ])('say of a timeline %s', (_, changed, valid) => {
    expect(accepts('Timeline', { ...timeline, ...changed })).toBe(valid)
  })

  const firstYear = { ideas: 40, launched: 10, launchedUndated: 1, share: 25 }
  const year = { year: '2026-01-01', ideas: 61, launchedIdeas: 9, firstYear, medianDays: null }
  const launched = { ideas: 292, votes: 5, shareOfVotes: 41.2, dated: 272, medianDays: 88.5, p90Days: 240 }
  const outcomes = { ...outcomesDocument(null), launched, firstYear, years: [year], ...timed }
  const cohort = { ...outcomes.cohorts[0]!, launchedWithin90Days: 5 }
  test.each<[string, object, boolean]>([
    ['of all ideas', {}, true],
    ['of a category that no idea has', emptyOutcomes(outcomes, 'nobody knows'), true],
    ['with ideas without a date', { cohorts: [{ ...cohort, month: null }] }, true],
    ['with ideas without a status', { statuses: [{ ...outcomes.statuses[0], status: null }] }, true],
    ['without a dated launch', { launched: { ...launched, dated: 0, medianDays: null, p90Days: null } }, true],
    ['with a share that is not known', { launched: { ...launched, shareOfVotes: null } }, false],
    ['with a launch before its idea', { launched: { ...launched, medianDays: -1 } }, false],
    ['with a cohort that is not counted', { cohorts: [{ ...cohort, ideas: null }] }, false],
    ['with a year without its first year', { years: [{ ...year, firstYear: null }] }, false],
    ['with a month that is no date', { cohorts: [{ ...cohort, month: '2026-05' }] }, false],
    ['with a month that is an instant', { cohorts: [{ ...cohort, month: generatedAt }] }, false],
  ])('say of outcomes %s', (_, changed, valid) => {
    expect(accepts('Outcomes', { ...outcomes, ...changed })).toBe(valid)
  })

  test('tell the exports apart by their type', () => {
    const [to, dataAsOf] = [generatedAt, generatedAt]
    const empty = { period: 'all', from: null, to, data: [], rowCount: 0, dataAsOf, generatedAt, version }
    for (const type of EXPORT_TYPES) {
      const matching = EXPORT_TYPES.filter((t) => accepts(exportSchemaName(t), { type, ...empty }))
      expect(matching).toEqual([type])
    }
  })
})

describe('the OpenAPI document', () => {
  const operations = Object.entries(document['paths']!).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  )

  test('is 3.1 and has what 3.1 requires', () => {
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\.\d+$/),
      info: { title: expect.any(String), version: '1.0' },
    })
    for (const { operation } of operations)
      for (const [status, response] of Object.entries(operation['responses']!)) {
        expect(status).toMatch(/^[2345]\d\d$/)
        expect(typeof response['description']).toBe('string')
      }
    for (const [, { $ref, ...more }] of objects(document)) if ($ref !== undefined) expect(more).toEqual({})
  })

  test('describes the endpoints, GET: no operation is a word of JavaScript, the export alone has a name of a file, any may find too many connections', () => {
    expect(operations.map(({ path, method }) => [path, method])).toEqual(
      Object.values(ENDPOINTS).map(({ path }) => [path, 'get']),
    )
    const named = operations.map(({ operation }) => [
      operation['operationId'],
      'Content-Disposition' in operation['responses']!['200']!['headers']!,
      '503' in operation['responses']!,
    ])
    expect(named).toEqual([
      ['stats', false, true],
      ['trending', false, true],
      ['categories', false, true],
      ['timeline', false, true],
      ['outcomes', false, true],
      ['exportData', true, true],
    ])
    for (const [id] of named) expect(() => new Script(`function ${String(id)}() {}`)).not.toThrow()
  })

  test('describes every parameter once, with its default', () => {
    const shown = operations.map(({ operation }) =>
      (operation['parameters'] as Json).map((one) => [
        one['name'],
        one['in'],
        one['required'],
        one['schema']!['default'],
      ]),
    )
    const query = (name: string, unless?: string | number) => [name, 'query', false, unless]
    const etag = ['If-None-Match', 'header', false, undefined]
    expect(shown).toEqual([
      [etag],
      [query('period', '7d'), query('category'), query('limit', 20), etag],
      [query('period', '30d'), etag],
      [query('period', '30d'), query('category'), query('interval'), etag],
      [query('category'), etag],
      [query('format', 'json'), query('type', 'overview'), query('period', '30d'), query('interval'), etag],
    ])
    const schemas = [...objects(document['paths'])].flatMap(([, { schema }]) => (schema === undefined ? [] : [schema]))
    // Most answers have one of a few: each is compiled once.
    for (const schema of new Map(schemas.map((one) => [JSON.stringify(one), one])).values())
      ajv.compile(withComponents(schema))
  })

  test('has no reference that leads nowhere, and no schema that nobody refers to', () => {
    const refs = [...objects(document)].flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : []))
    expect(refs.filter((ref) => typeof resolve(ref) !== 'object')).toEqual([])
    expect(new Set(refs)).toEqual(new Set(Object.keys(SCHEMAS).map((name) => `#/components/schemas/${name}`)))
  })

  test('shows the errors an endpoint can answer with, those that come before the count without rate headers', () => {
    const { responses } = operations[0]!.operation as unknown as { responses: Record<string, { headers: object }> }
    expect(Object.keys(responses)).toEqual('200 304 400 405 408 412 413 414 429 431 500 503'.split(' '))
    for (const [status, { headers }] of Object.entries(responses))
      expect([status, 'X-RateLimit-Limit' in headers]).toEqual([status, !['408', '414', '431'].includes(status)])
    expect(responses['429']!.headers).toHaveProperty('Retry-After')
    expect(responses['405']!.headers).toHaveProperty('Allow')
    for (const header of ['Retry-After', 'Allow'])
      for (const status of ['200', '304']) expect(responses[status]!.headers).not.toHaveProperty(header)
  })

  test('says that there is no login, and claims no licence of its own', () => {
    expect(document).toMatchObject({ security: [] })
    expect(document).not.toHaveProperty('info.license')
  })

  function withComponents(schema: unknown): object {
    return { ...(schema as object), components: document['components'] }
  }
})

describe('the words of a site', () => {
  const info = (words: Partial<ApiWords>) => openApiDocument({ ...DEFAULT_SITE, ...words })['info']

  test('are title, contact and licence', () => {
    const [title, contact] = ['Ideas "of" Springfield', 'mailto:data@example.org']
    const words = { title, publisher: 'City', contact, license: 'CC-BY-4.0' }
    expect(info(words)).toMatchObject({
      title: 'Ideas "of" Springfield API',
      contact: { name: 'City', email: 'data@example.org' },
      license: { name: 'CC-BY-4.0', identifier: 'CC-BY-4.0' },
    })
    expect(info({ contact: 'https://example.org/c' })).toMatchObject({ contact: { url: 'https://example.org/c' } })
    expect(info({ publisher: 'City' })).toMatchObject({ contact: { name: 'City' } })
    // Whoever serves a manifest may have escaped what is no text.
    for (const name of ['a%ffb', '%'])
      expect(info({ contact: `mailto:${name}@x.example` })).toMatchObject({ contact: { email: `${name}@x.example` } })
  })

  test('change nothing where none are given', () => {
    expect(openApiDocument({ ...DEFAULT_SITE })).toEqual(openApiDocument())
    expect(info({})).toMatchObject({ title: 'Public Analytics API' })
    expect(info({})).not.toHaveProperty('license')
    expect(info({})).not.toHaveProperty('contact')
  })
})
