// Owns the path of files that are shipped with the compiled code (.sql), and the version. Knows nothing of their content.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** By its own name a package finds itself: from src/ (tests) as from dist/ (installed). */
const require = createRequire(import.meta.url)
const MANIFEST = 'public-analytics/package.json'
const root = dirname(require.resolve(MANIFEST))

export function packagePath(...segments: string[]): string {
  return join(root, ...segments)
}

/** Of this package. */
export function programVersion(): string {
  return (require(MANIFEST) as { version: string }).version
}
