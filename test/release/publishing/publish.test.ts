// publish() and s3-client.ts with object storage in memory: what is there afterwards, in which order it came, and what a reader
// meets meanwhile, whatever goes wrong with a request.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text as textIn } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { LOG_HEADER } from '../../../src/release/format/day-log.ts'
import { MARK, POINTER_KEY } from '../../../src/release/publishing/plan.ts'
import { currentId } from '../../../src/release/reading/release-list.ts'
import { switchTo } from '../../../src/release/writing/current-link.ts'
import { TRIED_AGAIN } from '../../support/fault-proxy.ts'
import { BUCKET, type MemoryS3 } from '../../support/memory-s3.ts'
import { HOUR_MS, made, scene, uploaded, type Scene } from './scene.ts'
import { keysOf, look, publishCurrent, smallRelease } from './small-release.ts'

const NEVER = new AbortController().signal
const keys = (s3: MemoryS3): string[] => [...s3.objects.keys()].sort()
const order = ({ asked }: MemoryS3): string[] => asked.filter((what) => /^(?:PUT|DELETE)/.test(what))

const IGNORES = 'the store ignores conditions: publish to it from one machine only'
const KEEPS = 'warn {} s3://statistics/town keeps versions of what is deleted: let a rule of its life cycle remove them'
/** Nothing else is to be said. */
const shows = (id: string): string => `info {"id":"${id}"} s3://statistics/town shows the current release`

/** What the log says of an upload, and how many objects it wrote and removed. */
async function counted({ s3, upload }: Scene) {
  const before = s3.requests.length
  const said = await upload()
  const counts = { sent: 0, copied: 0, removed: 0 }
  for (const { method, headers } of s3.requests.slice(before)) {
    if (method === 'DELETE') counts.removed += 1
    if (method === 'PUT') counts['x-amz-copy-source' in headers ? 'copied' : 'sent'] += 1
  }
  return { said, ...counts }
}

test('puts the release below its id first, its manifest last, then the pointer, then the site, and the pointer again', async () => {
  const place = scene()
  const { folder, s3 } = place
  const manifest = await smallRelease(folder, 1)
  expect(await counted(place)).toMatchObject({
    said: shows(manifest.id),
    removed: 0,
    copied: manifest.files.length + 1,
  })
  const pointers = s3.requests.filter(({ method, url }) => method === 'PUT' && url.endsWith(POINTER_KEY))
  const conditions = pointers.map(({ headers }) => [headers['if-none-match'], headers['if-match']?.length])
  expect(conditions).toEqual([
    ['*', undefined],
    [undefined, 34],
  ])
  expect(keys(s3)).toEqual(keysOf(manifest))
  const asked = order(s3)
  const at = asked.indexOf(`PUT ${POINTER_KEY}`)
  // Before the pointer one of the release is asked to be replaced on a condition that does not hold.
  expect(asked.splice(at - 1, 1)).toEqual([`PUT snapshots/releases/${manifest.id}/analytics/export/ideas/7d.csv`])
  const stageOf = (what: string, i: number): number => {
    if (what === `PUT ${POINTER_KEY}`) return i === at - 1 ? 2 : 6
    if (what.includes(`/${manifest.id}/`)) return Number(what.endsWith('manifest.json'))
    return what === 'PUT manifest.json' ? 5 : what === 'PUT index.html' ? 4 : 3
  }
  const stages = asked.map(stageOf)
  expect(stages).toEqual([...stages].sort((a, b) => a - b))
  expect(new Set(stages)).toEqual(new Set([0, 1, 2, 3, 4, 5, 6]))
})

test('signs what it sends, and never shows the secret', async () => {
  const { s3 } = await uploaded()
  for (const { headers, url } of s3.requests) {
    expect(headers['authorization']).toMatch(
      /^AWS4-HMAC-SHA256 Credential=an-id\/\d{8}\/eu-central-1\/s3\/aws4_request, /,
    )
    // A proxy on the way may change the rest.
    const signed = /SignedHeaders=([^,]*),/.exec(headers['authorization'] ?? '')?.[1]?.split(';')
    expect(signed?.filter((name) => !name.startsWith('x-amz-'))).toEqual(['host'])
    expect(headers['x-amz-content-sha256']).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.stringify([headers, url])).not.toContain('a-secret')
  }
})

