// Owns what a release says of those before it, and whether a log of days is still what somebody saved of it: reads what is there,
// changes nothing.
import { LOG_NAME, follows, logLines } from '../format/day-log.ts'
import { MANIFEST_NAME } from '../format/manifest.ts'
import { ReleaseError } from '../format/release-error.ts'
import type { FoundRelease } from '../reading/release-reader.ts'
import type { FoundFaults } from './file-reading.ts'

/** Lines of a log that somebody saved. */
export interface SavedLog {
  readonly text: string
  /** Where they were found. */
  readonly from: string
}

/** Each release before, until one that was removed, must be the one that the next one names. */
export async function previousFaults({ reader, manifest }: FoundRelease, foundFaults: FoundFaults): Promise<string[]> {
  const faults: string[] = []
  let { id, previous } = manifest
  while (previous !== undefined && previous.id < id) {
    const named = previous
    const found = await foundFaults.unlessUnread(() =>
      reader
        .manifest(named.id, null)
        .then(async (stored) => {
          await reader.read(named.id, { path: MANIFEST_NAME, ...named })
          return stored.manifest
        })
        .catch((error: unknown) => {
          if (!(error instanceof ReleaseError) || error.code === 'unreadable') throw error
          if (error.code !== 'absent') faults.push(`previous: ${error.message}: not what ${id} names`)
          return null
        }),
    )
    if (found === null) break
    ;({ id, previous } = found)
  }
  return faults
}

/** The log must have all that was saved of it, and the manifest of the release before. */
export async function logFaults(
  { reader, manifest: { previous } }: FoundRelease,
  { text, from }: SavedLog,
  foundFaults: FoundFaults,
): Promise<string[]> {
  const log = await foundFaults.unlessUnread(() =>
    reader.log().catch((error: unknown) => {
      if (error instanceof ReleaseError && error.code === 'absent') return ''
      throw error
    }),
  )
  if (log === null) return []
  if (log === '') return [`${LOG_NAME}: there is none: it was removed, or the site was closed meanwhile`]
  const other = logLines(log).find((line) => {
    const [, id, sha256] = line.split(',')
    return id === previous?.id && sha256 !== previous?.sha256
  })
  const rewritten = other === undefined ? [] : [`${LOG_NAME}: ${other}: not the manifest that the next release names`]
  return [...savedLogFaults(text, log, from), ...rewritten]
}

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
  // The line after which it was written, if that is still there.
  const at = there.findIndex((one) => follows(line, one))
  if (at >= 0 && same === undefined && at + 1 < there.length)
    return `${day} stands in a fork: after ${at === 0 ? 'its header' : dayOf(there[at])} the log goes on with ${dayOf(there[at + 1])}: it was restored from a copy, begun again, or two builders wrote it`
  if (at >= 0) return fact
  return `${fact}; so is a day before it, or ${from} was changed since it was saved`
}

const LINE = /^\d{4}-\d\d-\d\d,[^,]+,[0-9a-f]{64},\d+,\d+,\d+,[0-9a-f]{64}$/

function dayOf(line = ''): string {
  return line.split(',', 1)[0] ?? ''
}
