// Coded answers: the same document in fewer bytes, with the timestamp of the moment, whatever the snapshot's size.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { ask, NOW_MS, serving } from '../../support/proxy.ts'

const TARGETS = [
  '/api/analytics/trending?limit=100',
  '/api/analytics/trending?limit=20',
  '/api/analytics/trending?limit=20&category=Product',
  '/api/analytics/categories?period=all',
  '/api/analytics/export?type=users&period=90d',
  '/api/analytics/export?type=users&period=90d&format=csv',
  // Over 1 MiB: streamed.
  '/api/analytics/export?type=ideas&period=all',
  '/api/analytics/export?type=ideas&period=all&format=csv',
] as const

const decoded = (body: Buffer, coding: string | undefined): string =>
  (coding === 'gzip' ? gunzipSync(body) : coding === 'br' ? brotliDecompressSync(body) : body).toString('utf8')
const withoutTime = (text: string): string => text.replace(/"generatedAt":"[^"]{24}","version":"1\.0"}$/, '')

describe('a release of two thousand long titles', () => {
  const served = serving({ ideas: 2000, titleChars: 600 })

  test.each(TARGETS)('%s', async (target) => {
    const { port } = served()
    const plain = await ask(port, target)
    expect(plain.headers['content-encoding']).toBeUndefined()
    const large = plain.body.length > 1 << 20
    for (const [accept, coding] of [
      ['gzip', 'gzip'],
      ['br', large ? undefined : 'br'],
      ['br, gzip', large ? 'gzip' : 'br'],
      ['identity', undefined],
    ] as const) {
      const answer = await ask(port, target, { headers: { 'Accept-Encoding': accept } })
      expect([accept, answer.status, answer.headers['content-encoding']]).toEqual([accept, 200, coding])
      expect(answer.headers).toMatchObject({
        etag: plain.headers.etag,
        vary: 'Accept-Encoding',
        'content-type': plain.headers['content-type'],
        'content-length': String(answer.body.length),
      })
      const text = decoded(answer.body, coding)
      expect(withoutTime(text)).toBe(withoutTime(plain.body.toString('utf8')))
      if (coding !== undefined) expect(answer.body.length).toBeLessThan(plain.body.length / 2)
      if (!target.includes('csv')) {
        const { generatedAt } = JSON.parse(text) as { generatedAt: string }
        expect(generatedAt, 'the time of the answer, not of the build').toBe(new Date(NOW_MS).toISOString())
      }
      const head = await ask(port, target, { method: 'HEAD', headers: { 'Accept-Encoding': accept } })
      expect([head.body.length, head.headers['content-length'], head.headers['content-encoding']]).toEqual([
        0,
        answer.headers['content-length'],
        coding,
      ])
      const again = await ask(port, target, {
        headers: { 'Accept-Encoding': accept, 'If-None-Match': String(answer.headers.etag) },
      })
      expect([again.status, again.headers['content-encoding'], again.headers.vary]).toEqual([
        304,
        undefined,
        'Accept-Encoding',
      ])
    }
  })

  test('what is smaller than its own head stays as it is', async () => {
    const answer = await ask(served().port, '/api/public/stats', { headers: { 'Accept-Encoding': 'br, gzip' } })
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(answer.headers.vary).toBe('Accept-Encoding')
    expect(answer.body.length).toBeLessThan(1024)
  })

  test('the file plane has the files as they stand on disk, each with an ETag of its own', async () => {
    const { port } = served()
    const path = '/snapshots/current/analytics/trending/7d/all.json'
    const tags = new Set<unknown>()
    const plain = await ask(port, path)
    for (const coding of [undefined, 'gzip', 'br'] as const) {
      const answer = await ask(port, path, { headers: { 'Accept-Encoding': coding ?? 'identity' } })
      expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual([coding, 'Accept-Encoding'])
      expect(decoded(answer.body, coding)).toBe(plain.body.toString('utf8'))
      tags.add(answer.headers.etag)
    }
    expect(tags.size).toBe(3)
  })
})
