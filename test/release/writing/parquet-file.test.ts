// Of src/release/writing/parquet-file.ts.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import { columnsOf, mayBeEmpty } from '../../../src/contract/columns.ts'
import { type ExportRow, type ExportType, EXPORT_TYPES } from '../../../src/contract/kinds/tables.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'
import { ParquetFile } from '../../../src/release/writing/parquet-file.ts'
import { Staging } from '../../../src/release/writing/staging.ts'
import { temporaryFolder } from '../sample-release.ts'

const compressors = { GZIP: (bytes: Uint8Array): Uint8Array => gunzipSync(bytes) }

async function written(type: ExportType, batches: readonly (readonly ExportRow[])[]): Promise<ArrayBuffer> {
  const staging = await Staging.create(releasePaths(temporaryFolder()))
  const file = new ParquetFile(staging.uncoded('ideas.parquet'), type)
  for (const rows of batches) await file.add(rows)
  await file.end('a'.repeat(64))
  const listed = staging.files()
  expect(listed).toMatchObject([{ path: 'ideas.parquet', rows: batches.flat().length, contentHash: 'a'.repeat(64) }])
  return new Uint8Array(readFileSync(join(staging.folder, 'ideas.parquet'))).buffer
}

/** As the rows of the export were: times as text, counts as numbers. */
async function rowsIn(file: ArrayBuffer): Promise<unknown[]> {
  const rows = await parquetReadObjects({ file, compressors })
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])))
}

function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'bigint' ? Number(value) : value
}

const TEXT = fc.string({
  unit: fc.oneof(fc.constantFrom('é', '😀', '\t', '"', '\u0000', ','), fc.string({ minLength: 1, maxLength: 1 })),
})
const TIME = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())

function rowOf(type: ExportType): fc.Arbitrary<ExportRow> {
  const cells = columnsOf(type).map(({ name, type: kind }) => {
    const value = {
      string: TEXT,
      date: TEXT,
      integer: fc.maxSafeNat(),
      number: fc.double({ noNaN: true }),
      datetime: TIME,
    }[kind]
    return [name, mayBeEmpty(type, name) ? fc.option(value as fc.Arbitrary<unknown>) : value] as const
  })
  return fc.record(Object.fromEntries(cells)) as fc.Arbitrary<ExportRow>
}

describe('a Parquet file', () => {
  it.each(EXPORT_TYPES)('gives back every row of an export of the type %s', async (type) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(rowOf(type), { maxLength: 5 }), { maxLength: 4 }), async (batches) => {
        expect(await rowsIn(await written(type, batches))).toEqual(batches.flat())
      }),
      { numRuns: 20 },
    )
  })

  it('has typed columns, of which those may be empty that the contract says', async () => {
    const { schema, num_rows: rows } = parquetMetadata(await written('ideas', []))
    expect(rows).toBe(0n)
    const shown = schema
      .slice(1)
      .map((column) => [
        column.name,
        column.logical_type?.type ?? column.converted_type ?? column.type,
        column.repetition_type,
      ])
    expect(shown).toEqual([
      ['id', 'UTF8', 'REQUIRED'],
      ['title', 'UTF8', 'REQUIRED'],
      ['category', 'UTF8', 'REQUIRED'],
      ['status', 'UTF8', 'OPTIONAL'],
      ['createdAt', 'TIMESTAMP', 'REQUIRED'],
      ['launchedAt', 'TIMESTAMP', 'OPTIONAL'],
      ['votes', 'INT64', 'REQUIRED'],
      ['comments', 'INT64', 'REQUIRED'],
      ['totalVotes', 'INT64', 'REQUIRED'],
      ['totalComments', 'INT64', 'REQUIRED'],
      ['url', 'UTF8', 'OPTIONAL'],
    ])
  })

  it('writes groups of 2,000 rows, whatever the batches, and the same bytes for the same rows', async () => {
    const rows = Array.from({ length: 4001 }, (_, i) => ({
      bucket: new Date(i * 86_400_000).toISOString(),
      category: i % 3 === 0 ? null : `Category ${i % 7}`,
      ideas: i,
      votes: 2 ** 40 + i,
      comments: 0,
      launchedIdeas: 1,
    }))
    const [one, other] = [
      await written('timeline', [rows]),
      await written('timeline', [rows.slice(0, 1999), rows.slice(1999)]),
    ]
    expect(Buffer.from(one).equals(Buffer.from(other))).toBe(true)
    expect(parquetMetadata(one).row_groups.map((group) => Number(group.num_rows))).toEqual([2000, 2000, 1])
    expect(await rowsIn(one)).toEqual(rows)
  })
})
