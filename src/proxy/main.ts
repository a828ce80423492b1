// Owns the analytics-proxy program: from options to a running server to a clean stop. Only bin/ exits.
import { isIPv6 } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { CliError, usageError } from '../process/cli-error.ts'
import { runCommandLine } from '../process/command-line.ts'
import { createLog, type Log } from '../process/log.ts'
import { listenForStop } from '../process/stop-signal.ts'
import { Bodies } from './bodies.ts'
import { Choices } from './choices.ts'
import { createClientKey } from './client-key.ts'
import { directoryStore } from './directory-store.ts'
import { PROXY_OPTIONS, type ProxyValues } from './proxy-options.ts'
import { createMemoryRateLimiter, type RateLimiter } from './rate-limit.ts'
import { Refusals } from './refusals.ts'
import { ReleaseWatcher } from './release-watcher.ts'
import { startServer, type ProxyServer, type ServerContext } from './server.ts'
import type { SnapshotStore } from './snapshot-store.ts'

const FIRST_LOOK_MS = 1000

type Environment = Readonly<Record<string, string | undefined>>

/** Runs the program until it is told to stop; its exit code. */
export async function main(argv: readonly string[], env: Environment = process.env): Promise<number> {
  const out = (text: string): void => void process.stdout.write(text)
  const log = createLog('analytics-proxy')
  const command = {
    name: 'serve',
    summary: 'Serves the statistics that analytics-build wrote as a public, rate-limited API.',
    options: PROXY_OPTIONS,
    example: '$0 --snapshots /srv/snapshots --port 8080 --trust-proxy loopback,10.0.0.0/8',
    run: (values: Readonly<Record<string, unknown>>, _args: readonly string[], given: ReadonlySet<string>) =>
      serve(values as unknown as ProxyValues, given, log, out),
  }
  try {
    return await runCommandLine({ name: 'analytics-proxy', summary: command.summary, commands: [command] }, argv, {
      env,
      out,
    })
  } catch (error) {
    const code = error instanceof CliError ? error.exitCode : 1
    if (code === 2) process.stderr.write(`analytics-proxy: ${(error as Error).message}\n`)
    else if (code === 1) log.error({ stack: (error as Error).stack }, `unexpected: ${String(error)}`)
    else log.error({}, (error as Error).message)
    return code
  }
}

async function serve(
  values: ProxyValues,
  given: ReadonlySet<string>,
  log: Log,
  out: (text: string) => void,
): Promise<number> {
  if (values.origin !== null && given.has('snapshots'))
    throw usageError('--snapshots and --origin are both given; the proxy reads from one of them: leave the other out')
  const store = await openStore(values)
  const watcher = new ReleaseWatcher(store, log)
  const limiter = await createLimiter(values, log)
  const context: ServerContext = {
    watcher,
    store,
    bodies: new Bodies(store, values.cache),
    choices: new Choices(),
    limiter,
    limit: values.rateLimit,
    refusals: new Refusals(values.rateLimit, values.rateWindow),
    log,
    nowMs: Date.now,
    clientKey: createClientKey({ trustProxy: values.trustProxy.cidrs, ipv6Prefix: values.ipv6Prefix }),
  }
  const stop = listenForStop()
  // An origin that hangs must not keep the process from being up.
  await Promise.race([watcher.start(), delay(FIRST_LOOK_MS, undefined, { ref: false })])
  try {
    const server = await listenOr3(context, values)
    const host = isIPv6(values.host) ? `[${values.host}]` : values.host
    out(`http://${host}:${server.address.port}\n`)
    if (watcher.release === null) log.warn({}, 'no release yet: answering 500 until the first one is published')
    await aborted(stop.signal)
    log.info({ drainMs: values.drain }, 'stopping')
    await server.stop(values.drain)
    return stop.exitCode() === 130 ? 130 : 0
  } finally {
    stop.release()
    watcher.stop()
    await limiter.close()
    await store.close()
  }
}

async function openStore({ origin, snapshots }: ProxyValues): Promise<SnapshotStore> {
  if (origin === null) return directoryStore(snapshots)
  // Loaded only when asked for: undici and http-proxy are a third of the start.
  const { originStore } = await import('./origin-store.ts')
  return originStore(origin)
}

async function createLimiter(values: ProxyValues, log: Log): Promise<RateLimiter> {
  const { rateLimit: limit, rateWindow: windowMs, rateClients: maxClients, rateStore } = values
  const memory = createMemoryRateLimiter({ limit, windowMs, maxClients })
  if (rateStore === 'memory') return memory
  // Loaded only when asked for: most proxies count alone.
  const { createRedisRateLimiter } = await import('./rate-limit-redis.ts')
  return createRedisRateLimiter({ url: rateStore, limit, windowMs, fallback: memory, log })
}

async function listenOr3(context: ServerContext, { host, port }: ProxyValues): Promise<ProxyServer> {
  try {
    return await startServer(context, host, port)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const next =
      code === 'EADDRINUSE' ? 'another program listens there; give --port another one, or 0 for any free one' : message
    throw new CliError(3, `cannot listen on ${host} port ${port}: ${next}`, error)
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
