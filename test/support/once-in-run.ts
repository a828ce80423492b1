// Owns what is made once in a run of the tests, by the test that first needs it, in the folder that goes with the run. Who comes
// meanwhile waits.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The variable that names the folder, empty at first (shared-fixtures.ts). */
export const ONCE = 'TEST_ONCE_IN_RUN'

/** What is made here takes seconds. */
const DEADLINE_MS = 300_000

/**
 * The folder that `make` has filled; nobody writes into it afterwards.
 * @param make what it throws is thrown to all who ask for the same
 */
export async function onceInRun(name: string, make: (folder: string) => void | Promise<void>): Promise<string> {
  const work = join(process.env[ONCE] ?? '', name)
  const [folder, ending] = [join(work, 'made'), join(work, 'ending')]
  if (isFirst(work)) {
    mkdirSync(folder)
    let said = ''
    try {
      await make(folder)
    } catch (error) {
      said = error instanceof Error ? (error.stack ?? error.message) : String(error)
    }
    writeFileSync(`${ending}-new`, said)
    renameSync(`${ending}-new`, ending)
  }
  const deadlineMs = Date.now() + DEADLINE_MS
  while (!existsSync(ending)) {
    if (Date.now() > deadlineMs) throw new Error(`another test has not made ${folder} in time`)
    await sleep(20)
  }
  const said = readFileSync(ending, 'utf8')
  if (said !== '') throw new Error(`${name} cannot be made: ${said}`)
  return folder
}

/** Of a run that begins again, after something has changed. */
export function forgetMade(): void {
  const folder = process.env[ONCE] ?? ''
  rmSync(folder, { recursive: true })
  mkdirSync(folder)
}

function isFirst(work: string): boolean {
  try {
    mkdirSync(work)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
