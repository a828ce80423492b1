// Owns the log of days: its lines, and the chain that shows whoever saved one whether anything up to it was changed. Pure text.
import { hash } from 'node:crypto'
import { isTimestamp } from '../../contract/timestamp.ts'
import { readAt, RELEASE_ID, type Manifest, type NamedRelease } from './manifest.ts'

/** Beside releases/. */
export const LOG_NAME = 'log.csv'
/** 180 years, a line of 190 bytes a day. */
export const MAX_LOG_BYTES: number = 12 << 20

export const LOG_HEADER = 'date,releaseId,manifestSha256,totalIdeas,totalVotes,totalComments,chain'

/** A release that was current when a day ended, or that a rollback made current on it. */
export interface LoggedDay extends Pick<NamedRelease, 'id' | 'sha256'> {
  readonly date: string
  readonly rows: Pick<Manifest['rows'], 'ideas' | 'votes' | 'comments'>
}

const COUNT = '(0|[1-9]\\d{0,14})'
const CELLS = [
  '(\\d{4}-\\d\\d-\\d\\d)',
  `(${RELEASE_ID.source.slice(1, -1)})`,
  '([0-9a-f]{64})',
  ...Array<string>(3).fill(COUNT),
  '[0-9a-f]{64}',
]
const LINE = new RegExp(`^${CELLS.join()}$`)

/** What a line says; null = a cell has not the shape that it is written in. */
export function loggedDay(line: string): LoggedDay | null {
  const [, date = '', id = '', sha256 = '', ...counts] = LINE.exec(line) ?? []
  if (!isTimestamp(`${date}T00:00:00.000Z`) || !isTimestamp(readAt(id))) return null
  const [ideas = 0, votes = 0, comments = 0] = counts.map(Number)
  return { date, id, sha256, rows: { ideas, votes, comments } }
}

/** The header, then the lines of days. */
export function logLines(text: string): readonly string[] {
  const lines = text.split(/\r?\n/).filter((line) => line !== '' && line !== LOG_HEADER)
  return [LOG_HEADER, ...lines]
}

/**
 * The lines with that of a day. A release that is current on days without a build has one line, and so has one that a rollback
 * made current: whoever was killed meanwhile may have written it.
 */
export function withDay(lines: readonly string[], day: LoggedDay | null): readonly string[] {
  const before = lines.at(-1) ?? LOG_HEADER
  const [date = '', id] = before.split(',', 2)
  if (day === null || (id === day.id && date >= day.date)) return lines
  const { ideas, votes, comments } = day.rows
  return [...lines, chained(before, [day.date, day.id, day.sha256, ideas, votes, comments].join())]
}

/** Whether one line was written after the other. */
export function follows(line: string, before: string): boolean {
  return line === chained(before, line.slice(0, line.lastIndexOf(',')))
}

/** A line of these cells and the last one, in hex: sha256 over the line before it, a line feed, and the cells. */
function chained(before: string, cells: string): string {
  return `${cells},${hash('sha256', `${before}\n${cells}`)}`
}
