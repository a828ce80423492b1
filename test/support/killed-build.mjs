// Runs one build, of the native mapping and of a request that is given as JSON, and kills its own process at a step of
// publishing: SIGKILL just before or after a rename or symlink whose target has the given name, or before, after or in the middle of
// what is added to a file of that name. Runs dist/.
// depends on: src/builder/run/run-build.ts, src/process/log.ts, src/process/progress.ts, src/source/mapping/mapping.ts
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'

const { dist, request, nowMs, kill } = JSON.parse(process.argv[2])
const target = new RegExp(kill.to)

for (const call of ['rename', 'symlink']) {
  const real = fs.promises[call]
  fs.promises[call] = async (from, to, ...rest) => {
    const matches = call === kill.call && target.test(basename(String(to)))
    if (matches && kill.when === 'before') process.kill(process.pid, 'SIGKILL')
    const result = await real(from, to, ...rest)
    if (matches) process.kill(process.pid, 'SIGKILL')
    return result
  }
}
const die = () => process.kill(process.pid, 'SIGKILL')
const realOpen = fs.promises.open
fs.promises.open = async (path, flags, ...rest) => {
  const file = await realOpen(path, flags, ...rest)
  const isAdded = typeof flags === 'number' && (flags & fs.constants.O_APPEND) > 0
  if (kill.call !== 'add' || !isAdded || !target.test(basename(String(path)))) return file
  const write = file.writeFile.bind(file)
  file.writeFile = async (text) => {
    if (kill.when === 'before') die()
    await write(kill.when === 'middle' ? text.slice(0, text.length / 2) : text)
    await file.sync()
    die()
  }
  return file
}
syncBuiltinESMExports()

const { runBuild } = await import(`${dist}/builder/run/run-build.js`)
const { SILENT } = await import(`${dist}/process/log.js`)
const { NO_PROGRESS } = await import(`${dist}/process/progress.js`)
const { loadMapping } = await import(`${dist}/source/mapping/mapping.js`)
const outcome = await runBuild(
  { ...request, siblings: false, mapping: { ...loadMapping('native', {}), sha256: request.mapping.sha256 } },
  {
    umask: 0o022,
    nowMs: () => nowMs,
    sleep: async () => {},
    log: SILENT,
    progress: NO_PROGRESS,
    endWhenHung: () => () => {},
    signal: new AbortController().signal,
  },
)
console.log(outcome.kind)
