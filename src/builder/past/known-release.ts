// Owns what is known of a release while the next one is made: what that is compared with, and what it carries on. Reads nothing.
import { snapshotPath } from '../../contract/snapshot-paths.ts'
import type { FileBytes, Manifest } from '../../release/format/manifest.ts'
import { assetsOf, type AssetsOfRelease } from './earlier-assets.ts'

/** Its list of files, which may be large, is not needed while the next one is made. */
export interface KnownRelease extends Omit<Manifest, 'files'> {
  /** null = its manifest lists none: it is damaged. */
  readonly history: FileBytes | null
  readonly assets: AssetsOfRelease
}

const HISTORY = snapshotPath({ endpoint: 'export', type: 'history', period: 'all', format: 'json' })

export function knownOf(manifest: Manifest): KnownRelease {
  const { files, ...rest } = manifest
  return { ...rest, history: files.find(({ path }) => path === HISTORY) ?? null, assets: assetsOf(manifest) }
}
