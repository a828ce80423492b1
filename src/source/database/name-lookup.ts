// Owns finding the addresses of a host name within a time. Knows no database.
import { execFile } from 'node:child_process'
import { lookup as lookupHere, type LookupAddress, type LookupOptions } from 'node:dns'
import type { LookupFunction } from 'node:net'

type Answer = { readonly addresses: LookupAddress[] } | { readonly code: string; readonly message: string }

const SCRIPT = `
const [host, family] = process.argv.slice(1)
require('node:dns').lookup(host, { all: true, family: Number(family) }, (error, addresses) =>
  process.stdout.write(JSON.stringify(error ? { code: error.code, message: error.message } : { addresses })))
`

/**
 * A lookup as sockets take it, in a process of its own that ends with `signal`. getaddrinfo(3) cannot be interrupted, and
 * Node waits for it even in process.exit(): a name server that does not answer kept a build alive for half a minute
 * after its deadline (measured: 31 s, one name server, `timeout:15 attempts:2`).
 */
export function lookupUntil(signal: AbortSignal): LookupFunction {
  return (host, options, callback) => {
    // No name server is asked for it.
    if (host.toLowerCase() === 'localhost') return lookupHere(host, options, callback)
    const args = ['-e', SCRIPT, '--', host, String(familyOf(options))]
    execFile(process.execPath, args, { env: environment(), signal, killSignal: 'SIGKILL' }, (failed, stdout) => {
      if (signal.aborted) return
      const answer = failed === null ? (JSON.parse(stdout) as Answer) : null
      // Where no process can be started, a build without a bound is better than none.
      if (answer === null) return lookupHere(host, options, callback)
      if ('code' in answer) return callback(Object.assign(new Error(answer.message), { code: answer.code }), [])
      const [first] = answer.addresses
      if (options.all === true) callback(null, answer.addresses)
      else callback(null, first?.address ?? '', first?.family)
    })
  }
}

function familyOf({ family }: LookupOptions): number {
  return family === 'IPv4' || family === 4 ? 4 : family === 'IPv6' || family === 6 ? 6 : 0
}

/** What the resolver may look at, without what is secret or would change the other process. */
function environment(): NodeJS.ProcessEnv {
  const { DATABASE_URL: _url, NODE_OPTIONS: _options, ...rest } = process.env
  return rest
}
