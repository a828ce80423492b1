// Owns what a release says of those before it, and whether a log of days is still what somebody saved of it: reads what is there,
// changes nothing.
import { LOG_NAME, follows, logLines } from '../format/day-log.ts'
import { MANIFEST_NAME } from '../format/manifest.ts'
import { nullIfAbsent, ReleaseError } from '../format/release-error.ts'
import type { FoundRelease } from '../reading/release-reader.ts'
import type { FoundFaults } from './file-reading.ts'

/** Each release before, until one that was removed, must be the one that the next one names. */
export async function previousFaults({ reader, manifest }: FoundRelease, foundFaults: FoundFaults): Promise<string[]> {
  let { id, previous } = manifest
  try {
    while (previous !== undefined && previous.id < id) {
      const stored = await reader.manifest(previous.id, null)
      await reader.read(previous.id, { path: MANIFEST_NAME, ...previous })
      ;({ id, previous } = stored.manifest)
    }
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error
    if (error.code === 'unreadable') foundFaults.unread.push(error.message)
    else if (error.code !== 'absent') return [`previous: ${error.message}: not what ${id} names`]
  }
  return []
}

/**
 * The log must have all that was saved of it, and the manifest of the release before.
 * @param saved a copy of the log, or lines of it
 */
export async function logFaults(
  { reader, manifest: { previous } }: FoundRelease,
  saved: string,
  foundFaults: FoundFaults,
): Promise<string[]> {
  const log = await foundFaults.unlessUnread(async () => (await reader.log().catch(nullIfAbsent)) ?? '')
  if (log === null) return []
  if (log === '') return [`${LOG_NAME}: there is none: it was removed, or the site was closed meanwhile`]
  const ofPrevious = logLines(log).filter((line) => line.includes(`,${previous?.id},`))
  const other = ofPrevious.filter((line) => !line.includes(`,${previous?.sha256},`))
  const rewritten = other.map((line) => `${LOG_NAME}: ${line}: not the manifest that the next release names`)
  return [...savedLogFaults(saved, log), ...rewritten]
}

/** Sentences; none = every saved line is there, so that nothing up to the last of them was changed since. */
export function savedLogFaults(saved: string, log: string): string[] {
  const there = logLines(log)
  const broken = there.find((line, i) => i > 0 && !follows(line, there[i - 1] ?? ''))
  if (broken !== undefined)
    return [`${LOG_NAME}: its line of ${dayOf(broken)} does not follow from the one before: one of the two was changed`]
  const known = new Set(there)
  const [, ...lines] = logLines(saved)
  const missing = lines.length === 0 ? '' : lines.find((line) => !known.has(line))
  return missing === undefined ? [] : [differenceOf(missing, there)]
}

const LINE = /^\d{4}-\d\d-\d\d,[^,]+,[0-9a-f]{64},\d+,\d+,\d+,[0-9a-f]{64}$/

/** What became of a saved line that is not there. */
function differenceOf(line: string, there: readonly string[]): string {
  if (!LINE.test(line))
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
