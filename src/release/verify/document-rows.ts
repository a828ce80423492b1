// Owns reading the rows of one document of a release, checked against its manifest. Knows no column.
import type { Combination } from '../../contract/kinds/register.ts'
import { snapshotPath } from '../../contract/snapshot-paths.ts'
import { ReleaseError } from '../format/release-error.ts'
import type { FoundRelease } from '../reading/release-reader.ts'
import { FileReading } from './file-reading.ts'
import { jsonRows, type ParsedDocument } from './json-rows.ts'
import { rowsAt } from './validate-document.ts'

/** In batches. @throws ReleaseError, at the end also where the file is not what the manifest says */
export async function* documentRows(
  release: FoundRelease,
  combination: Combination,
): AsyncGenerator<readonly ParsedDocument[]> {
  const { id, files } = release.manifest
  const path = snapshotPath(combination)
  const file = files.find((one) => one.path === path)
  if (file === undefined) throw new ReleaseError('damaged', `${id}: ${path} is not in the manifest`)
  const reading = FileReading.of(release, file)
  try {
    const end = yield* jsonRows(reading.next, rowsAt(combination))
    const [fault = typeof end === 'string' ? `${path}: ${end}` : null] = await reading.faults()
    if (fault !== null) throw new ReleaseError('damaged', fault)
  } finally {
    await reading.close()
  }
}
