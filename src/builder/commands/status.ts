// Owns `status`: which releases there are, from their manifests. Changes nothing.
import { age } from '../../process/age.ts'
import { showSize } from '../../process/value-syntax.ts'
import { REJECTED_PREFIX, releasePaths } from '../../release/format/paths.ts'
import { currentId, listReleases } from '../../release/reading/release-list.ts'
import { totalBytes, DEMO_MAPPING, type Manifest } from '../../release/format/manifest.ts'
import { readManifest } from '../../release/reading/folder-reader.ts'
import { readKeptPast } from '../../release/reading/kept-past.ts'
import { readPin } from '../../release/writing/promote.ts'
import { ReleaseError } from '../../release/format/release-error.ts'
import type { BuilderContext } from '../run/context.ts'
import type { ReleaseValues } from './build-options.ts'

interface StatusRow {
  readonly id: string
  readonly current: boolean
  readonly ageMs: number
  readonly files: number
  readonly bytes: number
  readonly mapping: string
  /** Its numbers are invented. */
  readonly demo: boolean
  /** The site is closed to visitors: the release is empty. */
  readonly closed: boolean
  readonly standby: boolean
  /** Null for a primary, and where it is unknown. */
  readonly replayLagMs: number | null
  /** Of the program that made it; null = an early one, which did not write it. */
  readonly programVersion: string | null
  /** Its past is kept: while it is current, builds are compared with it. Null = unknown, for this user or on this disk. */
  readonly past: boolean | null
  readonly problem: string | null
}

export async function status({ snapshots, json }: ReleaseValues, { out, nowMs }: BuilderContext): Promise<number> {
  const paths = releasePaths(snapshots)
  const current = await currentId(paths)
  const hold = await readPin(paths)
  const rows: StatusRow[] = []
  for (const id of await listReleases(paths)) {
    const manifest = await readManifest(paths, id).catch(onlyReleaseError)
    const past = await readKeptPast(paths, id).then((kept) => typeof kept !== 'string', onlyReleaseError)
    rows.push({ ...statusRow(id, id === current, manifest, nowMs()), past: typeof past === 'string' ? null : past })
  }
  const others = [...rows.filter((row) => !row.current), ...(await listReleases(paths, REJECTED_PREFIX))]
  if (json) {
    out(`${JSON.stringify({ current, hold, releases: rows })}\n`)
    return 0
  }
  if (rows.length === 0) out(`no releases in ${snapshots}; build one: analytics-build, or analytics-build demo\n`)
  const lines = rows.map((row) => [
    row.current ? '* ' : '  ',
    row.id,
    `  ${age(row.ageMs).padStart(8)}`,
    row.problem === null
      ? `  ${String(row.files).padStart(6)} files  ${showSize(row.bytes).padStart(10)}  ${aboutRow(row)}`
      : `  ${row.problem}`,
  ])
  if (rows.length > 0)
    out(`  ${'release'.padEnd(28)}  ${'age'.padStart(8)}\n${lines.map((line) => `${line.join('')}\n`).join('')}`)
  if (current !== null && !rows.some((row) => row.current))
    out(`current is ${current}, which does not exist; build, or choose one: analytics-build rollback ID\n`)
  if (rows.some((row) => row.current && row.closed))
    out(
      others.length === 0
        ? 'the site is closed to visitors; when it is open again, the next build publishes it\n'
        : `the site is closed to visitors, but ${others.length} more than its empty release ${others.length === 1 ? 'is' : 'are'} there; remove them: analytics-build prune\n`,
    )
  if (rows.some((row) => row.current && row.past === false && !row.demo && !row.closed))
    out('nothing is kept of the past of the current release: the next build is not compared with it\n')
  if (hold !== null)
    out(`pinned since ${hold.since} at ${hold.id}: builds do not publish until analytics-build resume\n`)
  return 0
}

const NOTHING_KNOWN: Omit<StatusRow, 'id' | 'current' | 'past' | 'problem'> = {
  ageMs: 0,
  files: 0,
  bytes: 0,
  mapping: '',
  demo: false,
  closed: false,
  standby: false,
  replayLagMs: null,
  programVersion: null,
}

function aboutRow({ mapping, demo, closed, standby, replayLagMs, programVersion }: StatusRow): string {
  return [
    demo ? `${mapping} (invented numbers)` : mapping,
    ...(closed ? ['closed to visitors: empty'] : []),
    ...(replayLagMs !== null ? [`replay lag ${replayLagMs} ms`] : standby ? ['replay lag unknown'] : []),
    ...(programVersion === null ? [] : [`made by ${programVersion}`]),
  ].join(', ')
}

function statusRow(id: string, current: boolean, manifest: Manifest | string, nowMs: number): Omit<StatusRow, 'past'> {
  if (typeof manifest === 'string') return { ...NOTHING_KNOWN, id, current, problem: manifest }
  return {
    id,
    current,
    ageMs: Math.max(0, nowMs - Date.parse(manifest.dataAsOf)),
    files: manifest.files.length,
    bytes: totalBytes(manifest.files),
    mapping: manifest.mapping.name,
    demo: manifest.mapping.name === DEMO_MAPPING,
    closed: manifest.closed === true,
    standby: manifest.source?.standby === true,
    replayLagMs: manifest.source?.replayLagMs ?? null,
    programVersion: manifest.programVersion ?? null,
    problem: null,
  }
}

function onlyReleaseError(error: unknown): string {
  if (error instanceof ReleaseError) return error.message
  throw error
}
