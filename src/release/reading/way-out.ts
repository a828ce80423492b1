// Owns how a request leaves this machine: straight, or through the proxy that the variables of every tool name.
import { Agent as HttpAgent, request as requestByHttp, type AgentOptions } from 'node:http'
import { Agent as HttpsAgent, request as requestByHttps } from 'node:https'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { Agent, buildConnector } from 'undici'
import { usageError } from '../../process/cli-error.ts'
import type { Variables } from '../../process/env-file.ts'
import { ReleaseError } from '../format/release-error.ts'

interface Proxy {
  readonly url: URL
  /** Without user and password. */
  readonly shown: string
}

/** Until a proxy has answered. */
const PROXY_MS = 10_000

/**
 * Null = none, straight. As curl does, lower case comes first.
 * @throws CliError that names the variable, never its value
 */
export function proxyFor(address: string, env: Readonly<Variables> = process.env): Proxy | null {
  const { protocol, hostname, port } = new URL(address)
  const [names, usual] =
    protocol === 'https:' ? [['https_proxy', 'HTTPS_PROXY'], '443'] : [['http_proxy', 'HTTP_PROXY'], '80']
  const name = names.find((one) => env[one])
  if (name === undefined || isExcepted(hostname, port || usual, env['no_proxy'] || env['NO_PROXY'] || '')) return null
  const text = env[name] ?? ''
  const whole = text.includes('://') ? text : `http://${text}`
  const url = URL.canParse(whole) ? new URL(whole) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw usageError(
      `${name} is not the address of a proxy; allowed: http://host:port, https://host:port, both with user:password@`,
    )
  return { url, shown: `${name} (${url.origin})` }
}

/** @param list of hosts, each with what is below it and perhaps with a port; `*` = all */
function isExcepted(host: string, port: string, list: string): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      const [, name = '', ofPort = port] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? []
      if (entry === '*' || host === `[${entry}]`) return true
      return name !== '' && ofPort === port && (host === name || host.endsWith(`.${name}`))
    })
}

/** A connection to `host:port` that the proxy passes on as it is. @throws ReleaseError that names the proxy */
function tunnel({ url, shown }: Proxy, host: string, port: string | number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const fail = (why: string, cause?: unknown): void =>
      reject(new ReleaseError('unreadable', `the proxy of ${shown} ${why} for ${host}:${port}`, cause))
    const { protocol, username, password } = url
    const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    const sent = (protocol === 'https:' ? requestByHttps : requestByHttp)({
      // An address of IPv6 has brackets in a URL only.
      host: url.hostname.replaceAll(/[[\]]/g, ''),
      port: url.port || (protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`,
      headers: login === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` },
      agent: false,
    })
    const timer = setTimeout(() => sent.destroy(new Error(`it did not answer within ${PROXY_MS / 1000} s`)), PROXY_MS)
    sent.once('close', () => clearTimeout(timer))
    sent.on('error', (error) => fail(`cannot be used: ${error.message || String(error)};`, error))
    sent.on('connect', ({ statusCode }, socket: Socket) => {
      clearTimeout(timer)
      if (statusCode === 200) return resolve(socket)
      socket.destroy()
      fail(`answered ${statusCode}${statusCode === 407 ? ', it wants another user and password' : ', expected 200,'}`)
    })
    sent.end()
  })
}

/** For undici. */
export function dispatcherFor(
  address: string,
  options: Omit<Agent.Options, 'connect'> & { connectTimeout?: number } = {},
): Agent {
  const proxy = proxyFor(address)
  if (proxy === null) return new Agent(options)
  const secure = buildConnector({ timeout: options.connectTimeout ?? PROXY_MS })
  return new Agent({
    ...options,
    connect(to, done) {
      const port = to.port || (to.protocol === 'https:' ? 443 : 80)
      tunnel(proxy, to.hostname, port).then(
        (httpSocket) => (to.protocol === 'https:' ? secure({ ...to, httpSocket }, done) : done(null, httpSocket)),
        (error: Error) => done(error, null),
      )
    },
  })
}

/** For node:http or node:https, as the address says. */
export function agentFor(address: string, options: AgentOptions): HttpAgent {
  const isSecure = address.startsWith('https:')
  const agent = isSecure ? new HttpsAgent(options) : new HttpAgent(options)
  const proxy = proxyFor(address)
  if (proxy === null) return agent
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (to, done) => {
    tunnel(proxy, to.host ?? '', to.port ?? 0).then(
      (socket) => done?.(null, isSecure ? connect({ ...to, socket } as typeof to)! : socket),
      (error: Error) => done?.(error, new Duplex()),
    )
    return undefined
  }
  return agent
}
