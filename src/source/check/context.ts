// Owns what every check of a source is given. Knows no check.
import type pg from 'pg'
import type { OneInstant } from '../database/one-instant.ts'
import type { Finding } from '../mapping/finding.ts'
import type { MappingSource } from '../mapping/mapping.ts'
import type { ParamValue } from '../mapping/parameters.ts'
import type { ParsedSelect } from '../mapping/referenced-columns.ts'
import type { Visible } from '../mapping/requirements.ts'
import type { MappingRequires } from '../mapping/requires-line.ts'

export interface CheckedMapping {
  readonly source: MappingSource
  readonly values: readonly ParamValue[]
}

export interface CheckContext extends Visible, CheckedMapping {
  readonly client: pg.Client
  readonly instant: OneInstant
  /** The parsed SELECTs, by their text in the mapping file. */
  readonly parsed: ReadonlyMap<string, ParsedSelect>
  /** All tables and columns that the SELECTs read, whether a `requires` line names them or not. */
  readonly requires: readonly MappingRequires[]
  /** The `requires` lines to add: for what the SELECTs read and no line names. */
  readonly proposedRequires: readonly MappingRequires[]
  /** Which of all these tables and columns are missing or not readable, as findings. */
  readonly required: readonly Finding[]
  /** What was found so far: each check adds to it. */
  readonly findings: Finding[]
}
