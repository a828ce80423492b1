// Owns the `main` of a compiled analytics-build where what waits between two tries waits a hundredth of its time: that a process
// waits is for those that start the program itself.
// depends on: bin/analytics-build.js
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { join, dirname } from 'node:path'

/** @param program the path of `bin/analytics-build.js` */
export async function impatientMain(program) {
  const { main } = await import(pathToFileURL(join(dirname(program), '../dist/builder/main.js')).href)
  return (args) => main(args, (ms, signal) => delay(ms / 100, undefined, { signal }).catch(() => {}))
}
