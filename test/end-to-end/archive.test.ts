// A month ends: the first build after it leaves an archive, which is cited on the page, served by proxies with a folder and with
// an origin, verified by its address, taken back by a rollback, and gone when the site closes.
// real test: it builds from a database.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { releaseNamed } from '../../src/builder/commands/which-release.ts'
import { releasePaths } from '../../src/release/format/paths.ts'
import { verifyRelease } from '../../src/release/verify/verify.ts'
import { resume, rollback } from '../../src/release/past/rollback.ts'
import { loadMapping } from '../../src/source/mapping/mapping.ts'
import { openNativeDatabase } from '../oracle/random-database.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { buildAt } from '../support/library-build.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { ask, startProgram, until } from '../support/proxy.ts'
import { siteOf } from '../support/site.ts'

describeWithPostgres('the archive of a month', (postgres) => {
  let url = ''
  let client: pg.Client
  beforeAll(async () => {
    ;({ url, client } = await openNativeDatabase(postgres(), 'months'))
    await client.query(`INSERT INTO ideas (id, title, created_at) VALUES ('1', 'A secret title', '2026-03-01')`)
  })
  afterAll(() => client?.end())

  test('from the end of a month to the closing of the site', async (context) => {
    const snapshots = temporaryFolder()
    const paths = releasePaths(snapshots)
    const build = async (time: string, mapping = 'native') => {
      const asOfMs = Date.parse(`${time}Z`)
      const site = siteOf({ publicUrl: 'https://numbers.example', languages: ['en', 'de'] })
      const outcome = await buildAt(asOfMs, url, snapshots, { site, mapping: loadMapping(mapping, {}) })
      if (outcome.kind !== 'published') throw new Error(outcome.kind)
      return outcome.report.manifest
    }
    const page = (path = 'index.html'): string => readFileSync(join(snapshots, 'current', path), 'utf8')

    const compared = 'So far none had changed.'
    const before = await build('2026-10-30T12:00:00')
    // A first build has compared nothing.
    expect(page()).not.toContain(compared)
    expect([before.months, page().includes('/snapshots/releases/')]).toEqual([undefined, false])
    const last = await build('2026-10-31T23:40:00')
    expect(page()).toContain(compared)
    const first = await build('2026-11-01T00:10:00')
    expect(first.months).toEqual(['2026-10'])
    const address = 'https://numbers.example/snapshots/releases/2026-10/analytics/export/overview/all.json'
    expect(page()).toContain(`Public Analytics (2026). Numbers of the last release of October 2026. ${address}</code>`)
    expect(page('de/index.html')).toContain(`Zahlen der letzten Veröffentlichung im Oktober 2026. ${address}</code>`)

    const proxy = await startProgram(['--snapshots', snapshots])
    const far = await startProgram(['--origin', `http://127.0.0.1:${proxy.port}/snapshots`])
    context.onTestFinished(async () => {
      await Promise.all([proxy.kill(), far.kill()])
    })
    await until(async () => (await ask(far.port, '/readyz')).status === 200, 10_000, 'the proxy knows its origin')
    const manifest = '/snapshots/releases/2026-10/manifest.json'
    for (const { port } of [proxy, far]) {
      const { status, text } = await ask(port, manifest)
      expect([status, (JSON.parse(text) as { dataAsOf: string }).dataAsOf]).toEqual([200, last.dataAsOf])
      for (const path of ['analytics/trending/7d/all.json', 'analytics/export/ideas/all.csv', 'index.html'])
        expect((await ask(port, `/snapshots/releases/2026-10/${path}`)).status).toBe(404)
      expect((await ask(port, '/snapshots/releases/2026-09/public/stats.json')).status).toBe(404)
    }
    for (const which of ['2026-10', `http://127.0.0.1:${proxy.port}/snapshots/releases/2026-10`]) {
      const found = await releaseNamed(paths, which)
      expect((await verifyRelease(found)).faults).toEqual([])
      expect(found.manifest.month).toBe('2026-10')
      await found.reader.close()
    }
    const texts = readdirSync(join(paths.releases, '2026-10'), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile() && !/\.(?:gz|br)$/.test(file.name))
      .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'))
    expect([texts.length > 50, texts.some((text) => text.includes('secret'))]).toEqual([true, false])

    // What was published on the last day was wrong.
    await rollback(paths, before.id, Date.parse('2026-11-01T00:20:00Z'))
    await until(async () => (await ask(proxy.port, manifest)).status === 404, 5_000, 'the archive is gone')
    await resume(paths, Date.now())
    const again = await build('2026-11-01T00:40:00')
    expect(again.months).toEqual(['2026-10'])
    await until(async () => (await ask(proxy.port, manifest)).status === 200, 5_000, 'the archive is there again')
    expect((JSON.parse((await ask(proxy.port, manifest)).text) as { dataAsOf: string }).dataAsOf).toBe(before.dataAsOf)

    const closing = join(temporaryFolder(), 'closing.sql')
    writeFileSync(
      closing,
      `${readFileSync('src/source/mapping/built-in/native/mapping.sql', 'utf8')}\n-- section closed\nSELECT true AS closed\n`,
    )
    await build('2026-11-01T01:00:00', closing)
    expect(readdirSync(paths.releases)).toHaveLength(1)
    await until(async () => (await ask(proxy.port, manifest)).status === 404, 5_000, 'the archive is gone')
  })
})
