// A process whose time is over when it begins, and which then sleeps in its event loop (`hangMs`), computes in it for so much time of a
// processor (`busyMs`) or waits outside it (`livesMs`). Where it ends by itself it exits with 3.
import { setTimeout as delay } from 'node:timers/promises'
import { endWhenHung } from '../../dist/process/hung-loop.js'

const { silenceMs, hangMs = 0, busyMs = 0, livesMs = 0 } = JSON.parse(process.argv[2])
const usedMs = ({ user, system } = process.cpuUsage()) => (user + system) / 1000

const end = endWhenHung(
  'a test',
  () => 0,
  (why) => process.stderr.write(why),
  silenceMs,
)
process.stderr.write('begun\n')
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, hangMs)
for (const endMs = usedMs() + busyMs; usedMs() < endMs;);
await delay(livesMs)
end()
process.stderr.write('over\n')
process.exitCode = 3
