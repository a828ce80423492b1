// Owns a folder for what a test writes. Imports nothing of ours: nearly every test uses it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * A folder that goes with the test, whether it passes or not.
 * @param finished a concurrent test must give its own context's, a hook `afterAll`
 */
export function temporaryFolder(finished: (end: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'release-test-'))
  finished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
