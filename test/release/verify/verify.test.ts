// real test: nearly every case writes a whole release, which takes up to a second.
import { readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { categoryKey } from '../../../src/contract/category-name.ts'
import { totalBytes } from '../../../src/release/format/manifest.ts'
import { reading } from '../../../src/release/format/release-error.ts'
import type { ReleaseReader } from '../../../src/release/reading/release-reader.ts'
import { verifyRelease } from '../../../src/release/verify/verify.ts'
import { foundAt, verifyAt } from '../sample-release.ts'
import { flipLastBit, patient, sha256, type Patient } from './patient.ts'

/** A reader of a server that does nothing but send files. */
function readerOf(stream: ReleaseReader['stream']): ReleaseReader {
  return { siblings: false, stream } as unknown as ReleaseReader
}

const JSON_PATH = 'analytics/export/ideas/7d.json'
const CSV_PATH = 'analytics/export/ideas/7d.csv'
/** Large enough to have siblings. */
const SIBLING_OF = 'analytics/export/users/90d.csv'

describe('verifying a release', () => {
  it('finds nothing in a whole one, and says what it read', async () => {
    const { snapshots, manifest } = await patient()
    expect(await verifyAt(snapshots, manifest.id)).toEqual({
      id: manifest.id,
      closed: false,
      files: manifest.files.length,
      bytes: totalBytes(manifest.files),
      faults: [],
      unread: [],
      notProved: [
        expect.stringMatching(/^log\.csv: there is none: /),
        expect.stringMatching(/^that all of it was not written anew, /),
      ],
    })
  })

  it('says of faults that the time zones of another Node.js may be why', async () => {
    const sick = await patient()
    const faultsWith = async (timeZoneDatabase?: string): Promise<readonly string[]> => {
      await sick.say({ timeZoneDatabase })
      return sick.faults()
    }
    expect(await faultsWith('2020a')).toEqual([])
    await sick.damage(JSON_PATH, flipLastBit)
    const [said, ...faults] = await faultsWith('2020a')
    expect(said).toContain(`made with time zones 2020a, this Node.js has ${process.versions['tz']}`)
    expect(faults).toHaveLength(1)
    expect(await faultsWith(process.versions['tz'])).toEqual(faults)
    expect(await faultsWith()).toEqual(faults)
  })

  it('takes no file that could not be read for a damaged one, and still finds what is', async () => {
    const sick = await patient()
    await sick.damage(SIBLING_OF, flipLastBit)
    const release = await foundAt(sick.snapshots, sick.manifest.id)
    const unreadable = (path: string): Promise<never> =>
      reading('read', path, () => Promise.reject(Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })))
    const found = await verifyRelease({
      ...release,
      reader: {
        ...release.reader,
        stream: (name, file) =>
          [JSON_PATH, `${JSON_PATH}.gz`, 'public/stats.json'].includes(file.path)
            ? unreadable(file.path)
            : release.reader.stream(name, file),
      },
    })
    expect(found.unread.toSorted()).toEqual(
      [JSON_PATH, 'public/stats.json'].map((path) => `cannot read ${path}: EIO, the disk reports an error; check it`),
    )
    expect(found.faults).toEqual([expect.stringMatching(/^analytics\/export\/users\/90d\.csv: sha256 /)])
  })

  it('reads the siblings of the manifest, where there are any', async () => {
    const sick = await patient()
    const names = ['manifest.json.br', 'manifest.json.gz']
    const sound = new Map<string, Buffer>()
    for (const name of names) sound.set(name, await readFile(join(sick.folder, name)))
    const faultsOf = (damaged: readonly string[]) =>
      damaged.map((name) => `${name}: it does not decode to manifest.json`)
    const longer = ['x', '\0', '\0'.repeat(100)].map(
      (rest) => (bytes: Buffer) => Buffer.concat([bytes, Buffer.from(rest)]),
    )
    const damages = [
      flipLastBit,
      (bytes: Buffer) => bytes.subarray(0, -20),
      () => Buffer.alloc(0),
      () => gzipSync('another'),
      ...longer,
    ]
    for (const damage of damages) {
      for (const [name, bytes] of sound) await writeFile(join(sick.folder, name), damage(bytes))
      expect((await sick.faults()).toSorted()).toEqual(faultsOf(names))
    }
    for (const [at, name] of names.entries()) {
      await rm(join(sick.folder, name))
      expect(await sick.faults()).toEqual(faultsOf(names.slice(at + 1)))
    }
  })

  const FAULTS: Readonly<Record<string, [cause: (sick: Patient) => Promise<void>, ...faults: RegExp[]]>> = {
    'files that are not on its list, wherever they stand': [
      async (sick) => {
        for (const path of ['notes.txt', 'analytics/trending/7d/.all.json.swp', `${JSON_PATH}.zst`])
          await writeFile(join(sick.folder, path), 'mine')
        await symlink('/etc/hostname', join(sick.folder, 'public/host'))
      },
      /^analytics\/export\/ideas\/7d\.json\.zst: it is not in the manifest$/,
      /^analytics\/trending\/7d\/\.all\.json\.swp: it is not in the manifest$/,
      /^notes\.txt: it is not in the manifest$/,
      /^public\/host: it is not in the manifest$/,
    ],
    'a missing file': [(sick) => rm(join(sick.folder, JSON_PATH)), /^cannot open .*ideas\/7d\.json: ENOENT/],
    'a truncated file': [
      (sick) => sick.damage(JSON_PATH, (bytes) => bytes.subarray(0, -1)),
      /ideas\/7d\.json has \d+ bytes, the manifest says \d+$/,
    ],
    'other rows than the manifest says, in JSON': [
      (sick) => sick.list('analytics/trending/7d/all.json', { rows: 3 }),
      /^analytics\/trending\/7d\/all\.json: 2 rows, the manifest says 3$/,
    ],
    'other rows than the manifest says, in CSV': [
      (sick) => sick.list(CSV_PATH, { rows: 1 }),
      /^analytics\/export\/ideas\/7d\.csv: the manifest says 1 rows, its JSON has 2$/,
    ],
    'a CSV cell that is not what its JSON says': [
      (sick) => sick.misbuild(CSV_PATH, (text) => text.replace(',"one",', ',"ome",')),
      /^analytics\/export\/ideas\/7d\.csv: its header or one of its 2 rows is not as in its JSON$/,
    ],
    'JSON rows with other keys than the columns': [
      (sick) => sick.misbuild(JSON_PATH, (text) => text.replaceAll('"title":', '"name":')),
      /^analytics\/export\/ideas\/7d\.csv: row 1 of its JSON has the keys id,name,/,
    ],
    'a document that counts its rows wrongly': [
      (sick) => sick.misbuild(JSON_PATH, (text) => text.replace('"rowCount":2', '"rowCount":3')),
      /^analytics\/export\/ideas\/7d\.json: its rowCount is 3 of 2 rows$/,
    ],
    'a document of another combination': [
      async (sick) => {
        await sick.misbuild('analytics/trending/24h/all.json', (text) => text.replace('"24h"', '"7d"'))
        await sick.misbuild('analytics/export/categories/7d.json', (text) => text.replace('"categories"', '"ideas"'))
      },
      /export\/categories\/7d\.json: its type is ideas$/,
      /24h\/all\.json: its period is 7d$/,
    ],
    'the trending ideas of another category': [
      (sick) =>
        sick.misbuild(`analytics/trending/90d/category/${categoryKey('Product')}.json`, (text) =>
          text.replaceAll('"Product"', '"Design"'),
        ),
      /its category is Design$/,
    ],
    'numbers that do not agree, in one sentence each': [
      async (sick) => {
        await sick.misbuild('public/stats.json', (text) => text.replace('"totalVotes":3', '"totalVotes":4'))
        await sick.misbuild('analytics/categories/7d.json', (text) =>
          text.replace(/("totals":\{"ideas":2,"votes":)2/, '$15'),
        )
      },
      /^total votes: 3 in rows of manifest\.json, but 4 in totalVotes of public\/stats\.json$/,
      /^votes in 7d: 2 in analytics\/timeline\/7d\.json, but 5 in totals\.votes of analytics\/categories\/7d\.json$/,
    ],
    'a compressed sibling that is missing': [
      (sick) => rm(join(sick.folder, `${SIBLING_OF}.gz`)),
      /^cannot open .*90d\.csv\.gz: ENOENT/,
    ],
    'a compressed sibling with a flipped bit': [
      (sick) => sick.damage(`${SIBLING_OF}.br`, flipLastBit),
      /^analytics\/export\/users\/90d\.csv\.br: sha256 /,
    ],
    'a compressed sibling of something else': [
      async (sick) => {
        const other = gzipSync('other')
        await writeFile(join(sick.folder, `${SIBLING_OF}.gz`), other)
        await sick.list(SIBLING_OF, { gzip: { bytes: other.length, sha256: sha256(other) } })
      },
      /^analytics\/export\/users\/90d\.csv\.gz: it does not decode to analytics\/export\/users\/90d\.csv$/,
    ],
    'a content hash that is not that of the JSON': [
      (sick) => sick.list(JSON_PATH, { contentHash: 'd'.repeat(64) }),
      /^analytics\/export\/ideas\/7d\.json: its content hash is not the manifest’s$/,
    ],
    'a content hash that is not that of the CSV': [
      (sick) => sick.list(CSV_PATH, { contentHash: 'd'.repeat(64) }),
      /^analytics\/export\/ideas\/7d\.csv: its content hash is not the manifest’s$/,
    ],
    'a combination without a file': [
      (sick) => sick.list(JSON_PATH, null),
      /^analytics\/export\/ideas\/7d\.json: not in the manifest$/,
    ],
    'a category without a file': [
      (sick) => sick.list(`analytics/trending/90d/category/${categoryKey('Product')}.json`, null),
      /^analytics\/trending\/90d\/category\/product-[0-9a-f]{12}\.json: not in the manifest$/,
    ],
    'a file that answers nothing': [
      async (sick) => {
        await writeFile(join(sick.folder, 'extra.json'), '{}')
        await sick.add({
          path: 'extra.json',
          bytes: 2,
          sha256: sha256(Buffer.from('{}')),
          contentHash: 'd'.repeat(64),
          rows: null,
        })
      },
      /^extra\.json: answers no combination$/,
      /^extra\.json: its content hash/,
      /^extra\.json: its generatedAt/,
      /^extra\.json: its version/,
    ],
    'a document of another instant': [
      (sick) =>
        sick.misbuild(JSON_PATH, (text) => text.replaceAll('2026-05-20T09:30:00.000Z', '2026-05-20T09:30:00.001Z')),
      /7d\.json: its dataAsOf is 2026-05-20T09:30:00\.001Z$/,
      /7d\.json: its to is 2026-05-20T09:30:00\.001Z$/,
    ],
    'a document generated by another build': [
      (sick) => sick.misbuild(JSON_PATH, (text) => text.replace('09:30:01.000Z', '09:30:02.000Z')),
      /7d\.json: its generatedAt is 2026-05-20T09:30:02\.000Z$/,
    ],
  }
  it.each(Object.entries(FAULTS))('finds %s', async (_, [cause, ...expected]) => {
    const sick = await patient()
    await cause(sick)
    const faults = await sick.faults()
    expect(faults, faults.join('\n')).toHaveLength(expected.length)
    for (const [i, pattern] of expected.entries()) expect(faults[i]).toMatch(pattern)
  })

  it.each(['{"data":[', 'null', '7', '"text"'])('finds %s in place of a document', async (text) => {
    const sick = await patient()
    const bytes = Buffer.from(text)
    await writeFile(join(sick.folder, 'public/stats.json'), bytes)
    await sick.list('public/stats.json', { bytes: bytes.length, sha256: sha256(bytes) })
    expect(await sick.faults()).toEqual([expect.stringMatching(/^public\/stats\.json: it is not (JSON: |an object)/)])
  })

  it('compares the bytes of any reader with the manifest', async () => {
    const { manifest } = await patient()
    const reader = readerOf(async (_, { bytes }) => Readable.from([Buffer.alloc(bytes + 1)]))
    const { faults } = await verifyRelease({ reader, name: manifest.id, manifest }, () => {}, null, true)
    expect(faults.filter((fault) => /: \d+ bytes, the manifest says \d+$/.test(fault))).toHaveLength(
      manifest.files.length,
    )
    expect(faults.filter((fault) => /: sha256 /.test(fault))).toHaveLength(manifest.files.length)
  })

  it('does not take a failure of the reader for a fault of the release', async () => {
    const { manifest } = await patient()
    const reader = readerOf(() => Promise.reject(new TypeError('a bug')))
    await expect(verifyRelease({ reader, name: manifest.id, manifest })).rejects.toThrow(TypeError)
  })
})
