// Owns the archives of stored releases: making that of this version, unpacking one, and the platform that they were built
// from. Knows nothing of what must be true of them.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { Client } from 'pg'
import { endingOf, noteLastBuild } from '../../src/builder/report/last-build.ts'
import { runBuild } from '../../src/builder/run/run-build.ts'
import { startEmbeddedPostgres } from '../../src/demo/embedded-postgres.ts'
import { SILENT } from '../../src/process/log.ts'
import { packagePath } from '../../src/process/package-root.ts'
import { prune } from '../../src/release/writing/prune.ts'
import { releasePaths } from '../../src/release/format/paths.ts'
import { loadMapping } from '../../src/source/mapping/mapping.ts'
import { effectsAt, requestOf } from '../support/library-build.ts'
import { siteOf } from '../support/site.ts'

const STORED = packagePath('test', 'end-to-end', 'stored')
const SOURCES = ['platform.sql', 'mapping.sql'] as const
const DAY_MS = 24 * 3_600_000
const LAST_MS = Date.parse('2026-09-12T06:00:00.000Z')
/** Of the history: each has a release, of which the last two are kept. */
export const DAYS = 4
const KEPT = 2

/** The version of this program. */
export const VERSION: string = (JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string })
  .version

/** `1.0` of 1.0.3 and of 1.0.0-rc.1. */
export function seriesOf(version: string): string {
  return /^\d+\.\d+/.exec(version)?.[0] ?? version
}

/** The series that have an archive, and that of this version, which must have one. */
export function storedSeries(): string[] {
  const stored = readdirSync(STORED).flatMap((name) => (name.endsWith('.tar.br') ? [name.slice(0, -7)] : []))
  return [...new Set([...stored, seriesOf(VERSION)])].sort()
}

export function archiveOf(series: string): string {
  return join(STORED, `${series}.tar.br`)
}

export interface Unpacked {
  readonly snapshots: string
  readonly platform: string
  readonly mapping: string
}

export function unpacked(series: string, folder: string): Unpacked {
  execFileSync('tar', ['-xpf', '-', '-C', folder], { input: brotliDecompressSync(readFileSync(archiveOf(series))) })
  return unpackedIn(folder)
}

function unpackedIn(folder: string): Unpacked {
  const [platform, mapping] = SOURCES
  return { snapshots: join(folder, 'snapshots'), platform: join(folder, platform), mapping: join(folder, mapping) }
}

/** The database of an archive, as it was after its last release. */
export async function startPlatform({ platform }: Unpacked): Promise<{ url: string; close: () => Promise<void> }> {
  const postgres = await startEmbeddedPostgres()
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(readFileSync(platform, 'utf8'))
  await client.end()
  return { url: postgres.url, close: () => postgres.close() }
}

/**
 * Makes the archive of this version, the same bytes each time.
 * @param folder an empty one to work in
 */
export async function makeArchive(folder: string): Promise<void> {
  const path = archiveOf(seriesOf(VERSION))
  expectUnreleased(path, folder)
  const work = join(folder, 'archive')
  mkdirSync(work)
  for (const name of SOURCES) cpSync(join(STORED, name), join(work, name))
  const made = unpackedIn(work)
  const platform = await startPlatform(made)
  try {
    for (let day = DAYS - 1; day >= 0; day -= 1) await build(made, platform.url, LAST_MS - day * DAY_MS)
    await prune(releasePaths(made.snapshots), { keep: KEPT, keepMonths: 24 }, Date.now() + DAY_MS)
  } finally {
    await platform.close()
  }
  // GNU tar: names in order, nobody's, of one time.
  const options = `--sort=name --format=ustar --owner=0 --group=0 --numeric-owner --mtime=@${LAST_MS / 1000}`.split(' ')
  const tar = execFileSync('tar', [...options, '-cf', '-', ...SOURCES, 'snapshots'], { cwd: work, maxBuffer: 2 ** 28 })
  // Not gzip: what two releases have in common is there once.
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: tar.length }
  writeFileSync(path, brotliCompressSync(tar, { params }))
}

/** What a released version wrote is never made again: it is what operators have. */
function expectUnreleased(path: string, folder: string): void {
  if (!existsSync(path)) return
  const earlier = join(folder, 'earlier')
  mkdirSync(earlier)
  const { snapshots } = unpacked(seriesOf(VERSION), earlier)
  const manifest = readFileSync(join(snapshots, 'current', 'manifest.json'), 'utf8')
  const { programVersion = '' } = JSON.parse(manifest) as { programVersion?: string }
  if (programVersion === VERSION || programVersion.includes('-')) return
  throw new Error(`${path} is what ${programVersion} wrote, which was released; ${VERSION} adds none to it`)
}

async function build({ snapshots, mapping }: Unpacked, url: string, asOfMs: number): Promise<void> {
  const paths = releasePaths(snapshots)
  const nowMs = (): number => asOfMs + 2_000
  const outcome = await runBuild(
    requestOf(url, snapshots, {
      mapping: loadMapping(mapping, {}),
      siteUrl: 'https://ideas.example',
      site: siteOf({ title: 'Ideas', publicUrl: 'https://statistics.example', license: 'CC-BY-4.0' }),
      everyMs: DAY_MS,
      asOfMs,
    }),
    effectsAt(nowMs),
  )
  if (outcome.kind !== 'published') throw new Error(`not published: ${JSON.stringify(outcome)}`)
  await noteLastBuild(paths, endingOf(outcome), nowMs(), SILENT)
}
