// Owns one build of `npm run dev`: what `analytics-build demo` does, of a database that is there already, at its URL.
import { OPTIONS } from '../dist/builder/options/build-options.js'
import { demoRequest } from '../dist/builder/commands/build-request.js'
import { runBuild } from '../dist/builder/run/run-build.js'
import { createLog, SILENT } from '../dist/process/log.js'
import { NO_PROGRESS } from '../dist/process/progress.js'

const values = Object.fromEntries(Object.entries(OPTIONS.demo).map(([name, { defaultValue }]) => [name, defaultValue]))
const log = createLog('analytics-build')
const outcome = await runBuild(
  // What the sources say now is what the past is, too. Nothing is compressed beforehand: a sixth of the time.
  { ...demoRequest({ ...values, site: true, siblings: false }, process.argv[2], Date.now()), acceptRevision: true },
  {
    umask: process.umask(),
    nowMs: Date.now,
    sleep: () => Promise.resolve(),
    log: { ...log, info: SILENT.info },
    progress: NO_PROGRESS,
    signal: new AbortController().signal,
    endWhenHung: () => () => {},
  },
)
if (outcome.kind !== 'published') {
  log.error(outcome.reasons === undefined ? {} : { reasons: outcome.reasons }, `not published: ${outcome.kind}`)
  process.exitCode = 4
}
