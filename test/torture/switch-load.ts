// Owns asking a proxy many things at once, and comparing each answer with the release that it names: bytes,
// times, ETag. Publishes nothing.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Pool } from 'undici'
import { ENDPOINTS, type EndpointName } from '../../src/contract/kinds/register.ts'
import type { Manifest } from '../../src/release/format/manifest.ts'

/** What is asked, and the file of the release with the answer; trending lists are asked whole. */
const ASKED_OF: Readonly<Record<EndpointName, readonly (readonly [query: string, file: string])[]>> = {
  stats: [['', 'public/stats.json']],
  trending: [
    ['?limit=100', 'analytics/trending/7d/all.json'],
    ['?limit=100&period=24h', 'analytics/trending/24h/all.json'],
  ],
  categories: [['', 'analytics/categories/30d.json']],
  timeline: [['?period=90d', 'analytics/timeline/90d.json']],
  outcomes: [['', 'analytics/outcomes.json']],
  export: [
    ['?type=overview', 'analytics/export/overview/30d.json'],
    ['?type=ideas&period=24h&format=csv', 'analytics/export/ideas/24h.csv'],
  ],
}
const ASKED = Object.values(ENDPOINTS).flatMap(({ name, path }) =>
  ASKED_OF[name].map(([query, file]) => [`${path}${query}`, file] as const),
)
const CODINGS = ['identity', 'gzip', 'br'] as const
const CONNECTIONS = 16

interface Expected {
  readonly manifest: Manifest
  readonly texts: ReadonlyMap<string, string>
}

export interface SwitchLoad {
  /** Says what a release contains, while its files are there. */
  published(folder: string, manifest: Manifest): void
  /** The release that the last answer was of. */
  readonly seen: string | null
  readonly requests: number
  readonly problems: readonly string[]
  stop(): Promise<void>
}

export function startSwitchLoad(base: string): SwitchLoad {
  const pool = new Pool(base, { connections: CONNECTIONS })
  const releases = new Map<string, PromiseWithResolvers<Expected>>()
  const etags = new Map<string, string>()
  const problems: string[] = []
  const now: { requests: number; seen: string | null; stopped: boolean } = { requests: 0, seen: null, stopped: false }

  /** An answer may come before published() is called: the switch is what publishes. */
  const expected = (id: string): PromiseWithResolvers<Expected> => {
    const known = releases.get(id) ?? withResolvers<Expected>()
    releases.set(id, known)
    return known
  }
  const askOnce = async (n: number): Promise<void> => {
    const [target = '', file = ''] = ASKED[n % ASKED.length] ?? []
    const coding = CODINGS[n % CODINGS.length] ?? 'identity'
    const answer = await pool.request({ path: target, method: 'GET', headers: { 'accept-encoding': coding } })
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    now.requests += 1
    const header = (name: string): string => String(answer.headers[name])
    const id = header('x-snapshot-id')
    const wrong = (what: string): void => void problems.push(`${target} of ${id}: ${what}`)
    if (answer.statusCode !== 200) return wrong(`${answer.statusCode} ${bytes.toString().slice(0, 200)}`)
    now.seen = id
    const { manifest, texts } = await expected(id).promise
    if (withoutGeneratedAt(decoded(bytes, header('content-encoding'))) !== texts.get(file)) wrong('not its bytes')
    if (header('x-data-as-of') !== manifest.dataAsOf) wrong(`X-Data-As-Of ${header('x-data-as-of')}`)
    if (Date.parse(header('last-modified')) !== Math.floor(Date.parse(manifest.dataAsOf) / 1000) * 1000)
      wrong(`Last-Modified ${header('last-modified')}`)
    const [key, etag] = [`${id} ${target}`, header('etag')]
    if ((etags.get(key) ?? etag) !== etag) wrong(`ETag ${etag}, before it ${etags.get(key)}`)
    etags.set(key, etag)
  }
  const loop = async (from: number): Promise<void> => {
    for (let n = from; !now.stopped; n += CONNECTIONS + 1)
      await askOnce(n).catch((error: Error) => problems.push(`a request failed: ${error.message}`))
  }
  const loops = Array.from({ length: CONNECTIONS }, (_, i) => loop(i))
  return {
    published(folder, manifest) {
      const text = (file: string): string => readFileSync(join(folder, file), 'utf8')
      expected(manifest.id).resolve({
        manifest,
        texts: new Map(ASKED.map(([, file]) => [file, withoutGeneratedAt(text(file))])),
      })
    },
    get seen() {
      return now.seen
    },
    get requests() {
      return now.requests
    },
    problems,
    async stop() {
      now.stopped = true
      for (const [id, { reject }] of releases) reject(new Error(`no release ${id} was published`))
      await Promise.all(loops)
      await pool.close()
    },
  }
}

function decoded(bytes: Buffer, coding: string): string {
  if (coding === 'gzip') return gunzipSync(bytes).toString()
  return (coding === 'br' ? brotliDecompressSync(bytes) : bytes).toString()
}

function withoutGeneratedAt(text: string): string {
  return text.replace(/"generatedAt":"[^"]{24}"/, '')
}

interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: Error) => void
}

/** Node 20 has no Promise.withResolvers. */
function withResolvers<T>(): PromiseWithResolvers<T> {
  let [resolve, reject]: [(value: T) => void, (error: Error) => void] = [() => {}, () => {}]
  const promise = new Promise<T>((onValue, onError) => ([resolve, reject] = [onValue, onError]))
  promise.catch(() => {})
  return { promise, resolve, reject }
}
