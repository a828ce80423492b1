// Owns the one bad row that ends a build: an idea that is returned twice. Names it, and how to find the others. Knows no
// documents.
import type pg from 'pg'
import { fillTemplate, type TemplateParameters } from '../sql/template.ts'
import { SourceError } from '../database/source-error.ts'
import { sqlInOneLine } from '../sql/tokens.ts'

/**
 * Two rows of one id may differ, and it is unknown which one is right; counting both would be wrong.
 * @throws SourceError
 */
export async function rejectTwice(client: pg.Client, mapping: string, parameters: TemplateParameters): Promise<never> {
  const { rows } = await client.query<{ id: string; times: number }>(fillTemplate('read/duplicate-ideas', parameters))
  const { id = '', times = 2 } = rows[0] ?? {}
  const select = sqlInOneLine(parameters.sections?.get('ideas') ?? '')
  throw new SourceError(
    'source',
    `mapping ${mapping}, section ideas: it returns id ${id} ${times} times; return every idea once. In psql this lists all such ids: SELECT id::text, count(*) FROM (${select}) AS ideas GROUP BY 1 HAVING count(*) > 1;`,
  )
}
