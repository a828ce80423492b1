// Set-up of the unit tests: one that starts a process or opens a socket fails. Reaches the modules of Node
// without an import, because a file that imports one is not a unit test.
import { syncBuiltinESMExports } from 'node:module'

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
syncBuiltinESMExports()
