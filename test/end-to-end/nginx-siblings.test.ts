// The compressed files of a release on disk: gzip, brotli and zlib read them to the last byte, and nginx
// sends them by gzip_static unchanged.
import { chmodSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CODING_SUFFIX, CODINGS, MIN_CODED_BYTES } from '../../src/release/format/coding.ts'
import { siblingOf, type Manifest } from '../../src/release/format/manifest.ts'
import { codedFault, memberFault } from '../support/coded-fault.ts'
import { nginxAvailable, startNginx } from '../support/nginx.ts'
import { ask } from '../support/proxy.ts'
import { describeWithComponent } from '../support/real-component.ts'
import { publishRelease, snapshotsFolder } from '../support/release.ts'

const MIB = 1 << 20

const folder = snapshotsFolder()
const snapshots = join(folder.dir, 'snapshots')
let manifest: Manifest
beforeAll(async () => {
  mkdirSync(snapshots)
  // mkdtemp's 0700 would keep out the worker of an nginx that root starts.
  chmodSync(folder.dir, 0o755)
  // An idea a minute: the day's export is about half of the week's.
  manifest = await publishRelease(snapshots, { ideas: 3000, titleChars: 500 })
})
afterAll(() => folder.remove())

const onDisk = (path: string): string => join(snapshots, 'releases', manifest.id, path)
const read = (path: string): Buffer => readFileSync(onDisk(path))

test('the release has what is to be shown: nothing below 1 KiB is coded, nothing above 1 MiB as br', () => {
  const { files } = manifest
  const sizes = files.map(({ bytes }) => bytes)
  expect(sizes.filter((bytes) => bytes < MIN_CODED_BYTES).length).toBeGreaterThan(0)
  expect(sizes.filter((bytes) => bytes > MIB).length, 'exports of ideas, JSON and CSV').toBeGreaterThanOrEqual(4)
  expect(sizes.filter((bytes) => bytes > 1 << 15 && bytes < MIB).length).toBeGreaterThan(0)
  for (const file of files)
    expect([file.path, file.gzip != null, file.br != null]).toEqual([
      file.path,
      file.bytes >= MIN_CODED_BYTES,
      file.bytes >= MIN_CODED_BYTES && file.bytes <= MIB,
    ])
})

describe.each(CODINGS)('%s', (coding) => {
  const coded = (): string[] => manifest.files.flatMap((file) => siblingOf(file, coding)?.path ?? [])
  const plain = (path: string): string => path.slice(0, -CODING_SUFFIX[coding].length)

  test('each is one member or stream of exactly its snapshot', () => {
    for (const path of coded()) {
      const bytes = read(path)
      expect([path, codedFault(bytes, coding, read(plain(path)), '')]).toEqual([path, null])
      if (coding === 'gzip') expect([path, memberFault(bytes)]).toEqual([path, null])
    }
  })
})

describeWithComponent('nginx', nginxAvailable(), () => {
  test('sends each .gz unchanged, and the snapshot to clients that accept no gzip', async () => {
    // Nothing of this is asked of the proxy: its port is one where nothing listens.
    const nginx = await startNginx({ snapshots, upstreams: [1] })
    try {
      let served = 0
      for (const file of manifest.files) {
        const target = `/snapshots/current/${file.path}`
        const gzip = siblingOf(file, 'gzip')
        const answer = await ask(nginx.port, target, { headers: { 'Accept-Encoding': 'br, gzip' } })
        expect([target, answer.status, answer.headers['content-encoding']]).toEqual([
          target,
          200,
          gzip === null ? undefined : 'gzip',
        ])
        expect(answer.body.equals(read(gzip?.path ?? file.path)), target).toBe(true)
        expect(answer.headers['content-length']).toBe(String(gzip?.bytes ?? file.bytes))
        const identity = await ask(nginx.port, target)
        expect([identity.headers['content-encoding'], identity.body.equals(read(file.path))]).toEqual([undefined, true])
        if (gzip !== null) served++
      }
      expect(served).toBeGreaterThan(30)
      const headers = { 'Accept-Encoding': 'br, gzip' }
      const coded = await ask(nginx.port, '/snapshots/current/manifest.json', { headers })
      expect([coded.headers['content-encoding'], coded.headers.vary]).toEqual(['gzip', 'Accept-Encoding'])
      expect(coded.body.equals(read('manifest.json.gz'))).toBe(true)
      expect(gunzipSync(coded.body).equals(read('manifest.json'))).toBe(true)
    } finally {
      await nginx.stop()
    }
  })
})
