// dist/ is made in a new folder and switched: commands that start while it is compiled load the whole of one version. Tests
// scripts/compile.js and bin/load.js in a copy of this package.
// long test: starts programs over and over
// depends on: bin/, scripts/compile.js
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import { programEnvironment } from '../support/proxy.ts'
import { uncompiledCopy } from './uncompiled-copy.ts'

function compile(folder: string, env: Record<string, string> = {}, ...args: readonly string[]): void {
  execFileSync(process.execPath, [join(folder, 'scripts', 'compile.js'), ...args], {
    env: programEnvironment(env),
    stdio: 'pipe',
  })
}

describe('compiling', () => {
  const copy = uncompiledCopy(afterAll)
  beforeAll(() => compile(copy))

  // Three compilations beside as many commands: their time is no matter here.
  test('breaks no command that starts meanwhile, over and over', { timeout: 240_000 }, async () => {
    expect(lstatSync(join(copy, 'dist')).isSymbolicLink()).toBe(true)
    const script = join(copy, 'scripts', 'compile.js')
    const state = { compiling: true }
    const compiled = (async () => {
      for (let i = 0; i < 3; i++) {
        const child = spawn(process.execPath, [script], { env: programEnvironment(), stdio: 'ignore' })
        expect(await once(child, 'exit')).toEqual([0, null])
      }
    })().finally(() => (state.compiling = false))
    const wrong: string[] = []
    let commands = 0
    while (state.compiling) {
      const child = spawn(process.execPath, [join(copy, 'bin', 'analytics-build.js'), 'status', '--help'], {
        env: programEnvironment(),
      })
      let said = ''
      child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
      const [code] = (await once(child, 'close')) as [number]
      if (code !== 0) wrong.push(said)
      commands += 1
    }
    await compiled
    expect(wrong).toEqual([])
    expect(commands).toBeGreaterThan(3)
    // What is running may load parts of itself later.
    expect(readdirSync(join(copy, '.compiled')).length).toBe(3)
  })

  test('--incremental compiles what has changed, also beside one of all', () => {
    const folder = uncompiledCopy()
    const source = join(folder, 'src', 'process', 'near.ts')
    const before = readFileSync(source, 'utf8')
    const compiled = (): string => readFileSync(join(folder, 'dist', 'process', 'near.js'), 'utf8')
    const changeTo = (mark: string): void => writeFileSync(source, `${before}\n// ${mark}\n`)
    compile(folder, {}, '--incremental')
    changeTo('one')
    compile(folder, {}, '--incremental')
    expect(compiled()).toContain('// one')
    changeTo('two')
    compile(folder)
    expect(compiled()).toContain('// two')
    changeTo('one')
    compile(folder, {}, '--incremental')
    expect(compiled()).toContain('// one')
    expect(existsSync(join(folder, 'dist', 'site', 'assets', 'page.js'))).toBe(true)
  })

  test('that fails leaves what there was', () => {
    rmSync(join(copy, 'src', 'contract', 'windows.ts'))
    expect(() => compile(copy)).toThrow(/cannot compile; .* Correct what is named above\n/)
    const { status } = spawnSync(process.execPath, [join(copy, 'bin', 'analytics-build.js'), '--version'])
    expect(status).toBe(0)
  })

  test('replaces the folder that tsc alone makes, and makes a package without links', () => {
    const folder = uncompiledCopy()
    mkdirSync(join(folder, 'dist', 'builder'), { recursive: true })
    compile(folder)
    expect(lstatSync(join(folder, 'dist')).isSymbolicLink()).toBe(true)
    compile(folder, {}, '--package')
    expect(lstatSync(join(folder, 'dist')).isDirectory()).toBe(true)
    expect(existsSync(join(folder, 'dist', 'builder', 'main.js'))).toBe(true)
  })

  test('without development packages asks the registry that npm was told of, as it was told to', () => {
    const folder = uncompiledCopy()
    rmSync(join(folder, 'node_modules'))
    writeFileSync(join(folder, '.npmrc'), 'fetch-retries=0\n')
    // In place of npm: it notes what it was given, and fails.
    const npm = join(folder, 'npm.mjs')
    const noted = join(folder, 'noted.json')
    writeFileSync(
      npm,
      `import { existsSync, writeFileSync } from 'node:fs'
writeFileSync(${JSON.stringify(noted)}, JSON.stringify({ env: process.env, npmrc: existsSync('.npmrc') }))
process.exit(1)`,
    )
    const told = {
      NPM_CONFIG_REGISTRY: 'https://npm.example.org/',
      npm_config_https_proxy: 'http://proxy.example.org:3128',
      npm_config_cafile: '/etc/ssl/own.pem',
      'npm_config_//npm.example.org/:_authToken': 'token',
    }
    const outer = { npm_config_omit: 'dev', NODE_ENV: 'production', npm_config_local_prefix: folder, npm_command: 'ci' }
    expect(() => compile(folder, { ...told, ...outer, npm_execpath: npm })).toThrow('cannot compile')
    const { env, npmrc } = JSON.parse(readFileSync(noted, 'utf8')) as { env: Record<string, string>; npmrc: boolean }
    expect(env).toMatchObject(told)
    for (const name of Object.keys(outer)) expect(env).not.toHaveProperty(name)
    expect(npmrc).toBe(true)
  })
})

test.each(['analytics-build.js', 'analytics-proxy.js'])('%s that was never compiled says so', (program) => {
  const { status, stderr } = spawnSync(process.execPath, [join(uncompiledCopy(), 'bin', program)], { encoding: 'utf8' })
  expect(status).toBe(2)
  expect(stderr).toMatch(/^public-analytics is not compiled: .* Run npm ci .*\n$/)
})

test('what an old Node.js must be able to read has no syntax and no import that came after 12', () => {
  for (const name of readdirSync(packagePath('bin'))) {
    const text = readFileSync(packagePath('bin', name), 'utf8')
    expect(text).not.toMatch(/^(?:const .*)?\bawait\b|'node:|\?\?|\?\.\w|\.at\(|replaceAll|#\w+[ (=]/m)
  }
})
