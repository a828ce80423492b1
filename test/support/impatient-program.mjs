// Runs the compiled analytics-build in a process of its own, of which a test wants the memory or the answer to a signal.
import { impatientMain } from './impatient-main.mjs'

const [, , , program, ...args] = process.argv
const main = await impatientMain(program)
const code = await main(args)
process.exitCode = code
if (code > 128) {
  process.once('exit', () => process.kill(process.pid, code - 128))
  process.exit()
}
