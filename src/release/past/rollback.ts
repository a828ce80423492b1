// Owns the rollback to an older release, and the pin that it leaves until it is resumed. Removes no release that is open.
import { UTC } from '../../contract/time-zone.ts'
import { DAY_MS } from '../../contract/timestamp.ts'
import { DEMO_MAPPING, MONTH, readAtMs, type Manifest } from '../format/manifest.ts'
import type { ReleasePaths } from '../format/paths.ts'
import { ReleaseError } from '../format/release-error.ts'
import { readCurrent, readManifest } from '../reading/folder-reader.ts'
import { currentId, listReleases, previousOf, requireRelease } from '../reading/release-list.ts'
import { switchTo } from '../writing/promote.ts'
import { hideAll } from '../writing/prune.ts'
import { stateFile } from '../writing/state.ts'
import { logRollback } from './day-log.ts'
import { forgetAllBut } from './forget.ts'
import { keepTakenBack } from './taken-back.ts'

export interface Pin {
  readonly since: string
  readonly id: string
}

/**
 * Makes an older release current and pins it: later builds stage and report, but do not publish. Fails while the site is
 * closed. If the older release is of a closed site, every other release is removed.
 * @returns the pin, and the months whose archives were removed
 * @throws ReleaseError with `current` and the pin as they were
 */
export async function rollback(
  paths: ReleasePaths,
  wanted: string | null,
  nowMs: number,
): Promise<{ readonly pin: Pin; readonly months: readonly string[] }> {
  const releases = await listReleases(paths)
  const current = await currentId(paths)
  const id = wanted ?? (current === null ? null : previousOf(current, releases))
  const from = await readCurrent(paths)
  if (from?.closed === true)
    throw new ReleaseError(
      'absent',
      `the current release ${current} says that the site is closed to visitors: no other one is made current; when the site is open again, the next build publishes it`,
    )
  if (id === null)
    throw new ReleaseError(
      'absent',
      `no release ${current === null ? 'is current' : `before ${current}`} in ${paths.root}`,
    )
  await requireRelease(paths, id)
  // A damaged release would make every answer an error.
  const manifest = await readManifest(paths, id)
  const isDemo = (one: Manifest | null): boolean => one?.mapping.name === DEMO_MAPPING
  // A rollback never brings invented numbers back in place of real ones.
  if (current !== null && isDemo(manifest) && !isDemo(from))
    throw new ReleaseError('absent', `${id} is of the demo, whose numbers are invented; name another release`)
  const pin: Pin = { since: new Date(nowMs).toISOString(), id }
  const later = await monthsReadAfter(paths, readAtMs(id))
  // Pinned first: after a rollback that was killed in between, builds must not publish.
  await PIN.replace(paths, pin, async () => {
    // Their numbers may be those that are taken back. The next build archives a month again, from what is current then.
    await hideAll(paths, later)
    if (from !== null) await keepTakenBack(paths, from.id)
    if (id !== current) await logRollback(paths, from, manifest, nowMs)
    await switchTo(paths, id, nowMs)
  })
  if (manifest.closed === true) await forgetAllBut(paths, [id])
  return { pin, months: later }
}

/** Archives of releases that were read later, whatever time zone named their months; also those that cannot be read. */
async function monthsReadAfter(paths: ReleasePaths, ms: number): Promise<string[]> {
  // An earlier month of every zone has no later release.
  const first = UTC.monthOf(ms - 2 * DAY_MS)
  const found: string[] = []
  for (const month of await listReleases(paths, MONTH)) {
    if (month < first) continue
    const readMs = await readManifest(paths, month).then(
      (manifest) => readAtMs(manifest.id),
      () => Number.POSITIVE_INFINITY,
    )
    if (readMs > ms) found.push(month)
  }
  return found
}

/** Whatever is there pins: a rollback was cut short while writing it, or somebody made it. */
const PIN = stateFile('pin', 0o644, (value) => (value ?? { since: 'an unreadable time', id: 'unknown' }) as Pin)

export const readPin = (paths: ReleasePaths): Promise<Pin | null> => PIN.read(paths)

/**
 * Lets builds publish again, also after a power cut. Only for the holder of the lock.
 * @returns false when nothing was pinned
 * @throws ReleaseError with the pin as it was
 */
export async function resume(paths: ReleasePaths): Promise<boolean> {
  if ((await readPin(paths)) === null) return false
  await PIN.replace(paths, null)
  return true
}
