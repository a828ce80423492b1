// The package by npx, as docs/deployment.md has it: the demo, twice, where somebody stands in an empty folder; without a network, and
// without what npm kept.
// long test: installs the package for each case, as package.test.ts does once
// depends on: package.json, package-lock.json, scripts/, bin/, src/
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { packed } from '../support/installed-package.ts'
import { npmEnvironment } from '../support/npm.ts'
import { ask } from '../support/proxy.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const made = packed()
afterAll(() => rmSync(made.folder, { recursive: true, force: true }))
const temporary = temporaryFolder(afterAll)
const WORDS = ['--yes', '--package', made.tarball, 'public-analytics']

// Since Node.js 22 npm keeps the compiled code of itself in the temp folder, for its next run.
const environment = (env: Readonly<Record<string, string>>) => ({
  ...npmEnvironment(),
  NODE_DISABLE_COMPILE_CACHE: '1',
  TMPDIR: temporary,
  ...env,
})

function begin(...args: readonly string[]): { child: ChildProcess; here: string; said: () => string } {
  const here = temporaryFolder()
  const child = spawn('npx', [...WORDS, ...args], { cwd: here, env: environment({}), detached: true })
  onTestFinished(() => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch {
      // It has ended.
    }
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (text += part))
  return { child, here, said: () => text }
}

test.each(['first', 'second'])('is the demo the %s time, and leaves nothing', { timeout: 180_000 }, async () => {
  const { child, here, said } = begin('--port', '0')
  await vi.waitFor(() => expect(said()).toMatch(/^http:/m), { timeout: 150_000 })
  const port = Number(/^http:.*:(\d+)$/m.exec(said())?.[1])
  expect((await ask(port, '/api/public/stats')).status).toBe(200)
  // Ctrl-C, which a terminal sends to all of them.
  process.kill(-(child.pid ?? 0), 'SIGINT')
  await once(child, 'exit')
  await vi.waitFor(() => expect([readdirSync(here), readdirSync(temporary)]).toEqual([[], []]), { timeout: 20_000 })
})

test('says that its port is taken', { timeout: 180_000 }, async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  const { child, said } = begin('--port', String(port))
  expect((await once(child, 'exit'))[0]).not.toBe(0)
  expect(said()).toMatch(new RegExp(`port ${port}: another program listens there`))
})

test('needs no network where npm has kept its packages, and says so where it has not', { timeout: 180_000 }, () => {
  const offline = (env: Readonly<Record<string, string>>) =>
    spawnSync('npx', ['--offline', ...WORDS, '--version'], {
      cwd: temporaryFolder(),
      env: environment(env),
      encoding: 'utf8',
    })
  expect(offline({}).stdout).toMatch(/^\d+\.\d+\.\d+.* \(commit [0-9a-f]{12}\)\n$/)
  const without = offline({ npm_config_cache: join(temporaryFolder(), 'cache') })
  expect(without.status).not.toBe(0)
  expect(without.stderr).toContain('ENOTCACHED')
})
