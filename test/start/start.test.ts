// `npm start` as it is shipped (dist/): what it builds and serves, what it never serves, and that both programs end with it.
// Tests src/start/ and package.json's "start".
// long test: a demo for each way in which it starts and ends
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { constants } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import { currentId } from '../../src/release/reading/release-list.ts'
import { readManifest } from '../../src/release/reading/folder-reader.ts'
import { AS_OF_MS, publishSamples, temporaryFolder } from '../release/sample-release.ts'
import { freePort, listens } from '../support/ports.ts'
import { programEnvironment, until } from '../support/proxy.ts'
import { releasePaths } from '../../src/release/format/paths.ts'

const NOBODY = 'postgresql://nobody@127.0.0.1:1/nothing'

interface Started {
  readonly child: ChildProcess
  /** Where it was started: releases are below `snapshots`. */
  readonly folder: string
  readonly printed: () => string
  readonly base: () => Promise<string>
  readonly children: () => number[]
  /** As a shell shows it. */
  readonly ended: Promise<number>
}

function start(args: readonly string[], env: Record<string, string> = {}, folder = temporaryFolder()): Started {
  const child = spawn(process.execPath, [packagePath('bin', 'start.js'), ...args], {
    cwd: folder,
    env: programEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: a Ctrl-C of the test's reaches it and its children alone.
    detached: true,
  })
  onTestFinished(() => killGroup(child, 'SIGKILL'))
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (text += part))
  const ended = once(child, 'close').then(([code, signal]) => {
    const by = signal as NodeJS.Signals | null
    return (code as number | null) ?? 128 + (by === null ? 0 : constants.signals[by])
  })
  const found = (): string | undefined => /^Serving (http:.*)$/m.exec(text)?.[1]
  return {
    child,
    folder,
    printed: () => text,
    async base() {
      await Promise.race([
        until(() => found() !== undefined, 50_000, `it serves: ${text}`),
        ended.then((code) => Promise.reject(new Error(`it ended with ${code}: ${text}`))),
      ])
      return found() ?? ''
    },
    children: () => childrenOf(child.pid ?? 0),
    ended,
  }
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-(pid ?? 0), signal)
  } catch {
    // All of it has ended.
  }
}

