// Owns the path of files that are shipped with the compiled code (.sql), and the version. Knows nothing of their content.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

function find(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder)
    if (parent === folder)
      throw new Error(`no package.json above ${fileURLToPath(import.meta.url)}: reinstall the package`)
    folder = parent
  }
  return folder
}

const root = find()

/** The same file whether this runs from src/ (tests) or from dist/ (installed). */
export function packagePath(...segments: string[]): string {
  return join(root, ...segments)
}

/** Of this package. */
export function programVersion(): string {
  return (JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string }).version
}
