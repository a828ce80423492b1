// Owns the demo as the program makes it, once in a run: who serves or reads it needs none of its own.
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
