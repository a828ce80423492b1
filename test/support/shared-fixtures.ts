// Owns what is made once per run of the real tests and only read afterwards: a folder for the data of a new PostgreSQL
// cluster, filled by the first test that starts one. Goes with the run, also when it is killed. And that no test leaves anything
// in the snapshots folder of the clone, the default of the programs. While it watches, the programs are compiled before each run.
import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { packagePath } from '../../src/process/package-root.ts'
import { serverAccount, TEMPLATE } from './postgres.ts'
import { supervise } from './supervised.ts'

export function setup(project: TestProject): () => Promise<void> {
  project.onTestsRerun(() => {
    const compile = [packagePath('scripts', 'compile.js'), '--incremental']
    execFileSync(process.execPath, compile, { stdio: ['ignore', 'ignore', 'inherit'] })
  })
  const clone = packagePath('snapshots')
  const before = readdirSync(clone)
  const folder = mkdtempSync(join(tmpdir(), 'test-run-'))
  const account = serverAccount()
  if (account !== undefined) chownSync(folder, account.uid, account.gid)
  // A program that only waits: the folder goes when this process ends.
  const keeper = supervise(['tail', '-f', '/dev/null'], { folder, signal: 'TERM' })
  process.env[TEMPLATE] = folder
  return async () => {
    await keeper.stop()
    const left = readdirSync(clone).filter((name) => !before.includes(name))
    if (left.length > 0)
      throw new Error(`a test has left ${left.join(', ')} in ${clone}: give its program another folder`)
  }
}
