// Owns what becomes of a candidate that the gate rejected: kept with its past for `diff`. Decides nothing.
import { REJECTED_PREFIX } from '../../release/format/paths.ts'
import { keepPast } from '../../release/writing/kept-past.ts'
import type { Staging } from '../../release/writing/staging.ts'
import { type Base, keptOf } from '../past/current.ts'
import type { Candidate } from '../past/gate.ts'
import type { Revision } from '../past/revision.ts'
import type { BuildContext } from './context.ts'
import { orLog } from './warnings.ts'

const TITLES_STAY = 'titles of ideas that are gone from the site stay public here until a build is published'

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
  const isFewer = (revisions ?? []).some(({ relation, has, had }) => relation === 'ideas' && has < had)
  return { kept, more: isFewer ? [TITLES_STAY] : [] }
}
