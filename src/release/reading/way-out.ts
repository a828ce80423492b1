// Owns how a request leaves this machine: straight, or through the proxy that the variables of every tool name.
import { Agent as HttpAgent, request, type AgentOptions } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Socket } from 'node:net'
import { usageError } from '../../process/cli-error.ts'
import { ReleaseError } from '../format/release-error.ts'

type Proxy = NonNullable<ReturnType<typeof proxyFor>>

/** Until a proxy has answered. */
const PROXY_MS = 10_000

/**
 * The proxy for an address; null = none. `shown` is without user and password, `to` what it leads to. As with curl, lower case comes first.
 * @throws CliError that names the variable, never its value
 */
export function proxyFor(address: string, env: Readonly<NodeJS.ProcessEnv> = process.env) {
  const { protocol, hostname, port } = new URL(address)
  const scheme = protocol.slice(0, -1)
  const name = [`${scheme}_proxy`, `${scheme}_PROXY`.toUpperCase()].find((one) => env[one])
  const excepted = env['no_proxy'] || env['NO_PROXY'] || ''
  const toPort = port || (protocol === 'https:' ? '443' : '80')
  if (name === undefined || isExcepted(hostname, toPort, excepted)) return null
  const text = env[name] ?? ''
  const whole = text.includes('://') ? text : `http://${text}`
  const url = URL.canParse(whole) ? new URL(whole) : null
  if (url?.protocol !== 'http:')
    throw usageError(
      `${name} is not the address of a proxy; allowed: http://host:port or http://user:password@host:port`,
    )
  return { url, shown: `${name} (${url.origin})`, to: `${hostname}:${toPort}` }
}

/** @param list of hosts, each with what is below it and perhaps with a port; `*` = all */
function isExcepted(host: string, port: string, list: string): boolean {
  const entries = list.toLowerCase().split(/[\s,]+/)
  return entries.some((entry) => {
    const [, name = '', ofPort = port] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? []
    if (entry === '*' || host === `[${entry}]`) return true
    return name !== '' && ofPort === port && (host === name || host.endsWith(`.${name}`))
  })
}

type Done = (...ended: [error: null, socket: Socket] | [error: Error, socket: null]) => void

/** A connection that the proxy passes on as it is; or a ReleaseError that names the proxy. */
export function tunnel({ url, shown, to }: Proxy, done: Done): void {
  const fail = (why: string, cause?: unknown): void =>
    done(new ReleaseError('unreadable', `the proxy of ${shown} ${why} for ${to}`, cause), null)
  const login = [url.username, url.password].map(decodeURIComponent).join(':')
  const headers = { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` }
  const by = { host: url.hostname.replaceAll(/[[\]]/g, ''), port: url.port || 80, agent: false }
  const asked = request({ ...by, method: 'CONNECT', path: to, headers: login === ':' ? {} : headers })
  const timer = setTimeout(() => asked.destroy(new Error(`it did not answer within ${PROXY_MS / 1000} s`)), PROXY_MS)
  asked.once('close', () => clearTimeout(timer))
  asked.once('error', (error) => fail(`cannot be used: ${error.message || String(error)};`, error))
  asked.once('connect', ({ statusCode }, socket: Socket) => {
    clearTimeout(timer)
    if (statusCode === 200) return done(null, socket)
    socket.destroy()
    fail(`answered ${statusCode}${statusCode === 407 ? ', it wants another user and password' : ', expected 200,'}`)
  })
  asked.end()
}

/** For what is fetched with node:http or node:https, as the address says. */
export function agentFor(address: string, options: AgentOptions): HttpAgent {
  const isSecure = address.startsWith('https:')
  const agent = isSecure ? new HttpsAgent(options) : new HttpAgent(options)
  const proxy = proxyFor(address)
  if (proxy === null) return agent
  const connect = agent.createConnection.bind(agent) as (to: object) => Socket
  agent.createConnection = (to, done) => {
    tunnel(proxy, (error, socket) => {
      const ready = socket !== null && isSecure ? connect({ ...to, socket }) : socket
      // With an error there is no connection, which the types do not know.
      done?.(error, ready as Socket)
    })
    return undefined
  }
  return agent
}
