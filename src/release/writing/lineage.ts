// Owns the lineage: from which release each one carries its history. Kept outside the releases, so that it is known of one
// whose manifest is damaged. Knows no row.
import { syncFolder } from './fsync-folder.ts'
import { RELEASE_ID } from '../format/manifest.ts'
import type { ReleasePaths } from '../format/paths.ts'
import { absent, onDisk, reading } from '../format/release-error.ts'
import { readOwn } from '../reading/bounded-text.ts'
import { listReleases, previousOf } from '../reading/release-list.ts'
import { replaceFile } from './replace-file.ts'

/** The release that each one carries its history from; null = its history begins with it. */
export type Lineage = ReadonlyMap<string, string | null>

/** Of a text that is none, nothing is known. */
export async function readLineage({ lineage }: ReleasePaths): Promise<Lineage> {
  const text = await reading('read', lineage, () => readOwn(lineage).catch(absent('{}')))
  try {
    const entries = Object.entries(JSON.parse(text) as Record<string, unknown>)
    return new Map(entries.filter((entry): entry is [string, string | null] => isId(entry[0]) && isBase(entry[1])))
  } catch {
    return new Map()
  }
}

function isBase(value: unknown): boolean {
  return value === null || isId(value)
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && RELEASE_ID.test(value)
}

/**
 * A release and those whose history it carries on, newest first. What a rollback took back, and what a killed build left
 * without making it current, is in no lineage of a later release. Where none is noted, by an earlier version or in a
 * copy, it is the release before in time.
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
  const text = JSON.stringify(Object.fromEntries(kept.map((one) => [one, nearest(one, known, releases)])))
  const { lineage: path, root } = paths
  await onDisk('write', path, () => replaceFile(path, `${path}.new`, `${text}\n`))
  await syncFolder(root)
}

/** Past the releases that were removed, as far as it is known. */
function nearest(id: string, known: Lineage, releases: ReadonlySet<string>): string | null {
  const seen = new Set([id])
  let base = known.get(id) ?? null
  while (base !== null && !releases.has(base) && !seen.has(base)) {
    const next = known.get(base)
    if (next === undefined) break
    seen.add(base)
    base = next
  }
  return base
}
