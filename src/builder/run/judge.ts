// Owns the second step of a build: what changed since the current release, and whether the gate accepts the candidate. Pure.
import { short } from '../../process/printable.ts'
import { missingAndSurplus } from '../../release/checks/invariants.ts'
import type { CategoryChange } from '../past/category-changes.ts'
import { keptOf, otherQuestion, otherZone, type Base } from '../past/current.ts'
import { againstCurrent } from '../past/gate.ts'
import { USUAL_CAUSES } from '../past/revision.ts'
import type { BuildRequest } from './context.ts'
import type { Candidate } from './stage.ts'

export type JudgedCandidate = ReturnType<typeof judgeCandidate>

export function judgeCandidate(
  candidate: Candidate,
  base: Base,
  { mapping: { asked }, maxRevision, acceptRevision }: Pick<BuildRequest, 'mapping' | 'maxRevision' | 'acceptRevision'>,
  nowMs: number,
) {
  const { manifest, reported, past, revisions, categoryChanges } = candidate
  const { rules, months } = otherZone(base, past, manifest)
  const changes = [...months, otherQuestion(base, { ...manifest.mapping, asked }) ?? USUAL_CAUSES]
  const options = { maxRevision, acceptRevision, nowMs, without: base.without, changes }
  const reasons: readonly string[] = [
    ...missingAndSurplus(manifest),
    ...reported.faults(manifest),
    ...againstCurrent(manifest, base.current, revisions, options),
  ]
  const areIdeasGone = revisions?.some(({ relation, has, had }) => relation === 'ideas' && has < had) ?? false
  return {
    ...candidate,
    /** What else changed since the current release, as sentences: the time zone, categories. */
    notes: [...rules, ...months, ...categoryChanges.map(categoryChange)],
    /** What the next build compares with; null = nothing. */
    kept: keptOf(base, candidate, asked),
    /** Why the gate rejects it, as sentences; none = it may become current. */
    reasons: reasons.length > 0 && areIdeasGone ? [...reasons, TITLES_STAY] : reasons,
  }
}

const TITLES_STAY = 'titles of ideas that are gone from the site stay public here until a build is published'

const NAME_WIDTH = 40

function categoryChange({ kind, from, into }: CategoryChange<string>): string {
  const [was = '', ...is] = [from, ...into].map((name) => `"${short(name, NAME_WIDTH)}"`)
  return `category ${was} was ${kind}: its ideas are in ${is.join(', ')}`
}
