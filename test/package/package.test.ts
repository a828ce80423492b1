// The package that npm run package makes, installed as operators and other projects install it: what is in it, that it needs no
// compiler, that its commands build and serve, and that its types are those of the answers. Tests package.json, scripts/pack.js.
// depends on: src/contract/published-types.ts
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ENDPOINTS, type EndpointName } from '../../src/contract/kinds/register.ts'
import { packagePath } from '../../src/process/package-root.ts'
import { COMMIT, installedIn, packed, packedFrom, unpackedIn, type Packed } from '../support/installed-package.ts'
import { npm } from '../support/npm.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { listens } from '../support/ports.ts'
import { ask, programEnvironment, until, type Answered } from '../support/proxy.ts'
import { describeWithComponent } from '../support/real-component.ts'

interface PackageJson {
  readonly version: string
  readonly bin: Readonly<Record<string, string>>
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly publishConfig?: object
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly dev?: true }>>
}

const read = (...path: string[]): unknown => JSON.parse(readFileSync(join(...path), 'utf8'))

const packedFiles = (tarball: string): readonly string[] =>
  execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' })
    .split('\n')
    .flatMap((path) => (path === '' ? [] : [path.replace(/^package\//, '')]))

/** What git must not take, and what only it may leave out. */
const SECRETS = [
  'deploy/compose/analytics.env',
  'deploy/compose/.env',
  'deploy/compose/secrets/database-url',
  'deploy/build.env.next',
  'deploy/.env.local',
  'docs/secrets/password',
  'town.env',
]
const OTHERS = ['deploy/kubernetes/secret.yaml', 'docs/notes.md', 'deploy/systemd/key.pem']

const made: Packed = packed([...SECRETS, ...OTHERS])
const asFolder = unpackedIn(join(made.folder, 'unpacked'), made)
const asPackage = installedIn(join(made.folder, 'project'), made)
afterAll(() => rmSync(made.folder, { recursive: true, force: true }))

describe('the tarball', () => {
  const files = packedFiles(made.tarball)

  test('is under 1.5 MB, and has what runs and what operators read, no sources, maps or tests', () => {
    expect(statSync(made.tarball).size).toBeLessThan(1_500_000)
    const folders = 'bin deploy dist docs snapshots src'.split(' ')
    const documents = 'CHANGELOG.md CONTRIBUTING.md LICENSE README.md SECURITY.md'.split(' ')
    expect(new Set(files.map((path) => path.split('/')[0]))).toEqual(
      new Set([...folders, ...documents, 'nginx.conf', 'npm-shrinkwrap.json', 'package.json']),
    )
    expect(files.filter((path) => /\.map$|\.test\.ts$|(?<!\.d)\.ts$|^test\//.test(path))).toEqual([])
    expect(files.filter((path) => path.startsWith('src/') && !/\.sql$|^src\/site\/assets\//.test(path))).toEqual([])
    const compiledFiles = files.filter((path) => path.startsWith('dist/'))
    expect(compiledFiles.filter((path) => !/\.js$|^dist\/commit$|^dist\/contract\/.*\.d\.ts$/.test(path))).toEqual([])
    const main = execFileSync('tar', ['-xOzf', made.tarball, 'package/dist/builder/main.js'], { encoding: 'utf8' })
    expect(main).toContain('analytics-build')
    expect(main).not.toContain('sourceMapping')
  })

  test('is built while everything else here works: the repository is only read, and its own package.json cannot be published', () => {
    const text = readFileSync(join(made.repository, 'package.json'), 'utf8')
    expect(text).toBe(readFileSync(packagePath('package.json'), 'utf8'))
    for (const name of ['npm-shrinkwrap.json', 'dist', '.compiled'])
      expect([name, existsSync(join(made.repository, name))]).toEqual([name, false])
    for (const [args, said] of [
      [['publish', '--dry-run'], 'npm publish the file that npm run package makes'],
      [['pack'], 'To make the package: npm run package'],
    ] as const)
      expect(npm(made.repository, ...args)).toMatchObject({ ok: false, said: expect.stringContaining(said) as string })
  })
})

describe('what somebody has put beside the files of the repository', () => {
  const listed = (tarball: string): readonly string[] => {
    const modes = execFileSync('tar', ['-tvzf', tarball], { encoding: 'utf8' }).match(/^-\S+/gm)
    expect(new Set(modes)).toEqual(new Set(['-rw-r--r--', '-rwxr-xr-x']))
    return packedFiles(tarball)
  }

  test("is in no package: passwords never, and nothing where git says that it is nobody's", () => {
    const cwd = made.repository
    const without = listed(made.tarball)
    expect(without).toContain('deploy/compose/analytics.env.example')
    expect(without.filter((path) => SECRETS.includes(path))).toEqual([])
    execFileSync('git', ['init', '-q'], { cwd })
    execFileSync('git', ['add', '.'], { cwd })
    const known = execFileSync('git', ['ls-files'], { cwd, encoding: 'utf8' }).split('\n')
    expect(known).toContain('deploy/compose/analytics.env.example')
    expect(known.filter((path) => SECRETS.includes(path))).toEqual([])
    execFileSync('git', ['rm', '-q', '--cached', ...OTHERS], { cwd })
    expect(listed(packedFrom(cwd, temporaryFolder()))).toEqual(without.filter((path) => !OTHERS.includes(path)))
  })
})

describeWithComponent('unpacked, with npm ci', asFolder, (folder) => {
  test('has the packages of package-lock.json in their versions, none of development, and compiles nothing', () => {
    const { scripts, devDependencies, publishConfig } = read(folder, 'package.json') as PackageJson
    const start = expect.any(String) as string
    expect([scripts, devDependencies]).toEqual([{ start }, undefined])
    expect(publishConfig).toEqual({ access: 'public', provenance: true })
    const needed = Object.entries((read(packagePath('package-lock.json')) as Lock).packages).filter(
      ([path, { dev }]) => path !== '' && dev !== true,
    )
    const installed = Object.entries((read(folder, 'node_modules', '.package-lock.json') as Lock).packages)
    const versions = (packages: typeof needed): Record<string, string | undefined> =>
      Object.fromEntries(packages.map(([path, { version }]) => [path, version]))
    expect(needed.length).toBeGreaterThan(30)
    expect(versions(installed)).toEqual(versions(needed))
    expect(readdirSync(folder)).not.toContain('.compiled')
  })

  test.each(['analytics-build', 'analytics-proxy', 'public-analytics'])(
    '%s runs, and says of what it is made',
    (program) => {
      const { stdout } = spawnSync(process.execPath, [join(folder, 'bin', `${program}.js`), '--version'], {
        encoding: 'utf8',
      })
      expect(stdout).toBe(
        `${(read(packagePath('package.json')) as PackageJson).version} (commit ${COMMIT.slice(0, 12)})\n`,
      )
    },
  )
})

/** Its first line on stdout is the address. */
async function serving(
  program: string,
  args: readonly string[],
  folder: string,
): Promise<{ base: string; child: ChildProcess }> {
  const child = spawn(program, args, { cwd: folder, env: programEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (text += part))
  const found = (): string | undefined => /^(http:.*)$/m.exec(text)?.[1]
  await until(() => found() !== undefined || child.exitCode !== null, 50_000, `it serves: ${text}`)
  return { base: found() ?? text, child }
}

/** On a connection of its own: one that is kept may be closed by the server while a program that is waited for blocks this process. */
const get = (base: string, path: string): Promise<Answered> => ask(Number(new URL(base).port), path)

async function expectDemo(base: string): Promise<void> {
  const page = await get(base, '/')
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  const stats = (await get(base, '/api/public/stats')).json() as { stats: { totalIdeas: number } }
  expect(stats.stats.totalIdeas).toBeGreaterThan(1000)
}

describeWithComponent('installed in another project', asPackage, (folder) => {
  const command = (name: string): string => join(folder, 'node_modules', '.bin', name)
  const own = join(folder, 'node_modules', 'public-analytics')
  const demo = join(own, 'snapshots', 'demo')

  let started: Awaited<ReturnType<typeof serving>>
  beforeAll(async () => {
    started = await serving('npm', ['start', '--', '--port', '0'], own)
    return () => void started.child.kill('SIGTERM')
  })

  test('npm start builds the demo and serves it, page and API', () => expectDemo(started.base))

  test('analytics-build verifies it, and analytics-proxy serves it', async () => {
    const { status } = spawnSync(command('analytics-build'), ['verify', '--snapshots', demo], {
      env: programEnvironment(),
    })
    expect(status).toBe(0)
    const { base, child } = await serving(command('analytics-proxy'), ['--snapshots', demo, '--port', '0'], folder)
    onTestFinished(() => void child.kill('SIGTERM'))
    await expectDemo(base)
  })

  test('its commands call themselves by their names', () => {
    const said = (name: string, ...args: string[]): string =>
      spawnSync(command(name), args, { cwd: folder, encoding: 'utf8', env: programEnvironment() }).stderr
    for (const name of ['analytics-build', 'analytics-proxy'])
      expect(said(name, '--nonsense')).toMatch(new RegExp(`^${name}: .*--nonsense.*; see ${name} --help\n$`))
    expect(said('analytics-build', 'build')).toMatch(/or try the demo: analytics-build demo\n$/)
  })

  test('an answer of each endpoint has the type that the package exports, exactly', async () => {
    const typed = await Promise.all(
      Object.values(ENDPOINTS).map(async ({ name, path }) => {
        const [query, type] = TYPED[name]
        const response = await get(started.base, `${path}${query}`)
        expect([path, response.status]).toEqual([path, 200])
        return `export const ${name.replaceAll('-', '_')}Answer: ${type} = ${response.text}`
      }),
    )
    expect(compiled(folder, typed.join('\n'))).toBe('')
  })

  test('types that do not fit are errors', () => {
    const wrong = "export const rank = (document: Answer<TrendingDocument>): string => document.ideas[0]?.rank ?? ''"
    expect(compiled(folder, wrong)).toContain("Type 'number' is not assignable to type 'string'")
    expect(compiled(folder, 'export type Gone = TrendingDocument["ideen"]')).toContain("'ideen' does not exist")
  })

  test('npm start passes SIGTERM on', async () => {
    const { base, child } = started
    child.kill('SIGTERM')
    await once(child, 'close')
    expect(await listens(Number(new URL(base).port))).toBe(false)
  })
})

/** The query, and the type that the package exports for its answer. */
const TYPED: Readonly<Record<EndpointName, readonly [query: string, type: string]>> = {
  stats: ['', 'Answer<StatsDocument>'],
  trending: ['?period=30d', 'Answer<TrendingDocument>'],
  categories: ['?period=all', 'Answer<CategoriesDocument>'],
  timeline: ['?period=90d', 'Answer<TimelineDocument>'],
  outcomes: ['', 'Answer<OutcomesDocument>'],
  export: ['?type=overview', 'Answer<ExportDocument>'],
}

const CONSUMER = {
  compilerOptions: { module: 'nodenext', strict: true, noEmit: true, types: [], lib: ['es2023'] },
  files: ['consumer.ts'],
}

/** What tsc says of a module of a project that has the package; nothing = it compiles. */
function compiled(folder: string, text: string): string {
  const types = [...new Set(text.match(/\b(?:Answer|[A-Z]\w+Document)\b/g))].join(', ')
  writeFileSync(join(folder, 'consumer.ts'), `import type { ${types} } from 'public-analytics'\n${text}\n`)
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(CONSUMER))
  onTestFinished(() => rmSync(join(folder, 'consumer.ts'), { force: true }))
  const tsc = packagePath('node_modules', 'typescript', 'bin', 'tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
  return stdout
}
