// Owns when --publish uploads, and what its end means: a release that is current here and not there is a failure, of which
// `status` knows. Knows no request.
import { oneLine } from '../../process/command-line.ts'
import type { ReleasePaths } from '../../release/format/paths.ts'
import { ReleaseError } from '../../release/format/release-error.ts'
import type { Bucket } from '../../release/publishing/bucket.ts'
import { currentId } from '../../release/reading/release-list.ts'
import { isDue, noted, readLastTold, warnOfForgotten } from './after-publish.ts'
import type { BuildEffects } from './context.ts'

/**
 * Makes the bucket show what is current here. Without a bucket it warns where there was one before.
 * @param when `due` = only if the last time failed, or another release is current since
 * @returns the failure, to be thrown when everything else is done; null = there is none
 */
export async function publishTo(
  paths: ReleasePaths,
  bucket: Bucket | null,
  when: 'always' | 'due' | 'at once',
  { signal, nowMs, log }: Pick<BuildEffects, 'signal' | 'nowMs' | 'log'>,
): Promise<ReleaseError | null> {
  const before = await readLastTold(paths, 'lastPublished')
  if (bucket === null) {
    if (when !== 'due') warnOfForgotten(paths, 'lastPublished', before, log)
    return null
  }
  // The release may be current by now: that this cannot be read is a failure of the upload.
  const id = await currentId(paths).catch((error: ReleaseError) => error)
  if (id instanceof Error) return new ReleaseError('write', id.message, id)
  if (id === null || (when === 'due' && before !== null && !isDue(before, id))) return null
  // Loaded here: undici is a sixth of the start of every command.
  const { publish } = await import('../../release/publishing/publish.ts')
  const failed = await noted(paths, 'lastPublished', { id, before }, { nowMs, log }, async () => {
    try {
      const done = await publish(paths, id, bucket, when === 'at once', { signal })
      log.info(done, `${bucket.shown} shows the current release`)
      if (done.guarded === false && (before === null || isDue(before, null)))
        log.warn({}, `${bucket.shown}: the store ignores conditions: publish to it from one machine only`)
      if (done.keepsVersions)
        log.warn({}, `${bucket.shown} keeps versions of what is deleted: let a rule of its life cycle remove them`)
      return null
    } catch (error) {
      return oneLine(signal.aborted ? (signal.reason as Error).message : (error as Error).message)
    }
  })
  if (failed === null) return null
  return new ReleaseError(
    'write',
    `${id} is current here, but not at ${bucket.shown}: ${failed}; the next build goes on, or: analytics-build prune --publish ${bucket.shown}`,
  )
}
