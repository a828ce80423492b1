// What a server may say of the past of its site at worst: however much it is, it is read to a bound.
import { expect, test } from 'vitest'
import { fileBytesOf, manifestText, type Manifest } from '../../../src/release/format/manifest.ts'
import { ReleaseError } from '../../../src/release/format/release-error.ts'
import type { ReleaseReader } from '../../../src/release/reading/release-reader.ts'
import { FoundFaults } from '../../../src/release/verify/file-reading.ts'
import { SaidOfPast } from '../../../src/release/verify/verify-past.ts'
import { aboutOf, AS_OF_MS } from '../sample-release.ts'

const idAt = (ms: number): string => `${new Date(ms).toISOString().replaceAll(/[-:.]/g, '')}-00000000`

/** @param endless whether it names one that was read a millisecond before */
function manifestAt(ms: number, endless: boolean): Manifest {
  const before = endless ? { previous: { id: idAt(ms - 1), bytes: 1, sha256: 'a'.repeat(64) } } : {}
  return { ...aboutOf(ms), id: idAt(ms), ...before, months: Array<string>(1200).fill('2026-04'), files: [] }
}

async function pastOf(
  change: Partial<ReleaseReader> = {},
  endless = false,
): Promise<{ past: SaidOfPast; found: FoundFaults; asked: number }> {
  const manifest = manifestAt(AS_OF_MS, endless)
  let asked = 0
  const reader = {
    read: (_: string, file: unknown) => {
      expect(file).toEqual(fileBytesOf('manifest.json', manifestText(manifest)))
      return Promise.resolve(Buffer.from(manifestText(manifest)))
    },
    manifest: (name: string) => {
      asked += 1
      const ms = Date.parse(name.replace(/^(....)(..)(..T..)(..)(..)(...Z).*$/, '$1-$2-$3:$4:$5.$6'))
      return Promise.resolve({ manifest: manifestAt(ms || 0, endless), bytes: 1, tag: undefined })
    },
    log: () => Promise.reject(new ReleaseError('absent', 'there is none')),
    ...change,
  } as unknown as ReleaseReader
  const found = new FoundFaults()
  const past = new SaidOfPast({ reader, name: manifest.id, manifest }, found)
  await past.verify(null)
  return { past, found, asked }
}

test('releases before it without end are read to a bound, which the verdict says', async () => {
  const { asked, found } = await pastOf({}, true)
  expect(asked).toBe(1_000)
  expect(found.notProved).toContainEqual(expect.stringMatching(/^20260520T\w+-00000000 and what was before it: /))
})

test('a manifest that is another one below the name of its release is named', async () => {
  const { past } = await pastOf({
    read: () => Promise.reject(new ReleaseError('damaged', 'manifest.json has sha256 b, the manifest says c')),
  })
  expect(past.faults).toContainEqual(
    expect.stringMatching(/manifest\.json .*: not as it is written, such as with a key twice$/),
  )
})

test('a log that is any other file is named in one sentence', async () => {
  for (const text of ['<html>', '\n', 'date\n'.repeat(100_000), '\0'.repeat(1_000_000), '"', 'a,b,c,d,e,f,g']) {
    const { past } = await pastOf({
      log: () => Promise.resolve(text),
      current: () => Promise.reject(new Error('none')),
    })
    const ofLog = past.faults.filter((fault) => fault.startsWith('log.csv'))
    expect(ofLog.map((fault) => fault.length < 300)).toEqual(text === '\n' ? [] : [true])
  }
})
