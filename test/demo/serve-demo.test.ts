// The command public-analytics: which program it is, and the demo, which goes with all that it made. In an image it is tried by
// test/deploy/image.test.ts, as npx runs it by test/package/package.test.ts. Tests bin/public-analytics.js, src/demo/serve-demo.ts.
// real test: starts programs
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { main } from '../../src/demo/serve-demo.ts'
import { packagePath } from '../../src/process/package-root.ts'
import { keepDemo } from '../support/demo.ts'
import { ask, programEnvironment } from '../support/proxy.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const PROGRAM = packagePath('bin', 'public-analytics.js')
const { version } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string }

function end(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
    env: programEnvironment(env),
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

/** The command in this process, where it ends before it would start another one. */
async function told(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  for (const name of ['ANALYTICS_SNAPSHOTS', 'DATABASE_URL', 'DATABASE_URL_FILE']) vi.stubEnv(name, env[name])
  const written = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += String(text)
      return true
    }),
  )
  const status = await main(args).finally(() => spies.forEach((spy) => spy.mockRestore()))
  return { status, ...written }
}

describe('it is', () => {
  test.each([
    ['build', 'analytics-build'],
    ['proxy', 'analytics-proxy'],
  ])('%s: the program of that name, with what follows', (word, program) => {
    expect(end([word, '--help']).stdout).toMatch(new RegExp(`^Usage: ${program} `))
    expect(end([word, '--nonsense'])).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(new RegExp(`^${program}: `)),
    })
  })

  test('of a version and a commit', async () => {
    const { status, stdout } = end(['--version'])
    expect([status, stdout]).toEqual([0, expect.stringContaining(version)])
    expect(await told(['-V'])).toEqual({ status, stdout, stderr: '' })
  })

  test.each([['--help'], ['-h'], ['demo', '--help']])('explained by %s', async (...args) => {
    expect(await told(args)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Usage: public-analytics \[demo\|build\|proxy\]/),
    })
  })

  test('no other word', () => {
    expect(end(['biuld'])).toEqual({
      status: 2,
      stdout: '',
      stderr: 'public-analytics: "biuld" is no command; allowed: demo, build, proxy\n',
    })
  })
})

describe('the demo', () => {
  /** Its folder for what goes with it, and where somebody stands. */
  function begin(...args: readonly string[]): {
    child: ChildProcess
    temporary: string
    here: string
    said: () => string
  } {
    const [temporary, here] = [temporaryFolder(), temporaryFolder()]
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: here,
      env: programEnvironment({ TMPDIR: temporary }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => (text += part))
    return { child, temporary, here, said: () => text }
  }

  test('serves until a signal ends it, and leaves nothing', async () => {
    const { child, temporary, here, said } = begin('demo', '--port', '0')
    await vi.waitFor(() => expect(said()).toMatch(/^http:/m), { timeout: 55_000 })
    const port = Number(/^http:.*:(\d+)$/m.exec(said())?.[1])
    expect((await ask(port, '/api/public/stats')).json()).toMatchObject({ stats: { totalIdeas: expect.any(Number) } })
    expect((await ask(port, '/')).text).toContain('<html lang="en"')
    await keepDemo(join(temporary, readdirSync(temporary)[0] ?? ''))
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect([readdirSync(temporary), readdirSync(here)]).toEqual([[], []])
  })

  test('leaves nothing where Ctrl-C ends its build', async () => {
    const { child, temporary } = begin('--port', '0')
    await vi.waitFor(() => expect(readdirSync(join(temporary, readdirSync(temporary)[0] ?? '-'))).toContain('.lock'), {
      timeout: 55_000,
    })
    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([130, null])
    expect(readdirSync(temporary)).toEqual([])
  })

  test('says that its port is taken, before it builds', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    onTestFinished(() => void other.close())
    const { port } = other.address() as AddressInfo
    const { child, temporary, said } = begin('--port', String(port))
    expect(await once(child, 'exit')).toEqual([3, null])
    expect(said()).toMatch(new RegExp(`port ${port}: another program listens there`))
    expect(readdirSync(temporary)).toEqual([])
  })

  test.each(['--snapshots', '--port'])('does not take a word of its own for the value that %s lacks', (option) => {
    const temporary = temporaryFolder()
    const { status, stderr } = end([option], { TMPDIR: temporary })
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(new RegExp(`^analytics-proxy: .*${option}.* argument missing`)),
    ])
    expect(readdirSync(temporary)).toEqual([])
  })

  test.each([
    ['--env-file', PROGRAM],
    ['demo', '--origin', 'https://ideas.example.org/snapshots'],
    ['--port', '0', `--env-file=${PROGRAM}`],
  ])('is not what somebody gets who forgets a word: %s', async (...args) => {
    expect(await told(args)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(
        /^public-analytics: demo: --(?:env-file|origin) is of a site, .* Give build or proxy/,
      ) as string,
    })
  })

  test('never takes the place of real numbers', async () => {
    const folder = temporaryFolder()
    const refused = async (env: Readonly<Record<string, string>>): Promise<string> => {
      const { status, stderr } = await told(['demo'], { ANALYTICS_SNAPSHOTS: folder, ...env })
      expect(status).toBe(2)
      return stderr
    }
    const secret = 'postgresql://admin:secret@db.example.org/town'
    expect(await refused({ DATABASE_URL: secret })).toMatch(/^public-analytics: demo: DATABASE_URL is set, /)
    expect(await refused({ DATABASE_URL: secret })).not.toContain('secret')
    expect(await refused({ DATABASE_URL_FILE: '/run/secrets/url' })).toMatch(/DATABASE_URL_FILE is set, /)
    mkdirSync(join(folder, 'releases'))
    expect(await refused({})).toContain(`${folder}, which ANALYTICS_SNAPSHOTS names, has releases, `)
  })
})
