// Owns the measurement against one SQL query per combination: a sample of the queries, each held against its snapshot
// first, multiplied to all of them, beside a whole build in the same round.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Combination } from '../../../src/contract/kinds/register.ts'
import { combinations, snapshotPath } from '../../../src/contract/snapshot-paths.ts'
import { ownInterval, spanName } from '../../../src/contract/windows.ts'
import { randomStream } from '../../../src/demo/random.ts'
import { ratios, type Row } from '../proxy/measurements.ts'
import { sample } from '../sample.ts'
import { withClient } from './cluster.ts'
import { queryOf } from './combination-queries.ts'
import { build, measureBuild, readManifest, seconds } from './measured-build.ts'
import { alternate, releaseFolder, type Bench, type PartResult } from './part.ts'

/** Combinations that cost about the same: what is measured of some stands for all. */
type Strata = ReadonlyMap<string, readonly Combination[]>

export async function measureCombinations(bench: Bench): Promise<PartResult> {
  const { settings, base } = bench
  const folder = releaseFolder(bench, 'release')
  const first = await build(base, folder)
  const { dataAsOf, categories } = await readManifest(folder)
  const asOfMs = Date.parse(dataAsOf)
  const strata = strataOf(categories.map(({ name }) => name))
  const draws = Array.from({ length: settings.longRounds }, (_, round) =>
    drawn(strata, settings.sampledLists, settings.seed + round),
  )
  const [builds, queries]: [number[], number[]] = [[], []]
  const means: Record<string, number>[] = []
  await withClient(base.url, async (client) => {
    // Of statements that run for a second, compiling takes a good part, and these are not the better for it.
    await client.query(`SET timezone = 'UTC'; SET jit = off`)
    for (const drawnOnes of draws)
      for (const combination of [...drawnOnes.values()].flat()) await requireSame(client, folder, combination, asOfMs)
    let round = 0
    await alternate(settings.longRounds, [
      async () => void builds.push((builds.length === 0 ? first : await measureBuild(base, `${folder}-timed`)).seconds),
      async () => void means.push(await meanSeconds(client, draws[round++] ?? new Map(), asOfMs)),
    ])
  })
  for (const mean of means) queries.push(total(strata, mean))
  const asked = [...(draws[0]?.values() ?? [])].flat().length
  const all = [...strata.values()].flat().length
  const rows: Row[] = [
    ...kindsOf(strata).map(([kind, of]) => ({
      name: `${[...of.values()].flat().length} × ${kind}`,
      unit: 's',
      values: means.map((mean) => total(of, mean)),
    })),
    { name: `all ${all} queries`, unit: 's', values: queries },
    { name: 'build', unit: 's', values: builds },
    {
      name: 'build / one query per combination',
      unit: '',
      values: ratios(builds, queries),
      goal: { atMost: 1 / 60, text: '<= 1/60' },
    },
  ]
  const how = `${asked} of ${all} queries a round, seed ${settings.seed} + round: of each period ${settings.sampledLists} of ${categories.length} trending lists of a category, as many categories over time, and every other query; the mean of each period's times how many there are of it; COPY to nobody; JSON and CSV of an export count once; each held against its snapshot first`
  return { tables: [{ title: 'One SQL query per combination', how, rows }], raw: { builds, means, queries } }
}

function strataOf(names: readonly string[]): Strata {
  const strata = new Map<string, Combination[]>()
  for (const combination of combinations(names)) {
    // One query serves both formats.
    if (combination.endpoint === 'export' && combination.format === 'csv') continue
    if (hasNoQuery(combination)) continue
    const stratum = stratumOf(combination)
    strata.set(stratum, [...(strata.get(stratum) ?? []), combination])
  }
  return strata
}

/** No query says what earlier releases published. */
export function hasNoQuery(combination: Combination): boolean {
  return combination.endpoint === 'export' && combination.type === 'history'
}

function stratumOf(combination: Combination): string {
  switch (combination.endpoint) {
    case 'stats':
      return 'stats'
    case 'trending':
      return `trending${combination.category === null ? '' : ' in a category'}: ${combination.period}`
    case 'categories':
      return `categories: ${combination.period}`
    case 'timeline':
      return `timeline: ${spanName(combination.period, combination.interval)}`
    case 'outcomes':
      return 'outcomes'
    case 'category':
      return 'timelines and outcomes of a category'
    case 'export': {
      const { type, period, interval = ownInterval(period) } = combination
      return `export of ${type}: ${spanName(period, interval)}`
    }
  }
}

/** The strata of all periods together, for the eye. */
function kindsOf(strata: Strata): [string, Strata][] {
  const kinds = new Map<string, Map<string, readonly Combination[]>>()
  for (const [stratum, of] of strata) {
    const [kind = stratum] = stratum.split(':')
    kinds.set(kind, (kinds.get(kind) ?? new Map<string, readonly Combination[]>()).set(stratum, of))
  }
  return [...kinds]
}

function drawn(strata: Strata, count: number, seed: number): Strata {
  const random = randomStream(seed, 'combinations')
  return new Map([...strata].map(([stratum, of]) => [stratum, sample(of, count, random)]))
}

async function meanSeconds(client: Client, draw: Strata, asOfMs: number): Promise<Record<string, number>> {
  const means: Record<string, number> = {}
  for (const [stratum, of] of draw) {
    let sum = 0
    for (const combination of of) sum += await seconds(() => ask(client, queryOf(combination, asOfMs).sql))
    means[stratum] = sum / of.length
  }
  return means
}

async function ask(client: Client, sql: string): Promise<void> {
  for await (const _ of client.query(copyTo(`COPY (${sql}) TO STDOUT`)));
}

function total(strata: Strata, means: Readonly<Record<string, number>>): number {
  return [...strata].reduce((sum, [stratum, of]) => sum + of.length * (means[stratum] ?? Number.NaN), 0)
}

/** @throws when the query does not say what the snapshot says */
async function requireSame(client: Client, snapshots: string, combination: Combination, asOfMs: number): Promise<void> {
  const { sql, rowsOf } = queryOf(combination, asOfMs)
  const path = join(snapshots, 'current', snapshotPath(combination))
  const expected = rowsOf(JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>)
  const { rows } = await client.query<{ row: Record<string, unknown> }>(
    `SELECT row_to_json(q) AS row FROM (${sql}) AS q`,
  )
  const given = rows.map(({ row }) => row).slice(0, combination.endpoint === 'export' ? expected.length : undefined)
  const at = given.findIndex((row, i) => !isDeepStrictEqual(row, expected[i]))
  if (at !== -1 || given.length !== expected.length)
    throw new Error(
      `${snapshotPath(combination)}: SQL gives ${given.length} rows of ${expected.length}; the first that differs is ${at}: ${JSON.stringify(given[at])}, not ${JSON.stringify(expected[at])}`,
    )
}
