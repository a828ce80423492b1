// `npm run release -- NEW` in a small repository whose .ci/run is a stand-in: what it refuses, and what it leaves. Of which version
// this one is does not matter. Tests scripts/release.js.
// depends on: scripts/release.js, scripts/changelog.js
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

function release(version: string): { status: number | null; stdout: string; stderr: string } {
  const script = join(clone, 'scripts', 'release.js')
  return spawnSync(process.execPath, [script, version], { cwd: clone, env: npmEnvironment(), encoding: 'utf8' })
}

function commit(subject: string): void {
  git('add', '--all')
  git('commit', '--quiet', '--message', subject)
}

beforeAll(() => {
  for (const name of ['release.js', 'changelog.js']) cpSync(packagePath('scripts', name), join(clone, 'scripts', name))
  const about = { name: 'statistics', version: '1.0.0-dev.0', type: 'module' }
  write('package.json', JSON.stringify(about))
  write('package-lock.json', JSON.stringify({ ...about, lockfileVersion: 3, packages: { '': about } }))
  write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\nAll of it.\n')
  write('README.md', 'public-analytics-1.0.0.tgz, since 0.9.0\n')
  write('docs/deployment.md', 'VERSION=1.0.0 and, to upgrade, VERSION=1.1.0\n')
  write('deploy/kubernetes/kustomization.yaml', 'newTag: 1.0.0\n')
  git('init', '--quiet')
  git('config', 'user.name', 'Somebody')
  git('config', 'user.email', 'somebody@example.org')
  write('.ci/run', '#!/bin/sh\ntest "$(node -p "require(\'./package.json\').version")" != 1.3.0\n', 0o755)
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
    ['1.3.0 - 2027-01-01', '1.0.0 - 2026-12-01', '1.0.0-rc.1 - 2026-11-30']
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
