// `npm run release -- NEW` in a small repository whose .ci/run is a stand-in: what it refuses, and what it leaves. Of which version
// this one is does not matter. Tests scripts/release.js.
// depends on: scripts/release.js, scripts/changelog.js, scripts/versions.js
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import { npmEnvironment } from '../support/npm.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const clone = join(temporaryFolder(afterAll), 'clone')
const git = (...args: string[]): string => execFileSync('git', args, { cwd: clone, encoding: 'utf8' }).trim()
const read = (path: string): string => readFileSync(join(clone, path), 'utf8')
function write(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(clone, path)), { recursive: true })
  writeFileSync(join(clone, path), text, { mode })
}
const versions = (): unknown[] =>
  ['package.json', 'package-lock.json'].map((name) => (JSON.parse(read(name)) as { version: string }).version)

const SCRIPT = join(clone, 'scripts', 'release.js')

function release(version: string, more: Readonly<Record<string, string>> = {}) {
  const env = { ...npmEnvironment(), ...more }
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, version], {
    cwd: clone,
    env,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

function commit(subject: string): void {
  git('add', '--all')
  git('commit', '--quiet', '--message', subject)
}

/** What happens while the tests run, by the version. */
const CI = `#!/bin/sh
case $(node -p "require('./package.json').version") in
1.3.0) exit 1 ;;
1.4.0) echo 'A sentence of mine.' >>docs/deployment.md ;;
1.5.0) touch .git/started && exec sleep 60 ;;
esac
`

beforeAll(() => {
  for (const name of ['release.js', 'changelog.js', 'versions.js'])
    cpSync(packagePath('scripts', name), join(clone, 'scripts', name))
  const about = { name: 'statistics', version: '1.0.0-dev.0', type: 'module' }
  write('package.json', JSON.stringify(about))
  write('package-lock.json', JSON.stringify({ ...about, lockfileVersion: 3, packages: { '': about } }))
  write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\nAll of it.\n')
  write('README.md', 'public-analytics-1.0.0.tgz, since 0.9.0\n')
  write('docs/deployment.md', 'VERSION=1.0.0 and, to upgrade, VERSION=1.1.0\n')
  write('deploy/kubernetes/kustomization.yaml', 'newTag: 1.0.0\n')
  git('init', '--quiet', '--initial-branch', 'main')
  git('config', 'user.name', 'Somebody')
  git('config', 'user.email', 'somebody@example.org')
  write('.ci/run', CI, 0o755)
  commit('Begin')
})

test('refuses what is not ready, names all of it, and changes nothing', () => {
  write('README.md', 'changed')
  const { status, stderr } = release('1.0')
  expect(status).toBe(2)
  expect(stderr.split('\n')).toEqual([
    'npm run release -- NEW: nothing was changed',
    '  "1.0" is no version; allowed: 1.2.3, 1.2.3-rc.1',
    '  package.json has no repository: where the package comes from could not be proved',
    '  the clone is not clean: commit, or take away, what git status shows',
    '  CHANGELOG.md has no line "## 1.0 - DATE", as 2026-11-29',
    '',
  ])
  git('checkout', '--quiet', '.')
  expect(release('0.9.9').stderr).toContain('0.9.9 is not newer than 1.0.0-dev.0, which package.json has')
  write('CHANGELOG.md', '## 1.0.0 - 2026-12-01\n\n## 0.9.0\n\nOld.\n')
  expect(release('1.0.0').stderr).toContain('CHANGELOG.md has nothing below "## 1.0.0"')
  git('checkout', '--quiet', '.')
  expect(git('status', '--porcelain')).toBe('')
})

test('is a commit with a tag, and the commit after it, with which the next version begins', () => {
  const about = JSON.parse(read('package.json')) as object
  write(
    'package.json',
    `${JSON.stringify({ ...about, repository: 'https://git.example.org/town/statistics' }, null, 2)}\n`,
  )
  write(
    'CHANGELOG.md',
    [
      ...['1.6.0', '1.5.0', '1.4.0', '1.3.0', '1.0.2', '1.1.0-rc.3', '1.1.0-rc.2'].map((one) => `${one} - 2027-01-01`),
      '1.0.0 - 2026-12-01',
      '1.0.0-rc.1 - 2026-11-30',
    ]
      .map((one) => `## ${one}\n\nAll of it.\n`)
      .join('\n'),
  )
  commit('Prepare')
  const { status, stdout, stderr } = release('1.0.0-rc.1')
  expect([status, stderr]).toEqual([0, expect.any(String)])
  expect(versions()).toEqual(['1.0.0-dev.0', '1.0.0-dev.0'])
  expect(release('1.0.0').status).toBe(0)
  expect(
    git('log', '--format=%s %D', '-4')
      .split('\n')
      .map((line) => line.replace(/HEAD -> \w+/, '')),
  ).toEqual(['Begin 1.0.1 ', 'Release 1.0.0 tag: v1.0.0', 'Begin 1.0.0 ', 'Release 1.0.0-rc.1 tag: v1.0.0-rc.1'])
  expect(stdout).toMatch(
    /^  git push origin v1\.0\.0-rc\.1\^0:(\w+) .*\n  git push --atomic origin \1 v1\.0\.0-rc\.1 /m,
  )
  expect(versions()).toEqual(['1.0.1-dev.0', '1.0.1-dev.0'])
  expect(git('show', 'v1.0.0:package.json')).toContain('"version": "1.0.0"')
  // The lines that operators copy; an upgrade leads to the next minor version, as before.
  expect(read('README.md')).toBe('public-analytics-1.0.1.tgz, since 0.9.0\n')
  expect(read('deploy/kubernetes/kustomization.yaml')).toContain('newTag: 1.0.1\n')
  expect(read('docs/deployment.md').match(/VERSION=\S+/g)).toEqual(['VERSION=1.0.1', 'VERSION=1.1.0'])
  expect(git('status', '--porcelain')).toBe('')
  expect(release('1.0.0').stderr).toContain('the tag v1.0.0 is there')
})

test('ends where the tests fail, and all is as it was', () => {
  const before = git('rev-parse', 'HEAD')
  const { status, stderr } = release('1.3.0')
  expect([status, stderr]).toEqual([1, expect.stringContaining('.ci/run failed, so nothing is released')])
  expect([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag', '--list', 'v1.3*')]).toEqual([
    before,
    '',
    '',
  ])
})

/** Nothing is committed, tagged or left. */
async function expectNothing(before: string, end: () => unknown): Promise<void> {
  await end()
  expect([git('rev-parse', 'HEAD'), git('tag', '--list', 'v1.[3-9]*'), versions()[0]]).toEqual([
    before,
    '',
    '1.0.1-dev.0',
  ])
}

test('takes nothing along that was changed while the tests ran, and leaves it there', () =>
  expectNothing(git('rev-parse', 'HEAD'), () => {
    const { status, stderr } = release('1.4.0')
    expect([status, stderr]).toEqual([1, expect.stringContaining('while .ci/run ran, something was changed')])
    expect(git('diff', '--name-only')).toBe('docs/deployment.md')
    expect(read('docs/deployment.md')).toBe('VERSION=1.0.1 and, to upgrade, VERSION=1.1.0\nA sentence of mine.\n')
    git('checkout', '--quiet', '.')
  }))

test.each([
  ['Ctrl-C', 'SIGINT', -1],
  ['kill', 'SIGTERM', 1],
] as const)('takes back what it wrote when %s ends it', (_, signal, whom) =>
  expectNothing(git('rev-parse', 'HEAD'), async () => {
    const child = spawn(process.execPath, [SCRIPT, '1.5.0'], { cwd: clone, env: npmEnvironment(), detached: true })
    const started = join(clone, '.git', 'started')
    await vi.waitFor(() => expect(existsSync(started)).toBe(true), { timeout: 20_000 })
    rmSync(started)
    process.kill((child.pid ?? 0) * whom, signal)
    expect(await once(child, 'exit')).toEqual([1, null])
    expect(git('status', '--porcelain')).toBe('')
  }),
)

test('is not begun where it could not end: by nobody, of a branch that CI does not know, behind the others, out of order', () => {
  const why = (version: string, env: Readonly<Record<string, string>> = {}): string => {
    const { status, stderr } = release(version, env)
    expect(status).toBe(2)
    return stderr
  }
  git('config', '--remove-section', 'user')
  git('config', 'user.useConfigOnly', 'true')
  expect(why('1.6.0', { GIT_CONFIG_GLOBAL: '/dev/null' })).toContain('git cannot commit: git config user.name')
  git('config', 'user.name', 'Somebody')
  git('config', 'user.email', 'somebody@example.org')
  git('tag', 'v1.1.0-rc.2')
  expect(why('1.1.0-rc.1')).toContain('the tag v1.1.0-rc.2 is there, and 1.1.0-rc.1 is older')
  expect(why('1.1.0-rc.2')).not.toContain('older')
  git('tag', '--delete', 'v1.1.0-rc.2')
  git('checkout', '--quiet', '--detach')
  expect(why('1.6.0')).toContain('the branch is HEAD: CI looks at main, and for an older 1.6 at 1.6')
  git('checkout', '--quiet', '-b', '1.0')
  expect(why('1.6.0')).toContain('the branch is 1.0: ')
  const [origin, other] = [join(clone, '..', 'origin'), join(clone, '..', 'other')]
  git('clone', '--quiet', '--bare', '.', origin)
  git('remote', 'add', 'origin', origin)
  git('clone', '--quiet', '--branch', '1.0', origin, other)
  git(
    '-C',
    other,
    '-c',
    'user.name=x',
    '-c',
    'user.email=x',
    'commit',
    '--quiet',
    '--allow-empty',
    '--message',
    'Repair',
  )
  git('-C', other, 'push', '--quiet', 'origin', '1.0')
  expect(why('1.0.2')).toContain('origin/1.0 has commits that are not here: git pull')
  git('pull', '--quiet', 'origin', '1.0')
  renameSync(origin, other + '-moved')
  expect(why('1.0.2')).toContain('git fetch origin fails')
  git('remote', 'remove', 'origin')
})

test('goes on where it was killed after its commit, or somebody has written the version; an older series has a branch', () => {
  for (const name of ['package.json', 'package-lock.json', 'README.md', 'deploy/kubernetes/kustomization.yaml'])
    write(name, read(name).replaceAll('1.0.1-dev.0', '1.0.2').replaceAll('1.0.1', '1.0.2'))
  write('docs/deployment.md', read('docs/deployment.md').replace('1.0.1', '1.0.2'))
  commit('Release 1.0.2')
  const { status, stdout } = release('1.0.2')
  expect([status, stdout]).toEqual([0, expect.stringContaining('git push origin v1.0.2^0:1.0 ')])
  expect(git('log', '--format=%s', '-2').split('\n')).toEqual(['Begin 1.0.3', 'Release 1.0.2'])
  expect(git('rev-parse', 'v1.0.2^0')).toBe(git('rev-parse', 'HEAD~1'))
})
