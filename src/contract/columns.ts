// Owns the columns of the exports as lists: names, types, what each means, and which are free text. Knows no document and no row.
import { day, time, type Schema, type Shape } from './kinds/shape.ts'
import { EXPORT_TYPES, TABLES, type ExportType } from './kinds/tables.ts'
import type { Interval } from './windows.ts'

/** How the cells of a column read; a `datetime` is ISO 8601 in UTC with milliseconds. */
export type ColumnType = 'string' | 'integer' | 'number' | 'boolean' | 'datetime' | 'date'

type Meaning = Pick<Shape<unknown>, 'description' | 'unit' | 'empty'>

export interface Column extends Meaning {
  readonly name: string
  readonly type: ColumnType
  readonly minimum?: number
  /** All values that a cell can have. */
  readonly values?: readonly string[]
  readonly pattern?: string
}

export const EXPORT_COLUMNS: Readonly<Record<ExportType, readonly string[]>> = Object.fromEntries(
  EXPORT_TYPES.map((type) => [type, Object.keys(TABLES[type].columns)]),
) as unknown as Readonly<Record<ExportType, readonly string[]>>

/** @param interval of the buckets of a file, which are instants or dates; without one, their column is a text of either form */
export function columnsOf(type: ExportType, interval?: Interval): readonly Column[] {
  const columns: Readonly<Record<string, Meaning & Pick<Shape<unknown>, 'json'>>> = TABLES[type].columns
  const ofBuckets = interval === 'hour' ? time('') : day('')
  return Object.entries(columns).map(([name, { json, ...meaning }]) => {
    const isBucket = name === 'bucket' && interval !== undefined
    return { name, ...typed(isBucket ? ofBuckets.json : json), ...meaning }
  })
}

const FORMATS: Readonly<Record<string, ColumnType>> = { 'date-time': 'datetime', date: 'date' }
const PLAIN: readonly ColumnType[] = ['integer', 'number', 'boolean']

function typed(schema: Schema): Pick<Column, 'type' | 'minimum' | 'values' | 'pattern'> {
  const byFormat = FORMATS[String(schema['format'])]
  if (byFormat !== undefined) return { type: byFormat }
  const plain = PLAIN.find((type) => [schema['type']].flat().includes(type))
  if (plain !== undefined)
    return { type: plain, ...(typeof schema['minimum'] === 'number' ? { minimum: schema['minimum'] } : {}) }
  return {
    type: 'string',
    ...(Array.isArray(schema['enum']) ? { values: schema['enum'] as readonly string[] } : {}),
    ...(typeof schema['pattern'] === 'string' ? { pattern: schema['pattern'] } : {}),
  }
}

/** The columns that hold free text; every other cell is a number, a time, a fixed pattern or empty. */
export const TEXT_COLUMNS: ReadonlySet<string> = new Set(
  EXPORT_TYPES.flatMap((type) => columnsOf(type)).flatMap(({ name, type, pattern }) =>
    type === 'string' && pattern === undefined ? [name] : [],
  ),
)
