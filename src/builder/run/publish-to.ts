// Owns what the end of an upload by --publish means: a release that is current here and not there is a failure. Knows no request.
import { oneLine } from '../../process/command-line.ts'
import type { ReleasePaths } from '../../release/format/paths.ts'
import { ReleaseError } from '../../release/format/release-error.ts'
import type { Bucket } from '../../release/publishing/bucket.ts'
import { currentId } from '../../release/reading/release-list.ts'
import { readPin } from '../../release/writing/promote.ts'
import type { BuildEffects } from './context.ts'

/**
 * Makes the bucket, if there is one, show what is current here.
 * @param atOnce nothing but the current release stays there
 * @returns the failure, to be thrown when everything else is done; null = there is none
 */
export async function publishTo(
  paths: ReleasePaths,
  bucket: Bucket | null,
  atOnce: boolean,
  { signal, log }: Pick<BuildEffects, 'signal' | 'log'>,
): Promise<ReleaseError | null> {
  const id = bucket && (await currentId(paths))
  if (bucket === null || id === null) return null
  try {
    // Loaded here: undici is a sixth of the start of every command.
    const { publish } = await import('../../release/publishing/publish.ts')
    const goBack = (await readPin(paths).catch(() => null)) !== null
    await publish(paths, id, bucket, { atOnce, goBack }, { signal, log })
    return null
  } catch (error) {
    const { cause, message } = (signal.reason ?? {}) as Partial<Error>
    const ended = signal.aborted ? [cause instanceof Error ? cause.message : message] : []
    const why = oneLine([...ended, (error as Error).message].join(': '))
    return new ReleaseError(
      'write',
      `${id} is current here, but ${bucket.shown} is not up to date: ${why}; the next build goes on`,
      error,
    )
  }
}
