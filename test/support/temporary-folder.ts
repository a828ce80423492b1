// Owns a folder for what a test writes. Imports nothing of ours: nearly every test uses it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** What the run looks for when it ends (shared-fixtures.ts). */
export const PREFIX = 'release-test-'

/**
 * A folder that goes with the test, whether it passes or not.
 * @param finished a concurrent test must give its own context's; what is for several tests is made beside them with `afterAll`, which
 *   within a hook is not heard
 */
export function temporaryFolder(finished: (end: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), PREFIX))
  finished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
