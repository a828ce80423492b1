// Owns the benchmark of analytics-proxy: real processes, measured from outside, in ratios to others in the same run.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packagePath } from '../../../src/process/package-root.ts'
import { measureBigExport } from './big-export.ts'
import { shown, type Table } from './measurements.ts'
import { describeMachine, moveToClientCore } from './machine.ts'
import { measureManyFiles } from './many-files.ts'
import { measurePerRequest } from './per-request.ts'
import { settingsOf, type Settings } from './settings.ts'

type Measure = (
  settings: Settings,
  dir: string,
) => Promise<{ readonly tables: readonly Table[]; readonly raw: unknown }>

const PARTS: Readonly<Record<string, Measure>> = {
  request: measurePerRequest,
  export: measureBigExport,
  files: measureManyFiles,
}

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    only: { type: 'string' },
  },
})
const settings = settingsOf(options.quick)
const wanted = options.only?.split(',') ?? Object.keys(PARTS)
for (const part of wanted)
  if (PARTS[part] === undefined) throw new Error(`--only ${part}: allowed are ${Object.keys(PARTS).join(', ')}`)
if (!existsSync(packagePath('dist')))
  throw new Error('dist/ does not exist: build the programs first (node scripts/compile.js)')

const peers = packagePath('test', 'bench', 'peers')
if (!existsSync(join(peers, 'node_modules')))
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: peers, stdio: 'inherit' })

const temporary = mkdtempSync(join(tmpdir(), 'proxy-bench-'))
process.once('exit', () => rmSync(temporary, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

moveToClientCore()
const machine = describeMachine()
console.log(
  Object.entries({ ...machine, settings: JSON.stringify(settings) })
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n'),
)
const results: Record<string, unknown> = {}
for (const part of wanted) {
  const startMs = performance.now()
  const result = await PARTS[part]?.(settings, join(temporary, part))
  for (const table of result?.tables ?? []) console.log(shown(table))
  results[part] = { ...result, seconds: (performance.now() - startMs) / 1000 }
}
if (options.json !== undefined)
  writeFileSync(
    options.json,
    `${JSON.stringify({ at: new Date().toISOString(), machine, settings, results }, null, 2)}\n`,
  )
