// Both programs as they are shipped (dist/, made by `npx tsc`), on the demo: every combination of valid parameters is
// answered, described by OpenAPI, and the same in CSV as in JSON; and the 101st request of an hour is refused.
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EXPORT_FORMATS } from '../../src/contract/kinds/export.ts'
import { ENDPOINTS } from '../../src/contract/kinds/register.ts'
import { EXPORT_TYPES } from '../../src/contract/kinds/tables.ts'
import { BOUNDED_PERIODS, PERIODS } from '../../src/contract/windows.ts'
import type { Manifest } from '../../src/release/format/manifest.ts'
import { contractOf, type Contract } from '../support/openapi.ts'
import { ask, runProgram, startProgram, type Answered, type ProxyProgram } from '../support/proxy.ts'
import { snapshotsFolder } from '../support/release.ts'

const BUILD = fileURLToPath(new URL('../../bin/analytics-build.js', import.meta.url))
const folder = snapshotsFolder()
let proxy: ProxyProgram
let contract: Contract
let manifest: Manifest
beforeAll(async () => {
  const built = await runProgram(['demo', '--snapshots', folder.dir], {}, BUILD)
  if (built.code !== 0) throw new Error(`analytics-build demo ended with ${built.code}: ${built.stderr}`)
  proxy = await startProgram(['--snapshots', folder.dir, '--rate-limit', '100000'])
  contract = await contractOf(proxy.port)
  manifest = (await ask(proxy.port, '/snapshots/current/manifest.json')).json() as unknown as Manifest
})
afterAll(async () => {
  await proxy?.kill()
  folder.remove()
})

/** A target with its parameters written out; null = left out. */
function target(path: string, parameters: Readonly<Record<string, string | number | null>>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]))
  return `${path}?${new URLSearchParams(given).toString()}`
}

/** Asks, compares the answer with OpenAPI and the release, and asks again with its ETag. */
async function swept(path: string): Promise<Answered> {
  const startMs = Date.now()
  const answer = await contract.ask(path)
  expect([path, answer.status]).toEqual([path, 200])
  expect(answer.headers).toMatchObject({ 'x-data-as-of': manifest.dataAsOf, 'x-snapshot-id': manifest.id })
  if (String(answer.headers['content-type']).startsWith('application/json')) {
    const { dataAsOf, generatedAt, version } = answer.json()
    if (!path.startsWith(ENDPOINTS.stats.path)) expect(dataAsOf).toBe(manifest.dataAsOf)
    expect(version).toBe('1.0')
    expect(Date.parse(String(generatedAt))).toBeGreaterThanOrEqual(startMs)
    expect(Date.parse(String(generatedAt))).toBeLessThanOrEqual(Date.now())
  }
  const copy = await contract.ask(path, { headers: { 'If-None-Match': String(answer.headers.etag) } })
  expect([path, copy.status]).toEqual([path, 304])
  return answer
}

describe('every combination of valid parameters', () => {
  test('stats', async () => {
    const { stats } = (await swept(ENDPOINTS.stats.path)).json() as { stats: Record<string, number> }
    const { users, ideas, votes, comments, launchedIdeas } = manifest.rows
    expect(stats).toMatchObject({
      totalUsers: users,
      totalIdeas: ideas,
      totalVotes: votes,
      totalComments: comments,
      launchedIdeas,
    })
  })

  test('trending: period × category × limit', async () => {
    const { path } = ENDPOINTS.trending
    const names = [null, ...manifest.categories.map(({ name }) => name), 'a category that nobody has']
    expect(names.length).toBeGreaterThan(5)
    for (const period of [null, ...BOUNDED_PERIODS])
      for (const category of names) {
        const lists: unknown[][] = []
        for (const limit of [1, 20, null, 100]) {
          const body = (await swept(target(path, { period, category, limit }))).json() as {
            ideas: { rank: number; category: string; categories: string[] }[]
          }
          const { ideas } = body
          expect(body).toMatchObject({ period: period ?? '7d', category, limit: limit ?? 20, count: ideas.length })
          expect(ideas.length).toBeLessThanOrEqual(limit ?? 20)
          expect(ideas.map(({ rank }) => rank)).toEqual(ideas.map((_, i) => i + 1))
          for (const idea of ideas)
            if (category === null) expect(idea.category).toBe(idea.categories.join('; '))
            else expect([idea.category, idea.categories]).toEqual([category, expect.arrayContaining([category])])
          lists.push(ideas)
        }
        const all = lists.at(-1) ?? []
        expect(lists).toEqual([all.slice(0, 1), all.slice(0, 20), all.slice(0, 20), all])
      }
  })

  test('categories: period', async () => {
    for (const period of [null, ...PERIODS]) {
      const body = (await swept(target(ENDPOINTS.categories.path, { period }))).json() as { categories: unknown[] }
      expect(body).toMatchObject({ period: period ?? '30d', count: body.categories.length })
      expect(body.categories).toHaveLength(manifest.categories.length)
    }
  })

  test('export: type × period × format, the rows of both formats alike', async () => {
    const { path } = ENDPOINTS.export
    for (const type of [null, ...EXPORT_TYPES])
      for (const period of [null, ...PERIODS]) {
        const answers = []
        for (const format of [null, ...EXPORT_FORMATS])
          answers.push(await swept(target(path, { type, period, format })))
        const [byDefault, json, csv] = answers
        const { data = [], rowCount = -1 } = (json?.json() ?? {}) as {
          data?: Record<string, Cell>[]
          rowCount?: number
        }
        expect(byDefault?.json()['data']).toEqual(data)
        expect(rowCount).toBe(data.length)
        expect(csv?.headers['content-disposition']).toContain(`analytics-${type ?? 'overview'}-${period ?? '30d'}-`)
        const [header = [], ...records] = parseCsv(csv?.text ?? '')
        expect(records).toHaveLength(rowCount)
        for (const [i, row] of data.entries()) {
          expect(header).toEqual(Object.keys(row))
          expect(unguarded(records[i] ?? [], Object.values(row))).toEqual(Object.values(row).map(cellOf))
        }
      }
  })
})

type Cell = string | number | boolean | null

/** RFC 4180 by its grammar: records end in CRLF, a quoted field doubles its quotes, a bare one has none. */
function parseCsv(text: string): string[][] {
  const records: string[][] = []
  const field = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/y
  const record: string[] = []
  while (field.lastIndex < text.length) {
    const at = field.lastIndex
    const [, raw = '', end] =
      field.exec(text) ?? expect.fail(`no CSV at ${at}: ${JSON.stringify(text.slice(at, at + 80))}`)
    record.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw)
    if (end === '\r\n') records.push(record.splice(0))
  }
  expect(record).toEqual([])
  return records
}

function cellOf(value: Cell | undefined): string {
  return value === null || value === undefined ? '' : String(value)
}

/** The cells without the `'` that precedes what a spreadsheet would run; it must be there, and nowhere else. */
function unguarded(cells: readonly string[], values: readonly Cell[]): string[] {
  return cells.map((cell, i) => {
    const text = cellOf(values[i])
    const isRun = /^[\s\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r]/u.test(text) && !/^-?\d+(\.\d+)?$/.test(text)
    if (typeof values[i] !== 'string' || !isRun) return cell
    return cell.startsWith("'") ? cell.slice(1) : expect.fail(`not guarded: ${JSON.stringify(cell)}`)
  })
}
