// Owns the path of files that are shipped with the compiled code (.sql), the version and the commit. Knows nothing of their content.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A package finds itself by its own name: from src/ (tests) as from dist/ (installed). */
const require = createRequire(import.meta.url)
const MANIFEST = 'public-analytics/package.json'
const root = dirname(require.resolve(MANIFEST))

export function packagePath(...segments: string[]): string {
  return join(root, ...segments)
}

/** What tells one program from another: many commits have the same version. */
export interface ProgramVersion {
  readonly programVersion: string
  /** The whole hash, with `-modified` where other files than those of the commit were compiled; absent = it is not known. */
  readonly programCommit?: string | undefined
}

export function thisProgram(): ProgramVersion {
  const file = packagePath('dist', 'commit')
  // The file is empty where the program was compiled without its history.
  const programCommit = (existsSync(file) && readFileSync(file, 'utf8').trim()) || undefined
  return { programVersion: programVersion(), programCommit }
}

/** `1.0.0 (commit 672fec04e1b2)` */
export function programText({ programVersion: version, programCommit = '' }: ProgramVersion = thisProgram()): string {
  return programCommit === '' ? version : `${version} (commit ${programCommit.replace(/(?<=^\w{12})\w+/, '')})`
}

export function programVersion(): string {
  return (require(MANIFEST) as { version: string }).version
}
