// Owns finding the release that a command names: an id, `current`, a refused candidate, a live base URL. Reads no file of it.
import { basename } from 'node:path'
import { usageError } from '../process/cli-error.ts'
import { httpUrl } from '../process/value-syntax.ts'
import { REJECTED_PREFIX } from '../release/format/paths.ts'
import { currentId, listReleases, requireRelease } from '../release/reading/release-list.ts'
import { localRelease } from '../release/reading/local-release.ts'
import { ReleaseError } from '../release/format/release-error.ts'
import type { ReleaseReader } from '../release/checks/verify.ts'
import { liveRelease } from '../release/reading/remote-release.ts'

/** @throws ReleaseError (absent), or a usage error for an address that is none */
export async function releaseNamed(snapshotsDir: string, which: string): Promise<ReleaseReader> {
  if (/^https?:/i.test(which)) return liveRelease(baseUrl(which))
  return localRelease(snapshotsDir, await folderOf(snapshotsDir, which))
}

async function folderOf(snapshotsDir: string, which: string): Promise<string> {
  if (which === 'current') {
    const id = await currentId(snapshotsDir)
    if (id === null) throw new ReleaseError('absent', `no release in ${snapshotsDir}; build one first`)
    return id
  }
  // As a refusal prints it: with the folders before it.
  const name = basename(which)
  if (name.startsWith(REJECTED_PREFIX) && (await listReleases(snapshotsDir, REJECTED_PREFIX)).includes(name))
    return name
  await requireRelease(snapshotsDir, which)
  return which
}

// A refusal does not repeat what was given: it may hold a password.
function baseUrl(which: string): string {
  const parsed = httpUrl()(which)
  if ('value' in parsed) return parsed.value
  throw usageError(
    'URL: not allowed; allowed: an address such as https://ideas.example.org/snapshots, without user, ? or #',
  )
}
