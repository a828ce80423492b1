// Set-up of the unit tests: a test that starts a process, opens a socket, or takes over a second of work or of waiting
// fails. Reaches the modules of Node without an import, because a file that imports one is not a unit test.
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, beforeEach } from 'vitest'

/** Of work twice a second: on a busy machine the same work counts up to twice. */
const LIMITS_MS = { work: 2000, wait: 1000 }
const NEXT_STEP = 'move it to a file with the line "// real test: <why>"'

function forbid(owner: object, names: readonly string[], what: string): void {
  const forbidden = (name: string) => (): never => {
    throw new Error(`a unit test must not ${what} (${name}): ${NEXT_STEP}`)
  }
  Object.assign(owner, Object.fromEntries(names.map((name) => [name, forbidden(name)])))
}

const starting = ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork']
forbid(process.getBuiltinModule('node:child_process'), starting, 'start a process')
const { Server, Socket } = process.getBuiltinModule('node:net')
forbid(Socket.prototype, ['connect'], 'open a socket')
forbid(Server.prototype, ['listen'], 'open a socket')
forbid(process.getBuiltinModule('node:dgram').Socket.prototype, ['bind', 'connect', 'send'], 'open a socket')

/** The sum of the delays of timers that have fired. */
let waitedMs = 0
const timers = process.getBuiltinModule('node:timers')
const { setTimeout: sleep } = process.getBuiltinModule('node:timers/promises')
const realTimeout = timers.setTimeout
const countedTimeout = (done: (...args: unknown[]) => void, delayMs = 0, ...args: unknown[]): NodeJS.Timeout =>
  realTimeout(() => {
    waitedMs += delayMs
    done(...args)
  }, delayMs)
const countedSleep: typeof sleep = (delayMs = 0, value, options) =>
  sleep(delayMs, value, options).finally(() => (waitedMs += delayMs))
for (const owner of [globalThis, timers]) Object.assign(owner, { setTimeout: countedTimeout })
Object.assign(process.getBuiltinModule('node:timers/promises'), { setTimeout: countedSleep })
syncBuiltinESMExports()

let before: NodeJS.CpuUsage
beforeEach(() => {
  before = process.cpuUsage()
  waitedMs = 0
})
// Not the time on the clock: another program that takes the processor is no fault of the test.
afterEach(() => {
  const { user, system } = process.cpuUsage(before)
  const workedMs = Math.round((user + system) / 1000)
  if (workedMs > LIMITS_MS.work || waitedMs > LIMITS_MS.wait)
    throw new Error(
      `a unit test may take a second: this one worked for ${workedMs} ms and waited for ${waitedMs} ms; make it shorter, or ${NEXT_STEP}`,
    )
})
