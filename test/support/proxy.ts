// The proxy under test: in this process with the clock, limiter and log of the test, or as the program that is
// shipped (dist/, made by tsc); and the ways to talk to it, from one request to raw bytes on a socket.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { request as httpRequest, type Agent, type IncomingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll } from 'vitest'
import type { Manifest } from '../../src/release/format/manifest.ts'
import type { Log } from '../../src/process/log.ts'
import { packagePath } from '../../src/process/package-root.ts'
import { serverContext, type ServerContext } from '../../src/proxy/context/context.ts'
import { directoryStore } from '../../src/proxy/store/directory-store.ts'
import { createMemoryRateLimiter, type RateLimiter } from '../../src/proxy/limit/rate-limit.ts'
import { parseTrustedProxies, type Block } from '../../src/proxy/limit/trusted-proxies.ts'
import type { ReleaseWatcher } from '../../src/proxy/store/release-watcher.ts'
import { SERVER_OPTIONS, startServer } from '../../src/proxy/server.ts'
import type { SnapshotStore } from '../../src/proxy/store/snapshot-store.ts'
import { AS_OF_MS, HOUR_MS, publishRelease, snapshotsFolder, type ReleaseSpec } from './release.ts'

export interface ProxySpec {
  /** A folder, or any other store; null = nothing was ever published. */
  readonly snapshots: string | SnapshotStore | null
  readonly nowMs?: () => number
  /** High, so that only tests of the limit meet it. */
  readonly limit?: number
  readonly limiter?: RateLimiter
  readonly cacheBytes?: number
  /** As --trust-proxy takes it. */
  readonly trustProxy?: string
  readonly streams?: number
  /** In place of some time-outs of connections. */
  readonly serverOptions?: Partial<typeof SERVER_OPTIONS>
}

export interface LogLine {
  readonly level: string
  readonly message: string
}

export interface TestProxy {
  readonly base: string
  readonly port: number
  readonly watcher: ReleaseWatcher
  readonly bodies: ServerContext['bodies']
  readonly context: ServerContext
  readonly log: readonly LogLine[]
  stop(drainMs?: number): Promise<void>
}

/** A folder that is not there yet. */
const NOWHERE = '/nowhere/snapshots'

export const NOW_MS: number = AS_OF_MS + 5_000

/** @param given as --trust-proxy takes it */
export function trusting(given: string): readonly Block[] {
  const parsed = parseTrustedProxies(given)
  if ('allowed' in parsed) throw new Error(parsed.allowed)
  return parsed.value
}

export async function startProxy(spec: ProxySpec): Promise<TestProxy> {
  const { snapshots, nowMs = () => NOW_MS, limit: rateLimit = 100_000, cacheBytes: cache = 64 * 2 ** 20 } = spec
  const store = typeof snapshots === 'object' && snapshots !== null ? snapshots : directoryStore(snapshots ?? NOWHERE)
  const log: LogLine[] = []
  const rateWindow = HOUR_MS
  const limiter = spec.limiter ?? createMemoryRateLimiter({ limit: rateLimit, windowMs: rateWindow, maxClients: 1000 })
  const options = { cache, rateLimit, rateWindow, trustProxy: trusting(spec.trustProxy ?? 'loopback') }
  const context = serverContext(store, limiter, recording(log), options, nowMs, spec.streams)
  const { watcher, bodies } = context
  await watcher.start()
  const server = await startServer(context, '127.0.0.1', 0, { ...SERVER_OPTIONS, ...spec.serverOptions })
  const { port } = server.address
  return {
    base: `http://127.0.0.1:${port}`,
    port,
    watcher,
    bodies,
    context,
    log,
    async stop(drainMs = 0) {
      await server.stop(drainMs)
      watcher.stop()
      limiter.close()
      await store.close()
    },
  }
}

export interface Served extends TestProxy {
  readonly dir: string
  readonly manifest: Manifest
}

/** One release and a proxy on it, before the tests of this block and gone after them; the result is valid inside them. */
export function serving(release: ReleaseSpec = {}, spec: Omit<ProxySpec, 'snapshots'> = {}): () => Served {
  const folder = snapshotsFolder()
  let served: Served | undefined
  beforeAll(async () => {
    const manifest = await publishRelease(folder.dir, release)
    served = { ...(await startProxy({ ...spec, snapshots: folder.dir })), dir: folder.dir, manifest }
  })
  afterAll(async () => {
    await served?.stop()
    folder.remove()
  })
  return () => served ?? fail('the proxy was asked for before it was started')
}

function fail(why: string): never {
  throw new Error(why)
}

function recording(lines: LogLine[]): Log {
  const at = (level: string) => (_fields: object, message: string) => void lines.push({ level, message })
  return { info: at('info'), warn: at('warn'), error: at('error') }
}

export interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Names as sent, in lower case, sorted, without those that HTTP itself brings (Date, Connection, Keep-Alive). */
  readonly names: readonly string[]
  readonly body: Buffer
  readonly text: string
  json(): Record<string, unknown>
}

export interface Asking {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string
  /** As a trusted proxy names it. */
  readonly client?: string
  /** Of this machine: any address of 127.0.0.0/8 is one. */
  readonly from?: string
  readonly host?: string
  /** Without one, each request has a connection of its own. */
  readonly agent?: Agent
  readonly tls?: boolean
}

const OF_HTTP: ReadonlySet<string> = new Set(['date', 'connection', 'keep-alive'])

