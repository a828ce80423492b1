// Owns what a shell completes of analytics-build beyond its table: names of mappings, of releases. Changes nothing.
import type { Completer, Completers } from '../../process/completion.ts'
import { SHELLS } from '../../process/completion-script.ts'
import { REJECTED_PREFIX, releasePaths } from '../../release/format/paths.ts'
import { listReleases } from '../../release/reading/release-list.ts'
import { builtInMappings } from '../../source/mapping/mapping.ts'
import { RELEASE_OPTIONS } from './build-options.ts'

const { snapshots } = RELEASE_OPTIONS

function foldersOf(given: ReadonlyMap<string, string>): string {
  return given.get('--snapshots') ?? process.env[snapshots.envVar ?? ''] ?? String(snapshots.defaultValue)
}

/** The newest first. Where the folder cannot be read, nothing is completed. */
const releases: Completer = async (given) =>
  listReleases(releasePaths(foldersOf(given))).then(
    (ids) => ids.toReversed(),
    () => [],
  )

const anyRelease: Completer = async (given) => [
  'current',
  ...(await releases(given)),
  ...(await listReleases(releasePaths(foldersOf(given)), REJECTED_PREFIX).catch(() => [])),
]

export const COMPLETERS: Completers = {
  '--source': builtInMappings,
  '[NAME]': builtInMappings,
  '[ID]': releases,
  '[ID|URL]': anyRelease,
  '<A>': anyRelease,
  '<B>': anyRelease,
  '<bash|zsh|fish>': () => SHELLS,
}
