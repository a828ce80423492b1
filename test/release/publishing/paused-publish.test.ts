// An upload that was paused, at each of its requests, while another command or another folder went on.
// long test: uploads once for each request
import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { LOG_HEADER } from '../../../src/release/format/day-log.ts'
import { POINTER_KEY } from '../../../src/release/publishing/plan.ts'
import { BUCKET, memoryS3, type MemoryS3 } from '../../support/memory-s3.ts'
import { publishCurrent } from './small-release.ts'
import { changesOf, effectsOf, town } from './towns.ts'

const LOG = `${LOG_HEADER}\n2026-05-19,brig\n`

describe('an upload that was paused', () => {
  const HOUR_MS = 3_600_000

  test('at any request changes nothing after another command has taken over the lock', async () => {
    const requests = async (at: number | null) => {
      const s3 = memoryS3()
      const avon = town(s3, 'Avon')
      await avon.make(1)
      await avon.upload()
      await avon.make(2, { 'de/index.html': 'x' })
      const from = s3.asked.length
      let [nowMs, isOurs] = [0, true]
      s3.fault = (n) => {
        if (at !== null && n >= from + at) [nowMs, isOurs] = [HOUR_MS, false]
        return null
      }
      const said = await avon.refused({ owned: async () => isOurs, nowMs: () => nowMs })
      return { said, asked: s3.asked.slice(from) }
    }
    const whole = await requests(null)
    expect(whole.said).toBe('it was uploaded')
    const last = whole.asked.findLastIndex((what) => /^(?:PUT|DELETE)/.test(what))
    for (let at = 1; at <= last; at++) {
      const { said, asked } = await requests(at)
      expect(said).toContain('another command took over the lock of')
      // What was under way with it, of 16 at a time.
      expect(asked.slice(at + 15).filter((what) => /^(?:PUT|DELETE)/.test(what))).toEqual([])
    }
  })

  test.each([
    [true, 'a later'],
    [true, 'a first'],
    [false, 'a later'],
    [false, 'a first'],
  ] as const)(
    'at any request writes no page over those of another site: conditions %s, %s upload',
    async (conditions, which) => {
      const paused = async (at: number | null) => {
        const s3 = memoryS3()
        s3.conditions = conditions
        // The pages of this one are counted, and change while they are read.
        s3.pageSize = 1000
        const [avon, brig] = [town(s3, 'Avon'), town(s3, 'Brig')]
        if (which === 'a later') {
          await avon.make(1)
          await avon.upload()
        }
        await avon.make(2)
        const theirs = await brig.make(9)
        writeFileSync(brig.paths.log, LOG)
        const from = s3.asked.length
        let [nowMs, underWay] = [0, '']
        const send = (async (url: string, how: { readonly method: string }) => {
          if (at !== null && s3.asked.length - from >= at && underWay === '') {
            nowMs = HOUR_MS
            underWay = url.slice(BUCKET.url.length + '/town/'.length)
            await brig.upload({ acceptSite: true })
            s3.nowMs += 1000
          }
          return s3.send(url, how)
        }) as unknown as MemoryS3['send']
        const late = publishCurrent(avon.paths, BUCKET, { nowMs: () => nowMs }, { ...effectsOf(s3), send })
        const said = await late.then(
          () => 'it was uploaded',
          (error: Error) => error.message,
        )
        const isTheirs = s3.objects.get(POINTER_KEY)?.headers['x-amz-meta-analytics-id'] === theirs.id
        const title = (): string => s3.objects.get('index.html')!.bytes.toString().slice(15, 31)
        const logOf = (): string => String(s3.objects.get('snapshots/log.csv')?.bytes)
        return { s3, said, count: s3.asked.length - from, underWay, isTheirs, title, logOf, avon, brig }
      }
      const { count } = await paused(null)
      for (let at = 1; at < count; at++) {
        const { s3, said, underWay, isTheirs, title, logOf, avon, brig } = await paused(at)
        if (!isTheirs) {
          // The pointer itself was under way, at a store that replaces it whatever was there.
          expect([conditions, underWay, said]).toEqual([false, POINTER_KEY, 'it was uploaded'])
          await avon.make(3)
          expect([at, logOf(), await avon.refused()]).toEqual([
            at,
            LOG,
            expect.stringContaining('has lines from 2026-05-19'),
          ])
          s3.objects.delete('snapshots/log.csv')
          await avon.upload()
          expect([at, title()]).toEqual([at, '<title>3</title>'])
          continue
        }
        expect([at, said]).toEqual([
          at,
          expect.stringMatching(/somebody else meanwhile|^it shows the site "Brig"|^it was/),
        ])
        // A request that was under way cannot be called back: the next upload of who is there finds what it wrote.
        if (underWay !== 'index.html') expect([at, title()]).toEqual([at, '<title>9</title>'])
        expect([at, logOf()]).toEqual([at, LOG])
        await brig.upload()
        expect([at, title()]).toEqual([at, '<title>9</title>'])
      }
    },
  )

  test.each([
    ['another page', 'md5', '<!doctype html><title>1</title>'],
    ['a page of another size, where ETags tell nothing', 'another', 'x'],
  ] as const)('and wrote %s after the end of another one is found by the next', async (_, etags, text) => {
    const s3 = memoryS3()
    s3.etags = etags
    const avon = town(s3, 'Avon')
    const { id } = await avon.make(1)
    await avon.upload()
    s3.nowMs += 1000
    const page = s3.objects.get('index.html')!
    s3.objects.set('index.html', { ...page, bytes: Buffer.from(text), etag: 'of the late one', modifiedMs: s3.nowMs })
    // It, and the pointer, which says again that all is there.
    expect((await avon.status()).left).toBe(2)
    await avon.upload()
    expect(s3.objects.get('index.html')?.bytes).toEqual(s3.objects.get(`snapshots/releases/${id}/index.html`)?.bytes)
    expect((await avon.status()).left).toBe(0)
  })

  test('asks for the pointer once in a step, not with each object', async () => {
    const s3 = memoryS3()
    const avon = town(s3, 'Avon')
    await avon.make(1)
    await avon.upload()
    await avon.make(2)
    const from = s3.asked.length
    await avon.upload({ nowMs: () => 0 })
    const asked = s3.asked.slice(from)
    expect(asked.filter((what) => what === `HEAD ${POINTER_KEY}`).length).toBeLessThanOrEqual(12)
    expect(changesOf(s3, from).length).toBeGreaterThan(15)
  })
})
