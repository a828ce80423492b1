// Owns checking section `page`: what keeps setup from proposing anything of it, as warnings, since no build reads it. Knows no
// option.
import { explain, SourceError } from '../database/source-error.ts'
import { warning, type Finding } from '../mapping/finding.ts'
import { builtInMappings, trySubstitute } from '../mapping/mapping.ts'
import { PAGE_COLUMNS, type ReturnedColumn } from '../mapping/relations.ts'
import { columnTypesOf, lineOf } from '../read/column-types.ts'
import { asTable } from '../sql/template.ts'
import { attempt, queryOne } from '../database/attempt.ts'
import type { CheckContext } from './context.ts'

const ABOUT = 'section page'
/** The role needs no right for this section: setup reads it as whoever runs it. */
const DENIED = '42501'
/** Numbers, booleans and arrays, by pg_type.typcategory: what JSON does not write as a string. */
const NO_TEXT = ['N', 'B', 'A']

export async function checkPage(context: CheckContext): Promise<Finding[]> {
  const { client, source, sourceName } = context
  // A version of a platform may lack what a built-in mapping proposes from.
  const sql =
    source.file.page === null || builtInMappings().includes(sourceName)
      ? null
      : trySubstitute(context, ABOUT, source.file.page)
  if (sql === null) return []
  if (sql instanceof SourceError) return [warning(ABOUT, sql.message)]
  const answer = await attempt(client, async () => {
    const columns = await columnTypesOf(client, sql)
    const rows = await queryOne(client, `SELECT * FROM ${asTable(sql)} LIMIT 2`)
    return { columns, rows: rows.length }
  })
  if (!answer.ok) {
    if ((answer.error as { code?: unknown } | null)?.code === DENIED) return []
    return [
      warning(
        `${ABOUT}${lineOf(answer.error, sql, source, source.file.page)}`,
        explain(answer.error).message,
        'until then setup proposes nothing of it',
      ),
    ]
  }
  const { columns, rows } = answer.value
  return [
    ...columns.flatMap(columnFindings),
    ...(rows < 2
      ? []
      : [warning(ABOUT, 'it returns more than one row, so setup proposes nothing of it', 'return at most one')]),
  ]
}

function columnFindings({ name, type, category }: ReturnedColumn): Finding[] {
  const allowed = `setup reads ${PAGE_COLUMNS.join(', ')}`
  if (!PAGE_COLUMNS.some((one) => one === name)) return [warning(ABOUT, `nothing reads its column ${name}; ${allowed}`)]
  return NO_TEXT.includes(category)
    ? [warning(ABOUT, `its column ${name} is ${type}, so setup proposes nothing of it; it must be text`)]
    : []
}
