// Owns the metrics of the builder: names, help, labels, and the text that node_exporter reads. Touches no file.
import { Counter, Gauge, Registry } from 'prom-client'
import type { BuildReport } from '../run/run-build.ts'
import { totalBytes, type Manifest } from '../../release/format/manifest.ts'
import { RESULTS, type Result } from './exit-codes.ts'

export interface LastRun {
  readonly result: Result
  readonly exitCode: number
  readonly startedMs: number
  readonly endedMs: number
  /** What the build reports; null = it read nothing to the end. */
  readonly report: Pick<BuildReport, 'manifest' | 'revisions' | 'suspects' | 'afterPublish'> | null
}

export interface Metrics {
  readonly run: LastRun
  /** The text that is replaced, from which the counts of runs go on. */
  readonly before: string
  /** The release that is current after the build, whichever build made it; null = none that can be read. */
  readonly current: Manifest | null
  /** Whether the command of --after-publish is to be run again; null = it was never run, or that is not known. */
  readonly due: boolean | null
  /** Whether a rollback pins the current release; null = it could not be read. */
  readonly held: boolean | null
  /** The day of the newest idea, vote or comment of the current release; null = none has a date, or it is not known. */
  readonly newestDay: string | null
  /** The space left on the file system of the snapshots; null = unknown. */
  readonly availableBytes: number | null
}

const RUNS_TOTAL = 'analytics_build_runs_total'
const RUNS_LINE = new RegExp(`^${RUNS_TOTAL}\\{result="([a-z]+)"\\} (\\d{1,15})$`, 'gm')

export async function buildMetricsText(metrics: Metrics): Promise<string> {
  const { run, before, current, due, held, newestDay, availableBytes } = metrics
  const registry = new Registry()
  const gauge = gaugesOf(registry)
  gauge('last_run_timestamp_seconds', 'When the last build ended, Unix time.', run.endedMs / 1000)
  gauge('last_run_duration_seconds', 'How long it took.', Math.max(0, run.endedMs - run.startedMs) / 1000)
  gauge('last_run_exit_code', 'Its exit code: 0 = published.', run.exitCode)
  gauge('last_run_after_publish', 'Whether the command of --after-publish succeeded.', run.report?.afterPublish ?? null)
  gauge('after_publish_due', 'Whether that command failed, or was not run, for the current release.', due)
  const last = labelled(registry, 'last_run_result', 'How it ended: 1 for its result, 0 for all others.', ['result'])
  const runs = new Counter({
    name: RUNS_TOTAL,
    help: 'Builds that ended, by result.',
    labelNames: ['result'],
    registers: [registry],
  })
  const counts = new Map([...before.matchAll(RUNS_LINE)].map(([, result, n]) => [result, Number(n)]))
  for (const result of RESULTS) {
    const isThis = Number(result === run.result)
    last.set({ result }, isThis)
    // What cannot be read counts as 0: Prometheus takes a counter that falls for one that began anew.
    runs.inc({ result }, (counts.get(result) ?? 0) + isThis)
  }
  const { manifest, revisions = null, suspects = [] } = run.report ?? {}
  // Metrics may be read by everybody: unless people are published exactly, these do not tell by how much their number changed.
  const isExact = [manifest, current].every((one) => one == null || one.options.people === 'exact')
  const isTold = ({ relation }: { readonly relation: string }): boolean =>
    isExact || (relation !== 'users' && relation !== 'activeUsers')
  if (revisions !== null && current !== null) {
    const help = 'By how much of what it had the past of a relation changed; more than --max-revision is rejected.'
    const ratio = labelled(registry, 'last_run_revision_ratio', help, ['relation'])
    for (const { relation, rows, had } of revisions.filter(isTold))
      ratio.set({ relation: labelOf(relation) }, rows / Math.max(1, had))
  }
  const help = 'Which part of a relation has a reason that may be a mistake of the mapping; from a tenth on.'
  const suspect = labelled(registry, 'last_run_suspect_ratio', help, ['relation', 'reason'])
  for (const { relation, reason, rows, of } of suspects.filter(isTold)) suspect.set({ relation, reason }, rows / of)
  gauge('held', 'Whether a rollback pins the current release: 1 until analytics-build resume.', held)
  gauge('available_bytes', 'Space left for snapshots on their file system.', availableBytes)
  if (current !== null) addRelease(registry, current)
  const newest = newestDay === null ? null : Date.parse(newestDay) / 1000
  gauge('newest_row_timestamp_seconds', '00:00 UTC on the day of its newest idea, vote or comment, Unix time.', newest)
  return registry.metrics()
}

/** `launched_ideas` */
function labelOf(relation: string): string {
  return relation.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** These are absent where nothing is published, as is usual in Prometheus: an age since 1970 would be wrong, and so would be no people. */
function addRelease(registry: Registry, manifest: Manifest): void {
  const gauge = gaugesOf(registry)
  const dataAsOfMs = Date.parse(manifest.dataAsOf)
  const madeMs = Date.parse(manifest.generatedAt)
  gauge('last_success_timestamp_seconds', 'When the current release was made, Unix time.', madeMs / 1000)
  gauge('data_timestamp_seconds', 'The instant that its numbers describe, Unix time.', dataAsOfMs / 1000)
  gauge('cadence_seconds', 'How often releases are to come.', (Date.parse(manifest.nextUpdateAt) - dataAsOfMs) / 1000)
  gauge('closed', 'Whether the site is closed to visitors, so that it is empty.', manifest.closed === true)
  const { replayLagMs } = manifest.source
  const lagSeconds = replayLagMs === null ? null : replayLagMs / 1000
  gauge('replay_lag_seconds', 'How far the standby was behind that it was read from.', lagSeconds)
  const rows = labelled(registry, 'rows', 'What the current release counted.', ['relation'])
  for (const [relation, count] of Object.entries<number | null>({ ...manifest.rows }))
    if (count !== null) rows.set({ relation: labelOf(relation) }, count)
  const help = 'Rows that it left out or counted in totals only, and why.'
  const ignored = labelled(registry, 'ignored_rows', help, ['relation', 'reason'])
  for (const { relation, reason, rows: skipped } of manifest.ignored)
    if (skipped !== null) ignored.set({ relation, reason }, skipped)
  gauge('files', 'Snapshots in it, without their compressed siblings.', manifest.files.length)
  gauge('bytes', 'Size of its snapshots and their siblings.', totalBytes(manifest.files))
}

/** A gauge whose value is null is left out. */
function gaugesOf(registry: Registry): (name: string, help: string, value: number | boolean | null) => void {
  return (name, help, value) => {
    if (value !== null) labelled(registry, name, help, []).set(Number(value))
  }
}

function labelled(registry: Registry, name: string, help: string, labelNames: string[]): Gauge {
  return new Gauge({ name: `analytics_build_${name}`, help, labelNames, registers: [registry] })
}
