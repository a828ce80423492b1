// Timelines and outcomes as the API answers them, on releases written by hand: of all ideas, of a category, of one that no
// idea has; and of a release that was made before there were any.
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { categoryKey } from '../../../src/contract/category-name.ts'
import { emptyOutcomes } from '../../../src/contract/kinds/outcomes.ts'
import { emptyTimeline } from '../../../src/contract/kinds/timeline.ts'
import { formatTimestamp } from '../../../src/contract/timestamp.ts'
import { PERIODS, type Period } from '../../../src/contract/windows.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import {
  AS_OF,
  categoryFile,
  outcomesDocument,
  publishDocuments,
  timeDocuments,
  timelineDocument,
} from '../../support/hand-made.ts'
import { contractOf, type Contract } from '../../support/openapi.ts'
import { ask, NOW_MS, startProxy, type Answered, type TestProxy } from '../../support/proxy.ts'
import { HOSTILE_CATEGORIES } from '../../support/release.ts'
import { ownProxy } from '../own-proxy.ts'

/** Over 60 KB: 35 years of months. */
const OLD = 'An old one'
const CATEGORIES = [OLD, ...HOSTILE_CATEGORIES]
const FILES = Object.fromEntries(
  CATEGORIES.map((name, i) => [name, categoryFile(name, { seed: i + 1, days: name === OLD ? 35 * 365 : 400 })]),
)
const NOW = formatTimestamp(NOW_MS)
const answered = (document: object): string =>
  JSON.stringify({ ...document, dataAsOf: AS_OF, generatedAt: NOW, version: '1.0' })
const TIMELINE = '/api/analytics/timeline'
const OUTCOMES = '/api/analytics/outcomes'
const timelineOf = (period: Period, category: string): string =>
  `${TIMELINE}?period=${period}&category=${encodeURIComponent(category)}`
const outcomesOf = (category: string): string => `${OUTCOMES}?category=${encodeURIComponent(category)}`

const folder = temporaryFolder(afterAll)
let contract: Contract
beforeAll(async () => {
  await publishDocuments(folder, timeDocuments(FILES), CATEGORIES)
  const proxy = await startProxy({ snapshots: folder })
  contract = await contractOf(proxy.port)
  return () => proxy.stop()
})
const get = (target: string): Promise<Answered> => contract.ask(target)

describe.each(CATEGORIES)('of category %s', (category) => {
  const file = FILES[category]!

  test.each(PERIODS)('the timeline of %s is the member of its file', async (period) => {
    expect((await get(timelineOf(period, category))).text).toBe(answered(file.timelines[period]))
  })

  test('the outcomes are the member of its file', async () => {
    expect((await get(outcomesOf(category))).text).toBe(answered(file.outcomes))
  })
})

test.each(PERIODS)('without a category the timeline of %s is its file', async (period) => {
  expect((await get(`${TIMELINE}?period=${period}`)).text).toBe(answered(timelineDocument(period, null, { seed: 9 })))
})

test('without a category all may be by day, and the outcomes are their file', async () => {
  const byDay = timelineDocument('all', null, { seed: 9, interval: 'day' })
  expect((await get(`${TIMELINE}?interval=day&period=all`)).text).toBe(answered(byDay))
  expect((await get(OUTCOMES)).text).toBe(answered(outcomesDocument(null, { seed: 9 })))
  const { status, text } = await get(`${TIMELINE}?interval=day&period=all&category=Product`)
  expect([status, text]).toEqual([
    400,
    '{"error":"Bad Request","message":"Parameter \\"interval\\" was \\"day\\"; allowed: month for period all of a category."}',
  ])
})

describe('for a category that no idea has', () => {
  const nobody = 'no "one" \\ <&> 😀'

  test.each(PERIODS)('the timeline of %s has the buckets of all ideas, and zeros', async (period) => {
    const zeros = emptyTimeline(timelineDocument(period, null, { seed: 9 }), nobody)
    expect((await get(timelineOf(period, nobody))).text).toBe(answered(zeros))
  })

  test('the outcomes are an ordinary document with empty lists', async () => {
    expect((await get(outcomesOf(nobody))).text).toBe(
      answered(emptyOutcomes(outcomesDocument(null, { seed: 9 }), nobody)),
    )
  })
})

