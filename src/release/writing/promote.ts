// Owns the switch of `current`, the hold after a rollback, and removing old releases. Writes no snapshot.
import { randomBytes } from 'node:crypto'
import { readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from './fsync-folder.ts'
import { forgetAllBut, isClosed } from './forget.ts'
import { layoutOf, STAGE_PREFIX } from '../format/paths.ts'
import { currentId, listReleases, previousOf, refuseUnknown } from '../reading/release-list.ts'
import { DEMO_MAPPING, readManifest } from '../reading/open.ts'
import { absent, onDisk, reading, ReleaseError } from '../format/release-error.ts'

/**
 * Points `current` at a release: a new symlink renamed over the old one, so that a reader sees one or the other.
 * @throws ReleaseError with `current` as it was
 */
export async function switchTo(snapshotsDir: string, id: string, nowMs: number): Promise<void> {
  const { root, releases, current } = layoutOf(snapshotsDir)
  const replaced = await currentId(snapshotsDir)
  await point(snapshotsDir, id)
  try {
    await syncFolder(root)
  } catch (error) {
    // Whoever is told of a failure must find what was current before, also after a power cut.
    await (replaced === null ? rm(current) : point(snapshotsDir, replaced)).catch(() => {})
    throw error
  }
  // Its last readers begin now, however old it is (after a rollback, older than others that prune keeps).
  if (replaced !== null && replaced !== id)
    await utimes(join(releases, replaced), nowMs / 1000, nowMs / 1000).catch(() => {})
}

async function point(snapshotsDir: string, id: string): Promise<void> {
  const { releases, current } = layoutOf(snapshotsDir)
  const next = join(releases, `${STAGE_PREFIX}current-${randomBytes(4).toString('hex')}`)
  await onDisk('switch', current, async () => {
    await symlink(join('releases', id), next)
    try {
      await rename(next, current)
    } catch (error) {
      await rm(next, { force: true })
      throw error
    }
  })
}

export interface Hold {
  readonly since: string
  readonly id: string
}

/**
 * Makes an older release current and holds it: later builds stage and report, but do not publish. While the site is closed
 * there is none to go back to; one of a time when it was closed takes everything else down.
 * @throws ReleaseError with `current` and the hold as they were
 */
export async function rollback(snapshotsDir: string, wanted: string | null, nowMs: number): Promise<Hold> {
  const releases = await listReleases(snapshotsDir)
  const current = await currentId(snapshotsDir)
  const id = wanted ?? (current === null ? null : previousOf(current, releases))
  if (current !== null && (await isClosed(snapshotsDir, current)))
    throw new ReleaseError(
      'absent',
      `the current release ${current} says that the site is closed to visitors: no other one is made current; when the site is open again, the next build publishes it`,
    )
  if (id === null) throw new ReleaseError('absent', `no release before ${current ?? 'the first'} in ${snapshotsDir}`)
  await refuseUnknown(snapshotsDir, id)
  // A damaged release would make every answer an error.
  const { closed, mapping } = await readManifest(snapshotsDir, id)
  await refuseDemo(snapshotsDir, id, mapping.name, current)
  const hold: Hold = { since: new Date(nowMs).toISOString(), id }
  const path = layoutOf(snapshotsDir).hold
  const before = await reading('read', path, () => readFile(path).catch(absent(null)))
  try {
    // Held first: a build that ends in between must not switch back.
    await onDisk('write', path, () => writeFile(path, `${JSON.stringify(hold)}\n`))
    await switchTo(snapshotsDir, id, nowMs)
  } catch (error) {
    await (before === null ? rm(path, { force: true }) : writeFile(path, before)).catch(() => {})
    throw error
  }
  if (closed === true) await forgetAllBut(snapshotsDir, [id])
  return hold
}

/** Earlier versions built the demo where real releases are: it never comes back in their place. */
async function refuseDemo(snapshotsDir: string, id: string, mapping: string, current: string | null): Promise<void> {
  if (mapping !== DEMO_MAPPING || current === null) return
  const now = await readManifest(snapshotsDir, current).catch(() => null)
  if (now?.mapping.name !== DEMO_MAPPING)
    throw new ReleaseError('absent', `${id} is of the demo, whose numbers are invented; name another release`)
}

export async function readHold(snapshotsDir: string): Promise<Hold | null> {
  const path = layoutOf(snapshotsDir).hold
  const text = await reading('read', path, () => readFile(path, 'utf8').catch(absent(null)))
  if (text === null) return null
  try {
    return JSON.parse(text) as Hold
  } catch {
    // Written by a rollback that was cut short: held all the same.
    return { since: 'an unreadable time', id: 'unknown' }
  }
}

/**
 * Lets builds publish again, for good: also after a power cut. Only for the holder of the lock.
 * @returns false when nothing was held
 * @throws ReleaseError with the hold as it was
 */
export async function resume(snapshotsDir: string): Promise<boolean> {
  const { root, hold: path } = layoutOf(snapshotsDir)
  const before = await reading('read', path, () => readFile(path).catch(absent(null)))
  if (before === null) return false
  await onDisk('remove', path, () => rm(path, { force: true }))
  try {
    await syncFolder(root)
  } catch (error) {
    await writeFile(path, before).catch(() => {})
    throw error
  }
  return true
}

/** A reader that begins on a release just before it is replaced has this long to open its files. */
const GRACE_MS = 15 * 60_000

export interface Pruned {
  readonly removed: readonly string[]
  /** Stay for now: made or replaced less than 15 minutes ago. */
  readonly young: readonly string[]
}

/**
 * Removes old releases but the newest `keep`, the current one, the one before it, and whatever was made or replaced
 * less than 15 minutes ago. Each is renamed out of sight first, so that no reader meets half of one.
 * @param signal when it aborts, the next one stays
 */
export async function prune(
  snapshotsDir: string,
  keep: number,
  nowMs: number,
  signal: AbortSignal | null = null,
): Promise<Pruned> {
  const { releases: folder } = layoutOf(snapshotsDir)
  const releases = await listReleases(snapshotsDir)
  const current = await currentId(snapshotsDir)
  const spared = new Set([current, current === null ? null : previousOf(current, releases), ...releases.slice(-keep)])
  const removed: string[] = []
  const young: string[] = []
  for (const id of releases) {
    const path = join(folder, id)
    if (spared.has(id) || signal?.aborted === true) continue
    const { mtimeMs } = await reading('look at', path, () => stat(path))
    if (nowMs - mtimeMs < GRACE_MS) {
      young.push(id)
      continue
    }
    const hidden = join(folder, `${STAGE_PREFIX}pruned-${id}`)
    await onDisk('remove', path, async () => {
      await rename(path, hidden)
      await rm(hidden, { recursive: true, force: true })
    })
    removed.push(id)
  }
  return { removed, young }
}
