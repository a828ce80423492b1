// Owns `npm start`, which is `public-analytics` where the package is installed: a first release, then the proxy, as two child
// processes under one, which end together.
import { createServer } from 'node:http'
import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { readCurrent } from '../release/reading/folder-reader.ts'
import { CliError, errorLine, usageError } from '../process/cli-error.ts'
import { command, runCommandLine, type Program } from '../process/command-line.ts'
import { outliveReaders } from '../process/standard-output.ts'
import { listenForStop, type StopSignal } from '../process/stop-signal.ts'
import { listen } from '../proxy/http/listen.ts'
import { DRAIN_MS } from '../proxy/options.ts'
import { DEMO_MAPPING } from '../release/format/manifest.ts'
import { releasePaths } from '../release/format/paths.ts'
import { currentId } from '../release/reading/release-list.ts'
import { namesDatabase } from '../source/database/parse-target.ts'
import { startChild, type Child, type Ended } from './child.ts'
import { planOf, START_OPTIONS, type Plan, type StartValues } from './start-options.ts'

/** As it was typed: a package that is installed has a command for it. */
const TYPED = basename(process.argv[1] ?? '') === 'public-analytics' ? 'public-analytics' : 'npm start'
const NAME = TYPED === 'npm start' ? 'npm start --' : TYPED
/** npm repeats a Ctrl-C that the terminal has already sent here. */
const SAME_KEY_MS = 1000
/** Time for children to end, in addition to what its answers take. */
const END_MS = 5000
const LOOK_MS = 200
/** Sent at once to all of the terminal's processes, it is here when the event loop has turned; npm passes on what it gets. */
const LATE_SIGNAL_MS = 200

type Environment = Readonly<Record<string, string | undefined>>
type Say = (text: string) => void

interface StartContext {
  readonly argv: readonly string[]
  readonly env: Environment
  readonly out: Say
  readonly readFile: (path: string) => void
}

/** Where `analytics-build setup` writes what was chosen. */
const ENV_FILE = './analytics.env'

const SUMMARY = 'Builds and serves: the demo, or with a database its statistics.'
const PROGRAM: Program<StartContext> = {
  name: NAME,
  summary: SUMMARY,
  envFile: ENV_FILE,
  commands: [
    command({
      name: 'start',
      summary: SUMMARY,
      options: START_OPTIONS,
      example: '$0 --port 9000',
      action(values, { argv, env, out }: StartContext) {
        if (env['ANALYTICS_ORIGIN'])
          throw usageError(`ANALYTICS_ORIGIN is set, but ${TYPED} serves what it builds: unset it`)
        const demo = values.databaseUrl === null && !namesDatabase(env)
        return start(values, planOf(argv, values, demo), env, (text) => out(`${text}\n`))
      },
    }),
  ],
}