/** One request; the target is sent byte for byte. */
export function ask(port: number, target: string, asking: Asking = {}): Promise<Answered> {
  const { method = 'GET', headers = {}, body, client, from, host = '127.0.0.1', agent = false, tls = false } = asking
  return new Promise((resolve, reject) => {
    const request = (tls ? httpsRequest : httpRequest)(
      {
        host,
        ...(from === undefined ? {} : { localAddress: from }),
        ...(tls ? { rejectUnauthorized: false } : {}),
        port,
        path: target,
        method,
        agent,
        headers: { ...headers, ...(client === undefined ? {} : { 'X-Forwarded-For': client }) } as IncomingHttpHeaders,
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('error', reject)
        response.once('end', () => {
          const bytes = Buffer.concat(chunks)
          const names = response.rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase())
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            names: names.filter((name) => !OF_HTTP.has(name)).sort(),
            body: bytes,
            text: bytes.toString('utf8'),
            json: () => JSON.parse(bytes.toString('utf8')) as Record<string, unknown>,
          })
        })
      },
    )
    request.once('error', reject)
    request.end(body)
  })
}

/**
 * What a server says to raw bytes; the parts are sent apart. Ends when the server closes the connection, has given
 * `answers` whole answers, or `forMs` have passed.
 */
export async function converse(
  port: number,
  parts: readonly (string | Buffer)[],
  { answers = Infinity, forMs = 3_000 }: { answers?: number; forMs?: number } = {},
): Promise<Conversation> {
  const { socket, received } = await dial(port)
  let closed = false
  const text = (): string => received().toString('latin1')
  socket.on('error', () => undefined)
  socket.once('close', () => (closed = true))
  for (const [i, part] of parts.entries()) {
    if (i > 0) await sleep(20)
    if (!closed) socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part)
  }
  let seenBytes = 0
  const isOver = (): boolean => {
    if (closed || socket.bytesRead === seenBytes) return closed
    seenBytes = socket.bytesRead
    return answersIn(text()).filter(({ whole }) => whole).length >= answers
  }
  await until(isOver, forMs, 'the server has said it all').catch(() => undefined)
  socket.destroy()
  return { text: text(), closed, answers: answersIn(text()) }
}

export interface Conversation {
  readonly text: string
  /** By the server. */
  readonly closed: boolean
  readonly answers: readonly RawAnswer[]
}

export interface RawAnswer {
  readonly status: number
  /** Lower case; several of one name joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Not cut off. */
  readonly whole: boolean
}

export async function dial(port: number): Promise<{ socket: Socket; received: () => Buffer }> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  await once(socket, 'connect')
  return { socket, received: () => Buffer.concat(chunks) }
}

/** Reads answers one after the other; what is none is an answer of status 0, so that no stray byte goes unseen. */
function answersIn(text: string): RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = text
  while (rest !== '') {
    const head = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n/.exec(rest)
    if (head === null) return [...answers, { status: 0, headers: {}, body: rest, whole: false }]
    const headers: Record<string, string> = {}
    for (const line of (head[2] ?? '').split('\r\n').slice(0, -1)) {
      const colon = line.indexOf(':')
      const name = line.slice(0, colon).toLowerCase()
      const value = line.slice(colon + 1).trim()
      headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
    }
    const bytes = Number(headers['content-length'] ?? 0)
    const body = rest.slice(head[0].length, head[0].length + bytes)
    answers.push({ status: Number(head[1]), headers, body, whole: body.length === bytes })
    rest = rest.slice(head[0].length + bytes)
  }
  return answers
}

/** Waits until `done` holds; the time it took. */
export async function until(done: () => boolean | Promise<boolean>, withinMs: number, what: string): Promise<number> {
  const startMs = performance.now()
  while (!(await done())) {
    const waitedMs = performance.now() - startMs
    if (waitedMs > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`)
    // Most of it is there within a millisecond or two.
    await sleep(Math.min(10, waitedMs / 10))
  }
  return performance.now() - startMs
}

export interface ProxyProgram {
  readonly child: ChildProcess
  readonly base: string
  readonly port: number
  readonly stdout: () => string
  readonly stderr: () => string
  /** Resolves with the exit code (or the signal's name) and how long it took from here. */
  ended(): Promise<{ readonly code: number | string; readonly ms: number }>
  kill(): Promise<void>
}

const PROGRAM = packagePath('bin', 'analytics-proxy.js')

/** Nothing of the tester's own ANALYTICS_ variables reaches the program. */
export function programEnvironment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'NODE_OPTIONS'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  return { ...Object.fromEntries(kept), ...more } as Record<string, string>
}

/** Runs the program until it ends. */
export async function runProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  program: string = PROGRAM,
): Promise<{ readonly code: number | string; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(process.execPath, [program, ...args], { env: programEnvironment(env), stdio: 'pipe' })
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  return { code: code ?? signal ?? 'none', stdout: stdout(), stderr: stderr() }
}

/** Starts the program on a free port and waits for its first line. */
export async function startProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ProxyProgram> {
  const child = spawn(process.execPath, [PROGRAM, '--port', '0', ...args], {
    env: programEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
  const exit = once(child, 'close').then(([code, signal]) => {
    process.off('exit', kill)
    return (code ?? signal ?? 'none') as number | string
  })
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([text]) => String(text)),
    exit.then((code) => Promise.reject(new Error(`analytics-proxy ended with ${code}: ${stderr()}`))),
  ])
  const url = new URL(line)
  return {
    child,
    base: line,
    port: Number(url.port),
    stdout,
    stderr,
    async ended() {
      const startMs = performance.now()
      return { code: await exit, ms: performance.now() - startMs }
    },
    async kill() {
      child.kill('SIGKILL')
      await exit
    },
  }
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  return () => text
}
