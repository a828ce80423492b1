// Owns the archive: what of the last release of each month stays for years, without the files that list ideas. Knows no database.
import { isArchived } from '../../contract/snapshot-paths.ts'
import type { TimeZone } from '../../contract/time-zone.ts'
import { MONTH, readAtMs } from '../format/manifest.ts'
import type { ReleasePaths } from '../format/paths.ts'
import { readManifest } from '../reading/folder-reader.ts'
import { currentId, listReleases } from '../reading/release-list.ts'
import { forgetMonths } from './forget.ts'
import { lineageOf, readLineage } from './lineage.ts'
import { Staging } from './staging.ts'

/**
 * Archives each month that has ended and has no archive, from the last release that was current in it: of the lineage of the
 * current one, so nothing that a rollback took back. Only for the holder of the lock.
 * @param zone whose months are meant
 * @param nowMs in the month that has not ended
 * @param keepMonths of how many months there are archives at most
 */
export async function archiveMonths(
  paths: ReleasePaths,
  zone: TimeZone,
  nowMs: number,
  keepMonths: number,
): Promise<void> {
  const [current, releases] = [await currentId(paths), await listReleases(paths)]
  const running = zone.monthOf(nowMs)
  // By a clock that was ahead, or in another time zone, a month had ended that goes on.
  await forgetMonths(paths, (months) => months.filter((month) => month >= running))
  const there = new Set(await listReleases(paths, MONTH))
  for (const id of current === null ? [] : lineageOf(current, releases, await readLineage(paths))) {
    const month = zone.monthOf(readAtMs(id))
    if ([...there].filter((other) => other > month).length >= keepMonths) return
    if (month >= running || there.has(month) || !releases.includes(id)) continue
    if (await archive(paths, id, month)) there.add(month)
  }
}

/** @returns false for a closed site, of which there is nothing to keep */
async function archive(paths: ReleasePaths, id: string, month: string): Promise<boolean> {
  const { id: _, files, months: _others, site: _page, options, closed, ...about } = await readManifest(paths, id)
  if (closed === true) return false
  const { site: _words, ...numbers } = options
  const staging = await Staging.create(paths)
  try {
    for (const file of files.filter(({ path }) => isArchived(path))) await staging.link(id, file)
    await staging.seal({ ...about, options: numbers, month })
    await staging.archive(month)
    return true
  } catch (error) {
    await staging.discard()
    throw error
  }
}
