// Owns the log of days: its lines, and the chain that shows whoever saved one whether anything up to it was changed. Pure text.
import { createHash } from 'node:crypto'
import type { Manifest, NamedRelease } from './manifest.ts'

/** Beside releases/. */
export const LOG_NAME = 'log.csv'
/** 180 years, a line of 190 bytes a day. */
export const MAX_LOG_BYTES: number = 12 << 20

export const LOG_HEADER = 'date,releaseId,manifestSha256,totalIdeas,totalVotes,totalComments,chain'

/** The header, then the lines of days. */
export function logLines(text: string): string[] {
  const lines = text.split(/\r?\n/).filter((line) => line !== '' && line !== LOG_HEADER)
  return [LOG_HEADER, ...lines]
}

/** The log with one more line: of the release that was current when the day ended, or that a rollback made current on it. */
export function withDay(
  lines: readonly string[],
  date: string,
  { id, sha256 }: Omit<NamedRelease, 'bytes'>,
  { ideas, votes, comments }: Manifest['rows'],
): string[] {
  const cells = [date, id, sha256, ideas, votes, comments].join()
  return [...lines, `${cells},${chainOf(lines.at(-1) ?? LOG_HEADER, cells)}`]
}

/** @returns hex: sha256 over the line before it, a line feed, and the cells of a line but the last */
export function chainOf(before: string, cells: string): string {
  return createHash('sha256').update(`${before}\n${cells}`).digest('hex')
}

/** Whether one line was written after the other. */
export function follows(line: string, before: string): boolean {
  const at = line.lastIndexOf(',')
  return line.slice(at + 1) === chainOf(before, line.slice(0, at))
}