test('gives each object its type and how long it may be kept, also a copy', async () => {
  const { folder, s3, upload } = scene()
  const { id } = await smallRelease(folder, 1)
  await upload()
  const LONG = 'public, max-age=3600, immutable'
  const SHORT = 'public, max-age=60, stale-while-revalidate=300, stale-if-error=86400'
  const rows = [
    [`snapshots/releases/${id}/index.html`, 'text/html; charset=utf-8', LONG],
    [`snapshots/releases/${id}/index.html.br`, 'application/octet-stream', LONG],
    [`snapshots/releases/${id}/public/stats.json.gz`, 'application/gzip', LONG],
    [`snapshots/releases/${id}/manifest.json`, 'application/json; charset=utf-8', LONG],
    ['index.html', 'text/html; charset=utf-8', SHORT],
    ['assets/page-0123456789.css', 'text/css; charset=utf-8', LONG],
    ['analytics/export/ideas/7d.csv', 'text/csv; charset=utf-8', SHORT],
    ['manifest.json', 'application/json; charset=utf-8', SHORT],
    [POINTER_KEY, 'application/json; charset=utf-8', SHORT],
  ] as const
  for (const [key, type, cache] of rows) {
    const headers = s3.objects.get(key)?.headers ?? {}
    expect([key, headers['content-type'], headers['cache-control']]).toEqual([key, type, cache])
    expect(headers).not.toHaveProperty('content-encoding')
    expect(headers[MARK]).toMatch(/^[0-9a-f]{64}$/)
  }
})

test('sends and copies of the next release only what changed, and keeps the one before for an hour', async () => {
  const place = scene()
  const { folder, paths, s3, upload } = place
  const first = await smallRelease(folder, 1)
  await upload()
  s3.nowMs += HOUR_MS
  const second = await smallRelease(folder, 2, { 'fr/index.html': '<!doctype html>' })
  // One of them is the manifest of the release that is replaced.
  expect(await counted(place)).toMatchObject({ removed: 0, copied: 6 })
  rmSync(join(paths.releases, first.id), { recursive: true })
  s3.nowMs += HOUR_MS
  expect(await counted(place)).toEqual({ said: shows(second.id), sent: 0, copied: 0, removed: 0 })
  s3.nowMs += 1000
  await upload()
  expect(keys(s3)).toEqual(keysOf(second))
  const third = await smallRelease(folder, 3)
  await upload()
  expect(keys(s3)).toEqual(keysOf(third, second).filter((key) => key !== 'fr/index.html'))
})

test('asks, lists and writes nothing where all is there already', async () => {
  const { folder, s3, upload } = scene()
  s3.pageSize = 1000
  const { id } = await smallRelease(folder, 1)
  await upload()
  s3.asked.length = 0
  await upload()
  const heads = [`HEAD snapshots/releases/${id}/manifest.json`, `HEAD ${POINTER_KEY}`]
  expect(s3.asked).toEqual([expect.stringMatching(/^GET \?list-type=2/), ...heads])
})

test('goes back, and what was gone back from is not removed before its hour', async () => {
  const { folder, paths, s3, ids, upload } = scene()
  const [first, second] = [await smallRelease(folder, 1), await smallRelease(folder, 2)]
  await switchTo(paths, first.id, 0)
  await upload()
  s3.nowMs += HOUR_MS
  await switchTo(paths, second.id, 0)
  await upload()
  s3.nowMs += 5 * HOUR_MS
  await switchTo(paths, first.id, 0)
  rmSync(join(paths.releases, second.id), { recursive: true })
  await upload()
  expect(ids).toEqual([first.id, second.id, first.id])
  expect(s3.objects.get('manifest.json')?.bytes).toEqual(s3.objects.get(POINTER_KEY)?.bytes)
  s3.nowMs += HOUR_MS
  await upload()
  expect(keys(s3)).toEqual(keysOf(first, second))
  // Of a clock that says whole seconds.
  s3.nowMs += 1000
  await upload()
  expect(keys(s3)).toEqual(keysOf(first))
})

test('says that a bucket keeps versions only where all else had to go', async () => {
  const place = scene()
  const { folder, paths, s3, upload } = place
  s3.versions = true
  const first = await smallRelease(folder, 1, { 'fr/index.html': 'x' })
  await upload()
  const second = await smallRelease(folder, 2)
  rmSync(join(paths.releases, first.id), { recursive: true })
  expect(await counted(place)).toMatchObject({ removed: 1, said: shows(second.id) })
  expect(await upload({ atOnce: true })).toContain(KEEPS)
})

