// Owns what every check of a source is given, and the attempt to put the parameters' values into a SELECT. Knows no check.
import type pg from 'pg'
import type { Finding } from '../mapping/finding.ts'
import { substituteParameters, type MappingSource } from '../mapping/mapping.ts'
import type { ParamValue } from '../mapping/parameters.ts'
import type { ParsedSelect } from '../mapping/referenced-columns.ts'
import type { Visible } from '../mapping/requirements.ts'
import { SourceError } from '../database/source-error.ts'

export interface CheckContext extends Visible {
  readonly client: pg.Client
  readonly source: MappingSource
  /** As --source takes it. */
  readonly sourceName: string
  readonly values: readonly ParamValue[]
  /** By the text of a SELECT as the mapping file has it. */
  readonly parsed: ReadonlyMap<string, ParsedSelect>
  /** What of the mapping's `requires` lines is missing. */
  readonly required: readonly Finding[]
}

/** null = the SELECT needs a value that is not given, which is a finding of the parameters. */
export function trySubstitute(
  { source, values }: Pick<CheckContext, 'source' | 'values'>,
  what: string,
  sql: string,
): string | SourceError | null {
  try {
    return substituteParameters(source, what, sql, values)
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return values.some(({ text }) => text === null) ? null : error
  }
}
