// Owns the scale benchmark of analytics-build: a large platform in a throw-away cluster, one complete build of it as an
// operator's cron runs it, beside the floor (floor.sql) on the same server. Measures the program from outside only.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { packagePath } from '../../src/process/package-root.ts'
import { loadMapping } from '../../src/source/mapping.ts'
import { factsQuestion } from '../../src/source/instant.ts'
import { startPostgres } from '../support/postgres.ts'
import { generateDataset, rowsOf, SIZE_1X } from './generate.ts'

/** A small dedicated server, as a platform of this size would have; the rest is PostgreSQL's default. */
const SERVER = { shared_buffers: '1GB', work_mem: '64MB', max_parallel_workers_per_gather: '2', max_wal_size: '8GB' }

const PROGRAM = packagePath('bin', 'analytics-build.js')
const DATABASE = 'scale'
const RSS_POLL_MS = 20
const MIB = 1024 * 1024

interface Build {
  readonly seconds: number
  readonly peakRssMib: number
  readonly files: number
  readonly mib: number
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return (performance.now() - startMs) / 1000
}

/** The kernel's own high-water mark: polling can only miss growth in the last moment before the exit. */
function peakRssMib(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0 // no /proc on this system, or the process is gone
  }
}

async function runBuild(databaseUrl: string, snapshots: string): Promise<Build> {
  const args = [PROGRAM, '--database-url', databaseUrl, '--snapshots', snapshots]
  let peak = 0
  const took = await seconds(async () => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    const { pid } = child
    const poll = setInterval(() => {
      if (pid !== undefined) peak = Math.max(peak, peakRssMib(pid))
    }, RSS_POLL_MS)
    try {
      const exited = new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
      const [log, code] = await Promise.all([text(child.stderr), exited])
      if (code !== 0) throw new Error(`analytics-build ended with ${String(code)}:\n${log}`)
    } finally {
      clearInterval(poll)
    }
  })
  const release = realpathSync(join(snapshots, 'current'))
  const entries = await readdir(release, { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
  )
  return { seconds: took, peakRssMib: peak, files: sizes.length, mib: sizes.reduce((sum, size) => sum + size, 0) / MIB }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
}

function row(name: string, values: readonly number[], digits = 1): string {
  const cells = [median(values), ...values].map((value) => value.toFixed(digits).padStart(14))
  return name.padEnd(18) + cells.join('')
}

/** The builder's own facts query on the native schema, whose rows nobody reads. */
function factsAlone(): string {
  const sql = factsQuestion({ sections: loadMapping('native', {}).sections, keys: { idea_key: 'int8' } }, Date.now())
  return `SET timezone = 'UTC';\nCOPY (${sql}) TO STDOUT \\g | cat >/dev/null`
}

const { values: options } = parseArgs({
  options: {
    scale: { type: 'string', default: '1' },
    categories: { type: 'string', default: String(SIZE_1X.categories) },
    runs: { type: 'string', default: '3' },
  },
})
const size = { ...SIZE_1X, scale: Number(options.scale), categories: Number(options.categories) }
const runs = Number(options.runs)
if (!(size.scale > 0 && size.categories >= 1 && runs >= 1))
  throw new Error('usage: build-scale [--scale 1] [--categories 200] [--runs 3]: numbers above 0')
if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} does not exist: build the programs first (npx tsc)`)

const temporary = mkdtempSync(join(tmpdir(), 'build-scale-'))
process.once('exit', () => rmSync(temporary, { recursive: true, force: true }))
process.once('SIGINT', () => process.exit(130))

const postgres = await startPostgres(SERVER)
try {
  const url = await postgres.createDatabase(DATABASE)
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(await readFile(packagePath('src/source/mappings/native/schema.sql'), 'utf8'))
  const generateSeconds = await seconds(() => generateDataset(client, size, new Date()))
  const vacuumSeconds = await seconds(() => client.query('VACUUM ANALYZE'))
  await client.end()

  const floorSql = await readFile(packagePath('test/bench/floor.sql'), 'utf8')
  const floor = (): Promise<number> => seconds(() => postgres.psql(floorSql, DATABASE))
  await floor() // reads every table into the server's memory, where all that is measured finds it

  const floors: number[] = []
  const facts: number[] = []
  const builds: Build[] = []
  for (let run = 1; run <= runs; run++) {
    floors.push(await floor())
    facts.push(await seconds(() => postgres.psql(factsAlone(), DATABASE)))
    builds.push(await runBuild(url, join(temporary, String(run))))
  }

  const result = {
    size: rowsOf(size),
    generateSeconds,
    vacuumSeconds,
    floorSeconds: floors,
    factsSeconds: facts,
    builds,
  }
  const each = (figure: keyof Build): number[] => builds.map((build) => build[figure])
  const ratios = builds.map((build, run) => build.seconds / (floors[run] ?? Number.NaN))
  console.log(
    [
      Object.entries(result.size)
        .map(([table, rows]) => `${rows.toLocaleString('en')} ${table}`)
        .join(', '),
      `generated in ${generateSeconds.toFixed(1)} s, vacuumed in ${vacuumSeconds.toFixed(1)} s`,
      '',
      `${''.padEnd(18)}${['median', ...builds.map((_, run) => `run ${run + 1}`)].map((head) => head.padStart(14)).join('')}`,
      row('floor, s', floors, 2),
      row('facts alone, s', facts, 2),
      row('build, s', each('seconds'), 2),
      row('build / floor', ratios, 2),
      row('peak RSS, MiB', each('peakRssMib')),
      row('files', each('files'), 0),
      row('size, MiB', each('mib')),
      '',
      JSON.stringify(result),
    ].join('\n'),
  )
} finally {
  await postgres.stop()
}