test('touches nothing that it did not put there', async () => {
  const { folder, s3, upload } = scene()
  const below = ['x', 'releases/mine/x', 'releases/2025-01/paper.pdf', 'current/x'].map((key) => `snapshots/${key}`)
  const theirs = ['notes.txt', 'about/index.html', 'de/index.html', ...below, 'a&b']
  for (const key of theirs)
    s3.objects.set(key, { bytes: Buffer.from('theirs'), etag: 'x', headers: {}, modifiedMs: s3.nowMs })
  const manifest = await smallRelease(folder, 1)
  await upload({ atOnce: true })
  expect(keys(s3)).toEqual([...keysOf(manifest), ...theirs].sort())
})

test('leaves nothing but the empty release of a site that closes', async () => {
  const { folder, paths, s3, upload } = scene()
  await smallRelease(folder, 1, { 'fr/index.html': 'x' })
  const log = join(folder, 'log.csv')
  writeFileSync(log, `${LOG_HEADER}\n`)
  await upload()
  expect(s3.objects.get('snapshots/log.csv')?.bytes.toString()).toBe(`${LOG_HEADER}\n`)
  rmSync(log)
  s3.versions = true
  const closed = await smallRelease(folder, 2, {}, true)
  // What could not be removed goes with the next call.
  s3.fault = (_, what) =>
    what.startsWith('DELETE') && what.endsWith('.css') ? { status: 403, code: 'AccessDenied' } : null
  await expect(upload()).rejects.toThrow('403 AccessDenied')
  s3.fault = () => null
  const effects = { signal: NEVER, send: s3.send }
  const left = async () => (await look(paths, closed.id, effects)).left
  // Below releases/, and where visitors find the site; what another program put there stays.
  const [site, ours] = keys(s3).filter((key) => key.endsWith('.css'))
  expect([site?.startsWith('assets/'), ours?.startsWith('snapshots/releases/')]).toEqual([true, true])
  const before = await left()
  expect(before).toBeGreaterThanOrEqual(2)
  s3.objects.set('logo.svg', { ...s3.objects.get(site!)!, headers: {} })
  expect(await left()).toBe(before)
  s3.objects.delete('logo.svg')
  expect(await upload()).toContain(KEEPS)
  expect(await look(paths, closed.id, effects)).toEqual({ id: closed.id, left: 0, stranger: null })
  expect(keys(s3)).toEqual(keysOf(closed))
})

test('says how many objects are still to be written: the log of days is not among them', async () => {
  const { folder, paths, s3, upload } = scene()
  const left = async (id: string) =>
    (await look(paths, id, { signal: NEVER, send: s3.send, sleep: async () => {} })).left
  writeFileSync(join(folder, 'log.csv'), `${LOG_HEADER}\n`)
  const first = await smallRelease(folder, 1)
  const before = await left(first.id)
  await upload()
  expect([before, await left(first.id)]).toEqual([s3.objects.size - 1, 0])
  const second = await smallRelease(folder, 2)
  await upload()
  rmSync(join(paths.releases, first.id), { recursive: true })
  s3.nowMs += 2 * HOUR_MS
  // What is to be removed, of a site that is not closed, is no hurry.
  expect(await left(second.id)).toBe(0)
})

test.each([[false], ['refused']] as const)('notices a store whose conditions are %s', async (conditions) => {
  const { folder, s3, upload } = scene()
  s3.conditions = conditions
  const manifest = await smallRelease(folder, 1)
  expect(await upload()).toContain(IGNORES)
  expect(keys(s3)).toEqual(keysOf(manifest))
})

test.each(['another', 'none'] as const)('needs no ETag that is an MD5: %s', async (etags) => {
  const place = scene()
  const { folder, paths, s3, ids, upload } = place
  s3.etags = etags
  s3.conditions = etags === 'another'
  const first = await smallRelease(folder, 1)
  await upload()
  expect(await counted(place)).toEqual({ said: shows(first.id), sent: 0, copied: 0, removed: 0 })
  const second = await smallRelease(folder, 2)
  expect((await upload()).includes(IGNORES)).toBe(!s3.conditions)
  expect([ids, keys(s3)]).toEqual([[first.id, second.id], keysOf(second, first)])
  await switchTo(paths, first.id, 0)
  await upload()
  expect(s3.objects.get('index.html')?.bytes.toString()).toContain('<title>1<')
})