function childrenOf(pid: number): number[] {
  const path = `/proc/${pid}/task/${pid}/children`
  return existsSync(path) ? (readFileSync(path, 'utf8').match(/\d+/g) ?? []).map(Number) : []
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Also while its parent has not asked how. */
function hasEnded(pid: number): boolean {
  return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}

async function untilGone(pids: readonly number[]): Promise<void> {
  await until(() => !pids.some(isAlive), 20_000, 'no child is left')
}

async function listeningServer(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

/** A folder with a release in `snapshots`, as a build of this mapping leaves it. */
async function folderWith(mapping: string): Promise<string> {
  const folder = temporaryFolder()
  const snapshots = join(folder, 'snapshots')
  mkdirSync(snapshots)
  const [id = ''] = await publishSamples(snapshots, AS_OF_MS)
  const path = join(snapshots, 'releases', id, 'manifest.json')
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace('"mapping":{"name":"native"', `"mapping":{"name":"${mapping}"`),
  )
  return folder
}

describe('without a database', () => {
  test('it builds the demo below snapshots/demo and serves it as the demo; options reach their program', async () => {
    const started = start(['--port', '0', '--rate-limit=7', '--vote-weight', '9'])
    const base = await started.base()
    // As a shell takes them: with & in quotes.
    const shown = started.printed().match(/\S+&\S+/g) ?? []
    expect(shown.filter((one) => !/^'[^']+'$/.test(one))).toEqual([])
    expect(shown).toHaveLength(2)
    const answer = await fetch(`${base}/api/public/stats`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-demo-data')).toBe('true')
    expect(answer.headers.get('x-ratelimit-limit')).toBe('7')
    const demo = join(started.folder, 'snapshots', 'demo')
    const manifest = await readManifest(releasePaths(demo), (await currentId(releasePaths(demo))) ?? '')
    expect(manifest).toMatchObject({ mapping: { name: 'demo' }, options: { voteWeight: 9 } })
    expect(existsSync(join(started.folder, 'snapshots', 'current'))).toBe(false)
    const children = started.children()
    expect(children.length).toBe(1)
    started.child.kill('SIGTERM')
    expect(await started.ended).toBe(0)
    await untilGone(children)
    expect(await listens(Number(new URL(base).port))).toBe(false)
  })

  test('a demo that is killed is a failure: nothing is served, nothing is left', async () => {
    const started = start(['--port', '0'])
    await until(() => started.children().length === 1, 20_000, 'the demo is being built')
    const [demo = 0] = started.children()
    process.kill(demo, 'SIGKILL')
    expect(await started.ended).toBe(137)
    expect(started.printed()).toMatch(/analytics-build ended \(signal SIGKILL; was it out of memory\?\)/)
    expect(started.printed()).not.toContain('Serving')
  })
})

describe('with a database that does not answer', () => {
  test('the demo in its folder is not served', async () => {
    const port = await freePort()
    const started = start(['--port', String(port)], { DATABASE_URL: NOBODY }, await folderWith('demo'))
    await until(() => started.printed().includes('the next tick tries again'), 50_000, 'a build failed')
    expect(started.printed()).toContain('snapshots contains the demo, whose numbers are invented')
    expect(await listens(port)).toBe(false)
    expect(started.printed()).not.toContain('Serving')
    const children = started.children()
    started.child.kill('SIGTERM')
    expect(await started.ended).toBe(0)
    await untilGone(children)
  })

  test('the release of a database is, and both programs end together', async () => {
    const folder = await folderWith('native')
    for (const killed of ['analytics-proxy', 'analytics-build']) {
      const started = start(['--port', '0'], { DATABASE_URL: NOBODY }, folder)
      expect((await fetch(`${await started.base()}/api/public/stats`)).status).toBe(200)
      const children = started.children()
      expect(children.length).toBe(2)
      const isIt = (pid: number): boolean => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(killed)
      process.kill(children.find(isIt) ?? 0, 'SIGKILL')
      expect(await started.ended).toBe(137)
      await untilGone(children)
    }
  })

  test('the variables of ./analytics.env reach both programs, unless --env-file names another file', async () => {
    const folder = await folderWith('native')
    writeFileSync(join(folder, 'url'), `${NOBODY}\n`)
    writeFileSync(join(folder, 'analytics.env'), 'DATABASE_URL_FILE=url\nANALYTICS_RATE_LIMIT=7\n')
    writeFileSync(join(folder, 'other.env'), 'DATABASE_URL_FILE=url\nANALYTICS_RATE_LIMIT=8\n')
    for (const [args, file, limit] of [
      [[], './analytics.env', '7'],
      [['--env-file', 'other.env'], 'other.env', '8'],
    ] as const) {
      const started = start(['--port', '0', ...args], {}, folder)
      const answer = await fetch(`${await started.base()}/api/public/stats`)
      expect([answer.status, answer.headers.get('x-ratelimit-limit')]).toEqual([200, limit])
      expect(started.printed()).toContain(`variables from ${file}\n`)
      await until(() => started.printed().includes('nobody@127.0.0.1:1/nothing'), 50_000, 'it knows the database')
      started.child.kill('SIGTERM')
      expect(await started.ended).toBe(0)
    }
  })

  test('given as an option it is nowhere in the list of processes', async () => {
    const started = start(['--port', '0', '--database-url', NOBODY], {}, await folderWith('native'))
    await started.base()
    const lines = started.children().map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
    expect(lines.filter((line) => line.includes('nobody'))).toEqual([])
  })
})

describe('it ends, and its children with it', () => {
  const ENDS: readonly [how: string, end: (started: Started) => unknown, code: number][] = [
    ['Ctrl-C, which reaches all of them', ({ child }) => killGroup(child, 'SIGINT'), 0],
    [
      'Ctrl-C that comes again whatever it is doing',
      async ({ child }) => {
        killGroup(child, 'SIGINT')
        while (child.exitCode === null && child.signalCode === null) {
          child.kill('SIGINT')
          await setTimeout(1)
        }
      },
      0,
    ],
    [
      'Ctrl-C that reaches its children first',
      async ({ child, children }) => {
        const all = children()
        child.kill('SIGSTOP')
        killGroup(child, 'SIGINT')
        await until(() => all.every(hasEnded), 20_000, 'both have ended')
        child.kill('SIGCONT')
      },
      0,
    ],
    ['SIGTERM to it alone', ({ child }) => void child.kill('SIGTERM'), 0],
    ['the terminal is closed', ({ child }) => killGroup(child, 'SIGHUP'), 129],
    ['SIGHUP to it alone', ({ child }) => void child.kill('SIGHUP'), 129],
    ['kill -9 to it alone', ({ child }) => void child.kill('SIGKILL'), 137],
  ]
  test.each(ENDS)('%s', async (_, end, code) => {
    const started = start(['--port', '0'], { DATABASE_URL: NOBODY }, await folderWith('native'))
    await started.base()
    const children = started.children()
    expect(children.length).toBe(2)
    await end(started)
    expect(await started.ended).toBe(code)
    await untilGone(children)
    expect(existsSync(join(started.folder, 'snapshots', '.lock'))).toBe(false)
  })

  test('while the demo is being built, too', async () => {
    const started = start(['--port', '0'])
    const lock = join(started.folder, 'snapshots', 'demo', '.lock')
    await until(() => existsSync(lock), 50_000, 'the demo is being built')
    const children = started.children()
    started.child.kill('SIGTERM')
    expect(await started.ended).toBe(0)
    await untilGone(children)
    expect(existsSync(lock)).toBe(false)
  })

  test('npm passes SIGTERM on to it: it is npm’s own child', () => {
    const { scripts } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    // A shell in between would end without it.
    expect(scripts['start']).toBe('exec node bin/start.js')
  })
})

describe('what it rejects', () => {
  test('a port that is taken, before it builds: 3, and how to give another', async () => {
    const { server, port } = await listeningServer()
    onTestFinished(() => void server.close())
    for (const args of [
      ['--port', String(port)],
      ['--port', '0', '--admin-port', String(port)],
    ]) {
      const started = start(args)
      expect(await started.ended).toBe(3)
      expect(started.printed()).toMatch(/another program listens there; give npm start -- --(admin-)?port another one/)
      expect(existsSync(join(started.folder, 'snapshots'))).toBe(false)
    }
  })

  test.each<[string, string[], Record<string, string>, RegExp]>([
    [
      'what neither program takes',
      ['--prot', '1'],
      {},
      /unknown option '--prot' \(Did you mean --port\?\); see npm start -- --help/,
    ],
    ['a wrong value', ['--port', 'http'], {}, /'--port <N>' argument 'http' is invalid/],
    ['a wrong value of the builder', ['--vote-weight', 'x'], {}, /'--vote-weight <N>' argument 'x' is invalid/],
    ['what needs a database', ['--source', 'fider'], {}, /--source needs --database-url \(or DATABASE_URL\)/],
    ['an origin', [], { ANALYTICS_ORIGIN: 'http://a.example' }, /ANALYTICS_ORIGIN is set/],
  ])('%s: 2, one line', async (_, args, env, line) => {
    const started = start(args, env)
    expect(await started.ended).toBe(2)
    expect(started.printed()).toMatch(line)
    expect(started.printed().trimEnd().split('\n').length).toBe(1)
  })

  test('--help names the options of both', async () => {
    const started = start(['--help'])
    expect(await started.ended).toBe(0)
    for (const shown of ['Usage: npm start -- ', '--port', '--source', '--rate-limit', 'npm start -- --port 9000'])
      expect(started.printed()).toContain(shown)
  })
})
