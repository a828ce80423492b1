// Owns the demo as the program makes it, once in a run: who serves or reads it needs none of its own.
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { packagePath } from '../../src/process/package-root.ts'
import { onceInRun } from './once-in-run.ts'
import { runProgram } from './proxy.ts'

const BUILD = packagePath('bin', 'analytics-build.js')

/** Its snapshots folder, which is only read. */
export async function demoOnce(): Promise<string> {
  const folder = await onceInRun('demo', async (empty) => {
    const { code, stderr } = await runProgram(['demo', '--snapshots', join(empty, 'snapshots')], {}, BUILD)
    if (code !== 0) throw new Error(`analytics-build demo ended with ${code}: ${stderr}`)
  })
  return join(folder, 'snapshots')
}

/** One that a test has made for itself, for those that come after it in this run. */
export async function keepDemo(snapshots: string): Promise<void> {
  const options = { recursive: true, verbatimSymlinks: true }
  await onceInRun('demo', (empty) => cpSync(snapshots, join(empty, 'snapshots'), options))
}
