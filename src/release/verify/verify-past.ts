// Owns proving what a release says of those before it: the manifests that each names, as far as they are still there, and the
// log of days. Changes nothing.
import { LOG_NAME, logLines } from '../format/day-log.ts'
import { MANIFEST_NAME } from '../format/manifest.ts'
import { ReleaseError } from '../format/release-error.ts'
import type { FoundRelease } from '../reading/release-reader.ts'
import type { FoundFaults } from './found-faults.ts'
import { savedLogFaults } from './saved-log.ts'

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
