// Owns what a release has more or less than the one before it. Pure: published totals in, differences out.
import { recordOf } from '../../model/record-of.ts'
import type { ManifestTotals } from '../../release/format/manifest.ts'
import { isOfSameMapping, type KnownRelease } from './known-release.ts'

type Compared = Omit<KnownRelease, 'generatedAt' | 'history' | 'assets'>

export const TOTALS = [
  'users',
  'ideas',
  'votes',
  'comments',
  'launchedIdeas',
  'categories',
] as const satisfies readonly (keyof ManifestTotals)[]

/** Names that came, and that went. */
export interface ListDiff {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

export interface Changes {
  /** The release that was current. */
  readonly since: Pick<Compared, 'id' | 'dataAsOf'>
  /** By how much each total changed; null = not known, as of people that are published otherwise than before. */
  readonly rows: Readonly<Record<keyof ManifestTotals, number | null>>
  readonly categories: ListDiff
  readonly files: number
  readonly bytes: number
}

export function listDiff(before: readonly string[], now: readonly string[]): ListDiff {
  const [had, has] = [new Set(before), new Set(now)]
  return { added: now.filter((name) => !had.has(name)), removed: before.filter((name) => !has.has(name)) }
}

/** Null = there is nothing to compare with: no release before, another mapping, or a site that closes or opens. */
export function changesSince(before: Compared | null, now: Compared): Changes | null {
  if (before === null || !isOfSameMapping(before, now) || before.closed === true || now.closed === true) return null
  // Rounded numbers and exact ones are not of the same instant, either.
  const isSameMode = before.people === now.people
  const grown = (key: keyof ManifestTotals): number | null => {
    const [was, is] = [before.rows[key], now.rows[key]]
    return was === null || is === null || (key === 'users' && !isSameMode) ? null : is - was
  }
  return {
    since: { id: before.id, dataAsOf: before.dataAsOf },
    rows: recordOf(TOTALS, grown),
    categories: listDiff(before.categories, now.categories),
    files: now.files - before.files,
    bytes: now.bytes - before.bytes,
  }
}
