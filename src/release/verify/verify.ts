// Owns proving a release: all files that must be there and no others, each verified, their totals compared. Changes nothing.
import pMap from 'p-map'
import { TIME_ZONE_DATABASE } from '../../contract/time-zone.ts'
import { BULK_PATH, isWorkbook, TABLES_WORKBOOK } from '../../contract/snapshot-paths.ts'
import { CODING_SUFFIX } from '../format/coding.ts'
import { LOG_NAME } from '../format/day-log.ts'
import { filesOf, MANIFEST_NAME, type Manifest, type ManifestFile } from '../format/manifest.ts'
import type { ReleasePaths } from '../format/paths.ts'
import { onReleaseError } from '../format/release-error.ts'
import { folderReader, readManifest } from '../reading/folder-reader.ts'
import type { FoundRelease, ReleaseReader } from '../reading/release-reader.ts'
import { FoundFaults } from './file-reading.ts'
import { missingAndSurplus } from '../checks/invariants.ts'
import { FileVerifier } from './verify-files.ts'
import { SaidOfPast } from './verify-past.ts'
import { verifySiblings } from './verify-siblings.ts'

export type Verification = Readonly<Awaited<ReturnType<typeof verifyRelease>>>

/** Larger files are read one at a time: each takes a few pieces of memory, and several at once are not faster. */
const SMALL_BYTES = 1 << 20
/** Each holds a file open. */
const AT_ONCE = 32

/**
 * @param wasRead told how many bytes are read so far
 * @param saved lines that the log of days must have; null = nobody saved any
 * @param alone whether nothing but the release itself is looked at
 */
export async function verifyRelease(
  release: FoundRelease,
  wasRead: (bytes: number) => void = () => {},
  saved: string | null = null,
  alone = false,
) {
  const { reader, name, manifest } = release
  const foundFaults = new FoundFaults()
  const verifier = new FileVerifier(release, foundFaults)
  const verify = async (file: ManifestFile): Promise<void> => {
    await verifier.verify(file)
    wasRead(foundFaults.bytes)
  }
  const isSmall = ({ path, bytes }: ManifestFile): boolean => bytes <= SMALL_BYTES && !isWorkbook(path)
  await pMap(manifest.files.filter(isSmall), verify, { concurrency: AT_ONCE })
  // Workbooks after all tables, whatever the order of the list, which whoever serves it has made.
  const inOrder = manifest.files.toSorted((a, b) => Number(isWorkbook(a.path)) - Number(isWorkbook(b.path)))
  for (const file of inOrder) if (!isSmall(file)) await verify(file)
  const { bytes } = foundFaults
  const past = new SaidOfPast(release, foundFaults)
  if (!alone) await past.verify(saved)
  const own = await reader.manifestFile?.(name)
  // Web servers send its siblings to clients that ask for the manifest.
  if (own !== undefined) await verifySiblings(release, own, foundFaults)
  /** Sentences, one for each fault. */
  const faults: string[] = [
    ...missingAndSurplus(manifest),
    ...strays(await reader.paths?.(name), manifest),
    ...[MANIFEST_NAME, ...manifest.files.map(({ path }) => path)].flatMap((path) => foundFaults.faultsOf(path)),
    ...verifier.totals.faults(manifest),
    ...past.faults,
  ]
  const { id, files, closed = false, timeZoneDatabase: theirs } = manifest
  if (faults.length > 0 && theirs !== undefined && theirs !== TIME_ZONE_DATABASE)
    faults.unshift(`made with time zones ${theirs}, this Node.js has ${TIME_ZONE_DATABASE}: other buckets may be right`)
  /** What was not proved: it may be forged, and nobody would see it here. */
  const notProved: readonly string[] = [...foundFaults.notProved, ...alwaysUnproved(manifest, reader, saved)]
  /** Sentences, one for each file that could not be read; with no fault either, the release is whole. */
  const unread: readonly string[] = [...new Set(foundFaults.unread)]
  // `bytes` were read of the files of its list, and of their siblings where those can be read.
  return { id, files: files.length, bytes, closed, faults, unread, notProved }
}

/** Whether a release is proved: nothing of it is damaged, missing, surplus or unreadable. */
export async function isWhole(paths: ReleasePaths, id: string): Promise<boolean> {
  const prove = async (manifest: Manifest): Promise<boolean> => {
    const release = { reader: folderReader(paths), name: id, manifest }
    const { faults, unread } = await verifyRelease(release, () => {}, null, true)
    return faults.length + unread.length === 0
  }
  return readManifest(paths, id)
    .then(prove)
    .catch(onReleaseError(() => false))
}

function alwaysUnproved({ site }: Manifest, reader: ReleaseReader, saved: string | null): string[] {
  return [
    ...(site === undefined
      ? []
      : [`pages, pictures, feeds, descriptions, texts in ${BULK_PATH} and ${TABLES_WORKBOOK}: bytes only`]),
    ...(reader.paths === undefined ? ['other addresses: what they show was not read'] : []),
    saved === null
      ? `that all of it was not written anew, with ${LOG_NAME}: a line that was saved before (--log) shows that`
      : 'days after the last saved line',
  ]
}

/** A web server would serve them, too. */
function strays(paths: readonly string[] = [], manifest: Manifest): string[] {
  const known = new Set([
    MANIFEST_NAME,
    ...Object.values(CODING_SUFFIX).map((suffix) => `${MANIFEST_NAME}${suffix}`),
    ...Array.from(filesOf(manifest), ({ path }) => path),
  ])
  return paths.filter((path) => !known.has(path)).map((path) => `${path}: it is not in the manifest`)
}
