// Owns the releases that are served in the measurements: ordinary ones, one of many files, one with a large export.
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MANIFEST_NAME, manifestText, releaseId, type Manifest } from '../../../src/release/format/manifest.ts'
import { runToEnd } from '../../support/run-to-end.ts'
import { switchTo } from '../../../src/release/writing/promote.ts'
import { isWhole } from '../../../src/release/checks/verify.ts'
import { Staging } from '../../../src/release/writing/staging.ts'
import { publishRelease } from '../../support/release.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'

/** Of this moment, so that no answer is marked as stale while the benchmark lasts. */
const CADENCE_MS = 24 * 3_600_000

function categoryNames(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `Category ${i + 1}`)
}

/** A platform of 200 categories whose trending lists are full. */
export function publishOrdinary(dir: string): Promise<Manifest> {
  const spec = { categories: categoryNames(200), ideas: 6000, titleChars: 40 }
  return publishRelease(dir, { ...spec, asOfMs: Date.now(), cadenceMs: CADENCE_MS })
}

/** What a release has beside four lists a category: four lists of everything, categories, exports, the totals. */
const OTHER_FILES = 50

/** About `files` snapshots, whose trending lists have more than the 20 ideas that are asked for. */
export function publishMany(dir: string, files: number): Promise<Manifest> {
  // publishRelease gives no category to each fifth idea: an odd number, or the same categories would be without.
  const count = Math.round((files - OTHER_FILES) / 4) | 1
  const spec = { categories: categoryNames(count % 5 === 0 ? count + 2 : count), ideas: count * 30, titleChars: 40 }
  return publishRelease(dir, { ...spec, asOfMs: Date.now(), cadenceMs: CADENCE_MS })
}

/** The same files under another id; not yet current. */
export function publishTwin(dir: string, manifest: Manifest): Manifest {
  const dataAsOf = new Date(Date.parse(manifest.dataAsOf) + 1).toISOString()
  const twin = { ...manifest, dataAsOf, id: runToEnd(releaseId(dataAsOf, manifest.files)) }
  const folder = join(dir, 'releases', twin.id)
  cpSync(join(dir, 'releases', manifest.id), folder, { recursive: true })
  writeFileSync(join(folder, MANIFEST_NAME), manifestText(twin))
  return twin
}

export const BIG_EXPORT = 'analytics/export/ideas/all.csv'

/** A release with one large CSV, of which the proxy knows nothing but its size. */
export async function publishBigExport(dir: string, bytes: number): Promise<Manifest> {
  const { id: _, files: __, ...about } = await publishRelease(dir, { asOfMs: Date.now(), cadenceMs: CADENCE_MS })
  const stage = await Staging.create(releasePaths(dir))
  const file = stage.stream(BIG_EXPORT, 0)
  const row = (i: number): string => `${i},Allow the search for teams (${i * 7919}),Category ${i % 200},open,,,,,,,\r\n`
  let written = 0
  let rows = 0
  while (written < bytes) {
    const text = row(rows++)
    written += text.length
    file.write(text)
    await file.drain()
  }
  await file.end({ rows, contentHash: null })
  const manifest = await stage.seal(about)
  await stage.promote(manifest.id, isWhole)
  await switchTo(releasePaths(dir), manifest.id, Date.now())
  return manifest
}
