// The script of deploy/upload, run by the builder with the real rsync:
// what is there afterwards, its headers, and who can read it while and after releases come and are withdrawn.
// real test: rsync, nginx and the programs
// long test: copies whole releases
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { runAfterPublish } from '../../src/builder/run/after-publish.ts'
import { siteKindOf } from '../../src/contract/site-paths.ts'
import { packagePath } from '../../src/process/package-root.ts'
import { MONTH, type Manifest } from '../../src/release/format/manifest.ts'
import { releasePaths } from '../../src/release/format/paths.ts'
import { switchTo } from '../../src/release/writing/current-link.ts'
import { run } from '../builder/build-program.ts'
import { archiveAt, AS_OF_MS, promoteSample, publishSamples } from '../release/sample-release.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { nginxAvailable } from '../support/nginx.ts'
import { freePort, listens } from '../support/ports.ts'
import { ask, startProgram } from '../support/proxy.ts'
import { describeWithComponent, findProgram } from '../support/real-component.ts'
import { sampleSite } from '../support/site.ts'
import { supervise, untilUp } from '../support/supervised.ts'

/** The script of deploy/upload, with another TO. */
function scriptTo(place: string, target: string): string {
  const lines = readFileSync(packagePath('deploy', 'upload', `to-${place}`), 'utf8').split('\n')
  expect(lines.filter((line) => line.startsWith('TO='))).toHaveLength(1)
  return lines.map((line) => (line.startsWith('TO=') ? `TO=${target}` : line)).join('\n')
}

const CURRENT = 'snapshots/current/manifest.json'
const WORKBOOK = 'tables.xlsx'

/** Where a script uploads to. */
interface Place {
  /** In place of the one in the documentation. */
  readonly target: string
  readonly env: Readonly<Record<string, string>>
  /** The shell command that prints the names of its releases. */
  readonly releases: string
  /** Where the site is served. */
  readonly base: string
  /** Every path, sorted. */
  readonly paths: () => string[]
  readonly read: (path: string) => Buffer | undefined
}

/** What the manifest that `current` names is missing. */
function missing({ read }: Place): string[] {
  const text = read(CURRENT)?.toString('utf8')
  if (text === undefined) return []
  const { id, files } = JSON.parse(text) as Manifest
  return files.map(({ path }) => `snapshots/releases/${id}/${path}`).filter((path) => read(path) === undefined)
}

/** What is there after an upload: the release twice, the archives of months, the log of days, and the pointer. */
function expected(releases: string, id: string, isUploaded: (path: string) => boolean): string[] {
  const filesOf = (name: string): string[] =>
    readdirSync(join(releases, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name: file }) => join(parentPath, file).slice(join(releases, name).length + 1))
      .filter(isUploaded)
  const names = [id, ...readdirSync(releases).filter((name) => MONTH.test(name))]
  const below = names.flatMap((name) => filesOf(name).map((path) => `snapshots/releases/${name}/${path}`))
  const log = existsSync(join(releases, '..', 'log.csv')) ? ['snapshots/log.csv'] : []
  return [...filesOf(id), ...below, ...log, CURRENT].sort()
}

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** Publishes, uploads, publishes another, uploads, rolls back, uploads. */
async function comeAndGo(script: string, place: Place, isUploaded: (path: string) => boolean = () => true) {
  const snapshots = temporaryFolder()
  const [bin, slept] = [temporaryFolder(), join(temporaryFolder(), 'slept')]
  // Takes no time, and notes which releases are there for those who have not seen the new one.
  writeFileSync(join(bin, 'sleep'), `#!/bin/sh\n[ "$1" = 60 ] && ${place.releases} > ${slept}\n`)
  chmodSync(join(bin, 'sleep'), 0o755)
  const env = { ...place.env, PATH: `${bin}:${process.env['PATH']}`, HOME: bin }
  const there = (id: string): void => {
    expect(missing(place)).toEqual([])
    const paths = expected(join(snapshots, 'releases'), id, isUploaded)
    expect(place.paths()).toEqual(paths)
    for (const path of paths) {
      const [, below = `releases/${id}/${path === CURRENT ? 'manifest.json' : path}`] =
        /^snapshots\/(releases\/.*|log\.csv)$/.exec(path) ?? []
      expect(place.read(path)?.equals(readFileSync(join(snapshots, below))), path).toBe(true)
    }
  }
  const publish = async (revision: number): Promise<string> => {
    // The second one has a page that the first one lacks.
    const site = sampleSite({ languages: revision === 0 ? ['en'] : ['en', 'fr'] })
    const { id } = await promoteSample(snapshots, AS_OF_MS + revision, undefined, site)
    await switchTo(releasePaths(snapshots), id, Date.now())
    const release = join(snapshots, 'releases', id)
    const failed = await runAfterPublish(script, release, new AbortController().signal, 0o022, env)
    expect(failed).toBe(null)
    return id
  }
  const first = await publish(0)
  there(first)
  expect(await archiveAt(snapshots, Date.parse('2026-06-01T00:00:00.000Z'))).toEqual({ needed: [], failures: [] })
  const second = await publish(1)
  there(second)
  expect(place.paths()).toContain('snapshots/releases/2026-05/public/stats.json')
  expect(readFileSync(slept, 'utf8')).toContain(first)
  const back = await run(['rollback', '--snapshots', snapshots, '--after-publish', script], env)
  expect(back).toMatchObject({ code: 0, stderr: '' })
  expect(readFileSync(slept, 'utf8')).toContain(second)
  there(first)

  const verified = await run(['verify', `${place.base}/snapshots`])
  expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining(first) })
  const proxy = await startProgram(['--origin', `${place.base}/snapshots`])
  stops.push(() => proxy.kill())
  const stats = await ask(proxy.port, '/api/public/stats')
  expect([stats.status, stats.headers['x-snapshot-id']]).toEqual([200, first])
  return first
}

