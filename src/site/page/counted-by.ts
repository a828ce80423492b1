// Owns the sentences that say which program counted, by which queries, and how many rows were left out. Pure.
import type { SiteInput } from './input.ts'
import type { Speech } from './speech.ts'

type Counted = Pick<SiteInput, 'programVersion' | 'mappingName' | 'ignored'>

export function countedBy({ w, say }: Pick<Speech, 'w' | 'say'>, by: Counted): string {
  const counted = say(w.counting.countedByText, { version: by.programVersion, mapping: by.mappingName })
  const n = by.ignored.reduce((sum, { rows }) => sum + (rows ?? 0), 0)
  return n === 0 ? counted : `${counted} ${say(w.counting.leftOut, { n })}`
}
