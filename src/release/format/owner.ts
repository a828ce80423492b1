// Owns what is said where a user may not read or write what it should: whose that is, who asks, and how root mends it. Looks at the
// disk, changes nothing.
import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { shellWord } from '../../process/called-as.ts'
import { nullIfThrown } from '../../process/null-if-thrown.ts'

/** A folder of snapshots, what is in it, and what only its builder reads. */
const IN_SNAPSHOTS =
  /^(.+)\/(?:releases|current|log\.csv|(\.(?:after-publish|journal|last-build|lock|published|state)))/s

/**
 * As the end of a message; '' = it is ours, and its mode is the fault.
 * @param toWrite a builder; else it may be a proxy, which needs no folder of its own
 */
export function ownerText(path: string, toWrite: boolean): string {
  const [found, uid] = [nearestThere(path), process.geteuid?.() ?? 0]
  if (found === null || uid === 0 || found.uid === uid) return ''
  const whose = `; ${found.path} belongs to uid ${found.uid}, and this is uid ${uid}`
  const [, root = '', builders] = IN_SNAPSHOTS.exec(path) ?? []
  // As after a restore: what another user has made is for that user, and what is no folder of releases for nobody.
  const isRestored =
    uidOf(`${root}/releases`) === 0 && [`${root}/.state`, `${root}/current`].some((at) => uidOf(at) === 0)
  if (root === '' || !isRestored || !(toWrite || builders)) return whose
  const all = shellWord(`${resolve(root)}/`)
  return `${whose}: if this user builds, and root has restored it: chown -R ${uid}:${process.getegid?.()} ${all}`
}

/** What is there of a path, and may be looked at. */
function nearestThere(path: string): { readonly path: string; readonly uid: number } | null {
  const uid = uidOf(path)
  if (uid !== null) return { path, uid }
  return dirname(path) === path ? null : nearestThere(dirname(path))
}

/** Null = nothing is there that may be looked at. */
const uidOf = (path: string): number | null => nullIfThrown(() => statSync(path).uid)
