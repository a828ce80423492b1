#!/usr/bin/env node
const { main } =
  process.pid === 1 ? await import('../dist/process/first-process.js') : await import('../dist/build/main.js')

const code = await main(process.argv.slice(2))
process.exitCode = code
if (code > 128) {
  // A signal stopped it, so it ends by that signal: exit alone would wait for a disk that does not answer.
  process.once('exit', () => process.kill(process.pid, code - 128))
  process.exit()
}
