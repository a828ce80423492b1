// Owns comparing a release with the oracle: the current one of a folder has the oracle's documents, and no others.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClientBase } from 'pg'
import { expect } from 'vitest'
import type { Combination } from '../../src/contract/kinds/register.ts'
import { siteKindOf } from '../../src/contract/site-paths.ts'
import { combinations, snapshotPath } from '../../src/contract/snapshot-paths.ts'
import type { Manifest } from '../../src/release/format/manifest.ts'
import { COLUMNS, csvText } from './csv.ts'
import { expectDescribed } from './described.ts'
import { oracleAnswer, oracleDocument, type OracleDocument, type OracleOptions } from './documents.ts'

/** Same values, and same keys in the same order. */
export function expectSame(document: object, expected: object, of: string): void {
  expect(document, of).toEqual(expected)
  expect(JSON.stringify(document), `${of}: order of keys`).toBe(JSON.stringify(expected))
}

/** @param seen called with each combination and what the oracle says of it */
export async function expectAsOracle(
  client: ClientBase,
  ask: OracleOptions,
  snapshotsDir: string,
  seen: (combination: Combination, expected: OracleDocument) => void = () => undefined,
): Promise<(combination: Combination) => Promise<object>> {
  const read = (path: string): Promise<string> => readFile(join(snapshotsDir, 'current', path), 'utf8')
  const { categories, files, generatedAt } = JSON.parse(await read('manifest.json')) as Manifest
  const names = await oracleAnswer<string[]>(client, ask, 'category_name_list')
  expect(categories.map(({ name }) => name)).toEqual(names)
  const data = files.filter(({ path }) => siteKindOf(path) === null)
  const paths = Array.from(combinations(names), (combination) => snapshotPath(combination))
  expect(data.map(({ path }) => path).sort()).toEqual(paths.sort())
  for (const { gzip: _, br: __, ...file } of data) {
    // The hash of a CSV is that of its bytes.
    const hashes = file.path.endsWith('.csv') ? ['sha256'] : ['sha256', 'contentHash']
    expect(Object.keys(file)).toEqual(['path', 'bytes', ...hashes, 'rows'])
  }

  const ending = { generatedAt, version: '1.0' }
  const documentAt = async (combination: Combination): Promise<object> => {
    const { generatedAt: at, version, ...document } = JSON.parse(await read(snapshotPath(combination))) as typeof ending
    expect({ generatedAt: at, version }).toEqual(ending)
    return document
  }
  let [asked, expected]: [string, OracleDocument] = ['', {}]
  for (const combination of combinations(names)) {
    const of = JSON.stringify(combination)
    // JSON and CSV, which come one after the other, have the same rows.
    const question = of.replace('"csv"', '"json"')
    if (question !== asked) expected = await oracleDocument(client, ask, combination)
    asked = question
    if (combination.endpoint === 'export' && combination.format === 'csv')
      expect(await read(snapshotPath(combination)), of).toBe(csvText(COLUMNS[combination.type], expected.data ?? []))
    else {
      const document = await documentAt(combination)
      expectSame(document, expected, of)
      expectDescribed(combination, document, ending)
    }
    seen(combination, expected)
  }
  return documentAt
}
