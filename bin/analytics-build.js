#!/usr/bin/env node
import { load } from './load.js'

load(process.pid === 1 ? 'process/first-process.js' : 'builder/main.js', (code) => {
  process.exitCode = code
  if (code > 128) {
    // A signal stopped it, so it ends by that signal: exit alone would wait for a disk that does not answer.
    process.once('exit', () => process.kill(process.pid, code - 128))
    process.exit()
  }
})
