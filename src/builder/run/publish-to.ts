// Owns what the end of an upload by --publish means: a release that is current here and not there is a failure. Knows no request.
import { oneLine } from '../../process/command-line.ts'
import type { ReleasePaths } from '../../release/format/paths.ts'
import { ReleaseError } from '../../release/format/release-error.ts'
import type { Published } from '../../release/format/published.ts'
import { addressOf, type S3Bucket } from '../../release/publishing/bucket.ts'
import type { Publication } from '../../release/publishing/publish.ts'
import { currentId } from '../../release/reading/release-list.ts'
import { notePublished, readPublished } from '../../release/writing/published.ts'
import type { BuildContext } from './context.ts'

/**
 * Makes the bucket, if there is one, show what is current here.
 * @returns the failure, to be thrown when everything else is done; null = there is none
 */
export async function publishTo(
  paths: ReleasePaths,
  bucket: S3Bucket | null,
  may: Pick<Publication, 'atOnce' | 'acceptSite'>,
  { signal, sleep, log, lock }: Pick<BuildContext, 'signal' | 'sleep' | 'log' | 'lock'>,
): Promise<ReleaseError | null> {
  const id = bucket && (await currentId(paths))
  if (bucket === null || id === null) return null
  try {
    // Loaded here: undici is a sixth of the start of every command.
    const { publish } = await import('../../release/publishing/publish.ts')
    const published = await readPublished(paths, addressOf(bucket))
    const note = (now: Published): Promise<void> => notePublished(paths, addressOf(bucket), now)
    await publish(paths, id, bucket, { ...may, published, note, owned: () => lock.owned(), signal, sleep, log })
    return null
  } catch (error) {
    const isOfStore = error instanceof ReleaseError && error.code === 'publish'
    const { cause, message } = (signal.reason ?? {}) as Partial<Error>
    const ended = signal.aborted ? [cause instanceof Error ? cause.message : message] : []
    const why = oneLine([...ended, (error as Error).message].join(': '))
    return new ReleaseError(
      isOfStore || signal.aborted ? 'publish' : 'write',
      `${id} is current here, but ${bucket.shown} is not up to date: ${why}; the next build tries again`,
      error,
    )
  }
}
