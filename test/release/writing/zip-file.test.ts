// Of src/release/writing/zip-file.ts.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'

import type { Coding } from '../../../src/release/format/coding.ts'
import type { ManifestFile } from '../../../src/release/format/manifest.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'
import { Staging } from '../../../src/release/writing/staging.ts'
import { fits } from '../../../src/release/format/zip-format.ts'
import { writeZip } from '../../../src/release/writing/zip-file.ts'
import { describeWithComponent, findProgram } from '../../support/real-component.ts'
import { AS_OF_MS, aboutOf } from '../sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const LARGE = Array.from({ length: 60_000 }, (_, i) => `${i},row ${i},${'é'.repeat(i % 7)}\r\n`)
/** Streamed to the disk with several flushes; compressed at once; too small for a .gz; empty; and with a tail. */
const CONTENTS: Readonly<Record<string, string>> = {
  'b/large.csv': LARGE.join(''),
  'b/medium.csv': LARGE.slice(0, 500).join(''),
  'a/small.csv': 'id\r\n1\r\n',
  'a/empty.csv': '',
  'a/tail.json': `${LARGE.slice(0, 200).join('')}the end`,
}
const README = { name: 'README.txt', text: 'Datos públicos\n' }

async function zipOf(codings?: readonly Coding[]): Promise<{ path: string; entry: ManifestFile }> {
  const staging = await Staging.create(releasePaths(temporaryFolder()), codings)
  const large = staging.stream('b/large.csv', 0)
  for (const row of LARGE) {
    large.write(row)
    await large.drain()
  }
  await large.end({ rows: LARGE.length })
  for (const [path, text] of Object.entries(CONTENTS)) {
    if (path === 'b/large.csv') continue
    await staging.put(path, text, { contentHash: 'a'.repeat(64), rows: null, tail: path.endsWith('.json') ? 7 : 0 })
  }
  const out = staging.stream('bulk.zip', 0)
  const files = staging.files()
  await writeZip(out, { folder: staging.folder, files, texts: [README], timeMs: AS_OF_MS })
  const { files: listed } = await staging.seal(aboutOf(AS_OF_MS))
  const entry = listed.find(({ path }) => path === 'bulk.zip')
  if (entry === undefined) throw new Error('bulk.zip is not in the manifest')
  return { path: join(staging.folder, 'bulk.zip'), entry }
}

const LIST = `
import sys, json, zipfile, hashlib
with zipfile.ZipFile(sys.argv[1]) as z:
    assert z.testzip() is None
    print(json.dumps([[i.filename, i.file_size, i.compress_size, i.date_time, i.CRC, hashlib.sha256(z.read(i)).hexdigest()] for i in z.infolist()]))
`
function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function python(program: string, ...args: readonly string[]): Buffer {
  return execFileSync('python3', ['-c', program, ...args], { maxBuffer: 1 << 26 })
}

const PYTHON = findProgram('python3', 'python3')

describeWithComponent('the archive', PYTHON, () => {
  it.each([
    ['with .gz siblings', undefined],
    ['without', []],
  ] as const)('gives back every file, %s', async (_, codings) => {
    const { path } = await zipOf(codings)
    const listed = JSON.parse(python(LIST, path).toString()) as [string, number, number, number[], number, string][]
    const expected = { ...CONTENTS, [README.name]: README.text }
    expect(listed.map(([name]) => name)).toEqual(Object.keys(expected).sort())
    for (const [name, bytes, coded, date, crc, sha256] of listed) {
      const content = Buffer.from(expected[name] ?? '', 'utf8')
      expect([bytes, crc, sha256], name).toEqual([content.length, crc32(content), sha256Of(content)])
      expect(date).toEqual([2026, 5, 20, 9, 30, 0])
      if (codings === undefined && content.length >= 1024) expect(coded, name).toBeLessThan(bytes)
    }
  })

  it('has the same bytes when it is written again, and its content hash does not depend on the compression', async () => {
    const [one, other, stored] = [await zipOf(), await zipOf(), await zipOf([])]
    expect(readFileSync(one.path).equals(readFileSync(other.path))).toBe(true)
    expect(one.entry).toEqual(other.entry)
    expect(stored.entry.contentHash).toBe(one.entry.contentHash)
    expect(stored.entry.sha256).not.toBe(one.entry.sha256)
    expect([one.entry.gzip ?? null, one.entry.br ?? null]).toEqual([null, null])
  })
})

describeWithComponent('unzip', findProgram('unzip', 'unzip'), (unzip) => {
  it('finds no error', async () => {
    const { path } = await zipOf()
    expect(execFileSync(unzip, ['-t', path], { encoding: 'utf8' })).toContain('No errors detected')
  })
})

describe('what is too large for the format', () => {
  const entry = { name: 'x.csv', bytes: 5, codedBytes: 5 }
  const many = (count: number): (typeof entry)[] => Array.from({ length: count }, () => entry)
  const LARGEST = 2 ** 32 - 2
  /** Both headers with the name, and the end. */
  const AROUND = 30 + 46 + 2 * 'x.csv'.length + 22

  it.each([
    ['an archive', [{ ...entry, codedBytes: LARGEST - AROUND }], [{ ...entry, codedBytes: LARGEST - AROUND + 1 }]],
    ['what an entry holds', [{ ...entry, bytes: LARGEST }], [{ ...entry, bytes: LARGEST + 1 }]],
    ['the number of entries', many(65_534), many(65_535)],
  ])('is known of %s', (_, largest, larger) => {
    expect([fits(largest), fits(larger)]).toEqual([true, false])
  })

  it('is not written at all', async () => {
    const staging = await Staging.create(releasePaths(temporaryFolder()))
    const texts = Array.from({ length: 65_535 }, (__, i) => ({ name: `${i}`, text: '' }))
    await writeZip(staging.stream('bulk.zip', 0), {
      folder: staging.folder,
      files: [],
      texts,
      timeMs: AS_OF_MS,
    })
    const { files } = await staging.seal(aboutOf(AS_OF_MS))
    expect(files).toEqual([])
    expect(existsSync(join(staging.folder, 'bulk.zip'))).toBe(false)
  })
})
