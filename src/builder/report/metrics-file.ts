// Owns --metrics-file: reads the counters of the last one and the current release, and replaces the file. Knows no build.
import { statfs } from 'node:fs/promises'
import type { Log } from '../../process/log.ts'
import { readPin } from '../../release/past/past.ts'
import { absent } from '../../release/format/release-error.ts'
import { readOwn } from '../../release/reading/bounded-text.ts'
import { replaceFile } from '../../release/writing/state.ts'
import { readKeptPast } from '../../release/writing/kept-past.ts'
import { readCurrent } from '../../release/reading/folder-reader.ts'
import { isDue, readLastTold } from '../run/after-publish.ts'
import { buildMetricsText, type LastRun } from './metrics-text.ts'
import type { ReleasePaths } from '../../release/format/paths.ts'

const unknown = (): null => null

/** Never fails: a build does not fail because its metrics cannot be written. */
export async function writeMetrics(file: string, paths: ReleasePaths, run: LastRun, log: Log): Promise<void> {
  try {
    const before = await readOwn(file).catch(absent(''))
    const [current, told, held, availableBytes] = await Promise.all([
      // The build has reported what is wrong with the release, or with the pin.
      readCurrent(paths).catch(unknown),
      readLastTold(paths),
      readPin(paths).then((pin) => pin !== null, unknown),
      statfs(paths.root).then(({ bavail, bsize }) => bavail * bsize, unknown),
    ])
    const kept = current === null ? null : await readKeptPast(paths, current.id).catch(unknown)
    const newestDay = (typeof kept === 'string' ? null : kept?.past.newestDay) ?? null
    const due = told === null ? null : isDue(told, current?.id ?? null)
    const text = await buildMetricsText({ run, before, current, due, held, newestDay, availableBytes })
    // node_exporter reads at any moment, as another user whatever the umask is, and only names that end in .prom.
    await replaceFile(file, text, 0o644, `${file}.${process.pid}.tmp`)
  } catch (error) {
    log.warn({}, `--metrics-file ${file} is not written: ${(error as Error).message}; the build is not affected`)
  }
}
