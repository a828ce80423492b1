// Owns what is tried with a real server of the S3 protocol, with faults in front of it: publish(), the commands, and those who read.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { cacheControlOf, mediaTypeOf } from '../../../src/release/format/served-files.ts'
import type { FileBytes, Manifest } from '../../../src/release/format/manifest.ts'
import { filesOf } from '../../../src/release/format/manifest.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'
import type { S3Bucket } from '../../../src/release/publishing/bucket.ts'
import { S3 } from '../../../src/release/publishing/s3-client.ts'
import { addressReader } from '../../../src/release/reading/address-reader.ts'
import type { ReleaseReader } from '../../../src/release/reading/release-reader.ts'
import { switchTo } from '../../../src/release/writing/current-link.ts'
import { run } from '../../builder/build-program.ts'
import { startFaultProxy, TRIED_AGAIN, type Fault, type FaultProxy } from '../../support/fault-proxy.ts'
import { bucketAt } from '../../support/memory-s3.ts'
import { ask, startProgram, until } from '../../support/proxy.ts'
import { S3_BUCKET, type S3Server } from '../../support/s3-servers.ts'
import { sampleSite } from '../../support/site.ts'
import { archiveAt, AS_OF_MS, promoteSample } from '../sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { bucketReader, keysOf, publishCurrent, smallRelease, type May } from './small-release.ts'

const NEVER = new AbortController().signal
/** Between two looks of a reader: an upload has its time beside them. What is met after each request, publish.test.ts sees. */
const LOOK_MS = 20

interface Poll {
  readonly stop: () => Promise<{ ids: string[]; wrong: string[]; polls: number }>
}

/** Reads the release that the pointer names, all of it, again and again. @returns the ids in their order, and what went wrong */
function polling(bucket: S3Bucket): Poll {
  const [, store = ''] = /^([^/]*)/.exec(bucket.prefix) ?? []
  return pollingOf(bucketReader(bucket), filesOf, MEANWHILE[store])
}

/** The same through four proxies that hold nothing. */
async function pollingProxies({ url, prefix }: S3Bucket): Promise<Poll[]> {
  const args = ['--origin', `${url}/${prefix}snapshots`]
  const proxies = await Promise.all([1, 2, 3, 4].map(() => startProgram(args)))
  onTestFinished(async () => void (await Promise.all(proxies.map((one) => one.kill()))))
  for (const { port } of proxies)
    await until(async () => (await ask(port, '/readyz')).status === 200, 20_000, 'a proxy has a release')
  return proxies.map(({ base }) => pollingOf(addressReader(`${base}/snapshots`), ({ files }) => files))
}

const MEANWHILE: Readonly<Record<string, RegExp>> = {
  // It writes an object in place.
  s3rver: /\/current\/manifest\.json(?:: it is not JSON| was cut off| answered 500)/,
  // It looks for the newest file of an object, and opens it when that may be removed already (swift/obj/diskfile.py): with one replica
  // nobody else is asked.
  swift: /\/current\/manifest\.json answered 404/,
}

/**
 * @param listed all of a release that is there: proxies send what is compressed as a coding of the file
 * @param meanwhile what the store may say of the pointer while it is replaced: who reads it reads it again, as a proxy does
 */
function pollingOf(reader: ReleaseReader, listed: (of: Manifest) => Iterable<FileBytes>, meanwhile?: RegExp): Poll {
  const [ids, wrong]: string[][] = [[], []]
  let polls = 0
  const over = new AbortController()
  const done = (async () => {
    while (!over.signal.aborted) {
      try {
        const { manifest } = await reader.current(null)
        if (ids?.at(-1) !== manifest.id) ids?.push(manifest.id)
        for (const file of listed(manifest)) await reader.read(manifest.id, file)
        polls += 1
      } catch (error) {
        const { message } = error as Error
        if (ids?.length !== 0 && meanwhile?.test(message) !== true) wrong?.push(message)
      }
      await delay(LOOK_MS)
    }
    await reader.close()
  })()
  return {
    async stop() {
      over.abort()
      await done
      return { ids: ids ?? [], wrong: wrong ?? [], polls }
    },
  }
}

/** What differs between the stores. */
interface Kind {
  /** Whether it compares the bytes with the hashes that it is sent. */
  readonly checksHashes: boolean
  /** Of each three requests the one that is the last of an upload: those of two stores are others. */
  readonly killedFrom: 1 | 2
}

