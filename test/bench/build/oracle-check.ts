// Owns holding a release of the benchmark's own data against the oracle (test/oracle), before anything is timed: every
// document, or a sample that is stated. Whatever differs ends the benchmark.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual, promisify } from 'node:util'
import type { Client } from 'pg'
import type { Combination } from '../../../src/contract/kinds/register.ts'
import { combinations, snapshotPath } from '../../../src/contract/snapshot-paths.ts'
import { PERIODS, type Period } from '../../../src/contract/windows.ts'
import { randomStream, type Random } from '../../../src/demo/random.ts'
import { withClient } from './cluster.ts'
import { build, PROGRAM, readManifest } from './measured-build.ts'
import { oracleDocument } from '../../oracle/documents.ts'
import { beginPeriod, installLargeOracle } from './oracle-database.ts'
import { releaseFolder, type Bench, type PartResult } from './part.ts'
import type { Settings } from './settings.ts'

/** Databases that are asked at once: settings are functions of a database, so each has its own. */
const ASKERS = 2

export async function holdAgainstOracle(bench: Bench): Promise<PartResult> {
  const { cluster, base, settings } = bench
  const folder = releaseFolder(bench, 'release')
  await build(base, folder)
  // Hashes, siblings, and CSV against JSON: what is written twice says the same twice.
  await promisify(execFile)(process.execPath, [PROGRAM.ordinary[0], 'verify', '--snapshots', folder])
  const { dataAsOf, categories } = await readManifest(folder)
  const names = categories.map(({ name }) => name)
  const questions = questionsOf(names, settings)
  const databases = Array.from({ length: ASKERS }, (_, i) => `oracle_${i}`)
  const [first = '', ...others] = databases
  await withClient(await cluster.copy(first, base), (client) => installLargeOracle(client, dataAsOf))
  for (const other of others) await cluster.copy(other, { name: first })
  const periods = [...questions.keys()].reverse()
  let documents = 0
  const work = async (client: Client): Promise<void> => {
    for (let period = periods.shift(); period !== undefined; period = periods.shift()) {
      await beginPeriod(client, period)
      for (const combination of questions.get(period) ?? []) {
        await requireSame(client, folder, combination, dataAsOf)
        documents += 1
      }
    }
  }
  await Promise.all(databases.map((name) => withClient(cluster.postgres.url(name), work)))
  for (const name of databases) await cluster.drop(name)
  const all = [...questionsOf(names, { ...settings, oracle: null }).values()].flat().length
  const what =
    settings.oracle === null
      ? 'every one'
      : `periods ${settings.oracle.periods.join(' and ')}, ${settings.oracle.lists} of ${names.length} categories`
  const how = `each equal to what the plain SQL of test/oracle gives for the same instant: ${what}; seed ${settings.seed}`
  return {
    tables: [
      { title: 'Documents held against the oracle', how, rows: [{ name: `of ${all}`, unit: '', values: [documents] }] },
    ],
    raw: { documents, of: all, dataAsOf },
  }
}

/** `count` different ones, or all: the same seed draws the same. */
function sample<T>(list: readonly T[], count: number, random: Random): T[] {
  const rest = [...list]
  return Array.from({ length: Math.min(count, list.length) }, () =>
    rest.splice(Math.floor(random() * rest.length), 1),
  ).flat()
}

/** By period, because the oracle counts a period's ideas once for all of its documents. */
function questionsOf(names: readonly string[], { oracle, seed }: Settings): Map<Period, Combination[]> {
  const lists = new Set(oracle === null ? names : sample(names, oracle.lists, randomStream(seed, 'oracle')))
  // What has no period is asked with the last one.
  const anyPeriod = oracle?.periods.at(-1) ?? 'all'
  const questions = new Map<Period, Combination[]>()
  for (const combination of combinations(names)) {
    const period = 'period' in combination ? combination.period : anyPeriod
    if (combination.endpoint === 'export' && combination.format === 'csv') continue
    // No query says what earlier releases published.
    if (combination.endpoint === 'export' && combination.type === 'history') continue
    const category = 'category' in combination ? combination.category : null
    if (category !== null && !lists.has(category)) continue
    if (oracle !== null && !oracle.periods.includes(period)) continue
    questions.set(period, [...(questions.get(period) ?? []), combination])
  }
  // The longest last, which is begun first.
  return new Map(PERIODS.flatMap((period) => (questions.has(period) ? [[period, questions.get(period) ?? []]] : [])))
}

async function requireSame(client: Client, snapshots: string, combination: Combination, asOf: string): Promise<void> {
  const path = snapshotPath(combination)
  const text = await readFile(join(snapshots, 'current', path), 'utf8')
  const { generatedAt: _, version: __, ...document } = JSON.parse(text) as Record<string, unknown>
  const expected = await oracleDocument(client, { asOf, siteUrl: null }, combination)
  if (isDeepStrictEqual(document, expected)) return
  throw new Error(`${path} is not what the oracle says: ${difference(document, expected, '')}`)
}

/** The first place at which two documents differ. */
function difference(given: unknown, expected: unknown, at: string): string {
  const inside = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
  if (inside(given) && inside(expected))
    for (const key of new Set([...Object.keys(given), ...Object.keys(expected)]))
      if (!isDeepStrictEqual(given[key], expected[key])) return difference(given[key], expected[key], `${at}/${key}`)
  return `${at} is ${JSON.stringify(given)}, not ${JSON.stringify(expected)}`
}