/** With a database: builds from it by the cron pattern and serves that. Without: builds the demo once and serves it. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    const out = outliveReaders().print
    const readFile = (path: string): void => out(`variables from ${path}\n`)
    return await runCommandLine(PROGRAM, argv, {
      argv,
      env: process.env,
      out,
      readFile,
    })
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    process.stderr.write(errorLine(TYPED, error))
    return error.exitCode
  }
}

async function start(values: StartValues, plan: Plan, env: Environment, say: Say): Promise<number> {
  // Never released: what npm repeats may come when both children have ended, and would end this process by the signal.
  const stop = listenForStop(process, SAME_KEY_MS)
  const children: Child[] = []
  const childEnv = values.databaseUrl === null ? env : { ...env, DATABASE_URL: values.databaseUrl }
  const run = (program: string, args: readonly string[], onLine: Say | null = null): Child => {
    const child = startChild(program, args, childEnv, onLine)
    children.push(child)
    return child
  }
  const endAll = (): void => children.forEach((child) => child.end(DRAIN_MS + END_MS))
  stop.signal.addEventListener('abort', endAll)
  try {
    await tryPorts(values)
    let builder: Child | null = null
    if (plan.demo) {
      say('no DATABASE_URL: building the demo platform …')
      const ended = await run('analytics-build', ['demo', ...plan.buildArgs]).ended
      if (ended.code !== 0 || stop.signal.aborted) return await exitCodeOf(stop, ended, say)
    } else {
      builder = run('analytics-build', ['schedule', ...plan.buildArgs])
      say(`building from the database, by the cron pattern ${values.cron} (UTC) …`)
      const ended = await Promise.race([builder.ended, releaseToServe(plan.snapshots, stop.signal, say)])
      if (ended !== null || stop.signal.aborted) return await exitCodeOf(stop, ended, say)
    }
    let line = welcome(say)
    const proxy = run('analytics-proxy', plan.proxyArgs, (text) => {
      line(text)
      line = say
    })
    // The first to end ends the other: nobody would notice half a service.
    const ended = await Promise.race([proxy.ended, ...(builder === null ? [] : [builder.ended])])
    return await exitCodeOf(stop, ended, say)
  } finally {
    endAll()
    await Promise.all(children.map((child) => child.ended))
  }
}

/** Before the build, so that a port in use is reported at once. */
async function tryPorts({ host, port, adminPort }: StartValues): Promise<void> {
  await tryPort(host, port, '--port')
  if (adminPort !== null) await tryPort(adminPort.host, adminPort.port, '--admin-port')
}

async function tryPort(host: string, port: number, flag: string): Promise<void> {
  const server = createServer()
  await listen(server, host, port, `${NAME} ${flag}`)
  await new Promise((resolve) => {
    server.close(resolve)
  })
}

/** Waits for a release that may be served as the database's; a build that failed is tried again by the schedule. */
async function releaseToServe(snapshots: string, signal: AbortSignal, say: Say): Promise<null> {
  const paths = releasePaths(snapshots)
  let seen: string | null = null
  while (!signal.aborted) {
    const id = await currentId(paths).catch(() => null)
    if (id !== null && id !== seen) {
      const manifest = await readCurrent(paths).catch(() => null)
      if (manifest !== null && manifest.mapping.name !== DEMO_MAPPING) return null
      if (manifest !== null)
        say(`${snapshots} contains the demo, whose numbers are invented: waiting for a build to replace it`)
    }
    seen = id
    await delay(LOOK_MS)
  }
  return null
}

/**
 * Ctrl-C and SIGTERM are the normal end. They reach each process by itself, and what a child made of one may be known
 * here before the signal is.
 * @param ended the child that was the first to end; null = none did
 */
async function exitCodeOf(stop: StopSignal, ended: Ended | null, say: Say): Promise<number> {
  if (!stop.signal.aborted) await delay(LATE_SIGNAL_MS, null, { signal: stop.signal }).catch(() => null)
  const code = stop.exitCode()
  if (code === null) return ended === null ? 0 : failure(ended, say)
  return code === 130 || code === 143 ? 0 : code
}

function failure({ program, code, signal }: Ended, say: Say): number {
  const memory = signal === 'SIGKILL' || signal === 'SIGABRT' ? '; was it out of memory?' : ''
  const how = signal === null ? `exit code ${code}` : `signal ${signal}${memory}`
  say(`${program} ended (${how}); stopping`)
  // Also a child that ended well leaves half a service.
  return code === 0 ? 1 : code
}

function welcome(say: Say): Say {
  return (base) =>
    say(`
Serving ${base}

  ${base}/   the page that readers see
  ${base}/api/public/stats
  '${base}/api/analytics/trending?period=7d&limit=10'
  '${base}/api/analytics/categories?period=30d'
  '${base}/api/analytics/export?type=ideas&period=30d&format=csv'
  ${base}/snapshots/current/manifest.json

Ctrl-C stops it.
`)
}
