// Owns the rules for single rows (what may be NULL, which times are times) and finding one row that breaks them.
import type pg from 'pg'
import { asTable, TIME_BOUNDS } from './question.ts'
import type { Mapping } from './mapping.ts'
import type { Relation } from './relations.ts'
import { SourceError } from './source-error.ts'

/** Finds one row that breaks its relation's rules, in the same instant, so that the message can name it. */
export async function reportBadRow(
  client: pg.Client,
  mapping: Pick<Mapping, 'name' | 'sections'>,
  relation: Relation,
): Promise<never> {
  const section = asTable(mapping.sections.get(relation) ?? '')
  for (const [column, condition] of BAD_ROWS[relation] ?? []) {
    const ofIdea = relation === 'votes' || relation === 'idea_categories'
    const { rows } = await client.query<{ id: string | null }>(
      `SELECT ${ofIdea ? 'idea_id' : 'id'}::text AS id FROM ${section} WHERE ${condition} LIMIT 1`,
    )
    if (rows[0] === undefined) continue
    const whose = `${ofIdea ? 'a row of idea' : 'id'} ${rows[0].id ?? 'NULL'}`
    const problem = condition.includes('IS NULL') ? 'is NULL' : 'is infinite or outside the years 1 to 9999'
    throw new SourceError(
      'source',
      `mapping ${mapping.name}, section ${relation}: column ${column} ${problem} (${whose}); mend or filter the row`,
    )
  }
  throw new SourceError('source', `mapping ${mapping.name}, section ${relation}: a row has NULL or an infinite time`)
}

const beyond = (column: string): [string, string] => [
  column,
  `(${column}::timestamptz < ${TIME_BOUNDS['min_time']} OR ${column}::timestamptz >= ${TIME_BOUNDS['max_time']})`,
]
const isNull = (column: string): [string, string] => [column, `${column} IS NULL`]

const BAD_ROWS: Partial<Record<Relation, readonly [string, string][]>> = {
  users: [isNull('id'), isNull('created_at'), beyond('created_at')],
  ideas: [
    isNull('id'),
    isNull('created_at'),
    isNull('launched'),
    beyond('created_at'),
    ['launched_at', `launched AND ${beyond('launched_at')[1]}`],
  ],
  idea_categories: [isNull('idea_id'), isNull('category')],
  votes: [isNull('idea_id'), isNull('value'), beyond('created_at')],
  comments: [isNull('idea_id'), isNull('created_at'), beyond('created_at')],
}
