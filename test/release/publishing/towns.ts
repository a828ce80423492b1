// Owns towns that publish to one bucket in memory: each a folder of releases with a title, and what it says of its uploads.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '../../../src/release/format/manifest.ts'
import { releasePaths, type ReleasePaths } from '../../../src/release/format/paths.ts'
import type { S3Effects } from '../../../src/release/publishing/s3-client.ts'
import { currentId } from '../../../src/release/reading/release-list.ts'
import { BUCKET, memoryS3, type MemoryS3, type StoredObject } from '../../support/memory-s3.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { look, publishCurrent, smallRelease, type May } from './small-release.ts'

export const effectsOf = (s3: MemoryS3): S3Effects => ({
  signal: new AbortController().signal,
  send: s3.send,
  sleep: async () => {},
})

export interface Town {
  readonly folder: string
  readonly paths: ReleasePaths
  readonly title: string
  readonly make: (n: number, more?: Readonly<Record<string, string>>, closed?: boolean) => Promise<Manifest>
  readonly upload: (may?: May) => Promise<string>
  /** Why the upload failed. */
  readonly refused: (may?: May) => Promise<string>
  readonly status: () => ReturnType<typeof look>
}

export function town(s3: MemoryS3, title: string, folder: string = temporaryFolder()): Town {
  const paths = releasePaths(folder)
  const upload = (may: May = {}): Promise<string> => publishCurrent(paths, BUCKET, may, effectsOf(s3))
  return {
    folder,
    paths,
    title,
    make: (n, more = {}, closed = false) => smallRelease(folder, n, more, closed, title),
    upload,
    refused: (may = {}) =>
      upload(may).then(
        () => 'it was uploaded',
        (error: Error) => error.message,
      ),
    status: async () => look(paths, (await currentId(paths))!, effectsOf(s3)),
  }
}

/** Two towns and their bucket, which is empty. */
export function towns(): { readonly s3: MemoryS3; readonly avon: Town; readonly brig: Town } {
  const s3 = memoryS3()
  return { s3, avon: town(s3, 'Avon'), brig: town(s3, 'Brig') }
}

/** The same, when Avon has uploaded its first release. */
export async function shown(log?: string): Promise<ReturnType<typeof towns>> {
  const made = towns()
  await made.avon.make(1)
  if (log !== undefined) writeFileSync(made.avon.paths.log, log)
  await made.avon.upload()
  return made
}

/** Another folder with the same content, as `cp -a` makes it. */
export function copyOf(s3: MemoryS3, { folder, title }: Town): Town {
  const copy = temporaryFolder()
  cpSync(folder, copy, { recursive: true, verbatimSymlinks: true })
  return town(s3, title, copy)
}

/** The archive of a month, from a release. */
export function archive({ paths }: Town, { id }: Manifest, month = '2026-04'): void {
  const to = join(paths.releases, month)
  cpSync(join(paths.releases, id), to, { recursive: true })
  const manifest = JSON.parse(readFileSync(join(to, 'manifest.json'), 'utf8')) as Manifest
  writeFileSync(join(to, 'manifest.json'), JSON.stringify({ ...manifest, month }))
}

/** Every object, with its bytes, its headers and when it was written. */
export const stateOf = ({ objects }: MemoryS3): [string, StoredObject][] =>
  [...objects].sort(([a], [b]) => (a < b ? -1 : 1))
export const changesOf = ({ asked }: MemoryS3, from = 0): string[] =>
  asked.slice(from).filter((what) => /^(?:PUT|DELETE)/.test(what))
export const keys = ({ objects }: MemoryS3): string[] => [...objects.keys()].sort()
