// Owns what a build says of its outcome: the readable summary, its JSON, a line of the log, and the exit code. Runs no build.
import type { Log } from '../../process/log.ts'
import { count, countOf, countOrDash, harmless, some } from '../../process/printable.ts'
import { showSize } from '../../process/value-syntax.ts'
import { totalBytes, type Manifest } from '../../release/format/manifest.ts'
import type { Holder } from '../../release/writing/lock.ts'
import { EXIT_CODES } from './exit-codes.ts'
import { REASONS_SHOWN, relationName } from '../past/revision.ts'
import type { BuildOutcome, BuildReport } from '../run/run-build.ts'

export function publishedText(report: BuildReport): string {
  return `published ${report.manifest.id}${closedText(report)}\n${summary(report)}`
}

export function lockedText({ pid, host, startedAt }: Holder): string {
  return `another command works in this folder: pid ${pid} on ${host}, started ${startedAt}`
}

function closedText({ closed }: BuildReport): string {
  if (closed === null) return ''
  return `: the site is closed to visitors${closed.reason === null ? '' : ` (${harmless(closed.reason)})`}; it is empty, and every other release is removed`
}

/** This many sentences, with the lines around them, fit a screen of 40 lines. */
const SENTENCES_SHOWN = 24

/** One line for each sentence; for a long list the first ones, and how many more there are. */
export function oneScreen(sentences: readonly string[]): string {
  const more = sentences.length - SENTENCES_SHOWN
  const lines = sentences.slice(0, SENTENCES_SHOWN).map((sentence) => `  - ${harmless(sentence)}\n`)
  return `${lines.join('')}${more > 0 ? `  and ${count(more)} more; --json gives all\n` : ''}`
}

/** What `--json` prints. */
export function outcomeJson(outcome: Exclude<BuildOutcome, { kind: 'locked' }>): string {
  const { report, ...rest } = outcome
  const result = rest.kind === 'held' ? { kind: rest.kind, hold: rest.pin } : rest
  const { files, categories: _, ...manifest } = report.manifest
  const bytes = totalBytes(files)
  const reason = report.closed === null ? {} : { reason: report.closed.reason }
  return `${JSON.stringify({ ...result, ...manifest, ...reason, files: files.length, bytes, revisions: report.revisions, withoutPast: report.withoutPast, notes: report.notes, seconds: report.seconds, pruned: report.pruned, afterPublish: report.afterPublish })}\n`
}

function summary({ manifest, revisions, withoutPast, notes, seconds, pruned }: BuildReport): string {
  const revised = (revisions ?? [])
    .filter(({ rows }) => rows > 0)
    .map(({ relation, rows, had }) => `${count(rows)} of ${count(had)} ${relationName(relation)}`)
  return [
    line('data as of', manifest.dataAsOf),
    ...countedLines(manifest),
    ...manifest.ignored.map(({ relation, reason, rows }, i) =>
      line(i === 0 ? 'skipped' : '', `${countOf(rows, relation)}: ${reason}`),
    ),
    ...(withoutPast === null ? [] : [line('past', `not compared: ${withoutPast}`)]),
    ...(revised.length > 0 ? [line('past changed', revised.join(', '))] : []),
    ...notes.map((note) => line('note', harmless(note))),
    line('seconds', seconds.toFixed(2)),
    ...(pruned.length > 0 ? [line('pruned', `${pruned.length} old releases`)] : []),
  ].join('')
}

function line(label: string, value: string): string {
  return `  ${label.padEnd(12)} ${value}\n`
}

const COUNTED = ['users', 'ideas', 'launchedIdeas', 'votes', 'comments', 'categories'] as const

/** The lines with counts, whose values are aligned. */
function countedLines({ rows, files }: Manifest): string[] {
  const counts = COUNTED.map((key) => [key === 'launchedIdeas' ? 'launched' : key, countOrDash(rows[key])] as const)
  const all = [...counts, ['files', count(files.length)], ['size', showSize(totalBytes(files))]] as const
  const columns = Math.max(...all.map(([, value]) => value.length))
  return all.map(([label, value]) => line(label, value.padStart(columns)))
}

/** Tells the outcome of a single build: prints the published release, unless it must be quiet, or logs why nothing was published. */
export function tellOutcome(
  outcome: BuildOutcome,
  { json, quiet }: Readonly<Record<'json' | 'quiet', boolean>>,
  log: Log,
  out: (text: string) => void,
): number {
  const good = outcome.kind === 'published'
  if (!good) logOutcome(outcome, log)
  if (json && outcome.kind !== 'locked' && !(good && quiet)) out(outcomeJson(outcome))
  else if (good && !quiet) out(publishedText(outcome.report))
  return EXIT_CODES[outcome.kind]
}

/** Logs the outcome of one build of a schedule, which has no result on stdout. */
export function logOutcome(outcome: BuildOutcome, log: Log): void {
  if (outcome.kind === 'locked') return log.error({ holder: outcome.holder }, lockedText(outcome.holder))
  const { manifest, seconds, withoutPast } = outcome.report
  const about = {
    id: manifest.id,
    files: manifest.files.length,
    rows: manifest.rows,
    seconds,
    ...(withoutPast === null ? {} : { withoutPast }),
  }
  if (outcome.kind === 'published') return log.info(about, 'published')
  if (outcome.kind === 'held')
    return log.error(
      about,
      `not published: pinned since ${outcome.pin.since}; analytics-build resume lets builds publish again`,
    )
  return log.error({ ...about, kept: outcome.kept }, `rejected: ${some(outcome.reasons, REASONS_SHOWN, '; ')}`)
}
