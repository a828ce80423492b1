// Owns counting the ideas that are public, but no longer on the site: those of the current release that a candidate lacks.
// Reads the two ideas exports; decides nothing.
import { count } from '../../process/printable.ts'
import { documentRows } from '../../release/checks/document-rows.ts'
import { ReleaseError } from '../../release/format/release-error.ts'
import type { ReleasePaths } from '../../release/format/paths.ts'
import { folderReader, readManifest } from '../../release/reading/folder-reader.ts'

const IDEAS = { endpoint: 'export', type: 'ideas', period: 'all', format: 'json' } as const

/** A sentence for an operator who has to decide; null = none is gone. Never fails: the rejection is what counts. */
export async function titlesGone(paths: ReleasePaths, current: string, candidate: string): Promise<string | null> {
  try {
    const there = new Set<string>()
    for await (const id of ideaIds(paths, candidate)) there.add(id)
    let gone = 0
    for await (const id of ideaIds(paths, current)) if (!there.has(id)) gone += 1
    return gone === 0
      ? null
      : `ideas that are public here, but no longer on the site: ${count(gone)}; their titles stay public until a build is published`
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error
    return `how many ideas are public here, but no longer on the site, is not known: ${error.message}`
  }
}

async function* ideaIds(paths: ReleasePaths, name: string): AsyncGenerator<string> {
  const release = { reader: folderReader(paths), name, manifest: await readManifest(paths, name) }
  for await (const batch of documentRows(release, IDEAS)) for (const { id } of batch) yield String(id)
}
