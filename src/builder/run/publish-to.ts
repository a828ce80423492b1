// Owns what the end of an upload by --publish means: a release that is current here and not there is a failure. Knows no request.
import { oneLine } from '../../process/command-line.ts'
import type { ReleasePaths } from '../../release/format/paths.ts'
import { ReleaseError } from '../../release/format/release-error.ts'
import type { Bucket } from '../../release/publishing/bucket.ts'
import type { Allowed } from '../../release/publishing/publish.ts'
import { currentId } from '../../release/reading/release-list.ts'
import type { BuildEffects } from './context.ts'

/**
 * Makes the bucket, if there is one, show what is current here.
 * @returns the failure, to be thrown when everything else is done; null = there is none
 */
export async function publishTo(
  paths: ReleasePaths,
  bucket: Bucket | null,
  allowed: Allowed,
  { signal, log }: Pick<BuildEffects, 'signal' | 'log'>,
): Promise<ReleaseError | null> {
  if (bucket === null) return null
  let id: string | null = null
  try {
    id = await currentId(paths)
    if (id === null) return null
    // Loaded here: undici is a sixth of the start of every command.
    const { publish } = await import('../../release/publishing/publish.ts')
    const { guarded, keepsVersions } = await publish(paths, id, bucket, allowed, { signal })
    const more = guarded === false ? '; the store ignores conditions: publish to it from one machine only' : ''
    log.info({ id }, `${bucket.shown} shows the current release${more}`)
    if (keepsVersions)
      log.warn({}, `${bucket.shown} keeps versions of what is deleted: let a rule of its life cycle remove them`)
    return null
  } catch (error) {
    const why = oneLine(((signal.aborted ? signal.reason : error) as Error).message)
    return new ReleaseError(
      'write',
      `${id ?? 'a release'} is current here, but ${bucket.shown} is not up to date: ${why}; the next build goes on, or: analytics-build prune --publish ${bucket.shown}`,
      error,
    )
  }
}
