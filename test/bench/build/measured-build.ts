// Owns one measured build: the program as cron runs it, or the same build without compression, seen from outside.
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import { packagePath } from '../../../src/process/package-root.ts'
import { siteKindOf } from '../../../src/contract/site-paths.ts'
import { combinations } from '../../../src/contract/snapshot-paths.ts'
import type { Manifest } from '../../../src/release/format/manifest.ts'
import { childSeconds } from '../measurements.ts'
import { peakRssBytes } from '../proxy/proc.ts'
import type { Dataset } from './cluster.ts'

export interface Build {
  readonly seconds: number
  /** Of the builder. */
  readonly processorSeconds: number
  readonly peakRssMib: number
  /** With siblings and the manifest. */
  readonly files: number
  readonly mib: number
}

/** All take the address of the database and the folder of the releases. */
const PROGRAM = {
  ordinary: [packagePath('bin', 'analytics-build.js'), '--database-url'],
  withoutSite: [packagePath('bin', 'analytics-build.js'), '--no-site', '--database-url'],
  uncompressed: [join(import.meta.dirname, 'uncompressed-build.js'), '--database-url'],
} as const

/** Nothing of the tester's own ANALYTICS_ variables reaches a build. */
const ENVIRONMENT = { PATH: process.env['PATH'], HOME: process.env['HOME'] }
const RSS_POLL_MS = 20

/**
 * Builds into a new folder below `folder`. What it wrote stays until the benchmark ends: ext4 looks again and again at
 * inodes that were deleted minutes ago (recently_deleted in fs/ext4/ialloc.c), so that of two builds of 20,000 files, one
 * after the other, the second would take half as long again for what the benchmark deleted.
 */
export async function measureBuild(
  dataset: Dataset,
  folder: string,
  program: keyof typeof PROGRAM = 'ordinary',
): Promise<Build> {
  const snapshots = await mkdtemp(join(folder, 'build-'))
  const args = [...PROGRAM[program], dataset.url, '--snapshots', snapshots]
  const startMs = performance.now()
  const before = childSeconds(process.pid)
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], env: ENVIRONMENT })
  let peak = 0
  const poll = setInterval(() => (peak = Math.max(peak, peakRssMib(child.pid ?? 0))), RSS_POLL_MS)
  try {
    const exited = new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
    const [log, code] = await Promise.all([text(child.stderr), exited])
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}:\n${log}`)
  } finally {
    clearInterval(poll)
  }
  const took = (performance.now() - startMs) / 1000
  const processorSeconds = childSeconds(process.pid) - before
  const manifest = JSON.parse(await readFile(join(snapshots, 'current', 'manifest.json'), 'utf8')) as Manifest
  requireWhole(dataset, manifest)
  return {
    seconds: took,
    processorSeconds,
    peakRssMib: peak,
    ...(await sizeOf(join(snapshots, 'releases', manifest.id))),
  }
}

/** Every row is counted and every combination is there: no build was quick because it did less. */
function requireWhole({ name, rows }: Dataset, manifest: Manifest): void {
  if (!isDeepStrictEqual({ ...rows }, { ...manifest.rows }))
    throw new Error(`${name} holds ${JSON.stringify(rows)}, the release says ${JSON.stringify(manifest.rows)}`)
  const expected = [...combinations(manifest.categories.map((category) => category.name))].length
  const snapshots = manifest.files.filter(({ path }) => siteKindOf(path) === null).length
  if (snapshots !== expected) throw new Error(`the release of ${name} holds ${snapshots} snapshots, not ${expected}`)
}

async function sizeOf(release: string): Promise<Pick<Build, 'files' | 'mib'>> {
  const entries = await readdir(release, { recursive: true, withFileTypes: true })
  let bytes = 0
  let files = 0
  for (const entry of entries) {
    if (!entry.isFile()) continue
    bytes += (await stat(join(entry.parentPath, entry.name))).size
    files += 1
  }
  return { files, mib: bytes / 2 ** 20 }
}

/** The kernel's own high-water mark: polling can only miss growth in the last moment before the exit. */
function peakRssMib(pid: number): number {
  try {
    return (peakRssBytes(pid) || 0) / 2 ** 20
  } catch {
    return 0 // the process is gone
  }
}

export async function seconds(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return (performance.now() - startMs) / 1000
}
