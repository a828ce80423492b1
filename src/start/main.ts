// Owns `npm start`: a first release, then the proxy, as two child processes under one. Knows the programs by name only.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { packagePath } from '../process/package-root.ts'
import { listenForStop } from '../process/stop-signal.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** With DATABASE_URL: builds from it every 5 minutes and serves that. Without: builds the demo once and serves it. */
export async function main(env: Environment = process.env): Promise<number> {
  const stop = listenForStop()
  const children: ChildProcess[] = []
  const start = (program: string, ...args: string[]): ChildProcess => {
    const child = spawn(process.execPath, [packagePath('bin', `${program}.js`), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    return child
  }
  // A terminal sends Ctrl-C to all of them; a supervisor's SIGTERM comes here only.
  stop.signal.addEventListener('abort', () => children.forEach((child) => child.kill('SIGTERM')))
  try {
    return await run(env, start, stop.signal)
  } finally {
    children.forEach((child) => child.kill('SIGTERM'))
    await Promise.all(children.map(ended))
    stop.release()
  }
}

async function run(
  env: Environment,
  start: (program: string, ...args: string[]) => ChildProcess,
  signal: AbortSignal,
): Promise<number> {
  let builder: ChildProcess | null = null
  if (env['DATABASE_URL']) {
    builder = start('analytics-build', 'schedule', '--cron', '*/5 * * * *')
    say('building from DATABASE_URL, now and every 5 minutes …')
    const failed = await Promise.race([ended(builder), firstRelease(env, signal)])
    if (failed !== null || signal.aborted) return failed ?? 0
  } else {
    say('no DATABASE_URL: building the demo platform …')
    const demo = start('analytics-build', 'demo')
    demo.stdout?.pipe(process.stdout)
    const code = await ended(demo)
    if (code !== 0 || signal.aborted) return signal.aborted ? 0 : code
  }
  const proxy = start('analytics-proxy')
  proxy.stdout?.once('data', (line: Buffer) => welcome(line.toString('utf8').trim()))
  // Whichever ends first ends the other: half a service would go unnoticed.
  const code = await Promise.race([ended(proxy), ...(builder === null ? [] : [ended(builder)])])
  return signal.aborted ? 0 : code
}

/** Resolves with null when `current` exists; a build that failed is tried again by the schedule. */
async function firstRelease(env: Environment, signal: AbortSignal): Promise<null> {
  const current = join(env['ANALYTICS_SNAPSHOTS'] || './snapshots', 'current')
  while (!signal.aborted && (await lstat(current).catch(() => null)) === null) await delay(200)
  return null
}

async function ended(child: ChildProcess): Promise<number> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode ?? 0
}

function welcome(base: string): void {
  say(`
Serving ${base}

  ${base}/   a page with all of these
  ${base}/api/public/stats
  ${base}/api/analytics/trending?period=7d&limit=10
  ${base}/api/analytics/categories?period=30d
  ${base}/api/analytics/export?type=ideas&period=30d&format=csv
  ${base}/snapshots/current/manifest.json

Ctrl-C stops it.
`)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
