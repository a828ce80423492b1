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
  /** By the text of a SELECT as the mapping file has it. */
  readonly parsed: ReadonlyMap<string, ParsedSelect>
  /** What the SELECTs read, whether a line names it or not. */
  readonly requires: readonly MappingRequires[]
  /** Lines for what no line names. */
  readonly proposedRequires: readonly MappingRequires[]
  /** What of all these is missing. */
  readonly required: readonly Finding[]
  /** What was found so far: each check adds to it. */
  readonly findings: Finding[]
}
