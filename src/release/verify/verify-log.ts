// Owns what is wrong with a log of days: with its lines as such, in their order, and against what somebody saved of it. Pure text.
import { UTC } from '../../contract/time-zone.ts'
import { DAY_MS } from '../../contract/timestamp.ts'
import { LOG_NAME, follows, loggedDay, logLines, type LoggedDay } from '../format/day-log.ts'
import { readAtMs } from '../format/manifest.ts'

/** What is wrong with the first line that is; null = each has its shape, and follows from the one before. */
export function lineFault(lines: readonly string[]): string | null {
  for (const [i, line] of lines.entries()) {
    if (i === 0) continue
    const [day, before] = [loggedDay(line), loggedDay(lines[i - 1] ?? '')]
    if (day === null) return `${LOG_NAME}: line ${i + 1} is no line of a day: ${line.slice(0, 200)}`
    if (!follows(line, lines[i - 1] ?? ''))
      return `${LOG_NAME}: its line of ${day.date} does not follow from the one before: one of the two was changed`
    if (day.id === before?.id && day.date <= before.date)
      return `${LOG_NAME}: its line of ${day.date} is there twice, which no build and no rollback writes`
  }
  return null
}

/**
 * Lines that no build and no rollback wrote in this place: on their day its release was not read yet, or a later day was over
 * that was not taken back.
 * @param dateOf the day of a release in the history; undefined = it is not known there
 */
export function orderFaults(days: readonly LoggedDay[], dateOf: (id: string) => string | undefined): string[] {
  const faults: string[] = []
  let [over, before] = ['', '']
  for (const { date, id } of days) {
    const own = dateOf(id)
    // Where a site moves west, a day comes once more.
    const isOtherZone = id > before && Date.parse(over) - Date.parse(date) <= DAY_MS
    if (date < (own ?? UTC.dayOf(readAtMs(id) - DAY_MS / 2)))
      faults.push(`${LOG_NAME}: its line of ${date} is of ${id}, which was read later`)
    else if (date < over && !isOtherZone)
      faults.push(`${LOG_NAME}: its line of ${date} stands after the end of ${over}, which was not taken back`)
    if (own !== undefined && own > over) over = own
    before = id
  }
  return faults
}

/** Sentences; none = every saved line is there, so that nothing up to the last of them was changed since. */
export function savedLogFaults(saved: string, log: string): string[] {
  const there = logLines(log)
  const broken = lineFault(there)
  if (broken !== null) return [broken]
  const known = new Set(there)
  const [, ...lines] = logLines(saved)
  const missing = lines.length === 0 ? '' : lines.find((line) => !known.has(line))
  return missing === undefined ? [] : [differenceOf(missing, there)]
}

/** What became of a saved line that is not there. */
function differenceOf(line: string, there: readonly string[]): string {
  if (loggedDay(line) === null)
    return `--log: "${line.slice(0, 40)}" is no line of ${LOG_NAME}: it is of another file, or was changed or cut off since it was saved`
  const day = dayOf(line)
  const same = there.find((one) => dayOf(one) === day)
  // The line after which it was written, if that is still there.
  const at = there.findIndex((one) => follows(line, one))
  const next = at < 0 ? undefined : there[at + 1]
  const fact =
    same !== undefined
      ? `was rewritten: the log has ${same}, saved was ${line}`
      : next === undefined
        ? `is gone: the log has ${there.length - 1} days up to ${dayOf(there.at(-1))}`
        : `stands in a fork: after ${at === 0 ? 'its header' : dayOf(there[at])} the log goes on with ${dayOf(next)}: it was restored from a copy, begun again, or two builders wrote it`
  return `${day} ${fact}${at < 0 ? '; so is a day before it, or the saved line was changed since it was saved' : ''}`
}

function dayOf(line = ''): string {
  return line.split(',', 1)[0] ?? ''
}
