// Both programs as they are shipped (dist/), on the demo: the answer of every document of the release is the one that its file
// holds, is described by OpenAPI, is of this release and fresh, and is the same again by its ETag.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ENDPOINTS, type Combination, type EndpointName } from '../../src/contract/kinds/register.ts'
import { combinations, snapshotPath } from '../../src/contract/snapshot-paths.ts'
import type { Manifest } from '../../src/release/format/manifest.ts'
import { demoOnce } from '../support/demo.ts'
import { contractOf, type Contract } from '../support/openapi.ts'
import { ask, startProgram, type ProxyProgram } from '../support/proxy.ts'

let snapshots: string
let proxy: ProxyProgram
let contract: Contract
let manifest: Manifest
beforeAll(async () => {
  snapshots = await demoOnce()
  proxy = await startProgram(['--snapshots', snapshots, '--rate-limit', '100000'])
  contract = await contractOf(proxy.port)
  manifest = (await ask(proxy.port, '/snapshots/current/manifest.json')).json() as unknown as Manifest
})
afterAll(() => proxy?.kill())

/** Trending lists are written for the highest limit. */
function targetOf(endpoint: EndpointName, parameters: object): string {
  const given = Object.entries({ ...parameters, ...(endpoint === 'trending' ? { limit: 100 } : {}) })
  const shown = given.filter(([, value]) => value !== null && value !== undefined) as [string, unknown][]
  return `${ENDPOINTS[endpoint].path}?${new URLSearchParams(shown.map(([name, value]) => [name, String(value)])).toString()}`
}

const unstamped = (text: string): string => text.replace(/"generatedAt":"[^"]{24}"/, '')

test('every combination of parameters that has a file', async () => {
  const names = manifest.categories.map(({ name }) => name)
  const asked: Combination[] = [...combinations(names)].filter(({ endpoint }) => endpoint !== 'category')
  expect(asked.length).toBeGreaterThan(100)
  for (const combination of asked) {
    if (combination.endpoint === 'category') continue
    const { endpoint, ...parameters } = combination
    const target = targetOf(endpoint, parameters)
    const startMs = Date.now()
    const answer = await contract.ask(target)
    expect([target, answer.status]).toEqual([target, 200])
    expect(answer.headers).toMatchObject({ 'x-data-as-of': manifest.dataAsOf, 'x-snapshot-id': manifest.id })
    const written = readFileSync(join(snapshots, 'current', snapshotPath(combination)), 'utf8')
    expect(unstamped(answer.text), target).toBe(unstamped(written))
    if (String(answer.headers['content-type']).startsWith('application/json')) {
      const generatedMs = Date.parse(String(answer.json()['generatedAt']))
      expect([generatedMs >= startMs, generatedMs <= Date.now()]).toEqual([true, true])
    }
    const copy = await contract.ask(target, { headers: { 'If-None-Match': String(answer.headers.etag) } })
    expect([target, copy.status]).toEqual([target, 304])
  }
})
