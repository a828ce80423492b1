// Owns that the releases of a folder are whole, each byte of them read once. Knows no build and no fault.
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { releasePaths } from '../../src/release/format/paths.ts'
import { currentId, listReleases } from '../../src/release/reading/release-list.ts'
import { verifyAt } from '../release/sample-release.ts'

/** Releases that were read and found whole, each by what the kernel says of its files. */
export type FoundWhole = Set<string>

/**
 * Everything that has a release's name must be whole, the current one among them; its id.
 * @param found whose files are the same (a copy has links to them) and were not written since is not read again; not to be
 *   given where the disk itself may have lost something
 */
export async function expectWhole(snapshots: string, found: FoundWhole = new Set()): Promise<string> {
  const paths = releasePaths(snapshots)
  const ids = await listReleases(paths)
  for (const id of ids) {
    const files = filesOf(join(snapshots, 'releases', id))
    if (found.has(files)) continue
    const { faults, unread } = await verifyAt(snapshots, id)
    const wrong = [...faults, ...unread]
    if (wrong.length > 0) throw new Error(`${id} is torn: ${wrong.slice(0, 3).join('; ')}`)
    found.add(files)
  }
  const current = await currentId(paths)
  if (current === null) throw new Error(`nothing is current in ${snapshots}`)
  if (!ids.includes(current)) throw new Error(`${current} is current, and has no folder`)
  return current
}

/** Changes with any file that comes, goes, is replaced or is written. */
function filesOf(folder: string): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const { dev, ino, size, mtimeNs, mode } = lstatSync(join(folder, name), { bigint: true })
    // A folder of a copy is another one.
    hash.update((mode & 0o170000n) === 0o040000n ? `${name}/\n` : `${name} ${dev} ${ino} ${size} ${mtimeNs}\n`)
  }
  return hash.digest('hex')
}
