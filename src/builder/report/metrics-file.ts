// Owns --metrics-file: reads the counters of the last one and the current release, and replaces the file. Knows no build.
import { chmod, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises'
import type { Log } from '../../process/log.ts'
import { readPin } from '../../release/writing/promote.ts'
import { absent } from '../../release/format/release-error.ts'
import { readCurrent } from '../../release/reading/folder-reader.ts'
import type { BuilderContext } from '../run/context.ts'
import { countOn, metricsText, type LastRun } from './metrics-text.ts'
import type { ReleasePaths } from '../../release/format/paths.ts'

export interface MetricsTo {
  readonly file: string
  readonly paths: ReleasePaths
}

/** How a build ended: its result, its exit code, what had changed. */
export type Ending = Omit<LastRun, 'startedMs' | 'endedMs'>

/** Waits for a build, writes how it ended, and ends as it did. */
export async function recordRun<T>(
  to: MetricsTo,
  effects: Pick<BuilderContext, 'nowMs' | 'log'>,
  build: () => Promise<T>,
  endingOf: (end: { readonly outcome: T } | { readonly error: unknown }) => Ending,
): Promise<T> {
  const startedMs = effects.nowMs()
  const record = (ending: Ending): Promise<void> =>
    writeMetrics(to, { ...ending, startedMs, endedMs: effects.nowMs() }, effects.log)
  let outcome: T
  try {
    outcome = await build()
  } catch (error) {
    await record(endingOf({ error }))
    throw error
  }
  await record(endingOf({ outcome }))
  return outcome
}

/** Never fails: a build does not fail because its metrics cannot be written. */
async function writeMetrics({ file, paths }: MetricsTo, run: LastRun, log: Log): Promise<void> {
  try {
    const counts = countOn(await readFile(file, 'utf8').catch(absent('')), run.result)
    const [current, held, availableBytes] = await Promise.all([
      // The build has reported what is wrong with it.
      readCurrent(paths).catch(() => null),
      isHeld(paths),
      availableIn(paths.root),
    ])
    await replace(file, await metricsText({ run, counts, current, held, availableBytes }))
  } catch (error) {
    log.warn({}, `--metrics-file ${file} is not written: ${(error as Error).message}; the build is not affected`)
  }
}

/** node_exporter reads at any moment, as another user, and only names that end in .prom: it never reads half a text. */
async function replace(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`
  try {
    await writeFile(temporary, text, { flush: true })
    // Whatever the umask is: everything in it is public in the release.
    await chmod(temporary, 0o644)
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
}

async function isHeld(paths: ReleasePaths): Promise<boolean | null> {
  try {
    return (await readPin(paths)) !== null
  } catch {
    // The build could not read it either, and has reported it.
    return null
  }
}

async function availableIn(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return null
  }
}
