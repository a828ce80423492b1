// Owns what a candidate is compared with: the current release, the past that was kept of it, and what it was asked. Reads both;
// decides nothing.
import { shortHash } from '../../analytics/idea-sample.ts'
import type { TimeZone } from '../../contract/time-zone.ts'
import type { Past } from '../../model/rows-by-month.ts'
import type { Log } from '../../process/log.ts'
import { some } from '../../process/printable.ts'
import { DEMO_MAPPING, type Manifest, type NamedRelease } from '../../release/format/manifest.ts'
import type { ReleasePaths } from '../../release/format/paths.ts'
import type { ReleaseError } from '../../release/format/release-error.ts'
import { manifestFile, readCurrent } from '../../release/reading/folder-reader.ts'
import { type KeptPast, readKeptPast } from '../../release/writing/kept-past.ts'
import type { CategoryChange } from './category-changes.ts'
import type { Candidate } from './gate.ts'
import { categoriesOf } from './idea-revisions.ts'
import { knownOf, type KnownRelease } from './known-release.ts'
import { haveSameMonths, revisionsSince, type Revision } from './revision.ts'

export interface Base {
  /** Also as the next manifest and the log of days name it. */
  readonly current: (KnownRelease & NamedRelease) | null
  /** Published names of its categories. */
  readonly categories: readonly string[]
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
  /** It should have been kept: somebody has to look. */
  readonly isLost?: true
}

/** Where what is current could not be read. */
export const NO_BASE: Base = {
  current: null,
  categories: [],
  kept: null,
  without: { why: 'the current release could not be read', isNews: false },
}

/** @throws ReleaseError (unreadable): the release may be whole */
export async function readBase(
  { paths, mapping }: { readonly paths: ReleasePaths; readonly mapping: Pick<Manifest['mapping'], 'name'> },
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
  const categories = manifest.categories.map(({ name }) => name)
  const notWith = (without: Without): Base => ({ current, categories, kept: null, without })
  if (closed === true) return notWith({ why: 'the site is open again', isNews: true })
  if (mapping.name === DEMO_MAPPING) return notWith({ why: 'the demo is invented anew for each build', isNews: false })
  if (manifest.mapping.name === DEMO_MAPPING) return notWith({ why: `${id} is of the demo`, isNews: true })
  const kept = await readKeptPast(paths, id)
  if (typeof kept !== 'string') return { current, categories, kept, without: null }
  return notWith({ why: `nothing is known of the past of ${id}: ${kept}`, isNews: true, isLost: true })
}

/** What a read changed of the kept past; null = it is not compared. */
export function revisionsOn({ kept }: Base, past: Past | null, zone: TimeZone): readonly Revision[] | null {
  return kept === null || past === null ? null : revisionsSince(kept.past.own, past, zone)
}

/** That rows are cut by other rules of the same time zone than in the current release, as a sentence; null = they are not. */
export function otherRules({ kept, current }: Base, { options, timeZoneDatabase: now }: Manifest): string | null {
  if (kept === null || current?.options.timeZone !== options.timeZone || current?.timeZoneDatabase === now) return null
  return `the rules of the time zone changed: ${options.timeZone} by version ${now ?? 'unknown'}, in the current release by ${current?.timeZoneDatabase ?? 'unknown'}: where both differ, rows are of other hours, days or months now`
}

/** Why the past is compared without months, as a sentence; null = it is by month, or not compared. */
export function otherMonths({ kept }: Base, past: Past | null): string | null {
  if (kept === null || past?.earlier == null || haveSameMonths(kept.past.own, past.earlier)) return null
  const [was, is] = [kept.past.own.calendar, past.earlier.calendar]
  const [from, to] = was.timeZone === is.timeZone ? [was.tzVersion, is.tzVersion] : [was.timeZone, is.timeZone]
  const what = was.timeZone === is.timeZone ? `the rules of the time zone ${is.timeZone} are` : 'the time zone is'
  return `${what} ${to}, of the current release ${from}: the months of each relation are compared as one sum`
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
  { kept, categories }: Base,
  past: Past | null,
  published: Manifest['categories'],
): CategoryChange<string>[] {
  if (kept === null || past?.earlier == null) return []
  const names = published.map(({ name }) => name)
  const nameOf = new Map([...categories, ...names].map((name) => [shortHash(name), name]))
  return categoriesOf(kept.past.own.sample, past.earlier.sample).changes.flatMap(({ kind, from, into }) => {
    const [was, ...is] = [from, ...into].flatMap((hash) => nameOf.get(hash) ?? [])
    // In a sample it may seem gone.
    const isThere = was === undefined || is.length < into.length || (kind !== 'split' && names.includes(was))
    return isThere ? [] : [{ kind, from: was, into: is }]
  })
}

/** What is to be kept of a candidate; null = nothing: a closed site has no past, and the demo a new one for each build. */
export function keptOf(
  base: Base,
  { manifest, past }: Pick<Candidate, 'manifest' | 'past'>,
  asked: KeptPast['mapping']['asked'],
): KeptPast | null {
  const { id, mapping } = manifest
  if (past === null || mapping.name === DEMO_MAPPING) return null
  return { id, mapping: { ...mapping, asked }, past, comparedWith: base.kept?.id ?? null }
}
