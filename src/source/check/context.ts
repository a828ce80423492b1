// Owns what every check of a source is given. Knows no check.
import type pg from 'pg'
import type { OneInstant } from '../database/one-instant.ts'
import type { Finding } from '../mapping/finding.ts'
import type { MappingSource } from '../mapping/mapping.ts'
import type { ParamValue } from '../mapping/parameters.ts'
import type { ParsedSelect } from '../mapping/referenced-columns.ts'
import type { Visible } from '../mapping/requirements.ts'

export interface CheckContext extends Visible {
  readonly client: pg.Client
  readonly instant: OneInstant
  readonly source: MappingSource
  /** As --source takes it. */
  readonly sourceName: string
  readonly values: readonly ParamValue[]
  /** By the text of a SELECT as the mapping file has it. */
  readonly parsed: ReadonlyMap<string, ParsedSelect>
  /** What of the mapping's `requires` lines is missing. */
  readonly required: readonly Finding[]
  /** What was found so far: each check adds to it. */
  readonly findings: Finding[]
}