describeWithComponent('rsync', findProgram('rsync', 'rsync'), () => {
  const nginx = nginxAvailable()

  async function webServer(): Promise<Place> {
    if (!nginx.ok) throw new Error(nginx.how)
    const [root, prefix, port] = [join(temporaryFolder(), 'statistics'), temporaryFolder(), await freePort()]
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((one) => `${one}_temp_path ${one};`)
    writeFileSync(
      join(prefix, 'nginx.conf'),
      `${process.getuid?.() === 0 ? 'user root;' : ''} pid nginx.pid; error_log stderr; events {}
      http { include /etc/nginx/mime.types; access_log off; ${temporary.join(' ')} server { listen 127.0.0.1:${port}; root ${root}; } }`,
    )
    const server = supervise([nginx.bin, '-p', prefix, '-c', 'nginx.conf', '-g', 'daemon off;'], {
      folder: prefix,
      signal: 'TERM',
    })
    stops.push(server.stop)
    await untilUp(server, `nginx on port ${port}`, () => listens(port))
    mkdirSync(root)
    const read = (path: string): Buffer | undefined =>
      existsSync(join(root, path)) ? readFileSync(join(root, path)) : undefined
    const paths = (): string[] =>
      readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
        .sort()
    const base = `http://127.0.0.1:${port}`
    return { target: root, env: {}, releases: `ls ${root}/snapshots/releases`, base, paths, read }
  }

  test('leaves what the current release has and nothing else', { timeout: 120_000 }, async () => {
    const place = await webServer()
    mkdirSync(join(place.target, 'snapshots/releases/.gone'), { recursive: true })
    for (const path of ['gone.json', 'snapshots/releases/gone.json', 'snapshots/releases/.gone/x.json'])
      writeFileSync(join(place.target, path), '')
    const id = await comeAndGo(scriptTo('web-server', place.target), place)
    for (const folder of ['', `snapshots/releases/${id}/`]) {
      const { headers } = await ask(Number(new URL(place.base).port), `/${folder}${WORKBOOK}`)
      expect(headers['content-type']).toBe(siteKindOf(WORKBOOK)?.type)
    }
  })

  test('fails at any line without taking away what the pointer names', { timeout: 120_000 }, async () => {
    const place = await webServer()
    const script = scriptTo('web-server', place.target)
    const commands = script.split('\n').filter((line) => line.startsWith('rsync '))
    expect(commands).toHaveLength(7)
    const snapshots = temporaryFolder()
    for (const [i, command] of commands.entries()) {
      const [id = ''] = await publishSamples(snapshots, AS_OF_MS + i)
      const release = join(snapshots, 'releases', id)
      const never = new AbortController().signal
      const cut = script.replace('sleep 60', ':').replace(command, `${command}; exit 1`)
      expect(await runAfterPublish(cut, release, never, 0o022)).toMatch(/^exit code 1/)
      expect(missing(place), command).toEqual([])
    }
  })
})
