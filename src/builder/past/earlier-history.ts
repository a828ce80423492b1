// Owns from which release a new one carries the history, and what the log says of it. Reads releases; writes nothing.
import type { HistoryRow } from '../../contract/kinds/history.ts'
import { snapshotPath } from '../../contract/snapshot-paths.ts'
import type { Log } from '../../process/log.ts'
import { historyRowsOf } from '../../release/checks/kinds/history.ts'
import { isDemo, type Manifest } from '../../release/format/manifest.ts'
import type { ReleasePaths } from '../../release/format/paths.ts'
import { jsonOf } from '../../release/format/json-check.ts'
import { onReleaseError } from '../../release/format/release-error.ts'
import { folderReader } from '../../release/reading/folder-reader.ts'
import { currentId, listReleases } from '../../release/reading/release-list.ts'
import type { ReleaseReader } from '../../release/reading/release-reader.ts'
import { lineageOf, type JournalState } from '../../release/past/journal.ts'

export type EarlierHistory = Awaited<ReturnType<typeof earlierHistory>>

export const HISTORY_PATH: string = snapshotPath({ endpoint: 'export', type: 'history', period: 'all', format: 'json' })

/** The history begins with the new release. */
const NOTHING = { rows: [], carriedFrom: null }

/** Why a release has no rows to carry. */
type Without = 'closed' | 'damaged' | 'demo'

/**
 * The history of the current release. Where that has none to give: of the newest release of its lineage that has.
 * @param current null = there is none, or its manifest is damaged
 * @param demo whether the new release is of the demo: invented numbers and real ones never follow each other
 * @throws ReleaseError (unreadable): the rows may be there
 */
export async function earlierHistory(
  paths: ReleasePaths,
  { last, lineage }: Pick<JournalState, 'last' | 'lineage'>,
  current: Manifest | null,
  demo: boolean,
  log: Log,
) {
  const reader = folderReader(paths)
  const first = current === null ? 'damaged' : await rowsOf(reader, current, demo)
  if (typeof first !== 'string') return { rows: first, carriedFrom: current?.id ?? null }
  if (first === 'closed') {
    log.info({}, 'the history begins anew: the site was closed to visitors')
    return NOTHING
  }
  const releases = await listReleases(paths)
  // What is current, or was.
  const [start] = [await currentId(paths), last, ...releases.slice(-1)].filter((id) => id !== null)
  if (start === undefined) return NOTHING
  const failures = new Set<Without>([first])
  for (const id of lineageOf(start, releases, lineage)) {
    if (id === current?.id) continue
    const rows = await reader
      .manifest(id, null)
      .then(({ manifest }) => rowsOf(reader, manifest, demo), unlessUnreadable)
    if (typeof rows !== 'string') {
      log.warn(
        { carriedFrom: id, through: rows.at(-1)?.date ?? null },
        `the current release ${start} has no history that can be used: it is carried from ${id}`,
      )
      return { rows, carriedFrom: id }
    }
    failures.add(rows)
    if (rows === 'closed') break
  }
  if (failures.has('damaged'))
    log.warn(
      {},
      'the history begins anew: no release has one that is whole; where a copy of a release has, put that into releases/, roll back to it, then resume and build',
    )
  else log.info({}, 'the history begins with this release: no earlier one has any')
  return NOTHING
}

async function rowsOf(
  reader: ReleaseReader,
  { id, files, mapping, closed }: Manifest,
  wanted: boolean,
): Promise<readonly HistoryRow[] | Without> {
  if (isDemo({ mapping }) !== wanted) return 'demo'
  if (closed === true) return 'closed'
  const history = files.find(({ path }) => path === HISTORY_PATH)
  if (history === undefined) return 'damaged'
  const rowsIn = (bytes: Buffer): HistoryRow[] | Without => historyRowsOf(jsonOf(bytes.toString('utf8'))) ?? 'damaged'
  return reader.read(id, history).then(rowsIn, unlessUnreadable)
}

const unlessUnreadable = onReleaseError((): Without => 'damaged', 'damaged', 'absent')
