// --publish of builds: what becomes of a build whose upload fails, is stopped or is late, and of a bucket when the site closes.
// Tests publish-to.ts and its calls in run-build.ts and release-commands.ts.
// long test: builds and uploads for each case
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packagePath } from '../../../src/process/package-root.ts'
import type { Manifest } from '../../../src/release/format/manifest.ts'
import { readCurrent } from '../../../src/release/reading/folder-reader.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'
import { S3 } from '../../../src/release/publishing/s3-client.ts'
import { bucketReader, keysOf } from '../../release/publishing/small-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { startFaultProxy, type FaultProxy } from '../../support/fault-proxy.ts'
import { bucketAt } from '../../support/memory-s3.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { until } from '../../support/proxy.ts'
import { S3_BUCKET, startS3rver, type S3Server } from '../../support/s3-servers.ts'
import { begin, logOf, run, type Ran } from '../build-program.ts'
import { createSmallPlatform } from '../small-platform.ts'

const NATIVE = readFileSync(packagePath('src', 'source', 'mapping', 'built-in', 'native', 'mapping.sql'), 'utf8')
const NEVER = new AbortController().signal
const TO = `s3://${S3_BUCKET}/town`

describeWithPostgres('builds with --publish', (postgres) => {
  let server: S3Server
  let proxy: FaultProxy
  let url: string
  const snapshots = temporaryFolder(afterAll)
  const source = join(temporaryFolder(afterAll), 'own.sql')
  const env = (more: Record<string, string> = {}): Record<string, string> => ({
    ...server.env(proxy.port),
    DATABASE_URL: url,
    ANALYTICS_SNAPSHOTS: snapshots,
    ANALYTICS_SOURCE: source,
    ANALYTICS_PUBLISH: TO,
    ANALYTICS_EVERY: '10s',
    ...more,
  })
  const program = (...args: string[]): Promise<Ran> => run(args, env())
  const sql = (text: string): Promise<string> => postgres().psql(text, 'publishing')
  const bucket = () => bucketAt(TO, server.env())
  const shown = async (): Promise<string> => {
    const reader = bucketReader(bucket())
    const { manifest } = await reader.current(null)
    await reader.close()
    return manifest.id
  }
  const current = async (): Promise<Manifest> => (await readCurrent(releasePaths(snapshots)))!
  const refuse = (): void =>
    void (proxy.fault = (what) => (what.startsWith('PUT') ? { status: 403, code: 'AccessDenied' } : null))

  beforeAll(async () => {
    server = await startS3rver()
    proxy = await startFaultProxy(server.port)
    url = await createSmallPlatform(postgres(), 'publishing')
    await sql('CREATE TABLE site (private boolean); INSERT INTO site VALUES (false)')
    writeFileSync(source, `${NATIVE}\n-- section closed\nSELECT private AS closed FROM site\n`)
  })
  afterAll(async () => {
    await proxy.stop()
    await server.stop()
  })

  it('shows what was built, says that the store has no conditions, and says so in status', async () => {
    const first = await program('build')
    expect([
      first.code,
      logOf(first)
        .filter(({ message }) => message.startsWith(TO))
        .map(({ message }) => message),
    ]).toEqual([
      0,
      [`${TO} shows the current release; the store ignores conditions: publish to it from one machine only`],
    ])
    expect(await shown()).toBe((await current()).id)
    expect(await program('status')).toMatchObject({ code: 0, stdout: expect.stringContaining('all is well') })
  })

  it('exits 6 when it cannot upload, but is current here; the next one goes on', async () => {
    const before = await shown()
    refuse()
    const failed = await program('build')
    const { id } = await current()
    expect([failed.code, failed.stderr]).toEqual([
      6,
      expect.stringContaining(`${id} is current here, but ${TO} is not up to date: cannot PUT s3:`),
    ])
    expect([await shown(), before === id]).toEqual([before, false])
    const status = await program('status', '--json')
    expect([
      status.code,
      (JSON.parse(status.stdout) as { problems: { kind: string }[] }).problems.map(({ kind }) => kind),
    ]).toEqual([6, ['failed', 'publish']])
    const without = await run(['status'], env({ ANALYTICS_PUBLISH: '' }))
    expect(without.stdout).toContain(
      `(exit code 6): ${id} is current here, but ${TO} is not up to date: cannot PUT s3:`,
    )
    proxy.fault = () => null
    // Without a database nothing new is built.
    const away = await run(['build'], env({ DATABASE_URL: 'postgresql://x:y@127.0.0.1:1/z' }))
    expect([away.code, await shown()]).toEqual([3, id])
  })

  it('goes on also when it is pinned, and says when --publish is forgotten', async () => {
    const back = await run(['rollback'], env({ ANALYTICS_PUBLISH: '' }))
    expect([back.code, back.stderr]).toEqual([0, expect.stringContaining('before, and is not given now')])
    const { id } = await current()
    expect(await shown()).not.toBe(id)
    const held = await program('build')
    expect([held.code, await shown()]).toEqual([4, id])
    expect(await program('resume')).toMatchObject({ code: 0 })
  })

  it('can be stopped in the middle, within two seconds', async () => {
    const before = await shown()
    const asked = proxy.asked.length
    proxy.fault = () => (proxy.asked.length > asked + 200 ? 'late' : null)
    const running = begin(['build'], env())
    await until(() => proxy.asked.length > asked + 250, 60_000, 'an upload')
    const sentMs = performance.now()
    running.child.kill('SIGTERM')
    const { code } = await running.done
    expect([code, performance.now() - sentMs < 2000]).toEqual([143, true])
    proxy.fault = () => null
    expect(await shown()).toBe(before)
    expect((await program('status')).code).toBe(6)
    expect(await program('prune')).toMatchObject({ code: 0, stderr: expect.not.stringContaining('MaxListeners') })
    expect(await shown()).toBe((await current()).id)
  })

  it(
    "leaves another town's site to it, whatever command is given its address, until --accept-site is",
    { timeout: 120_000 },
    async () => {
      const other = temporaryFolder()
      const names = { ANALYTICS_SNAPSHOTS: other, ANALYTICS_TITLE: 'Elsewhere', ANALYTICS_ACCEPT_SITE: 'true' }
      const elsewhere = (...args: string[]): Promise<Ran> => run(args, env({ ...names, ANALYTICS_SOURCE: '' }))
      const before = await shown()
      const text =
        /is current here, but s3:\S+ is not up to date: it shows the site "Public Analytics" \(release \S+\), which is not of this folder; the folder has the site "Elsewhere" \(release \S+\); if --publish was to name another/
      for (const args of [['build'], ['build'], ['rollback'], ['prune', '--all-but-current']]) {
        const ran = await elsewhere(...args)
        expect([args, ran.code, ran.stderr.replaceAll('\\"', '"')]).toEqual([args, 6, expect.stringMatching(text)])
        expect(await shown()).toBe(before)
      }
      const status = await elsewhere('status')
      expect([status.code, status.stdout]).toEqual([
        6,
        expect.stringContaining('--publish: it shows the site "Public Analytics"'),
      ])
      // The days of its log are of nobody else: whoever takes the bucket over removes them there.
      const log = 'snapshots/log.csv'
      const kept = await elsewhere('prune', '--accept-site')
      expect([kept.code, kept.stderr]).toEqual([6, expect.stringContaining(`${TO}/${log} has lines from `)])
      const s3 = new S3(bucket(), { signal: NEVER })
      await s3.remove(log)
      const taken = await elsewhere('prune', '--accept-site')
      expect([taken.code, taken.stderr]).toEqual([0, expect.stringContaining('shows the current release')])
      expect(await shown()).not.toBe(before)
      const refused = await program('prune')
      expect([refused.code, refused.stderr]).toEqual([6, expect.stringContaining('it shows the site \\"Elsewhere\\"')])
      await s3.remove(log)
      expect([(await program('prune', '--accept-site')).code, await shown()]).toEqual([0, before])
    },
  )

  it('leaves nothing but the empty release when the site closes', async () => {
    await sql('UPDATE site SET private = true')
    proxy.fault = (what) => (what.startsWith('DELETE') ? { status: 403, code: 'AccessDenied' } : null)
    expect((await program('build')).code).toBe(6)
    proxy.fault = () => null
    const last = await program('build')
    expect(last.code).toBe(0)
    const s3 = new S3(bucket(), { signal: NEVER })
    const { objects } = await s3.list()
    expect([...objects.keys()].sort()).toEqual(keysOf(await current()))
  })
})
