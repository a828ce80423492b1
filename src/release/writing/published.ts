// Owns what a folder remembers of the addresses of --publish, so that it can tell its own site there from somebody else's.
import type { ReleasePaths } from '../format/paths.ts'
import { isPublishedByAddress, type Published } from '../format/published.ts'
import { ReleaseError } from '../format/release-error.ts'
import { stateFile } from './state.ts'

const PUBLISHED = stateFile('published', 0o644, (value) => {
  if (isPublishedByAddress(value)) return value
  throw new ReleaseError(
    'damaged',
    'the file .published in the folder of the releases is damaged, or of another version; remove it and, if what is at --publish is of this folder, give --accept-site once',
  )
})

/** @throws ReleaseError, (damaged) where the file has another form: nothing is known then */
export async function readPublished(paths: ReleasePaths, address: string): Promise<Published> {
  return (await PUBLISHED.read(paths))?.[address] ?? { releases: {}, logIsOver: false }
}

/** Before anything is put there, so that a killed upload is remembered. Only for the holder of the lock. */
export async function notePublished(paths: ReleasePaths, address: string, published: Published): Promise<void> {
  const all = (await PUBLISHED.read(paths)) ?? {}
  if (JSON.stringify(all[address]) !== JSON.stringify(published))
    await PUBLISHED.replace(paths, { ...all, [address]: published })
}

/** A site closes: its log of days has ended, wherever it was put. What cannot be read is said by the next upload. */
export async function endLogs(paths: ReleasePaths): Promise<void> {
  const all = await PUBLISHED.read(paths).catch(() => null)
  const ended = Object.entries(all ?? {}).map(([address, one]) => [address, { ...one, logIsOver: true }] as const)
  if (ended.length > 0) await PUBLISHED.replace(paths, Object.fromEntries(ended))
}
