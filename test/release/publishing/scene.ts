// Owns a folder, a bucket in memory, and a reader that looks after each request.
import { expect } from 'vitest'
import type { Manifest } from '../../../src/release/format/manifest.ts'
import { releasePaths, type ReleasePaths } from '../../../src/release/format/paths.ts'
import { BUCKET, memoryS3, type MemoryS3 } from '../../support/memory-s3.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { publishCurrent, seen, smallRelease, type May } from './small-release.ts'

export const HOUR_MS = 3_600_000

export interface Scene {
  readonly folder: string
  readonly paths: ReleasePaths
  readonly s3: MemoryS3
  /** The ids that the reader has met, each once in a row. */
  readonly ids: string[]
  /** @returns what the log says */
  readonly upload: (may?: May) => Promise<string>
}

export function scene(): Scene {
  const [folder, s3] = [temporaryFolder(), memoryS3()]
  const paths = releasePaths(folder)
  const ids: string[] = []
  const look = (): void => {
    const found = seen((key) => s3.objects.get(key)?.bytes)
    if (found === null) return
    expect(found.wrong).toEqual([])
    if (ids.at(-1) !== found.id) ids.push(found.id)
  }
  s3.changed = look
  const upload = (may: May = {}): Promise<string> =>
    publishCurrent(paths, BUCKET, may, {
      signal: new AbortController().signal,
      send: s3.send,
      sleep: async () => {},
    })
  return { folder, paths, s3, ids, upload }
}

/** The same, with a release. */
export async function made(): Promise<Scene & { readonly first: Manifest }> {
  const empty = scene()
  return { ...empty, first: await smallRelease(empty.folder, 1) }
}

/** The same, when the release is uploaded. */
export async function uploaded(): ReturnType<typeof made> {
  const place = await made()
  await place.upload()
  return place
}