export function triesWith(name: string, start: () => Promise<S3Server>, { checksHashes, killedFrom }: Kind): void {
  let server: S3Server
  let proxy: FaultProxy
  beforeAll(async () => {
    server = await start()
    proxy = await startFaultProxy(server.port)
  })
  afterAll(async () => {
    await proxy.stop()
    await server.stop()
  })

  /** @param prefix a place of its own */
  function place(prefix: string) {
    proxy.fault = () => null
    const to = `s3://${S3_BUCKET}/${prefix}`
    const [direct, bucket] = [bucketAt(to, server.env()), bucketAt(to, server.env(proxy.port))]
    const folder = temporaryFolder()
    const upload = (may: May = {}) =>
      publishCurrent(releasePaths(folder), bucket, may, { signal: NEVER, sleep: () => delay(1) })
    const keys = async (): Promise<string[]> => {
      const s3 = new S3(direct, { signal: NEVER })
      const { objects } = await s3.list()
      return [...objects.keys()].sort()
    }
    return { to, folder, paths: releasePaths(folder), direct, upload, keys }
  }

  test(
    'shows a site and its archives, goes back, and is verified, compared and served',
    { timeout: 180_000 },
    async () => {
      const { to, folder, paths, direct, keys } = place(`${name}/town`)
      const env = server.env()
      const made: Manifest[] = []
      for (const i of [0, 1]) {
        // The second one has a page that the first one lacks.
        const site = sampleSite({ languages: i === 0 ? ['en'] : ['en', 'fr'] })
        made.push(await promoteSample(folder, AS_OF_MS + i * 60_000, undefined, site))
        await switchTo(paths, made[i]!.id, Date.now())
        if (i === 1)
          expect(await archiveAt(folder, Date.parse('2026-06-01T00:00:00.000Z'))).toMatchObject({ failures: [] })
        const before = await run(['status', '--snapshots', folder, '--publish', to], env)
        expect([before.code, before.stdout]).toEqual([6, expect.stringContaining('current there is')])
        expect(await run(['prune', '--snapshots', folder, '--publish', to], env)).toMatchObject({ code: 0 })
        const after = await run(['status', '--snapshots', folder, '--publish', to, '--json'], env)
        // Its data is of May: that is all that is not well.
        expect([after.code, JSON.parse(after.stdout)]).toMatchObject([
          1,
          { bucket: { to, id: made[i]!.id, unread: null }, problems: [{ kind: 'late' }] },
        ])
      }
      const [first, second] = made as [Manifest, Manifest]
      expect((await keys()).filter((key) => key.startsWith('snapshots/releases/2026-05/'))).not.toEqual([])
      const back = await run(['rollback', '--snapshots', folder, '--publish', to], env)
      expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining(first.id) })
      // A rollback takes back the archive, too, and has a line in the log of days.
      expect(await keys()).toEqual([...keysOf(first, second), 'snapshots/log.csv'].sort())
      const verified = await run(['verify', to, '--log', paths.log], env)
      expect([verified.code, verified.stdout]).toEqual([
        0,
        expect.stringMatching(`${first.id} is whole.*\n.*the log has every line of ${paths.log}`),
      ])
      const s3 = new S3(direct, { signal: NEVER })
      for (const { path } of first.files) {
        const found = await s3.head(path)
        const { 'content-type': type, 'cache-control': cache } = found ?? {}
        // Not the one of the release, of which it is a copy.
        expect([path, String(type).toLowerCase(), cache]).toEqual([path, mediaTypeOf(path), cacheControlOf(path, null)])
      }
      if (name !== 's3rver') return
      const served = await startProgram([
        '--origin',
        `http://127.0.0.1:${proxy.port}/${S3_BUCKET}/${direct.prefix}snapshots`,
      ])
      onTestFinished(() => void served.kill())
      const answer = await ask(served.port, '/api/analytics/timeline?period=30d', {
        headers: { 'accept-encoding': 'br' },
      })
      expect([answer.status, answer.headers['x-snapshot-id'], answer.headers['content-encoding']]).toEqual([
        200,
        first.id,
        'br',
      ])
      expect(proxy.asked.at(-1)).toMatch(/^GET .*\.json\.br$/)
    },
  )

  test('says that the store has no conditions, and that an upload failed', { timeout: 120_000 }, async () => {
    const { to, folder } = place(`${name}/says`)
    await smallRelease(folder, 1)
    const prune = (port?: number) => run(['prune', '--snapshots', folder, '--publish', to], server.env(port))
    expect((await prune()).stderr).toContain('the store ignores conditions: publish to it from one machine only')
    const { id } = await smallRelease(folder, 2)
    proxy.fault = (what) => (what.includes('/snapshots/current/') ? { status: 403, code: 'AccessDenied' } : null)
    const failed = await prune(proxy.port)
    expect([failed.code, failed.stderr]).toEqual([
      6,
      expect.stringContaining(`${id} is current here, but ${to} is not up to date: cannot HEAD s3://`),
    ])
    expect(failed.stderr).not.toContain(server.env()['AWS_SECRET_ACCESS_KEY'])
    const status = () => run(['status', '--snapshots', folder, '--publish', to], server.env(proxy.port))
    const refused = await status()
    expect([refused.code, refused.stdout]).toEqual([6, expect.stringContaining('403')])
    let isBusy = true
    proxy.fault = () => (isBusy ? ((isBusy = false), { status: 503, code: 'SlowDown' }) : null)
    expect((await status()).stdout).toContain('current there is')
    expect(isBusy).toBe(false)
  })

  const faults: readonly Fault[] = [...TRIED_AGAIN, 'late', 'gone']
  test.each(faults)('is whole after a fault of every request: %j', { timeout: 120_000 }, async (fault) => {
    const { folder, direct, upload, keys } = place(`${name}/fault-${faults.indexOf(fault)}`)
    const first = await smallRelease(folder, 1)
    await upload()
    const second = await smallRelease(folder, 2)
    const [met, poll] = [new Set<string>(), polling(direct)]
    proxy.fault = (what) => (met.size === met.add(what).size ? null : fault)
    await upload()
    const { ids, wrong, polls } = await poll.stop()
    expect([wrong, polls > 0]).toEqual([[], true])
    expect([first.id, second.id].filter((id) => ids.includes(id))).toEqual(ids)
    expect(await keys()).toEqual(keysOf(second, first))
  })

  test('does not take a corrupted byte', { timeout: 120_000 }, async () => {
    const { folder, upload } = place(`${name}/corrupt`)
    await smallRelease(folder, 1)
    await upload()
    await smallRelease(folder, 2)
    proxy.fault = (what) => (what.startsWith('PUT') && what.includes('stats.json') ? 'corrupt' : null)
    await expect(upload()).rejects.toThrow(
      checksHashes ? /stats\.json[^:]*: 400 \w+/ : /stats\.json\S* came as other bytes/,
    )
    proxy.fault = () => null
    // It replaced the pointer, as these stores let it.
    expect(await upload()).toContain('shows the current release; the store ignores conditions')
  })

  // Swift answers only who signs, so nobody can look for it whether a condition holds.
  if (name === 's3rver')
    test('of two machines one is told where conditions hold', { timeout: 120_000 }, async () => {
      const [one, other] = [place(`${name}/two`), place(`${name}/two`)]
      proxy.keepsConditions = true
      onTestFinished(() => void (proxy.keepsConditions = false))
      const poll = polling(one.direct)
      const failures: string[] = []
      for (let i = 0; i < 10; i++) {
        await smallRelease(one.folder, 2 * i)
        await smallRelease(other.folder, 2 * i + 1)
        const ended = await Promise.allSettled([one, other].map(({ upload }) => upload({ acceptSite: true })))
        expect(ended.some(({ status }) => status === 'fulfilled')).toBe(true)
        failures.push(...ended.flatMap((end) => (end.status === 'rejected' ? (end.reason as Error).message : [])))
      }
      const { wrong, polls } = await poll.stop()
      expect([wrong, polls > 1]).toEqual([[], true])
      expect(failures.length).toBeGreaterThan(0)
      for (const message of failures)
        expect(message).toMatch(/was written by somebody else meanwhile, and names 2026\d+/)
    })

  test('is killed at every third request, and goes on', { timeout: 600_000 }, async () => {
    const { folder, paths, direct, upload, keys } = place(`${name}/killed`)
    const made = [await smallRelease(folder, 0)]
    await upload()
    // s3rver answers who does not sign, as a public bucket does.
    const polls = [polling(direct), ...(name === 's3rver' ? await pollingProxies(direct) : [])]
    for (let at = killedFrom; ; at += 3) {
      made.push(await smallRelease(folder, made.length))
      const before = proxy.asked.length
      let isKilled = false
      // What has begun goes on to its end; nothing more is sent.
      proxy.fault = () => {
        isKilled ||= proxy.asked.length >= before + at
        return isKilled ? 'gone' : null
      }
      const failed = await upload().then(
        () => null,
        (error: Error) => error,
      )
      proxy.fault = () => null
      if (made.length > 3) rmSync(join(paths.releases, made.at(-4)!.id), { recursive: true })
      if (!isKilled) break
      expect(failed?.message).toMatch(/^cannot (?:GET|HEAD|PUT|DELETE) s3:/)
    }
    const read = await Promise.all(polls.map((poll) => poll.stop()))
    for (const one of read) {
      expect([one.wrong, one.polls > 1]).toEqual([[], true])
      const order = one.ids.map((id) => made.findIndex((release) => release.id === id))
      expect(order).toEqual([...order].sort((a, b) => a - b))
    }
    proxy.aheadMs = 2 * 3_600_000
    onTestFinished(() => void (proxy.aheadMs = 0))
    await upload()
    const there = await keys()
    const stay = made.slice(-3, -1).filter(({ id }) => there.includes(`snapshots/releases/${id}/manifest.json`))
    expect(there).toEqual(keysOf(made.at(-1)!, ...stay))
  })
}