test('puts back the manifest of the site, and a log of any bytes', async () => {
  const place = scene()
  const { folder, s3, upload } = place
  const manifest = await smallRelease(folder, 1)
  const log = Buffer.concat([Buffer.from(`${LOG_HEADER}\n`), Buffer.from([0xff, 0x0a])])
  writeFileSync(join(folder, 'log.csv'), log)
  await upload()
  expect(s3.objects.get('snapshots/log.csv')?.bytes).toEqual(log)
  expect(await counted(place)).toMatchObject({ sent: 0, copied: 0 })
  s3.objects.delete('manifest.json')
  // The pointer says again that all is there, on a condition that is tried first.
  expect(await counted(place)).toMatchObject({ sent: 2, copied: 1 })
  expect(keys(s3)).toEqual([...keysOf(manifest), 'snapshots/log.csv'].sort())
})

test('does not replace a pointer that somebody else has written meanwhile', async () => {
  const { folder, s3, upload } = await uploaded()
  await smallRelease(folder, 2)
  s3.fault = (_, what) => {
    if (what === `PUT ${POINTER_KEY}`)
      s3.objects.set(POINTER_KEY, {
        bytes: Buffer.from('{}'),
        etag: 'other',
        headers: { 'x-amz-meta-analytics-id': '20260520T100000000Z-0123abcd' },
        modifiedMs: 0,
      })
    return null
  }
  s3.changed = () => {}
  await expect(upload()).rejects.toThrow(
    'snapshots/current/manifest.json was written by somebody else meanwhile, and names 20260520T100000000Z-0123abcd; publish from one machine only',
  )
})

test('does not take for its own a pointer that another program wrote between its two', async () => {
  const { s3, upload } = await made()
  let pointers = 0
  s3.fault = (_, what) => {
    if (what === `PUT ${POINTER_KEY}` && ++pointers === 2)
      s3.objects.set(POINTER_KEY, { ...s3.objects.get(POINTER_KEY)!, etag: 'another' })
    return null
  }
  await expect(upload()).rejects.toThrow('was written by somebody else meanwhile')
})

describe('where an upload has not ended', () => {
  const refused = { status: 403, code: 'AccessDenied' } as const
  const title = ({ objects }: MemoryS3): string => objects.get('index.html')?.bytes.toString().slice(0, 30) ?? ''

  test.each(['pointer', 'site', 'end'])('at its %s, a rollback shows the earlier release everywhere', async (where) => {
    const { first, folder, paths, s3, upload } = await uploaded()
    s3.nowMs += HOUR_MS
    const second = await smallRelease(folder, 2)
    let pointers = 0
    s3.fault = (_, what) => {
      if (what === `PUT ${POINTER_KEY}`) pointers += 1
      const isMet = { pointer: pointers === 1, site: what === 'PUT index.html', end: pointers === 2 }[where]
      return isMet ? refused : null
    }
    await expect(upload()).rejects.toThrow('403 AccessDenied')
    s3.fault = () => null
    const effects = { signal: NEVER, send: s3.send }
    expect((await look(paths, second.id, effects)).left).toBeGreaterThan(0)
    await switchTo(paths, first.id, 0)
    await upload()
    expect([title(s3), s3.objects.get('manifest.json')?.bytes]).toEqual([
      expect.stringContaining('<title>1<'),
      s3.objects.get(POINTER_KEY)?.bytes,
    ])
    expect(await look(paths, first.id, effects)).toEqual({ id: first.id, left: 0, stranger: null })
    // What never was current, and what was for a moment.
    rmSync(join(paths.releases, second.id), { recursive: true })
    s3.nowMs += HOUR_MS + 1000
    await upload()
    expect(keys(s3)).toEqual(keysOf(first))
  })

  test('and was of another builder, its pages do not come over those of who was first', async () => {
    const { folder, paths, s3, ids, upload } = scene()
    await smallRelease(folder, 1)
    await upload()
    const other = scene()
    await smallRelease(other.folder, 3)
    await smallRelease(folder, 2)
    let isFirst = true
    s3.changed = () => {}
    const send = (async (url: string, how: object) => {
      // Just before its pointer the other one is through.
      if (isFirst && url.endsWith(POINTER_KEY) && 'method' in how && how.method === 'PUT') {
        isFirst = false
        await upload()
      }
      return s3.send(url, how)
    }) as typeof s3.send
    const late = publishCurrent(other.paths, BUCKET, { acceptSite: true }, { signal: NEVER, send })
    await expect(late).rejects.toThrow('was written by somebody else meanwhile')
    expect([title(s3), ids.length]).toEqual([expect.stringContaining('<title>2<'), 1])
    expect(await look(paths, (await currentId(paths))!, { signal: NEVER, send: s3.send })).toMatchObject({
      left: 0,
    })
  })
})

