// Owns finding out whether a site is closed to visitors: section `closed`, one row. Knows no relation and no release.
import { short } from '../../process/printable.ts'
import { columnTypesOf, lineOf } from './column-types.ts'
import type { FittedMapping } from '../mapping/mapping-file.ts'
import { checkColumns } from '../mapping/relations.ts'
import type { OneInstant } from '../database/one-instant.ts'
import { explain, SourceError } from '../database/source-error.ts'

export interface Closed {
  /** The reason that the mapping gives, for the operator: it is not published. */
  readonly reason: string | null
}

/**
 * Null = the site is open, as it is where the mapping has no such section.
 * @throws SourceError where the answer is not one row of true or false: an unknown state must not be taken for open
 */
export async function readClosed(
  instant: OneInstant,
  { name, closed: sql }: Pick<FittedMapping, 'name' | 'closed'>,
): Promise<Closed | null> {
  if (sql === null) return null
  const about = `mapping ${name}, section closed`
  const answer = await queryClosed(instant, sql).catch((error: unknown) => {
    throw explain(error, `${about}${lineOf(error, sql)}`)
  })
  if (typeof answer === 'string') throw new SourceError(`${about}: ${answer}`)
  return answer
}

export const NO_ROW =
  'no row, must be exactly one: is a parameter wrong (analytics-build check lists what each may be), or has the site gone from the database?'

/** The answer, or a sentence that tells why there is none. */
export async function queryClosed(instant: OneInstant, sql: string): Promise<Closed | string | null> {
  const columns = await columnTypesOf(instant.client, sql)
  const { errors } = checkColumns('closed', columns)
  if (errors.length > 0) return errors.join('; ')
  const reason = columns.length > 1 ? 'reason::text' : 'NULL::text'
  const { rows } = await instant.client.query<{ closed: boolean | null; reason: string | null }>(
    instant.select(`closed, ${reason} AS reason`, sql, 'LIMIT 2'),
  )
  const [row, another] = rows
  if (row === undefined) return NO_ROW
  if (another !== undefined) return 'several rows, must be exactly one: bool_or(…) says whether one of them is true'
  if (row.closed === null)
    return 'column closed is NULL, must be true or false: coalesce(…) to what the platform does then'
  return row.closed ? { reason: short(row.reason ?? '', MAX_REASON_CHARACTERS) || null } : null
}

const MAX_REASON_CHARACTERS = 200
