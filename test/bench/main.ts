// Owns `npm run bench`: what a build of a large platform costs, and an answer of the proxy; real processes, measured from
// outside, in ratios to others in the same run.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, release, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packagePath } from '../../src/process/package-root.ts'
import { measureAgainstFloor } from './build/against-floor.ts'
import { Cluster, SERVER, type Bench } from './build/cluster.ts'
import { measureCategories, measureLarger } from './build/sizes.ts'
import { shown, type Table } from './measurements.ts'
import { measureBigExport } from './proxy/big-export.ts'
import { describeMachine, moveToClientCore } from './proxy/machine.ts'
import { measureOrigin } from './proxy/origin.ts'
import { measurePerRequest } from './proxy/per-request.ts'
import { settingsOf } from './settings.ts'

const BUILD: Readonly<Record<string, (bench: Bench) => Promise<Table>>> = {
  'build:floor': measureAgainstFloor,
  'build:categories': (bench) => measureCategories(bench, 2000, { time: 1.8, timePerByte: 1.25 }),
  'build:many-categories': (bench) => measureCategories(bench, 10_000, { peakMib: 400 }),
  'build:larger': measureLarger,
}
const PROXY = {
  'proxy:request': measurePerRequest,
  'proxy:export': measureBigExport,
  'proxy:origin': measureOrigin,
} as const
/** How a build grows says nothing of a tenth of the size: files and their fsync are all. */
const FULL_SIZE_ONLY = ['build:categories', 'build:many-categories', 'build:larger']

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    /** `build`, `proxy`, or some parts of one: `build:floor,proxy`. */
    only: { type: 'string' },
  },
})
const settings = settingsOf(options.quick)
const all = [...Object.keys(BUILD), ...Object.keys(PROXY)]
const chosen = (options.only ?? all.filter((part) => !settings.quick || !FULL_SIZE_ONLY.includes(part)).join()).split(
  ',',
)
const isWanted = (part: string): boolean => chosen.some((one) => part === one || part.startsWith(`${one}:`))
for (const one of chosen)
  if (!all.some((part) => part === one || part.startsWith(`${one}:`)))
    throw new Error(`--only ${one}: allowed are build, proxy, ${all.join(', ')}`)
if (!existsSync(packagePath('dist')))
  throw new Error('dist/ does not exist: build the programs first (node scripts/compile.js)')

const temporary = mkdtempSync(join(tmpdir(), 'bench-'))
process.once('exit', () => rmSync(temporary, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

function say(facts: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(facts)) console.log(`${name}: ${value}`)
}

const startMs = performance.now()
say({
  processor: `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores`,
  memory: `${(totalmem() / 2 ** 30).toFixed(1)} GiB`,
  kernel: `Linux ${release()}`,
  node: process.version,
  settings: `${JSON.stringify(settings)}${settings.quick ? '; the goals are those of the full size' : ''}`,
})
if (Object.keys(BUILD).some(isWanted)) {
  const cluster = await Cluster.start()
  try {
    const server = Object.entries(SERVER).map(([name, value]) => `${name}=${value}`)
    say({ postgresql: await cluster.version(), server: server.join(' ') })
    const base = await cluster.create('base', settings, settings.scale)
    for (const [name, measure] of Object.entries(BUILD).filter(([part]) => isWanted(part)))
      console.log(shown(await measure({ settings, cluster, base, dir: mkdtempSync(join(temporary, `${name}-`)) })))
  } finally {
    await cluster.postgres.stop()
  }
}
const proxyParts = Object.entries(PROXY).filter(([part]) => isWanted(part))
if (proxyParts.length > 0) {
  // From here on: a build may use both cores.
  moveToClientCore()
  say(describeMachine())
}
for (const [name, measure] of proxyParts)
  for (const table of await measure(settings, join(temporary, name))) console.log(shown(table))
console.log(`\n${((performance.now() - startMs) / 1000).toFixed(0)} s in all`)
