// Owns the benchmark of analytics-build: a large platform in a throw-away cluster, and what a build of it costs.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packagePath } from '../../../src/process/package-root.ts'
import { describeHost } from '../host.ts'
import { shown } from '../proxy/measurements.ts'
import { measureAgainstFloor } from './against-floor.ts'
import { Cluster, SERVER } from './cluster.ts'
import { measureDatabaseCost } from './database-cost.ts'
import { holdAgainstOracle } from './oracle-check.ts'
import type { Part } from './part.ts'
import { settingsOf } from './settings.ts'
import { measureSite } from './site.ts'
import { measureCategories, measureLarger } from './sizes.ts'

/** In this order: what is timed has been held against the oracle. */
const PARTS: Readonly<Record<string, Part>> = {
  oracle: holdAgainstOracle,
  floor: measureAgainstFloor,
  site: measureSite,
  database: measureDatabaseCost,
  categories: (bench) => measureCategories(bench, 2000, { time: 1.8, timePerByte: 1.25 }),
  'many-categories': (bench) => measureCategories(bench, 10_000, { peakMib: 400 }),
  larger: measureLarger,
}

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    only: { type: 'string' },
  },
})
const settings = settingsOf(options.quick)
// How a build grows, and what it asks of the database, says nothing of a tenth of the size: files and their fsync are all.
const FULL_SIZE_ONLY = ['database', 'categories', 'many-categories', 'larger']
const wanted =
  options.only?.split(',') ?? Object.keys(PARTS).filter((part) => !settings.quick || !FULL_SIZE_ONLY.includes(part))
for (const part of wanted)
  if (PARTS[part] === undefined) throw new Error(`--only ${part}: allowed are ${Object.keys(PARTS).join(', ')}`)
if (!existsSync(packagePath('dist')))
  throw new Error('dist/ does not exist: build the programs first (node scripts/compile.js)')

const temporary = mkdtempSync(join(tmpdir(), 'build-bench-'))
process.once('exit', () => rmSync(temporary, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const cluster = await Cluster.start()
try {
  const machine = {
    ...describeHost(),
    postgresql: await cluster.version(),
    server: Object.entries(SERVER)
      .map(([name, value]) => `${name}=${value}`)
      .join(' '),
  }
  console.log(
    Object.entries({ ...machine, settings: JSON.stringify(settings) })
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
  )
  const base = await cluster.create('base', settings, settings.scale)
  const results: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(PARTS)) {
    if (!wanted.includes(name)) continue
    const dir = mkdtempSync(join(temporary, `${name}-`))
    const startMs = performance.now()
    const result = await part({ settings, cluster, base, dir })
    for (const table of result.tables) console.log(shown(table))
    results[name] = { ...result, seconds: (performance.now() - startMs) / 1000 }
  }
  if (options.json !== undefined)
    writeFileSync(
      options.json,
      `${JSON.stringify({ at: new Date().toISOString(), machine, settings, results }, null, 2)}\n`,
    )
} finally {
  await cluster.postgres.stop()
}
