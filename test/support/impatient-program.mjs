// Runs the compiled analytics-build in a process of its own, of which a test wants the memory or the answer to a signal. What waits
// between two tries waits a hundredth of its time.
// depends on: bin/analytics-build.js
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { join, dirname } from 'node:path'

const [, , , program, ...args] = process.argv
const { main } = await import(pathToFileURL(join(dirname(program), '../dist/builder/main.js')).href)
const code = await main(args, (ms, signal) => delay(ms / 100, undefined, { signal }).catch(() => {}))
process.exitCode = code
if (code > 128) {
  process.once('exit', () => process.kill(process.pid, code - 128))
  process.exit()
}
