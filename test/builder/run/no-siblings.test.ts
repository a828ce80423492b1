// A release that was built with --no-siblings: what it lacks, and that all who read one take it. Tests --no-siblings in
// build-options.ts, run-build.ts and zip-file.ts.
// real test: PostgreSQL, nginx, a store and the programs
import { chmodSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { demoRequest } from '../../../src/builder/commands/build-request.ts'
import { OPTIONS } from '../../../src/builder/options/build-options.ts'
import type { Manifest } from '../../../src/release/format/manifest.ts'
import { readCurrent } from '../../../src/release/reading/folder-reader.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'
import { nginxAvailable, startNginx } from '../../support/nginx.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { ask, startProgram } from '../../support/proxy.ts'
import { describeWithComponent } from '../../support/real-component.ts'
import { S3_BUCKET, startS3rver } from '../../support/s3-servers.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { run, type Ran } from '../build-program.ts'
import { createSmallPlatform } from '../small-platform.ts'

const CODED = { headers: { 'Accept-Encoding': 'br, gzip' } }
/** Of several KiB each, so that with siblings they are sent compressed. */
const LARGE = ['/', '/analytics/export/ideas/all.json', '/snapshots/current/manifest.json']

describeWithPostgres('a build with --no-siblings', (postgres) => {
  let url: string
  const [snapshots, usual] = [temporaryFolder(afterAll), temporaryFolder(afterAll)]
  const build = (folder: string, ...more: string[]): Promise<Ran> =>
    run(['build', '--snapshots', folder, ...more], { DATABASE_URL: url })
  const current = async (folder: string): Promise<Manifest> => (await readCurrent(releasePaths(folder)))!
  const filesOf = (folder: string): string[] =>
    readdirSync(join(folder, 'releases'), { recursive: true, encoding: 'utf8' })

  beforeAll(async () => {
    url = await createSmallPlatform(postgres(), 'siblings')
    chmodSync(snapshots, 0o755)
    expect(await build(snapshots, '--no-siblings')).toMatchObject({ code: 0 })
    expect(await build(usual)).toMatchObject({ code: 0 })
  })

  it('has no .gz and no .br, and the same files otherwise', async () => {
    const isCoded = (path: string): boolean => /\.(gz|br)$/.test(path)
    expect(filesOf(usual).filter(isCoded).length).toBeGreaterThan(100)
    expect(filesOf(snapshots).filter(isCoded)).toEqual([])
    const [bare, coded] = [await current(snapshots), await current(usual)]
    expect(bare.files.filter(({ gzip, br }) => gzip != null || br != null)).toEqual([])
    expect(bare.files.map(({ path }) => path)).toEqual(coded.files.map(({ path }) => path))
  })

  it('is whole for verify, the tables in bulk.zip too, and is followed by a build with them', async () => {
    const verified = await run(['verify', '--snapshots', snapshots])
    expect(verified).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(' is whole') })
    const [bare, coded] = [await current(snapshots), await current(usual)].map(
      ({ files }) => files.find(({ path }) => path === 'bulk.zip')?.bytes ?? 0,
    )
    expect(Math.abs((bare ?? 0) / (coded ?? 1) - 1), 'its tables are compressed').toBeLessThan(0.05)
    expect(await build(usual, '--no-siblings')).toMatchObject({ code: 0 })
    expect(await build(usual)).toMatchObject({ code: 0 })
    expect(await run(['verify', '--snapshots', usual])).toMatchObject({ code: 0 })
  })

  it('is served by the proxy, as the API and as files', async () => {
    const { id } = await current(snapshots)
    const proxy = await startProgram(['--snapshots', snapshots])
    try {
      for (const target of [...LARGE, '/api/public/stats', '/api/analytics/export?type=ideas&period=all&format=json']) {
        const plain = await ask(proxy.port, target)
        const answered = await ask(proxy.port, target, CODED)
        expect([answered.status, answered.headers['content-type']]).toEqual([200, plain.headers['content-type']])
        expect(answered.headers['x-snapshot-id'] ?? id).toBe(id)
      }
    } finally {
      await proxy.kill()
    }
  })

  describeWithComponent('nginx.conf', nginxAvailable(), () => {
    it('serves it', async () => {
      const nginx = await startNginx({ snapshots, upstreams: [9] })
      try {
        for (const target of LARGE) {
          const { status, headers, body } = await ask(nginx.port, target, CODED)
          expect([status, headers['content-encoding']], target).toEqual([200, undefined])
          expect(body.length).toBeGreaterThan(1_024)
        }
      } finally {
        await nginx.stop()
      }
    })
  })

  it('is published to a bucket, where verify finds it whole', async () => {
    const store = await startS3rver()
    const [to, env] = [`s3://${S3_BUCKET}/town`, { ...store.env(), DATABASE_URL: url }]
    try {
      const args = ['build', '--no-siblings', '--snapshots', temporaryFolder(), '--publish', to]
      expect(await run(args, env)).toMatchObject({ code: 0 })
      expect(await run(['verify', to], env)).toMatchObject({ code: 0, stdout: expect.stringContaining(' is whole') })
    } finally {
      await store.stop()
    }
  })

  it('is a variable, too, and an option of the demo', () => {
    for (const options of [OPTIONS.build, OPTIONS.schedule, OPTIONS.demo])
      expect(options.siblings.envVar).toBe('ANALYTICS_NO_SIBLINGS')
    const values = Object.fromEntries(Object.entries(OPTIONS.demo).map(([name, one]) => [name, one.defaultValue]))
    const request = (siblings: boolean): unknown =>
      demoRequest(
        { ...values, site: false, siblings } as unknown as Parameters<typeof demoRequest>[0],
        'postgresql://u@127.0.0.1/d',
        0,
      )
    expect([request(true), request(false)]).toMatchObject([{ siblings: true }, { siblings: false }])
  })
})
