// Owns which files of a release are in its archive: every CSV, and what is said of them. Knows no format of an archive.
import { BULK_PATH, isTable } from '../../contract/other-formats.ts'
import { writeZip, type ZipText } from '../../release/writing/zip-file.ts'
import type { Staging } from '../../release/writing/staging.ts'

/** All CSV are written. @param timeMs of the entries: that of the data */
export async function writeBulkZip(staging: Staging, texts: readonly ZipText[], timeMs: number): Promise<void> {
  const files = staging.files().filter(({ path }) => isTable(path))
  await writeZip(staging.uncoded(BULK_PATH), { folder: staging.folder, files, texts, timeMs })
}