test('removes no release before its hour, whatever an upload left meanwhile', async () => {
  const { first, folder, paths, s3, upload } = await uploaded()
  s3.nowMs += HOUR_MS
  await smallRelease(folder, 2)
  s3.fault = (_, what) => (what === `PUT ${POINTER_KEY}` ? 'killed' : null)
  await expect(upload()).rejects.toThrow('killed')
  s3.fault = () => null
  s3.nowMs += HOUR_MS
  await smallRelease(folder, 3)
  rmSync(join(paths.releases, first.id), { recursive: true })
  await upload()
  const isThere = () => s3.objects.has(`snapshots/releases/${first.id}/manifest.json`)
  s3.nowMs += HOUR_MS
  await smallRelease(folder, 4)
  await upload()
  expect(isThere()).toBe(true)
  s3.nowMs += 1000
  await upload()
  expect(isThere()).toBe(false)
})

describe('stores that answer in ways of their own', () => {
  type Got = Awaited<ReturnType<MemoryS3['send']>>
  /** Uploads twice, through what a store makes of its answers. */
  const uploads = async (change: (got: Got, url: string, method: string) => Promise<object> | object) => {
    const { folder, paths, s3 } = scene()
    const send = (async (url: string, how: { method: string }) => {
      const got = await s3.send(url, how)
      return { ...got, ...(await change(got, url, how.method)) }
    }) as typeof s3.send
    const upload = () => publishCurrent(paths, BUCKET, {}, { signal: NEVER, send, sleep: async () => {} })
    await smallRelease(folder, 1)
    await upload()
    const manifest = await smallRelease(folder, 2)
    return { s3, manifest, done: await upload() }
  }
  const without = (names: readonly string[], { headers }: Got): object =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))

  const TAKEN: Record<string, Parameters<typeof uploads>[0]> = {
    'a weak ETag': ({ headers }) => ({
      headers: headers['etag'] ? { ...headers, etag: `W/${String(headers['etag'])}` } : headers,
    }),
    'no ETag of a head': (got, _, method) => ({ headers: method === 'HEAD' ? without(['etag'], got) : got.headers }),
    'no Date': (got) => ({ headers: without(['date'], got) }),
    '403 for what is not there': ({ statusCode }, _, method) =>
      method === 'HEAD' && statusCode === 404 ? { statusCode: 403 } : {},
  }
  test.each(Object.entries(TAKEN))('%s', async (_, change) => {
    const { s3, done } = await uploads(change)
    expect([done, s3.objects.get('index.html')?.bytes.toString()]).toEqual([
      expect.not.stringContaining(IGNORES),
      expect.stringContaining('<title>2<'),
    ])
  })

  const textOf = ({ body }: Got): Promise<string> => textIn(body)
  const bodyOf = (text: string) => ({ body: Readable.from([Buffer.from(text)]) })
  const REFUSED: Record<string, [Parameters<typeof uploads>[0], RegExp]> = {
    'a listing that ends without saying where it goes on': [
      async (got, url) =>
        url.includes('list-type')
          ? bodyOf((await textOf(got)).replace(/<NextContinuationToken>.*<\/NextContinuationToken>/, ''))
          : {},
      /^s3:\/\/statistics\/town lists a part only; use a store with ListObjectsV2/,
    ],
    'a web page in place of a listing': [
      (_, url) => (url.includes('list-type') ? bodyOf('<!doctype html><title>Console</title>') : {}),
      /: 200 but not what S3 answers; check the bucket, AWS_REGION, AWS_ENDPOINT_URL_S3, AWS_ACCESS_KEY_ID/,
    ],
  }
  test.each(Object.entries(REFUSED))('%s', async (_, [change, message]) => {
    await expect(uploads(change)).rejects.toThrow(message)
  })

  test('400 for conditions, and for a request that took too long once', async () => {
    const { s3, upload } = await made()
    let isLate = true
    s3.fault = (_, what) => {
      const { headers } = s3.requests.at(-1)!
      if ('if-match' in headers || 'if-none-match' in headers) return { status: 400, code: 'InvalidArgument' }
      if (!isLate || !what.startsWith('PUT')) return null
      isLate = false
      return { status: 400, code: 'RequestTimeout' }
    }
    expect(await upload()).toContain(IGNORES)
  })
})

