// Owns the lineage: from which release each one carries its history. Kept outside the releases, so that it is known of one
// whose manifest is damaged. Knows no row.
import { RELEASE_ID } from '../format/manifest.ts'
import type { ReleasePaths } from '../format/paths.ts'
import * as is from '../format/shape.ts'
import { listReleases, previousOf } from '../reading/release-list.ts'
import { stateFile } from '../writing/state.ts'

/** The release that each one carries its history from; null = its history begins with it. */
export type Lineage = ReadonlyMap<string, string | null>

const isId = is.matching(RELEASE_ID)

/** What is no entry of one says nothing. */
const LINEAGE = stateFile('lineage', 0o644, (value): Record<string, string | null> => {
  const entries = Object.entries(value ?? {}).filter(([id, base]) => isId(id) && (base === null || isId(base)))
  return Object.fromEntries(entries)
})

export async function readLineage(paths: ReleasePaths): Promise<Lineage> {
  return new Map(Object.entries((await LINEAGE.read(paths)) ?? {}))
}

/**
 * A release and those whose history it carries on, newest first. What a rollback took back, and what a killed build left
 * without making it current, is in no lineage of a later release. Where none is noted, as in a copy, it is the release
 * before in time.
 * @param start need not exist any more
 */
export function* lineageOf(start: string, releases: readonly string[], lineage: Lineage): Generator<string> {
  const seen = new Set<string>()
  for (let id: string | null = start; id !== null && !seen.has(id);) {
    seen.add(id)
    yield id
    const noted = lineage.get(id)
    id = noted === undefined ? previousOf(id, releases) : noted
  }
}

/** Notes it durably, before the release can become current. Only for the holder of the lock. */
export async function noteLineage(paths: ReleasePaths, id: string, carriedFrom: string | null): Promise<void> {
  // The same release again carries on what it carried on before.
  if (id === carriedFrom) return
  const releases = new Set([...(await listReleases(paths)), id])
  const known = new Map(await readLineage(paths)).set(id, carriedFrom)
  const kept = [...known.keys()].filter((one) => releases.has(one))
  await LINEAGE.replace(paths, Object.fromEntries(kept.map((one) => [one, nearest(one, known, releases)])))
}

/** Past the releases that were removed, as far as it is known. */
function nearest(id: string, known: Lineage, releases: ReadonlySet<string>): string | null {
  const before = [...lineageOf(id, [], known)].slice(1)
  return before.find((one) => releases.has(one) || !known.has(one)) ?? null
}
