// Owns what becomes of a candidate that the gate rejected: kept with its past for `diff`, and how many titles wait. Decides
// nothing.
import { REJECTED_PREFIX } from '../../release/format/paths.ts'
import { keepPast } from '../../release/writing/kept-past.ts'
import type { Staging } from '../../release/writing/staging.ts'
import { keptOf, type Base } from '../past/base.ts'
import type { BuildContext } from './context.ts'
import { hasShrunk, type Revision } from '../past/revision.ts'
import type { Candidate } from '../past/candidate.ts'
import { titlesGone } from './titles-gone.ts'
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
  const keep = async (): Promise<void> => (past === null ? undefined : keepPast(paths, name, past))
  await orLog(log, 'warn', 'diff cannot show the rejected candidate by month', keep)
  if (base.current === null || !hasShrunk(revisions ?? [], 'ideas')) return { kept, more: [] }
  const gone = await titlesGone(paths, base.current.id, name)
  return { kept, more: gone === null ? [] : [gone] }
}
