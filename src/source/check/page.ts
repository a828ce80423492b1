// Owns checking section `page`: what keeps setup from proposing anything of it, as warnings, since no build reads it. Knows no
// option.
import { explain, SourceError } from '../database/source-error.ts'
import { warning, type Finding } from '../mapping/finding.ts'
import { builtInMappings, trySubstitute } from '../mapping/mapping.ts'
import { checkColumns } from '../mapping/relations.ts'
import { columnTypesOf, lineOf } from '../read/column-types.ts'
import { asTable } from '../sql/template.ts'
import { attempt, queryOne } from '../database/attempt.ts'
import type { CheckContext } from './context.ts'

const ABOUT = 'section page'
/** The role needs no right for this section: setup reads it as whoever runs it. */
const DENIED = '42501'
const NOTHING = 'until then setup proposes nothing of it'

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
      warning(`${ABOUT}${lineOf(answer.error, sql, source, source.file.page)}`, explain(answer.error).message, NOTHING),
    ]
  }
  const { columns, rows } = answer.value
  return [
    ...checkColumns('page', columns).errors.map((problem) => warning(ABOUT, problem, NOTHING)),
    ...(rows < 2 ? [] : [warning(ABOUT, 'it returns more than one row; return at most one', NOTHING)]),
  ]
}
