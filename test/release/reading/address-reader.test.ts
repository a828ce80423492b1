// long test: servers that hang until a time-out
import { createReadStream } from 'node:fs'
import { rm, truncate } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { AS_OF_MS, publishSamples } from '../sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { failureOf, run } from '../../builder/build-program.ts'

/** Serves a folder as a CDN would: what is not there is 404. */
async function serve(folder: string): Promise<string> {
  const server = createServer((request, response) => {
    createReadStream(join(folder, decodeURIComponent(request.url ?? '')))
      .on('error', () => response.writeHead(404).end())
      .pipe(response)
  })
  // Far beyond what a verify takes on any machine.
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function livePatient(): Promise<{ folder: string; base: string; id: string }> {
  const root = temporaryFolder()
  const folder = join(root, 'snapshots')
  const [id = ''] = await publishSamples(folder, AS_OF_MS)
  return { folder, id, base: `${await serve(root)}/snapshots` }
}

describe('verifying a live release', () => {
  it.each(['/snapshots', '/snapshots/', '/snapshots//', '', '/'])(
    'finds it whole, at an address that ends in "%s"',
    async (end) => {
      const { base, id } = await livePatient()
      const ran = await run(['verify', base.replace(/\/snapshots$/, end)])
      expect(ran).toMatchObject({ code: 0, stderr: '' })
      expect(ran.stdout).toMatch(new RegExp(`^${id} is whole: \\d+ files, `))
      // Idle connections do not keep the program from ending.
      expect(ran.ms).toBeLessThan(50_000)
    },
  )

  it('compares it with one of a folder', async () => {
    const { base, folder, id } = await livePatient()
    const ran = await run(['diff', base, 'current', '--snapshots', folder])
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toMatch(new RegExp(`^A  ${id} .*\nB  ${id} `))
    expect(ran.stdout).toMatch(/\nfiles {7}0 added, 0 removed, 0 changed, \d+ the same\n/)
  })

  it('says that the clocks are apart, where a signature may be refused for that', async () => {
    const server = createServer((_, response) =>
      response.writeHead(403, { Date: 'Wed, 01 Jan 2020 00:00:00 GMT' }).end(),
    )
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_REGION: 'x', AWS_ENDPOINT_URL_S3: base }
    const signed = await run(['verify', 's3://town'], keys)
    expect([signed.code, failureOf(signed)]).toEqual([
      7,
      expect.stringMatching(/answered 403, expected 200; the clock here says 2.*Z, that of the store Wed, 01 Jan 2020/),
    ])
    // Nothing was signed: a cache may have the date of long ago.
    const ran = await run(['verify', `${base}/snapshots`])
    expect([ran.code, failureOf(ran)]).toEqual([7, expect.stringMatching(/answered 403, expected 200$/)])
  })

  it('names every file that is missing, cut or served in another version', async () => {
    const { base, folder, id } = await livePatient()
    const release = join(folder, 'releases', id)
    await rm(join(release, 'public', 'stats.json'))
    await truncate(join(release, 'analytics', 'export', 'ideas', '7d.csv'), 10)
    const { code, stdout } = await run(['verify', base, '--json'])
    expect(code).toBe(1)
    expect((JSON.parse(stdout) as { faults: string[] }).faults).toEqual([
      expect.stringMatching(/^analytics\/export\/ideas\/7d\.csv: 10 bytes, the manifest says \d+$/),
      expect.stringMatching(/^analytics\/export\/ideas\/7d\.csv: sha256 /),
      `${base}/releases/${id}/public/stats.json answered 404, expected 200`,
    ])
  })

  it('asks each of the two addresses once where neither has a release', async () => {
    const asked: (string | undefined)[] = []
    const server = createServer(({ url }, response) => {
      asked.push(url)
      // A store that counts requests answers the third one otherwise.
      response.writeHead(asked.length > 2 ? 429 : 404).end()
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const ran = await run(['verify', base])
    expect([ran.code, failureOf(ran)]).toEqual([
      2,
      `analytics-build: ${base}/current/manifest.json answered 404, expected 200`,
    ])
    expect(asked).toEqual(['/current/manifest.json', '/snapshots/current/manifest.json'])
  })

  it('says when there is no release, no manifest, or no server', async () => {
    const { base, folder, id } = await livePatient()
    const elsewhere = await run(['verify', `${base}/elsewhere`])
    expect(elsewhere.code).toBe(2)
    expect(failureOf(elsewhere)).toBe(
      `analytics-build: ${base}/elsewhere/current/manifest.json answered 404, expected 200`,
    )
    await truncate(join(folder, 'releases', id, 'manifest.json'), 100)
    const damaged = await run(['verify', base])
    expect(damaged.code).toBe(1)
    expect(failureOf(damaged)).toMatch(/\/current\/manifest\.json: it is not JSON: /)
    const nobody = await run(['verify', 'http://127.0.0.1:1/snapshots'])
    // It may be whole: nothing is known.
    expect(nobody.code).toBe(7)
    expect(failureOf(nobody)).toMatch(
      /cannot fetch http:\/\/127\.0\.0\.1:1\/snapshots\/current\/manifest\.json: .*ECONNREFUSED.*; check the address, or try again/,
    )
  })

  it.each(['http://user:s3cret@127.0.0.1/snapshots', 'HTTPS://u:s3cret@h/', 'https://h/?token=s3cret', 'http:'])(
    'refuses %s, and does not repeat it',
    async (address) => {
      const ran = await run(['verify', address])
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(failureOf(ran)).toMatch(/^analytics-build: URL: not allowed; allowed: an address such as https:/)
      expect(ran.stderr).not.toContain('s3cret')
    },
  )
})
