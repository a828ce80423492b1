// Of src/release/writing/zip-file.ts and src/release/format/zip.ts.
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, it } from 'vitest'
import { directoryEntry, dosTime, endOfDirectory, localHeader, type ZipEntry } from '../../../src/release/format/zip.ts'
import type { Coding } from '../../../src/release/format/coding.ts'
import type { ManifestFile } from '../../../src/release/format/manifest.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'
import { Staging } from '../../../src/release/writing/staging.ts'
import { writeZip } from '../../../src/release/writing/zip-file.ts'
import { describeWithComponent, findProgram } from '../../support/real-component.ts'
import { AS_OF_MS, aboutOf, temporaryFolder } from '../sample-release.ts'

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
  await large.end({ rows: LARGE.length, contentHash: null })
  for (const [path, text] of Object.entries(CONTENTS)) {
    if (path === 'b/large.csv') continue
    await staging.put(path, text, { contentHash: 'a'.repeat(64), rows: null, tail: path.endsWith('.json') ? 7 : 0 })
  }
  const out = staging.uncoded('bulk.zip')
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
const READ = `
import sys, zipfile
sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))
`

function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function python(program: string, ...args: readonly string[]): Buffer {
  return execFileSync('python3', ['-c', program, ...args], { maxBuffer: 1 << 26 })
}

const TIME = dosTime(AS_OF_MS)
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

describeWithComponent('what is too large for 32 bits', PYTHON, () => {
  const entry = (more: Partial<ZipEntry>): ZipEntry => ({
    name: 'x.csv',
    method: 'stored',
    crc: 1,
    bytes: 5,
    codedBytes: 5,
    ...more,
  })

  it('is in the ZIP64 record of the directory, in the order that the format has', () => {
    const sizes = { bytes: 2 ** 33 + 1, codedBytes: 2 ** 32 + 2 }
    const listed = directoryEntry(entry(sizes), 2 ** 34 + 3, TIME)
    expect([listed.readUInt32LE(20), listed.readUInt32LE(24), listed.readUInt32LE(42)]).toEqual(
      Array.from({ length: 3 }, () => 0xff_ff_ff_ff),
    )
    const extra = listed.subarray(46 + 'x.csv'.length)
    expect([extra.readUInt16LE(0), extra.readUInt16LE(2)]).toEqual([1, 24])
    expect([4, 12, 20].map((at) => Number(extra.readBigUInt64LE(at)))).toEqual([2 ** 33 + 1, 2 ** 32 + 2, 2 ** 34 + 3])
    const local = localHeader(entry(sizes), TIME)
    expect(local.readUInt16LE(4)).toBe(45)
    expect([4, 12].map((at) => Number(local.subarray(30 + 5).readBigUInt64LE(at)))).toEqual([2 ** 33 + 1, 2 ** 32 + 2])
  })

  it('is read by Python: 65,536 entries', async () => {
    const texts = Array.from({ length: 65_536 }, (_, i) => ({
      name: `${String(i).padStart(5, '0')}.txt`,
      text: `${i}`,
    }))
    const pieces: Buffer[] = []
    const out = { write: async (bytes: Buffer) => void pieces.push(bytes), end: async () => undefined }
    await writeZip(out, { folder: '', files: [], texts, timeMs: 0 })
    const path = join(temporaryFolder(), 'many.zip')
    writeFileSync(path, Buffer.concat(pieces))
    const listed = JSON.parse(python(LIST, path).toString()) as unknown[][]
    expect(listed).toHaveLength(65_536)
    const last = ['65535.txt', 5, 5, [1980, 1, 1, 0, 0, 0], crc32('65535'), sha256Of(Buffer.from('65535'))]
    expect(listed.at(-1)).toEqual(last)
  })

  it('is read by Python: an entry that begins behind 4 GiB', () => {
    // A sparse file: the directory says that the only entry is that far away.
    const at = 2 ** 32 + 7
    const bytes = randomBytes(5)
    const only = entry({ crc: crc32(bytes) })
    const listed = directoryEntry(only, at, TIME)
    const head = Buffer.concat([localHeader(only, TIME), bytes])
    const end = Buffer.concat([listed, endOfDirectory(1, { offset: at + head.length, bytes: listed.length })])
    const path = join(temporaryFolder(), 'sparse.zip')
    const write = `
import sys
with open(sys.argv[1], 'wb') as f:
    f.seek(int(sys.argv[2]))
    f.write(bytes.fromhex(sys.argv[3]))
`
    python(write, path, String(at), Buffer.concat([head, end]).toString('hex'))
    expect(python(READ, path, 'x.csv').equals(bytes)).toBe(true)
  })
})
