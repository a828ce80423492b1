// The ideas for Excel and the archive of a release: as files of it, and what verify says of them.
// real test: it publishes releases, and reads an archive with Python
// long test: starts the program, or builds, for each case
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, it } from 'vitest'
import { excelPath } from '../../../src/contract/snapshot-paths.ts'
import { siteKindOf } from '../../../src/contract/site-paths.ts'
import { PERIODS } from '../../../src/contract/windows.ts'
import type { Manifest } from '../../../src/release/format/manifest.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'
import { Staging } from '../../../src/release/writing/staging.ts'
import { Patient } from '../../release/verify/patient.ts'
import { openFilesBelow, SHOWS_OPEN_FILES } from '../../support/open-files.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { publishRelease } from '../../support/release.ts'
import { describeWithComponent, findProgram } from '../../support/real-component.ts'
import { sampleSite } from '../../support/site.ts'

interface Published {
  readonly snapshots: string
  readonly manifest: Manifest
  readonly read: (path: string) => Buffer
}

async function published(spec: Parameters<typeof publishRelease>[1] = { site: sampleSite() }): Promise<Published> {
  const snapshots = temporaryFolder()
  const manifest = await publishRelease(snapshots, spec)
  return { manifest, snapshots, read: (path) => readFileSync(join(snapshots, 'releases', manifest.id, path)) }
}

const CELLS = { record_delimiter: '\r\n' } as const

const OTHER_FORMATS = ['bulk.zip', ...PERIODS.map(excelPath)]

const CONTENTS = `
import sys, json, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    assert z.testzip() is None
    print(json.dumps({i.filename: z.read(i).decode() for i in z.infolist()}))
`

function unzipped(python: string, { snapshots, manifest }: Published): Record<string, string> {
  const path = join(snapshots, 'releases', manifest.id, 'bulk.zip')
  return JSON.parse(execFileSync(python, ['-c', CONTENTS, path], { encoding: 'utf8', maxBuffer: 1 << 28 })) as Record<
    string,
    string
  >
}

describeWithComponent('a release in other formats', findProgram('python3', 'python3'), (python) => {
  it('has for Excel the cells of the CSV, in UTF-16 with a byte order mark, ended by tabs', async () => {
    const release = await published()
    for (const period of PERIODS) {
      const bytes = release.read(excelPath(period))
      expect([...bytes.subarray(0, 2)]).toEqual([0xff, 0xfe])
      const excel = parse(bytes.toString('utf16le').slice(1), { ...CELLS, delimiter: '\t' })
      const plain = parse(release.read(`analytics/export/ideas/${period}.csv`), CELLS)
      const time = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d{3}Z$/
      expect(excel).toEqual(plain.map((cells) => cells.map((cell) => cell.replace(time, '$1 $2'))))
      expect(release.manifest.files.find(({ path }) => path === excelPath(period))?.rows).toBe(excel.length - 1)
    }
    expect(release.read(excelPath('all')).toString('utf16le')).toContain('\t"\'=cmd|"" /C""!A1"\t')
  })

  it('has every table, as CSV, in one archive, with what describes them', async () => {
    const release = await published({
      site: sampleSite({ title: 'Ideas of Gullcliff', publisher: 'The town', license: 'CC0-1.0' }),
    })
    const inIt = unzipped(python, release)
    const tables = release.manifest.files.filter(({ path }) => path.endsWith('.csv') && siteKindOf(path) === null)
    expect(tables.length).toBeGreaterThan(30)
    const readme = inIt['README.txt'] ?? ''
    const others = [...tables.map(({ path }) => path), 'datapackage.json']
    expect(inIt).toEqual({
      ...Object.fromEntries(others.map((path) => [path, release.read(path).toString()])),
      'README.txt': readme,
    })
    for (const said of ['Ideas of Gullcliff', 'Published by The town.', 'CC0-1.0', release.manifest.dataAsOf])
      expect(readme).toContain(said)
    expect(readme).not.toContain(release.manifest.id)
  })

  it('is empty and valid while the platform is closed to visitors', async () => {
    const release = await published({ site: sampleSite(), closed: true })
    expect(release.read(excelPath('7d')).toString('utf16le').split('\r\n')).toHaveLength(2)
    expect(unzipped(python, release)['README.txt']).toContain('closed to visitors')
  })

  it('has none of them where it is data only', async () => {
    const { manifest } = await published({})
    expect(manifest.files.filter(({ path }) => siteKindOf(path) !== null)).toEqual([])
  })
})

it('a build that is stopped leaves no file open', async () => {
  const folder = temporaryFolder()
  const staging = await Staging.create(releasePaths(folder))
  const excel = staging.stream(excelPath('all'), 0)
  // Long enough for files to grow.
  excel.write('id\r\n'.repeat(500_000), 'utf16le')
  await excel.drain()
  if (SHOWS_OPEN_FILES) expect(openFilesBelow(folder)).not.toEqual([])
  await staging.discard()
  if (SHOWS_OPEN_FILES) expect(openFilesBelow(folder)).toEqual([])
})

it('verify compares the rows and the content that the manifest says with those of the CSV', async () => {
  const { manifest, snapshots } = await published()
  const patient = new Patient(snapshots, manifest)
  await patient.list(excelPath('all'), { rows: 3 })
  await patient.list('bulk.zip', { rows: 1 })
  // The invented release has other faults: its users do not add up.
  const faults = (await patient.faults()).filter((fault) => OTHER_FORMATS.some((path) => fault.startsWith(path)))
  expect(faults.toSorted()).toEqual([
    expect.stringMatching(
      /^analytics\/export\/ideas\/all\.excel\.csv: the manifest says 3 rows, analytics\/export\/ideas\/all\.csv has \d+$/,
    ),
    'bulk.zip: the manifest says 1 rows',
  ])
})
