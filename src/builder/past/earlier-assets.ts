// Owns which assets of the current release the next one carries on, and reads them. Writes nothing.
import { siteKindOf } from '../../contract/site-paths.ts'
import { orLog, type Log } from '../../process/log.ts'
import type { FileBytes, Manifest } from '../../release/format/manifest.ts'
import type { ReleasePaths } from '../../release/format/paths.ts'
import { folderReader } from '../../release/reading/folder-reader.ts'

export function isAsset({ path }: Pick<FileBytes, 'path'>): boolean {
  return path.startsWith('assets/') && siteKindOf(path) !== null
}

/**
 * A page that a browser or a CDN still has names the assets of its own release: the one before stays. Of each name that is
 * what the last version had, for as long as this version makes releases.
 * @param own paths of the new release
 */
export function carriedOn(
  { site, files }: Pick<Manifest, 'site' | 'files'>,
  own: ReadonlySet<string>,
): readonly FileBytes[] {
  const before = new Set(site?.assets ?? [])
  const same = new Set([...before].filter((path) => own.has(path)).map(nameOf))
  const others = files.filter((file) => isAsset(file) && !own.has(file.path))
  return others.filter(({ path }) => before.has(path) || same.has(nameOf(path)))
}

/** `assets/page-0123456789.css` is called `assets/page.css`. */
function nameOf(path: string): string {
  return path.replace(/-[0-9a-f]{10}(?=\.[a-z]+$)/, '')
}

/** Never fails: without one, a page that is cached looks plain until it is loaded again. */
export async function earlierAssets(
  paths: ReleasePaths,
  current: Pick<Manifest, 'id' | 'site' | 'files'> | null,
  own: ReadonlySet<string>,
  log: Log,
): Promise<readonly { readonly path: string; readonly bytes: Buffer }[]> {
  if (current === null) return []
  const reader = folderReader(paths)
  const found: { path: string; bytes: Buffer }[] = []
  for (const file of carriedOn(current, own)) {
    const failed = `${file.path} of ${current.id} is not carried on`
    const bytes = await orLog(log, 'warn', failed, () => reader.read(current.id, file))
    if (bytes !== null) found.push({ path: file.path, bytes })
  }
  return found
}
