// Owns the folder of one run of the tests: what they write is in it, in memory where the machine has room (memory-folder.ts), and it
// goes with the run, also when that is killed. In it is the data of a new PostgreSQL cluster, filled by the first test that starts one.
// A test that leaves a folder, or anything in the snapshots folder of the clone, the default of the programs, fails the run. While it
// watches, the programs are compiled before each run.
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { packagePath } from '../../src/process/package-root.ts'
import { memoryFolder } from './memory-folder.ts'
import { forgetMade, ONCE } from './once-in-run.ts'
import { serverAccount, TEMPLATE } from './postgres.ts'
import { supervise } from './supervised.ts'
import { PREFIX } from './temporary-folder.ts'

/** Each project of a run asks for it; the first one gets it for all. */
export function setup(project: TestProject): (() => Promise<void>) | undefined {
  if (process.env[TEMPLATE] !== undefined) return undefined
  project.onTestsRerun(() => {
    forgetMade()
    const compile = [packagePath('scripts', 'compile.js'), '--incremental']
    execFileSync(process.execPath, compile, { stdio: ['ignore', 'ignore', 'inherit'] })
  })
  const clone = packagePath('snapshots')
  const before = readdirSync(clone)
  const folder = mkdtempSync(join(process.env['TMPDIR'] ?? memoryFolder() ?? tmpdir(), 'test-run-'))
  // As a temp folder: the servers of the tests have accounts of their own.
  chmodSync(folder, 0o1777)
  const template = join(folder, 'template')
  mkdirSync(template)
  const account = serverAccount()
  if (account !== undefined) chownSync(template, account.uid, account.gid)
  // A program that only waits: the folder goes when this process ends.
  const keeper = supervise(['tail', '-f', '/dev/null'], { folder, signal: 'TERM' })
  process.env['TMPDIR'] = folder
  process.env[TEMPLATE] = template
  process.env[ONCE] = join(folder, 'once')
  mkdirSync(join(folder, 'once'))
  return async () => {
    const left = [
      ...newIn(clone, before),
      ...readdirSync(folder)
        .filter((name) => name.startsWith(PREFIX))
        .map((name) => `${name} (${readdirSync(join(folder, name)).join(', ')})`),
    ]
    await keeper.stop()
    if (left.length === 0) return
    // What is thrown here, the runner prints, and ends with 0.
    process.stderr.write(
      `a test has left ${left.join(', ')}: it must remove its folders, and name one for its program\n`,
    )
    process.exitCode = 1
  }
}

function newIn(folder: string, before: readonly string[]): string[] {
  return readdirSync(folder)
    .filter((name) => !before.includes(name))
    .map((name) => join(folder, name))
}
