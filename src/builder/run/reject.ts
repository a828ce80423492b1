// Owns what becomes of a candidate that the gate rejected: kept with its past for `diff`, and how many titles wait that are
// public, but no longer on the site. Decides nothing.
import { count } from '../../process/printable.ts'
import { documentRows } from '../../release/verify/document-rows.ts'
import { REJECTED_PREFIX, type ReleasePaths } from '../../release/format/paths.ts'
import { ReleaseError } from '../../release/format/release-error.ts'
import { folderReader, readManifest } from '../../release/reading/folder-reader.ts'
import { keepPast } from '../../release/writing/kept-past.ts'
import type { Staging } from '../../release/writing/staging.ts'
import { type Base, keptOf } from '../past/current.ts'
import type { Candidate } from '../past/gate.ts'
import { hasShrunk, type Revision } from '../past/revision.ts'
import type { BuildContext } from './context.ts'
import { orLog } from './warnings.ts'

/** @returns where it is, and more to say with the reasons */
export async function reject(
  { request: { paths }, log }: BuildContext,
  base: Base,
  candidate: Candidate,
  revisions: readonly Revision[] | null,
  staging: Staging,
): Promise<{ readonly kept: string; readonly more: readonly string[] }> {
  const { id } = candidate.manifest
  const kept = await staging.reject(id, ({ message }) =>
    log.warn({}, `an older rejected candidate is not removed: ${message}`),
  )
  const name = `${REJECTED_PREFIX}${id}`
  const past = keptOf(base, candidate)
  const failed = 'diff cannot show the rejected candidate by month'
  if (past !== null) await orLog(log, 'warn', failed, () => keepPast(paths, name, past))
  if (base.current === null || !hasShrunk(revisions ?? [], 'ideas')) return { kept, more: [] }
  const gone = await titlesGone(paths, base.current.id, name)
  return { kept, more: gone === null ? [] : [gone] }
}

const IDEAS = { endpoint: 'export', type: 'ideas', period: 'all', format: 'json' } as const

/** A sentence for an operator who has to decide; null = none is gone. Never fails: the rejection is what counts. */
export async function titlesGone(paths: ReleasePaths, current: string, candidate: string): Promise<string | null> {
  try {
    const there = new Set<string>()
    for await (const id of ideaIds(paths, candidate)) there.add(id)
    let gone = 0
    for await (const id of ideaIds(paths, current)) if (!there.has(id)) gone += 1
    return gone === 0
      ? null
      : `ideas that are public here, but no longer on the site: ${count(gone)}; their titles stay public until a build is published`
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error
    return `how many ideas are public here, but no longer on the site, is not known: ${error.message}`
  }
}

async function* ideaIds(paths: ReleasePaths, name: string): AsyncGenerator<string> {
  const release = { reader: folderReader(paths), name, manifest: await readManifest(paths, name) }
  for await (const batch of documentRows(release, IDEAS)) for (const { id } of batch) yield String(id)
}
