// Owns what stays of a release that a rollback took back: the document of what changed in past numbers, which was public.
import { snapshotPath } from '../../contract/snapshot-paths.ts'
import type { ReleasePaths } from '../format/paths.ts'
import { folderReader, readManifest } from '../reading/folder-reader.ts'
import { StateFile } from './state.ts'

export interface TakenBack {
  readonly id: string
  /** As it was published; not checked. */
  readonly document: unknown
}

const REVISIONS = snapshotPath({ endpoint: 'export', type: 'revisions', period: 'all', format: 'json' })

const TAKEN_BACK = new StateFile('revisions', 0o600, (value) => {
  const { id, document } = (value ?? {}) as Partial<TakenBack>
  return typeof id === 'string' ? { id, document } : null
})

export function readTakenBack(paths: ReleasePaths): Promise<TakenBack | null> {
  return TAKEN_BACK.read(paths)
}

/** The document of a release; undefined = a version before it made the release. @throws ReleaseError */
export async function publishedRevisions(paths: ReleasePaths, id: string): Promise<unknown> {
  const { files } = await readManifest(paths, id)
  const file = files.find(({ path }) => path === REVISIONS)
  return file === undefined ? undefined : JSON.parse((await folderReader(paths).read(id, file)).toString('utf8'))
}

/** Keeps that of a release before an older one is current. A damaged one has none to keep. */
export async function keepTakenBack(paths: ReleasePaths, id: string): Promise<void> {
  const before = await readTakenBack(paths)
  const document = await publishedRevisions(paths, id).catch(() => undefined)
  if (document !== undefined && (before === null || before.id < id)) await TAKEN_BACK.replace(paths, { id, document })
}
