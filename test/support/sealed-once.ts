// Owns releases that are written once in a worker: who stages the same again gets the same bytes, in a stage of its own.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Manifest } from '../../src/release/format/manifest.ts'
import type { ReleasePaths } from '../../src/release/format/paths.ts'
import { FILE_MODE } from '../../src/release/writing/fsync-folder.ts'
import { Staging } from '../../src/release/writing/staging.ts'

export interface SealedStage {
  readonly stage: Staging
  readonly manifest: Manifest
}

interface Sealed {
  readonly manifest: Manifest
  readonly files: ReadonlyMap<string, Buffer>
}
const SEALED = new Map<string, Sealed>()
/** Of all files of one: few tests want a larger one, and each another. */
const MOST_BYTES = 4 << 20

/** @param key what the release follows from, and nothing else; null = this is not known */
export async function sealedOnce(
  paths: ReleasePaths,
  key: string | null,
  seal: (stage: Staging) => Promise<Manifest>,
): Promise<SealedStage> {
  const stage = await Staging.create(paths)
  const known = key === null ? undefined : SEALED.get(key)
  if (known === undefined) {
    const manifest = await seal(stage)
    const files = filesIn(stage.folder)
    const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0)
    if (key !== null && bytes <= MOST_BYTES) SEALED.set(key, { manifest, files })
    return { stage, manifest }
  }
  const { mode } = statSync(stage.folder)
  for (const name of new Set([...known.files.keys()].map(dirname)))
    mkdirSync(join(stage.folder, name), { recursive: true, mode })
  for (const [name, bytes] of known.files) writeFileSync(join(stage.folder, name), bytes, { mode: FILE_MODE })
  return { stage, manifest: known.manifest }
}

function filesIn(folder: string): ReadonlyMap<string, Buffer> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => statSync(join(folder, name)).isFile())
  return new Map(files.map((name) => [name, readFileSync(join(folder, name))]))
}
