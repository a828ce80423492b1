// Owns the words of the dictionary in English, which every other language has, too. What the tables, their columns and their empty
// cells mean is taken from the contract. `…` is code. Knows no markup.
import { columnsOf } from '../../../contract/columns.ts'
import { EMPTY, type EmptyReason } from '../../../contract/kinds/shape.ts'
import { EXPORT_TYPES, TABLES, type ExportType, type RowOf } from '../../../contract/kinds/tables.ts'

const words = {
  column: 'Column',
  meaning: 'Meaning',
  empty: 'Empty cell: {why}',
  oneOf: 'One of {list}.',
  manyCategories:
    'An idea with several categories counts once in each, but only once in totals, so categories add up to more than the total. Without a category it is under `Uncategorized`.',
  undated:
    'Rows without a date, or dated before 1990, count in totals and in the period `all` only; a launch without a date only in totals.',
  windows:
    'A window ends at `dataAsOf`, the moment of all numbers; it includes its beginning and excludes its end. Days, months and years are dates, in the time zone of the site; hours are moments (UTC).',
  ratios:
    'Ratios are computed from the published numbers. They have at most two decimals; halves are rounded away from zero. A division by zero gives 0.',
  exact: 'Numbers of people are exact on this site.',
  csv: 'CSV is RFC 4180: UTF-8 without a byte order mark, lines end in CR LF, the first is the head, a comma between cells, quotes around every text and around nothing else. New columns come at the end only.',
  formulas:
    'In CSV, a text that a spreadsheet would run as a formula begins with an apostrophe. Numbers never do; in JSON, texts are as they are.',
  workbooks:
    'In the workbooks `ideas.xlsx` and `tables.xlsx`, which have the tables of all time, a time is what clocks in {zone} show, to the second; before March 1900 it is text. Texts are as they are, up to 32,767 characters. Of more than 1,048,575 ideas they have the newest.',
  noSheet: 'It is too large for a sheet: please take the CSV.',
  noLicense: 'No licence is stated: ask the publisher before you publish the data again.',
  newer: 'Newer releases: {address}',
  files: 'Each table has a file for each period: {path}. Periods: {list}.',
  columnsAt: 'What columns and empty cells mean: {address}; for programs: datapackage.json (Data Package 2.0).',
}

type ColumnName = { readonly [T in ExportType]: keyof RowOf<T> }[ExportType]

/** What every language has. */
export type Dictionary = typeof words & {
  /** What a row of the table is. */
  readonly rows: Readonly<Record<ExportType, string>>
  /** What a column means, by its name, and by `table.name` where it means something else than in other tables. */
  readonly columns: Readonly<Record<ColumnName, string> & Partial<Record<`${ExportType}.${ColumnName}`, string>>>
  readonly reasons: Readonly<Record<EmptyReason, string>>
}

export const enDictionary: Dictionary = {
  ...words,
  rows: Object.fromEntries(EXPORT_TYPES.map((type) => [type, TABLES[type].rows])) as Dictionary['rows'],
  columns: Object.fromEntries(
    EXPORT_TYPES.flatMap((type) => columnsOf(type).map(({ name, description }) => [`${type}.${name}`, description])),
  ) as Dictionary['columns'],
  reasons: EMPTY,
}

export function meaningIn({ columns }: Dictionary, type: ExportType, name: string): string {
  const texts: Readonly<Record<string, string | undefined>> = columns
  // A table by category has the columns of the one of all ideas.
  return texts[`${type}.${name}`] ?? texts[`${type.replace('-by-category', '')}.${name}`] ?? texts[name] ?? ''
}
