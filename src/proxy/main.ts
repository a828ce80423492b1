// Owns the analytics-proxy program: from options to a running server to a clean stop. Only bin/ exits.
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { releasePaths } from '../release/format/paths.ts'
import { noReleaseIn } from '../release/reading/no-release.ts'
import { CliError, errorLine, usageError } from '../process/cli-error.ts'
import { runCommandLine, type CommandLineEffects, type CommandOf, type Program } from '../process/command-line.ts'
import { createLog, type Log } from '../process/log.ts'
import { thisProgram } from '../process/package-root.ts'
import { outliveReaders } from '../process/standard-output.ts'
import { stopSignal } from '../process/stop-signal.ts'
import type { AdminServer } from './metrics/admin-server.ts'
import { serverContext, type ServerContext } from './context/context.ts'
import { directoryStore } from './store/directory-store.ts'
import { listen, originOf } from './http/listen.ts'
import { DRAIN_MS, PROXY_OPTIONS, type ProxyValues } from './options.ts'
import { createMemoryRateLimiter, type RateLimiter } from './limit/rate-limit.ts'
import { startServer } from './server.ts'
import type { SnapshotStore } from './store/snapshot-store.ts'
import { isIn, LOOPBACK, parseAddress } from './limit/trusted-proxies.ts'

const FIRST_LOOK_MS = 1000
const GIVE_ORIGIN =
  'give --origin the address below which current/ and releases/ are, such as https://ideas.example.org/snapshots'

type ProxyContext = CommandLineEffects & { readonly log: Log }

const SUMMARY = 'Serves the statistics that analytics-build wrote as a public, rate-limited API.'
const PROGRAM: Program<ProxyContext> = {
  name: 'analytics-proxy',
  summary: SUMMARY,
  commands: [
    {
      name: 'serve',
      summary: SUMMARY,
      options: PROXY_OPTIONS,
      example: '$0 --snapshots /srv/snapshots --port 8080 --trust-proxy loopback,10.0.0.0/8',
      action: serve,
    } satisfies CommandOf<typeof PROXY_OPTIONS, ProxyContext>,
  ],
}

/** Runs the program until it must stop. @returns its exit code */
export async function main(argv: readonly string[]): Promise<number> {
  const log = createLog('analytics-proxy')
  try {
    return await runCommandLine(PROGRAM, argv, { log, out: outliveReaders().print })
  } catch (error) {
    const code = error instanceof CliError ? error.exitCode : 1
    if (code === 2) process.stderr.write(errorLine('analytics-proxy', error as Error))
    else if (code === 1) log.error({ stack: (error as Error).stack }, `unexpected: ${String(error)}`)
    else log.error({}, (error as Error).message)
    return code
  }
}

async function serve(values: ProxyValues, { log, out }: ProxyContext): Promise<number> {
  if (values.adminPort?.port === values.port && values.port !== 0)
    throw usageError(`--admin-port: "${values.port}" is that of --port; allowed: another one, or 0 for any free one`)
  const store = await openStore(values)
  if (values.test) return tryPorts(values)
  log.info(thisProgram(), 'starting')
  const limiter = await createLimiter(values, log)
  const context = serverContext(store, limiter, log, values)
  const { watcher } = context
  const stop = stopSignal()
  stop.listen()
  // An origin that hangs must not keep the process from starting to answer.
  await Promise.race([watcher.start(), delay(FIRST_LOOK_MS, undefined, { ref: false })])
  let admin: AdminServer | null = null
  try {
    admin = await startAdmin(context, values)
    const { host, port } = values
    const server = await startServer(context, host, port)
    out(`${originOf(host, server.address.port)}\n`)
    if (admin !== null) out(`${originOf(values.adminPort?.host ?? '', admin.address.port)}/metrics\n`)
    if (watcher.release === null) await warnOfNone(values, watcher.problem, log)
    if (!stop.signal.aborted) await once(stop.signal, 'abort')
    log.info({ drainMs: DRAIN_MS }, 'stopping')
    await server.stop(DRAIN_MS)
    const code = stop.exitCode()
    return code === 143 || code === null ? 0 : code
  } finally {
    stop.release()
    watcher.stop()
    limiter.close()
    await store.close()
    // The metrics stop last, so that a drain can be watched.
    await admin?.stop()
  }
}

/** Takes the ports, and gives them back. @throws CliError where another program has one */
async function tryPorts({ host, port, adminPort }: ProxyValues): Promise<number> {
  const tryPort = async (at: string, tried: number, flag: string): Promise<void> => {
    const server = createServer()
    await listen(server, at, tried, flag)
    server.close()
  }
  await tryPort(host, port, '--port')
  if (adminPort !== null) await tryPort(adminPort.host, adminPort.port, '--admin-port')
  return 0
}

async function warnOfNone({ origin, snapshots }: ProxyValues, problem: string | null, log: Log): Promise<void> {
  // A release that cannot be read is named by an error of its own.
  const more =
    problem === null
      ? `; ${origin === null ? await hintOf(snapshots) : `it asks for ${origin}/current/manifest.json: ${GIVE_ORIGIN}`}`
      : ''
  log.warn({}, `no release in ${origin ?? snapshots} yet: answering 500 until the first one is published${more}`)
}

async function hintOf(snapshots: string): Promise<string> {
  const { has, meant } = await noReleaseIn(releasePaths(resolve(snapshots)))
  const give = 'give --snapshots the folder that analytics-build writes to, which has current and releases/'
  return `${has}; ${meant === null ? give : `did you mean --snapshots ${meant}?`}`
}

async function openStore({ origin, snapshots }: ProxyValues): Promise<SnapshotStore> {
  if (origin === null) {
    if (existsSync(snapshots) && !existsSync(`${snapshots}/`))
      throw usageError(`--snapshots: "${snapshots}" is a file; allowed: the folder that analytics-build writes to`)
    return directoryStore(snapshots)
  }
  // Loaded only when asked for: http-proxy is a part of the start that a folder does without.
  const { originStore } = await import('./store/origin-store.ts')
  return originStore(origin)
}

async function createLimiter(values: ProxyValues, log: Log): Promise<RateLimiter> {
  const { rateLimit: limit, rateWindow: windowMs, rateClients: maxClients, rateStore } = values
  const memory = createMemoryRateLimiter({ limit, windowMs, maxClients })
  if (rateStore === 'memory') return memory
  // Loaded only when asked for: most proxies count alone.
  const { redisRateLimiter } = await import('./limit/rate-limit-redis.ts')
  return redisRateLimiter({ address: rateStore, limit, windowMs, fallback: memory, log })
}

async function startAdmin(context: ServerContext, { adminPort }: ProxyValues): Promise<AdminServer | null> {
  if (adminPort === null) return null
  const { host, port } = adminPort
  // Loaded only when asked for: without it neither start nor memory pay for it.
  const { startAdminServer } = await import('./metrics/admin-server.ts')
  const admin = await startAdminServer(context, host, port)
  const listensOn = parseAddress(admin.address.address)
  if (listensOn === undefined || !isIn(LOOPBACK, listensOn))
    context.log.warn(
      {},
      `--admin-port ${host}:${admin.address.port} is not loopback: whoever reaches it reads the metrics, without a limit`,
    )
  return admin
}