describe('a fault of every request once', () => {
  const faults = [...TRIED_AGAIN, 'error in a 200'] as const
  test.each(faults.flatMap((fault) => [true, false].map((conditions) => ({ fault, conditions }))))(
    '$fault, conditions $conditions',
    async ({ fault, conditions }) => {
      const { folder, s3, ids, upload } = scene()
      s3.conditions = conditions
      const first = await smallRelease(folder, 1)
      await upload()
      const second = await smallRelease(folder, 2)
      const met = new Set<string>()
      s3.fault = (_, what) => {
        // A body that only copies and listings have.
        if ((fault === 'cut' || fault === 'error in a 200') && !/list-type|^PUT (?!snapshots\/)/.test(what)) return null
        if (met.has(what)) return null
        met.add(what)
        return fault
      }
      await upload()
      expect(ids).toEqual([first.id, second.id])
      expect(keys(s3)).toEqual(keysOf(second, first))
      expect(s3.objects.get('index.html')?.bytes.toString()).toContain('<title>2<')
    },
  )
})

describe('names the key, the status and the code of what it gives up on', () => {
  const CHECK = `; check the bucket, AWS_REGION, ${BUCKET.from}, AWS_ACCESS_KEY_ID, and that this key may list, read, write and delete there`
  const ROWS = [
    [301, 'PermanentRedirect', CHECK],
    [400, 'EntityTooLarge', ''],
    [401, 'Unauthorized', CHECK],
    [403, 'AccessDenied', CHECK],
    [404, 'NoSuchBucket', CHECK],
    [501, 'NotImplemented', ''],
    [503, 'SlowDown', ''],
    [503, '', ''],
    [507, 'StorageFull', ''],
  ] as const
  test.each(ROWS)('%i %s', async (status, code, advice) => {
    const { s3, upload } = await made()
    s3.fault = (_, what) => (what.startsWith('PUT') && what.includes('robots') ? { status, code } : null)
    const ended = await upload().catch((error: Error) => error.message)
    expect(ended.replace(/\d{8}T[^/]*/, 'ID')).toBe(
      `cannot PUT s3://statistics/town/snapshots/releases/ID/robots.txt: ${`${status} ${code}`.trim()} said so${advice}`,
    )
  })

  test('a pointer without condition, a copy that fails, a listing, and a request without a body', async () => {
    const { s3, upload } = await made()
    s3.conditions = false
    s3.fault = (_, what) => (what === `PUT ${POINTER_KEY}` ? { status: 404, code: 'NoSuchBucket' } : null)
    await expect(upload()).rejects.toThrow(/current\/manifest\.json: 404 NoSuchBucket said so; check the bucket, /)
    s3.conditions = true
    s3.fault = (_, what) => (what === 'PUT index.html' ? 'error in a 200' : null)
    await expect(upload()).rejects.toThrow(
      /^cannot PUT s3:\/\/statistics\/town\/index\.html: 200 InternalError said so$/,
    )
    s3.fault = (_, what) => (what.startsWith('HEAD') ? { status: 403, code: '' } : null)
    await expect(upload()).rejects.toThrow(/manifest\.json: 403 said so; check the bucket, /)
    s3.fault = () => ({ status: 503, code: 'SlowDown' })
    await expect(upload()).rejects.toThrow(/^cannot GET s3:\/\/statistics\/town\/: 503 SlowDown said so$/)
  })
})

test('waits for its next try no longer than until it is told to stop', async () => {
  const { folder, paths, s3 } = scene()
  await smallRelease(folder, 1)
  s3.fault = () => ({ status: 503, code: 'SlowDown' })
  const stop = new AbortController()
  const sleep = (_: number, signal: AbortSignal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', resolve)
      stop.abort(new Error('stopped'))
    })
  await expect(publishCurrent(paths, BUCKET, {}, { signal: stop.signal, send: s3.send, sleep })).rejects.toThrow(
    'GET s3://statistics/town/ was not done, the last answer of the store: 503 SlowDown said so',
  )
})

test('sends nothing any more when one request has failed for good', async () => {
  const { s3, upload } = await made()
  s3.fault = (_, what) => {
    if (!what.startsWith('PUT')) return null
    return what.includes('robots') ? { status: 403, code: 'AccessDenied' } : { status: 503, code: 'SlowDown' }
  }
  await expect(upload()).rejects.toThrow('403 AccessDenied')
  const { length } = s3.asked
  for (let i = 0; i < 50; i++) await new Promise(setImmediate)
  expect(s3.asked).toHaveLength(length)
})
