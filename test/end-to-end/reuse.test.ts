// The recipes of docs/index.html (src/site/pages/recipes.ts) as they are printed, against the proxy; and every CSV of a release
// against its datapackage.json.
// real test: the programs, curl, python3
// long test: builds and serves for each case
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EXPORT_COLUMNS } from '../../src/contract/columns.ts'
import { RECIPES } from '../../src/site/pages/recipes.ts'
import { demoOnce } from '../support/demo.ts'
import { startProgram, type ProxyProgram } from '../support/proxy.ts'

const run = promisify(execFile)

let folder = ''
let snapshots = ''
let proxy: ProxyProgram | undefined
let base = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'analytics-reuse-'))
  snapshots = await demoOnce()
  proxy = await startProgram(['--snapshots', snapshots])
  base = proxy.base.replace(/\/$/, '')
})
afterAll(async () => {
  await proxy?.kill()
  if (folder !== '') await rm(folder, { recursive: true, force: true })
})

async function json<T>(path: string): Promise<T> {
  return (await (await fetch(`${base}/${path}`)).json()) as T
}

describe('the recipe', () => {
  const code = (wanted: string): string =>
    RECIPES.find(({ name }) => name === wanted)?.code(base) ?? expect.fail(`there is no recipe ${wanted}`)

  async function inFolder(name: string): Promise<string> {
    const own = join(folder, `.recipe-${name}`)
    await mkdir(own, { recursive: true })
    return own
  }

  test('for curl gets a table', async () => {
    const cwd = await inFolder('curl')
    await run('sh', ['-c', code('curl')], { cwd })
    const [head] = (await readFile(join(cwd, 'ideas.csv'), 'utf8')).split('\r\n')
    expect(head).toBe(EXPORT_COLUMNS.ideas.join(','))
  })

  test('for curl gets it again only if it changed', async () => {
    const cwd = await inFolder('curl-again')
    const get = async (): Promise<string> =>
      (await run('sh', ['-c', `${code('curl-again')} --silent --write-out '%{http_code}'`], { cwd })).stdout
    expect(await get()).toBe('200')
    const { size } = await stat(join(cwd, 'ideas.csv'))
    expect(size).toBeGreaterThan(100)
    expect(await get()).toBe('304')
    expect((await stat(join(cwd, 'ideas.csv'))).size).toBe(size)
  })

  test('for JavaScript lists the trending ideas', async () => {
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code('javascript')])
    const { dataAsOf, ideas } = await json<{ dataAsOf: string; ideas: { title: string; votes: number }[] }>(
      'analytics/trending/7d/all.json',
    )
    const lines = ideas.slice(0, 10).map(({ title, votes }, i) => `${i + 1} ${title} ${votes}`)
    // One text: a title may have several lines.
    expect(stdout.trimEnd()).toBe([`As of ${dataAsOf}`, ...lines].join('\n'))
  })

  test('for Python adds up to what the timeline says', async () => {
    const { stdout } = await run('python3', ['-c', code('python')])
    const { buckets } = await json<{ buckets: { bucket: string; votes: number }[] }>('analytics/timeline/all.json')
    expect(stdout.trimEnd().split('\n')).toEqual(buckets.map(({ bucket, votes }) => `${bucket.slice(0, 7)} ${votes}`))
  })

  test.each(RECIPES)('$name names files that are there', async ({ code: text }) => {
    const addresses = [...text(base).matchAll(/http:\/\/[^\s'")]+/g)].map(([address]) => address)
    expect(addresses).toHaveLength(1)
    for (const address of addresses) expect((await fetch(address)).status, address).toBe(200)
  })

  test('names columns that are there', () => {
    for (const column of ['bucket', 'category', 'votes'])
      expect(EXPORT_COLUMNS['timeline-by-category']).toContain(column)
    for (const column of ['status', 'totalVotes']) expect(EXPORT_COLUMNS.ideas).toContain(column)
    for (const column of ['category', 'totalIdeas', 'votes', 'ideas'])
      expect(EXPORT_COLUMNS.categories).toContain(column)
  })
})

interface Field {
  readonly name: string
  readonly type: string
  readonly missingValues?: readonly { readonly value: string }[]
  readonly constraints?: {
    readonly required?: boolean
    readonly minimum?: number
    readonly enum?: readonly string[]
    readonly pattern?: string
  }
}

/** Table Schema, "Field types". */
const LEXICAL: Readonly<Record<string, RegExp>> = {
  string: /^/,
  integer: /^-?\d+$/,
  number: /^-?\d+(?:\.\d+)?$/,
  boolean: /^(?:true|false)$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  datetime: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
}

function whyNot(cell: string, { type, missingValues, constraints = {} }: Field): string | null {
  const missing = missingValues?.map(({ value }) => value) ?? ['']
  if (missing.includes(cell)) return constraints.required === true ? 'missing' : null
  if (LEXICAL[type]?.test(cell) !== true) return `not of type ${type}`
  if (constraints.minimum !== undefined && Number(cell) < constraints.minimum) return 'below the minimum'
  if (constraints.enum?.includes(cell) === false) return 'none of the values'
  return constraints.pattern !== undefined && !new RegExp(constraints.pattern).test(cell) ? 'not of the pattern' : null
}

test('every CSV is what datapackage.json says of it, cell by cell', async () => {
  const { resources } = await json<{
    resources: { name: string; path: string; bytes: number; schema: { fields: Field[] } }[]
  }>('datapackage.json')
  const missing = new Map<string, number>()
  for (const { name, path, bytes, schema } of resources) {
    const body = Buffer.from(await (await fetch(`${base}/${path}`)).arrayBuffer())
    expect(body.length, path).toBe(bytes)
    const [head = [], ...rows] = parse(body, { record_delimiter: '\r\n' })
    expect(head, path).toEqual(schema.fields.map((field) => field.name))
    for (const row of rows)
      for (const [i, field] of schema.fields.entries()) {
        const why = whyNot(row[i] ?? '', field)
        if (why !== null) expect.fail(`${name}, ${field.name}: ${JSON.stringify(row[i])} is ${why}`)
        if (row[i] === '') missing.set(field.name, (missing.get(field.name) ?? 0) + 1)
      }
  }
  expect(resources).toHaveLength(51)
  // The demo has some of each, or the test would not see a wrong one.
  for (const column of ['launchedAt', 'previousIdeas', 'launchedWithin365Days', 'changePercent'])
    expect(missing.get(column), column).toBeGreaterThan(0)
})
