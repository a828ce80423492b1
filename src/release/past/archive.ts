// Owns the archive: what of the last release of each month stays for years, without the files that list ideas. Knows no database.
import { isArchived } from '../../contract/snapshot-paths.ts'
import { PEOPLE_MODES, type PeopleMode } from '../../contract/people.ts'
import type { TimeZone } from '../../contract/time-zone.ts'
import { orLog, type Log } from '../../process/log.ts'
import { CODINGS } from '../format/coding.ts'
import { isDemo, MONTH, readAtMs } from '../format/manifest.ts'
import type { ReleasePaths } from '../format/paths.ts'
import { readManifest } from '../reading/folder-reader.ts'
import { currentId, listReleases, namesBelow } from '../reading/release-list.ts'
import { hideAll } from '../writing/prune.ts'
import { lineageOf, type Lineage } from './journal.ts'
import { Staging } from '../writing/staging.ts'

export interface ArchiveOptions {
  /** The months are those of this time zone. */
  readonly zone: TimeZone
  /** An instant in the month that has not ended yet. */
  readonly nowMs: number
  /** Only so many months have an archive, the newest ones. */
  readonly keepMonths: number
  /** How numbers of people are published now: a release that tells more of them is not archived. */
  readonly people: PeopleMode
  readonly signal: AbortSignal
}

/**
 * Archives each month that has ended and has no archive, from its last release: of those whose history the current one carries on, so
 * nothing that a rollback took back is archived. Only for the holder of the lock.
 * @returns the releases from which an archive could not be made, which is logged
 */
export async function archiveMonths(
  paths: ReleasePaths,
  lineage: Lineage,
  { zone, nowMs, keepMonths, people, signal }: ArchiveOptions,
  log: Log,
): Promise<string[]> {
  const [current, releases] = [await currentId(paths), await listReleases(paths)]
  if (current === null) return []
  const running = zone.monthOf(nowMs)
  const months = await namesBelow(paths, MONTH)
  // A clock that was ahead, or another time zone, may have archived a month that goes on. A clock that is far behind removes none.
  const going = months.filter((month) => month >= running && month >= zone.monthOf(readAtMs(current)))
  await hideAll(paths, going)
  const there = new Set(months.filter((month) => !going.includes(month)))
  const needed: string[] = []
  for (const id of lineageOf(current, releases, lineage)) {
    const month = zone.monthOf(readAtMs(id))
    if ([...there].filter((other) => other > month).length >= keepMonths) break
    if (month >= running || there.has(month) || !releases.includes(id)) continue
    signal.throwIfAborted()
    there.add(month)
    const failed = 'the archive of a month is not made; the next build tries again'
    const isToKeep = await orLog(log, 'warn', failed, () => archive(paths, id, month, people))
    if (isToKeep === false) break
    if (isToKeep === null) needed.push(id)
  }
  return needed
}

/** @returns false for what nobody may keep: a closed site, the demo, and numbers of people that are no longer published */
async function archive(paths: ReleasePaths, id: string, month: string, people: PeopleMode): Promise<boolean> {
  const { id: _, files, months: _others, site: _page, options, closed, ...about } = await readManifest(paths, id)
  const isExacter = PEOPLE_MODES.indexOf(options.people) < PEOPLE_MODES.indexOf(people)
  if (closed === true || isDemo(about) || isExacter) return false
  const { site: _words, ...numbers } = options
  const archived = files.filter(({ path }) => isArchived(path))
  // Its manifest gets siblings if the files that it takes over have some.
  const staging = await Staging.create(paths, archived.some(({ gzip }) => gzip) ? CODINGS : [])
  try {
    for (const file of archived) await staging.link(id, file)
    await staging.seal({ ...about, options: numbers, month })
    await staging.promote(month, async () => false)
    return true
  } catch (error) {
    await staging.discard()
    throw error
  }
}
