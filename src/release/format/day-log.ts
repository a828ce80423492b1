// Owns the log of days: its lines, and the chain that shows whoever saved one whether anything up to it was changed. Pure text.
import { hash } from 'node:crypto'
import { isTimestamp } from '../../contract/timestamp.ts'
import { readAt, RELEASE_ID } from './manifest.ts'
import * as json from './json-check.ts'

/** The file is beside releases/. */
export const LOG_NAME = 'log.csv'
/** 180 years, a line of 190 bytes a day. */
export const MAX_LOG_BYTES: number = 12 << 20

export const LOG_HEADER = 'date,releaseId,manifestSha256,totalIdeas,totalVotes,totalComments,chain'

export const LOGGED_DAY = {
  date: json.isDate,
  id: json.such(json.matching(RELEASE_ID), (id) => isTimestamp(readAt(id))),
  /** The hash of its manifest. */
  sha256: json.matching(/^[0-9a-f]{64}$/),
  rows: json.fields({ ideas: json.isCount, votes: json.isCount, comments: json.isCount }),
}
/** A release that was current when a day ended, or that a rollback made current on it. */
export type LoggedDay = json.ObjectOf<typeof LOGGED_DAY>

const isDay = json.fields(LOGGED_DAY)

/** What a line says; null = it has not the shape in which one is written. */
export function loggedDay(line: string): LoggedDay | null {
  const [date, id, sha256, ...counts] = line.split(',')
  const [ideas, votes, comments] = counts.map(Number)
  const day = { date, id, sha256, rows: { ideas, votes, comments } }
  return isDay(day) && line.startsWith(`${cellsOf(day)},`) && CHAIN.test(line) ? day : null
}

const CHAIN = /^(?:[^,]*,){6}[0-9a-f]{64}$/

function cellsOf({ date, id, sha256, rows: { ideas, votes, comments } }: LoggedDay): string {
  return [date, id, sha256, ideas, votes, comments].join()
}

/** The header, then the lines of days. */
export function logLines(text: string): readonly string[] {
  const lines = text.split(/\r?\n/).filter((line) => line !== '' && line !== LOG_HEADER)
  return [LOG_HEADER, ...lines]
}

/**
 * Adds a day, unless the last one is of the same release and no earlier: a release that stays current on days without a build has one
 * line, and a rollback that was killed may have noted its day already.
 */
export function withDay(days: readonly LoggedDay[], day: LoggedDay | null): readonly LoggedDay[] {
  const last = days.at(-1)
  return day === null || (last?.id === day.id && last.date >= day.date) ? days : [...days, day]
}

/** The header, then the line of each day. */
export function linesOfDays(days: readonly LoggedDay[]): readonly string[] {
  let before = LOG_HEADER
  return [LOG_HEADER, ...days.map((day) => (before = chained(before, cellsOf(day))))]
}

/** Whether one line was written after the other. */
export function follows(line: string, before: string): boolean {
  return line === chained(before, line.slice(0, line.lastIndexOf(',')))
}

/** A line of these cells and the last one, in hex: sha256 over the line before it, a line feed, and the cells. */
function chained(before: string, cells: string): string {
  return `${cells},${hash('sha256', `${before}\n${cells}`)}`
}
