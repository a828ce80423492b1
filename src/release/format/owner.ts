// Owns what is said where a user may not read or write what it should: whose that is, who asks, and how root mends it. Looks at the
// disk, changes nothing.
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { shellWord } from '../../process/called-as.ts'

/** A folder of snapshots, a release in it, and what only its builder reads. */
const IN_SNAPSHOTS =
  /^(.+)\/(?:releases(?:\/(?:\.|\d{8}T|\d{4}-\d\d(?=\/|$)).*)?|current|log\.csv|(\.(?:after-publish|held|last-build|lineage|lock|published|revisions|state)).*)$/s

/**
 * As the end of a message; '' = it is ours, and its mode is the fault.
 * @param toWrite a builder; else it may be a proxy, which needs no folder of its own
 */
export function ownerText(path: string, toWrite: boolean): string {
  const [found, uid] = [nearestThere(path), process.geteuid?.() ?? 0]
  if (found === null || uid === 0 || found.uid === uid) return ''
  const whose = `; ${found.path} belongs to uid ${found.uid}, and this is uid ${uid}`
  const [, root, builders] = IN_SNAPSHOTS.exec(path) ?? []
  // As after a restore. What another user has made is for that user.
  if (root === undefined || !found.path.startsWith(root) || found.uid !== 0 || !(toWrite || builders)) return whose
  return `${whose}: run it as the user who builds; if this is that user, after a restore, as root: chown -R ${uid}:${process.getegid?.()} ${shellWord(root)}`
}

/** What is there of a path, and may be looked at. */
function nearestThere(path: string): { readonly path: string; readonly uid: number } | null {
  try {
    return { path, uid: statSync(path).uid }
  } catch {
    return dirname(path) === path ? null : nearestThere(dirname(path))
  }
}
