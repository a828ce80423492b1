// Owns finding the addresses of a host name within a time. Knows no database.
import { execFile } from 'node:child_process'
import { lookup as lookupHere, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'

type Answer = { readonly addresses: LookupAddress[] } | { readonly code: string; readonly message: string }

const SCRIPT = `
const [host, family] = process.argv.slice(1)
require('node:dns').lookup(host, { all: true, family: JSON.parse(family) }, (error, addresses) =>
  process.stdout.write(JSON.stringify(error ? { code: error.code, message: error.message } : { addresses })))
`

/**
 * A lookup as sockets take it, in a separate process that ends with `signal`. getaddrinfo(3) cannot be interrupted, and
 * Node waits for it even in process.exit(): a name server that does not answer would keep a build alive for half a minute
 * after its deadline (test/end-to-end/name-server.test.ts).
 */
export function lookupUntil(signal: AbortSignal): LookupFunction {
  return (host, options, callback) => {
    // It needs no name server.
    if (host.toLowerCase() === 'localhost') return lookupHere(host, options, callback)
    const args = ['-e', SCRIPT, '--', host, JSON.stringify(options.family ?? 0)]
    execFile(process.execPath, args, { env: environment(), signal, killSignal: 'SIGKILL' }, (failed, stdout) => {
      if (signal.aborted) return
      const answer = failed === null ? (JSON.parse(stdout) as Answer) : null
      // If no process can be started, a lookup without a time limit is better than none.
      if (answer === null) return lookupHere(host, options, callback)
      if ('code' in answer) return callback(Object.assign(new Error(answer.message), { code: answer.code }), [])
      const [first] = answer.addresses
      if (options.all === true) callback(null, answer.addresses)
      else callback(null, first?.address ?? '', first?.family)
    })
  }
}

/** Variables of the dynamic loader, and of the resolver and its NSS modules: resolv.conf(5), gethostbyname(3), ld.so(8). */
const OF_THE_RESOLVER = /^(?:LD_|DYLD_|NSS_|RES_|RESOLV_|LOCALDOMAIN$|HOSTALIASES$)/

/** What the resolver may need and nothing else: an environment can hold any secret. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => OF_THE_RESOLVER.test(name)))
}
