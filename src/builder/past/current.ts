// Owns what a candidate is compared with: the current release and the past that was kept of it. Reads both; decides nothing.
import type { Log } from '../../process/log.ts'
import type { TimeZone } from '../../contract/time-zone.ts'
import type { Past } from '../../model/rows-by-month.ts'
import { DEMO_MAPPING, type Manifest, type NamedRelease } from '../../release/format/manifest.ts'
import type { ReleasePaths } from '../../release/format/paths.ts'
import type { ReleaseError } from '../../release/format/release-error.ts'
import { manifestFile, readCurrent } from '../../release/reading/folder-reader.ts'
import { type KeptPast, readKeptPast } from '../../release/writing/kept-past.ts'
import type { Candidate } from './gate.ts'
import { isOfSameMapping, knownOf, type KnownRelease } from './known-release.ts'
import { revisionsSince, type Revision } from './revision.ts'

export interface Base {
  /** Also as the next manifest and the log of days name it. */
  readonly current: (KnownRelease & NamedRelease) | null
  /** Null = the past is not compared. */
  readonly kept: KeptPast | null
  /** Why not; null = it is compared. */
  readonly without: Without | null
  /** Why the current release, which may be whole, could not be read: only a build that closes the site goes on. */
  readonly unreadable?: ReleaseError
}

export interface Without {
  readonly why: string
  /** An operator may not expect it, and nothing has said it yet. */
  readonly isNews: boolean
}

/** Where what is current could not be read. */
export const NO_BASE: Base = {
  current: null,
  kept: null,
  without: { why: 'the current release could not be read', isNews: false },
}

/** @throws ReleaseError (unreadable): the release may be whole */
export async function readBase(
  { paths, mapping }: { readonly paths: ReleasePaths; readonly mapping: Manifest['mapping'] },
  log: Log,
): Promise<Base> {
  let isDamaged = false
  const manifest = await readCurrent(paths, ({ message }) => {
    isDamaged = true
    log.warn({}, `${message}; the new release is not compared with it`)
  })
  if (manifest === null)
    return isDamaged ? NO_BASE : { ...NO_BASE, without: { why: 'no release is current', isNews: false } }
  const { id, closed } = manifest
  const { bytes, sha256 } = await manifestFile(paths, id)
  const current = { ...knownOf(manifest), bytes, sha256 }
  const without = (why: string, isNews: boolean): Base => ({ current, kept: null, without: { why, isNews } })
  if (closed === true) return without('the site is open again', true)
  if (mapping.name === DEMO_MAPPING) return without('the demo is invented anew for each build', false)
  const otherMapping = `the mapping, its parameters, the time zone or, after an upgrade, the program's own copy of it is not that of ${id}`
  if (!isOfSameMapping(manifest, { mapping })) return without(otherMapping, true)
  const kept = await readKeptPast(paths, id)
  if (typeof kept === 'string') return without(`nothing is known of the past of ${id}: ${kept}`, true)
  return { current, kept, without: null }
}

/** What a read changed of the kept past; null = it is not compared. */
export function revisionsOn({ kept }: Base, past: Past | null, zone: TimeZone): readonly Revision[] | null {
  return kept === null || past === null ? null : revisionsSince(kept.past.own, past, zone)
}

/** How rows are cut by other rules of the same time zone than in the current release, if that was; null = they are not. */
export function rulesChange({ current }: Base, { options, timeZoneDatabase: now }: Manifest): string | null {
  if (current?.options.timeZone !== options.timeZone || current?.timeZoneDatabase === now) return null
  return `${options.timeZone} by version ${now ?? 'unknown'}, in the current release by ${current?.timeZoneDatabase ?? 'unknown'}: where both differ, rows are of other hours, days or months now`
}

/** What is to be kept of a candidate; null = nothing: a closed site has no past, and the demo a new one for each build. */
export function keptOf(base: Base, { manifest, past }: Pick<Candidate, 'manifest' | 'past'>): KeptPast | null {
  const { id, mapping } = manifest
  if (past === null || mapping.name === DEMO_MAPPING) return null
  return { id, mapping, past, comparedWith: base.kept?.id ?? null }
}
