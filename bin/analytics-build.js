#!/usr/bin/env node
import { load } from './load.js'

const { main } = await load(process.pid === 1 ? 'process/first-process.js' : 'builder/main.js')

const code = await main(process.argv.slice(2))
process.exitCode = code
if (code > 128) {
  // A signal stopped it, so it ends by that signal: exit alone would wait for a disk that does not answer.
  process.once('exit', () => process.kill(process.pid, code - 128))
  process.exit()
}
