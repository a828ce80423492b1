// Owns what stays of a release that a rollback took back: the document of what changed in past numbers, which was public.
import { snapshotPath } from '../../contract/snapshot-paths.ts'
import type { ReleasePaths } from '../format/paths.ts'
import { folderReader, readManifest } from '../reading/folder-reader.ts'
import { stateFile } from '../writing/state.ts'

const REVISIONS = snapshotPath({ endpoint: 'export', type: 'revisions', period: 'all', format: 'json' })

/** The last one, as it was published; not checked. */
const TAKEN_BACK = stateFile('revisions', 0o600, (value) => (value ?? {}) as { id: string; document: unknown })

/** That of the last release that a rollback took back, if that is later than another; else undefined. */
export async function takenBackAfter(paths: ReleasePaths, id: string): Promise<unknown> {
  const last = await TAKEN_BACK.read(paths)
  return last !== null && last.id > id ? last.document : undefined
}

/** That of a release; undefined = it has none. @throws ReleaseError */
export async function publishedRevisions(paths: ReleasePaths, id: string): Promise<unknown> {
  const { files } = await readManifest(paths, id)
  const file = files.find(({ path }) => path === REVISIONS)
  return file && JSON.parse((await folderReader(paths).read(id, file)).toString('utf8'))
}

/** Keeps that of a release before an older one is current. A damaged one has none to keep. */
export async function keepTakenBack(paths: ReleasePaths, id: string): Promise<void> {
  const document = await publishedRevisions(paths, id).catch(() => undefined)
  const isLast = (await takenBackAfter(paths, id)) === undefined
  if (document !== undefined && isLast) await TAKEN_BACK.replace(paths, { id, document })
}
