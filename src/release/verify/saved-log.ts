// Owns whether a log of days is still what somebody saved of it: all lines, or only one. Pure: texts in, sentences out.
import { follows, LOG_NAME, logLines } from '../format/day-log.ts'

/**
 * Sentences; none = every saved line is there, so that nothing up to the last of them was changed since.
 * @param saved a copy of the log, or lines of it
 * @param from where they were found
 */
export function savedLogFaults(saved: string, log: string, from: string): string[] {
  const there = logLines(log)
  const broken = there.findIndex((line, i) => i > 0 && !follows(line, there[i - 1] ?? ''))
  if (broken > 0)
    return [
      `${LOG_NAME}: its line of ${dayOf(there[broken])} does not follow from the one before: one of the two was changed`,
    ]
  const [, ...lines] = logLines(saved)
  if (lines.length === 0) return [`${from}: it has no line of a log; save ${LOG_NAME}, or a line of it`]
  const known = new Set(there)
  const at = lines.findIndex((line) => !known.has(line))
  if (at < 0) return []
  return [differenceOf(lines[at] ?? '', there, from)]
}

function differenceOf(line: string, there: readonly string[], from: string): string {
  const day = dayOf(line)
  if (!LINE.test(line))
    return `${from}: "${line.slice(0, 40)}" is no line of a log: it was changed, or cut off, since it was saved`
  const same = there.find((one) => dayOf(one) === day)
  const fact =
    same === undefined
      ? `${day} is gone: the log has ${there.length - 1} days up to ${dayOf(there.at(-1))}`
      : `${day} was rewritten: the log has ${same}, saved was ${line}`
  // The line after which it was written is still there.
  if (there.some((one) => follows(line, one))) return fact
  return `${fact}; so is a day before it, or ${from} was changed since it was saved`
}

const LINE = /^\d{4}-\d\d-\d\d,[^,]+,[0-9a-f]{64},\d+,\d+,\d+,[0-9a-f]{64}$/

function dayOf(line = ''): string {
  return line.split(',', 1)[0] ?? ''
}
