// real test: verify.ts on each file of a release, and on files that are larger than what is decoded at once
// long test: files that are larger than what is kept of them
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { publishRelease } from '../../support/release.ts'
import { sampleSite } from '../../support/site.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { flipLastBit, Patient, patient, sha256 } from './patient.ts'

describe('verifying a release', () => {
  it('finds one flipped bit in any file', async () => {
    const sick = await patient()
    for (const { path } of sick.manifest.files) {
      await sick.damage(path, flipLastBit)
      expect(await sick.faults(), path).toEqual([
        expect.stringMatching(new RegExp(`^${path}: sha256 [0-9a-f]{64}, the manifest says [0-9a-f]{64}$`)),
      ])
      await sick.damage(path, flipLastBit)
    }
    expect(await sick.faults()).toEqual([])
  })

  describe('in a file that is larger than what is decoded at once', () => {
    const LARGE = 'analytics/export/ideas/all.json'
    const LARGE_CSV = 'analytics/export/ideas/all.csv'
    const large = async (more: Parameters<typeof publishRelease>[1] = {}): Promise<Patient> => {
      const snapshots = temporaryFolder()
      return new Patient(
        snapshots,
        await publishRelease(snapshots, { ideas: 900, titleChars: 1500, ageMs: 100 * 86_400_000, ...more }),
      )
    }

    it('finds nothing when it is whole', async () => {
      const well = await large()
      expect(well.manifest.files.find(({ path }) => path === LARGE)?.bytes).toBeGreaterThan(1 << 20)
      const faults = await well.faults()
      // The made-up accounts of that helper do not agree among themselves.
      expect(faults.filter((fault) => !/^(?:total )?users|: its newUsers sum/.test(fault))).toEqual([])
    })

    it('compares workbooks with it, also where the manifest has them before it', async () => {
      const sick = await large({ site: sampleSite() })
      expect(sick.manifest.files.find(({ path }) => path === LARGE)?.bytes).toBeGreaterThan(1 << 20)
      const [ofWorkbooks, other] = [true, false].map((is) =>
        sick.manifest.files.filter(({ path }) => path.endsWith('.xlsx') === is),
      )
      expect(ofWorkbooks!.map(({ path }) => path)).toEqual(['ideas.xlsx', 'tables.xlsx'])
      await sick.say({ files: [...ofWorkbooks!, ...other!] })
      const ofSheets = async (): Promise<readonly string[]> =>
        (await sick.faults()).filter((fault) => fault.includes('.xlsx'))
      expect(await ofSheets()).toEqual([])
      const changed = Buffer.from((await readFile(join(sick.folder, LARGE), 'utf8')).replace('799 lorem', '799 lorum'))
      await writeFile(join(sick.folder, LARGE), changed)
      await sick.list(LARGE, { sha256: sha256(changed), gzip: null })
      expect(await ofSheets()).toEqual(['ideas.xlsx: its sheet ideas is not that of the release'])
    })

    it.each<[path: string, what: string, change: (text: string) => string, fault: string]>([
      [
        LARGE_CSV,
        'a cell',
        (text) => text.replace(/799 lorem/, '799 lorum'),
        'its header or one of its 900 rows is not as in its JSON',
      ],
      [LARGE, 'a key', (text) => text.replace(/"status"(?=[^}]*\}\],)/, '"state"'), 'row 900 of its JSON has the keys'],
      [LARGE, 'a bracket', (text) => text.replace(/\},(?=[^]*799 lorem)/, '},,'), 'it is not JSON: '],
    ])('finds in %s %s', async (path, _, change, fault) => {
      const sick = await large()
      const bytes = Buffer.from(change(await readFile(join(sick.folder, path), 'utf8')))
      await writeFile(join(sick.folder, path), bytes)
      await sick.list(path, { bytes: bytes.length, sha256: sha256(bytes), gzip: null })
      expect((await sick.faults()).some((one) => one.includes(fault))).toBe(true)
    })

    it.each<[what: string, coded: (bytes: Buffer) => Buffer]>([
      ['of something else', () => gzipSync('other')],
      ['of something else of the same length', (bytes) => gzipSync(flipLastBit(bytes))],
      ['of its beginning', (bytes) => gzipSync(bytes.subarray(0, -1))],
      ['of more', (bytes) => gzipSync(Buffer.concat([bytes, Buffer.alloc(1 << 24)]))],
      ['that is cut', (bytes) => gzipSync(bytes).subarray(0, -9)],
      ['that is not compressed', (bytes) => bytes],
      ['that is empty', () => Buffer.alloc(0)],
    ])('finds a sibling %s', async (_, coded) => {
      const sick = await large()
      const bytes = coded(await readFile(join(sick.folder, LARGE)))
      await writeFile(join(sick.folder, `${LARGE}.gz`), bytes)
      await sick.list(LARGE, { gzip: { bytes: bytes.length, sha256: sha256(bytes) } })
      expect(await sick.faults()).toContain(`${LARGE}.gz: it does not decode to ${LARGE}`)
    })
  })
})
