// Owns what a candidate is compared with: the current release, the past that was kept of it, and what it was asked. Reads both;
// decides nothing.
import { shortHash } from '../../analytics/idea-sample.ts'
import { UTC } from '../../contract/time-zone.ts'
import type { CountedPast } from '../../model/rows-by-month.ts'
import type { Log } from '../../process/log.ts'
import { some } from '../../process/printable.ts'
import { isDemo, type Manifest, type NamedRelease } from '../../release/format/manifest.ts'
import type { ReleasePaths } from '../../release/format/paths.ts'
import { onReleaseError, type ReleaseError } from '../../release/format/release-error.ts'
import { manifestFile, readManifest } from '../../release/reading/folder-reader.ts'
import { currentId } from '../../release/reading/release-list.ts'
import { EMPTY_JOURNAL, type JournalState } from '../../release/past/journal.ts'
import { readJournal } from '../../release/past/past.ts'
import { type KeptPast, readKeptPast } from '../../release/writing/kept-past.ts'
import type { CategoryChange } from './category-changes.ts'
import { isAsset } from './earlier-assets.ts'
import { HISTORY_PATH } from './earlier-history.ts'
import { categoriesOf } from './idea-revisions.ts'
import { haveSameMonths } from './revision.ts'

export interface Base {
  /** Also as the next manifest and the log of days name it. Of its files, which may be many, only what the next one carries on. */
  readonly current: (Manifest & NamedRelease) | null
  /** What the journal says. */
  readonly past: JournalState
  /** Null = the past is not compared. */
  readonly kept: KeptPast | null
  /** Why not; null = it is compared. */
  readonly without: string | null
  /** Why the current release, which may be whole, could not be read: only a build that closes the site goes on. */
  readonly unreadable?: ReleaseError
}

/** Where what is current could not be read. */
export const NO_BASE: Base = {
  current: null,
  past: EMPTY_JOURNAL,
  kept: null,
  without: 'the current release could not be read',
}

/** Without the journal. @throws ReleaseError (unreadable): the release may be whole */
export async function readBase(
  { paths, mapping }: { readonly paths: ReleasePaths; readonly mapping: Pick<Manifest['mapping'], 'name'> },
  log: Log,
): Promise<Base> {
  const name = await currentId(paths)
  if (name === null) return { ...NO_BASE, without: 'no release is current' }
  const damaged = ({ message }: ReleaseError): null => {
    log.warn({}, `${message}; the new release is not compared with it`)
    return null
  }
  const manifest = await readManifest(paths, name).catch(onReleaseError(damaged, 'damaged'))
  if (manifest === null) return NO_BASE
  // Not the name: somebody may have made a rejected candidate, or an archived month, current by hand.
  const { id, closed } = manifest
  const files = manifest.files.filter((file) => isAsset(file) || file.path === HISTORY_PATH)
  const { bytes, sha256 } = await manifestFile(paths, id)
  const current = { ...manifest, files, bytes, sha256 }
  const notWith = (without: string): Base => ({ ...NO_BASE, current, without })
  if (closed === true) return notWith('the site is open again')
  if (isDemo({ mapping })) return notWith('the demo is invented anew for each build')
  if (isDemo(manifest)) return notWith(`${id} is of the demo`)
  const kept = await readKeptPast(paths, id)
  if (typeof kept !== 'string') return { ...NO_BASE, current, kept, without: null }
  return notWith(`nothing is known of the past of ${id}: ${kept}`)
}

/**
 * Where the journal is gone, as after a restore of a part, nobody knows what was taken back or pinned.
 * @throws ReleaseError (unreadable)
 */
export async function withPast(base: Base, paths: ReleasePaths): Promise<Base> {
  const past = await readJournal(paths)
  const isGone = past.last === null && base.current !== null && base.without === null
  return isGone ? { ...base, past, kept: null, without: `there is no ${paths.journal}` } : { ...base, past }
}

/** That the time zone, or its rules, are not those of the current release, as sentences; `months`: why these are not compared. */
export function otherZone(
  base: Base,
  past: CountedPast | null,
  { options, timeZoneDatabase: by = 'unknown' }: Manifest,
): Readonly<Record<'rules' | 'months', readonly string[]>> {
  const none: readonly string[] = []
  if (base.kept === null || base.current === null || past === null) return { rules: none, months: none }
  const { options: before, timeZoneDatabase: was = 'unknown' } = base.current
  const [from, zone] = [before.timeZone ?? UTC.name, options.timeZone ?? UTC.name]
  const changed = `the rules of the time zone changed: ${zone} by version ${by}, in the current release by ${was}: where both differ, rows are of other hours, days or months now`
  const rules = `the rules of the time zone ${zone} are ${by}, of the current release ${was}`
  const other = from === zone ? rules : `the time zone is ${zone}, of the current release ${from}`
  return {
    rules: from === zone && was !== by ? [changed] : none,
    months: haveSameMonths(base.kept.past.own, past.earlier)
      ? none
      : [`${other}: the months of each relation are compared as one sum`],
  }
}

/** What was asked otherwise, as a sentence that says what to do; null = nothing. */
export function otherQuestion({ kept, current }: Base, now: KeptPast['mapping']): string | null {
  if (kept === null || kept.mapping.sha256 === now.sha256) return null
  const was = kept.mapping
  const namesOf = (key: 'sections' | 'params'): string[] =>
    [...new Set([...Object.keys(was.asked[key]), ...Object.keys(now.asked[key])])].filter(
      (name) => was.asked[key][name] !== now.asked[key][name],
    )
  const isOwn = was.asked.builtIn && now.asked.builtIn
  const named = [
    ...namesOf('sections').map((name) => `${isOwn ? "the program's own " : ''}section ${name}`),
    ...namesOf('params').map((name) => `parameter ${name}`),
  ]
  const things = was.name !== now.name || named.length === 0 ? [`mapping ${now.name}`] : named
  const since = isOwn && was.name === now.name ? `, which ${current?.programVersion} made` : ''
  const areNot = things.length === 1 ? 'is not that' : 'are not those'
  return `${some(things, THINGS_NAMED)} ${areNot} of the current release${since}: if this is what you changed, build once with --accept-revision`
}

const THINGS_NAMED = 4

/** What became of categories, where that can be told. @param published those of the candidate */
export function changedCategories(
  { kept, current }: Base,
  past: CountedPast | null,
  published: Manifest['categories'],
): CategoryChange<string>[] {
  if (kept === null || past?.earlier == null) return []
  const names = new Set(published.map(({ name }) => name))
  const nameOf = new Map([...(current?.categories ?? []), ...published].map(({ name }) => [shortHash(name), name]))
  return categoriesOf(kept.past.own.sample, past.earlier.sample).changes.flatMap(({ kind, from, into }) => {
    const [was, ...is] = [from, ...into].flatMap((hash) => nameOf.get(hash) ?? [])
    // In a sample it may seem gone.
    const isThere = was === undefined || is.length < into.length || (kind !== 'split' && names.has(was))
    return isThere ? [] : [{ kind, from: was, into: is }]
  })
}

/** What is to be kept of a candidate; null = nothing: a closed site has no past, and the demo a new one for each build. */
export function keptOf(
  base: Base,
  { manifest, past }: { readonly manifest: Manifest; readonly past: CountedPast | null },
  asked: KeptPast['mapping']['asked'],
): KeptPast | null {
  const { id, mapping } = manifest
  if (past === null || isDemo(manifest)) return null
  return { id, mapping: { ...mapping, asked }, past, comparedWith: base.kept?.id ?? null }
}