describe('a release that was made before there were timelines', () => {
  const older = temporaryFolder(afterAll)
  let served: TestProxy
  beforeAll(async () => {
    await publishDocuments(older, { 'public/stats.json': {} }, ['Product'])
    served = await startProxy({ snapshots: older })
    return () => served.stop()
  })

  test.each([
    TIMELINE,
    `${TIMELINE}?period=all&interval=day`,
    `${TIMELINE}?category=Product`,
    `${TIMELINE}?category=nobody`,
    OUTCOMES,
    `${OUTCOMES}?category=Product`,
    `${OUTCOMES}?category=nobody`,
    '/api/analytics/export?type=timeline',
    '/api/analytics/export?type=timeline&period=all&interval=day&format=csv',
    '/api/analytics/export?type=outcomes&format=csv',
  ])('says that %s is not in it yet', async (target) => {
    const check = await contractOf(served.port)
    for (const asking of [{}, { headers: { 'If-None-Match': '*' } }, { headers: { 'Accept-Encoding': 'br' } }]) {
      const answer = await check.ask(target, asking)
      const message = 'These numbers are not in this release yet. They come with the first release of a newer builder.'
      expect([answer.status, answer.headers['cache-control']]).toEqual([500, 'no-store'])
      expect(answer.json()).toEqual({ error: 'Internal Server Error', message })
    }
    expect((await ask(served.port, target, { method: 'HEAD' })).status).toBe(500)
  })

  test('parameters are judged before that, and what it has is served', async () => {
    expect((await ask(served.port, `${TIMELINE}?period=1y`)).status).toBe(400)
    expect((await ask(served.port, '/api/public/stats')).status).toBe(200)
    for (const page of ['/healthz', '/readyz']) expect((await ask(served.port, page)).status).toBe(200)
  })

  test('is no damage: the log warns once, whatever is asked for', async () => {
    await ask(served.port, TIMELINE)
    const warned = served.log.filter(({ level }) => level === 'warn' || level === 'error')
    expect(warned).toEqual([
      { level: 'warn', message: expect.stringMatching(/^this release was made by an earlier version/) },
    ])
  })

  test('and the next release has it, without a restart', async () => {
    const dir = temporaryFolder()
    await publishDocuments(dir, { 'public/stats.json': {} }, ['Product'])
    const upgraded = await ownProxy({ snapshots: dir })
    expect((await ask(upgraded.port, timelineOf('7d', 'Product'))).status).toBe(500)
    await publishDocuments(dir, timeDocuments({ Product: FILES['Product']! }), ['Product'])
    await upgraded.watcher.look()
    expect((await ask(upgraded.port, timelineOf('7d', 'Product'))).text).toBe(
      answered(FILES['Product']!.timelines['7d']),
    )
  })
})

describe('a file of a category', () => {
  const path = `analytics/category/${categoryKey('Product')}.json`
  test.each<[string, (file: string) => Promise<unknown>]>([
    ['that is gone', (file) => rm(file)],
    ['that is another', (file) => writeFile(file, '{}')],
  ])('%s is damage, and so it is logged', async (_, break_) => {
    const dir = temporaryFolder()
    await publishDocuments(dir, timeDocuments({ Product: FILES['Product']! }), ['Product'])
    const { port, log } = await ownProxy({ snapshots: dir })
    await break_(join(dir, 'current', path))
    for (const target of [timelineOf('30d', 'Product'), outcomesOf('Product')]) {
      const { status, text } = await ask(port, target)
      expect([status, text]).toEqual([
        500,
        expect.stringContaining('"The snapshot for this request is missing or damaged.'),
      ])
    }
    expect(log.filter(({ level }) => level === 'error').length).toBeGreaterThan(0)
  })
})
