// Owns proving that the compressed siblings of a file, or what a server sends compressed, decode to that file.
import { CODINGS, type Coding } from '../format/coding.ts'
import { MANIFEST_NAME, siblingOf, type FileBytes, type ManifestFile } from '../format/manifest.ts'
import { ReleaseError } from '../format/release-error.ts'
import type { FoundRelease } from '../reading/release-reader.ts'
import { decodesTo } from './decoded.ts'
import { FileReading } from './file-reading.ts'
import type { FoundFaults } from './found-faults.ts'

export async function siblingFaults(
  release: FoundRelease,
  file: ManifestFile,
  foundFaults: FoundFaults,
): Promise<string[]> {
  const faults: string[] = []
  for (const coding of CODINGS) {
    const sibling = siblingOf(file, coding)
    if (sibling === null) continue
    const found = await foundFaults.unlessUnread(() =>
      release.reader.siblings
        ? storedFaults(release, sibling, coding, file, foundFaults)
        : negotiatedFaults(release, file, coding),
    )
    faults.push(...(found ?? []))
  }
  return faults
}

/** Of the manifest's siblings: web servers send them to clients that ask for the manifest. */
export async function manifestSiblingFaults(release: FoundRelease, foundFaults: FoundFaults): Promise<string[]> {
  const files = await release.reader.manifestFiles?.(release.name)
  const faults: string[] = []
  for (const { coding, file } of files?.siblings ?? []) {
    const reading = FileReading.of(release, file)
    const same = await decodesTo(reading, coding, files?.whole ?? file)
    await reading.close()
    if (reading.failure?.code === 'unreadable') foundFaults.unread.push(reading.failure.message)
    else if (reading.failure !== null) faults.push(reading.failure.message)
    else if (!same) faults.push(`${file.path}: it does not decode to ${MANIFEST_NAME}`)
  }
  return faults
}

async function storedFaults(
  release: FoundRelease,
  sibling: FileBytes,
  coding: Coding,
  file: ManifestFile,
  foundFaults: FoundFaults,
): Promise<string[]> {
  const reading = FileReading.of(release, sibling)
  try {
    const same = await decodesTo(reading, coding, file)
    const faults = await reading.faults()
    foundFaults.bytes += reading.bytes
    return faults.length > 0 || same ? faults : [`${sibling.path}: it does not decode to its snapshot`]
  } finally {
    await reading.close()
  }
}

async function negotiatedFaults({ reader, name }: FoundRelease, file: ManifestFile, coding: Coding): Promise<string[]> {
  if (reader.negotiate === undefined) return []
  try {
    const { pieces, coded } = await reader.negotiate(name, file, coding)
    // No coding makes a text much longer.
    const reading = new FileReading(coded ? { ...file, bytes: 2 * file.bytes } : file, pieces)
    const same = coded ? await decodesTo(reading, coding, file) : (await reading.faults()).length === 0
    await reading.close()
    if (reading.failure !== null) throw reading.failure
    return same
      ? []
      : [`${file.path}: requested with Accept-Encoding ${coding}, it does not decode to the uncompressed file`]
  } catch (error) {
    if (error instanceof ReleaseError && error.code !== 'unreadable') return [error.message]
    throw error
  }
}
