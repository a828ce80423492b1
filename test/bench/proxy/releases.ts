// Owns the releases that are served in the measurements: an ordinary one, and one with a large export.
import type { Manifest } from '../../../src/release/format/manifest.ts'
import { switchTo } from '../../../src/release/writing/current-link.ts'
import { isWhole } from '../../../src/release/verify/verify.ts'
import { Staging } from '../../../src/release/writing/staging.ts'
import { publishRelease } from '../../support/release.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'

/** Of this moment, so that no answer is marked as stale while the benchmark lasts. */
const CADENCE_MS = 24 * 3_600_000

/** A platform of 200 categories whose trending lists are full. */
export function publishOrdinary(dir: string): Promise<Manifest> {
  const categories = Array.from({ length: 200 }, (_, i) => `Category ${i + 1}`)
  return publishRelease(dir, { categories, ideas: 6000, titleChars: 40, asOfMs: Date.now(), cadenceMs: CADENCE_MS })
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
  await file.end({ rows })
  const manifest = await stage.seal(about)
  await stage.promote(manifest.id, isWhole)
  await switchTo(releasePaths(dir), manifest.id, Date.now())
  return manifest
}
