// Owns finding the release that a command names: an id, `current`, a rejected candidate, a base URL. Reads no file of it.
import { basename } from 'node:path'
import { usageError } from '../../process/cli-error.ts'
import { oneLine } from '../../process/command-line.ts'
import { allowedValue, httpUrl } from '../../process/value-syntax.ts'
import { REJECTED_PREFIX, type ReleasePaths } from '../../release/format/paths.ts'
import { namesBelow, requireRelease } from '../../release/reading/release-list.ts'
import { folderName, MONTH, SERVED_FOLDER } from '../../release/format/manifest.ts'
import { folderReader, readManifest } from '../../release/reading/folder-reader.ts'
import { nullIfAbsent } from '../../release/format/release-error.ts'
import { bucketOf, signedHeaders } from '../../release/publishing/bucket.ts'
import type { Sign } from '../../release/reading/http-fetch.ts'
import type { FoundRelease, ReleaseReader } from '../../release/reading/release-reader.ts'

/** Closes the reader after the work: an idle connection would keep the program from ending. */
export async function withRelease<T>(
  paths: ReleasePaths,
  which: string,
  work: (release: FoundRelease) => Promise<T>,
): Promise<T> {
  const release = await releaseNamed(paths, which)
  try {
    return await work(release)
  } finally {
    await release.reader.close()
  }
}

/** @throws ReleaseError (absent), or a usage error for an address that is none */
export async function releaseNamed(paths: ReleasePaths, which: string): Promise<FoundRelease> {
  if (/^s3:/i.test(which)) {
    const bucket = allowedValue('S3', which, bucketOf)
    // Requests are signed: for its owner a bucket need not be public.
    return releaseAt(`${bucket.url}/${bucket.prefix}snapshots`, (url) => signedHeaders(bucket, 'GET', url))
  }
  if (/^https?:/i.test(which)) return releaseAt(allowedValue('URL', which, httpUrl(), ', without user, ? or #'))
  if (which === 'current') return named(folderReader(paths), null)
  const name = await folderOf(paths, which)
  return { reader: folderReader(paths), name, manifest: await readManifest(paths, name) }
}

/** @param name null = the current release, which is read by its id from then on: what is current may change meanwhile */
async function named(reader: ReleaseReader, name: string | null): Promise<FoundRelease> {
  const { manifest } = await (name === null ? reader.current(null) : reader.manifest(name, null)).catch(
    (error: unknown) => reader.close().then(() => Promise.reject(error)),
  )
  return { reader, name: folderName(manifest), manifest }
}

/** How long a head may take on an operator's connection, which may be slower than a proxy's. */
const HEAD_MS = 30_000

/**
 * @param base the site, where it serves `current/` and `releases/`, such as https://ideas.example.org/snapshots, or one of these
 * releases
 */
async function releaseAt(base: string, sign?: Sign): Promise<FoundRelease> {
  // Loaded here: else every command would load node:http and node:https at its start.
  const { addressReader, FETCH_TIMES } = await import('../../release/reading/address-reader.ts')
  const readerOf = (root: string): ReleaseReader => addressReader(root, { ...FETCH_TIMES, headMs: HEAD_MS }, sign)
  const [, above, name] = /^(.+)\/releases\/([^/]+)$/.exec(base) ?? []
  if (above !== undefined && name !== undefined && SERVED_FOLDER.test(name)) return named(readerOf(above), name)
  const find = (root: string): Promise<FoundRelease> => named(readerOf(root), null)
  const first = find(base)
  // If there is neither, the message names the address that was given.
  return (await first.catch(nullIfAbsent)) ?? (await find(`${base}/snapshots`).catch(nullIfAbsent)) ?? first
}

async function folderOf(paths: ReleasePaths, which: string): Promise<string> {
  // The gate prints the candidate's path, so a path is accepted.
  const name = basename(which)
  for (const others of [REJECTED_PREFIX, MONTH]) if ((await namesBelow(paths, others)).includes(name)) return name
  if (/^(?:\w+:)?\/\/|^\w[\w-]*[.:]/.test(which)) {
    // It is shown as an address, without a password that is in it.
    const address = oneLine(`https://${which.replace(/^(?:\w+:)?\/\//, '')}`)
    const meant = /^\w+:\/\//.test(which) ? ' or s3://' : `: ${address}`
    throw usageError(
      `no release ${address.slice('https://'.length)} in ${paths.root}, and an address begins with https://${meant}`,
    )
  }
  await requireRelease(paths, which)
  return which
}
