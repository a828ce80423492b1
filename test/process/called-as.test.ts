// A command that a reader is told to type can be typed, and fetches nothing. Tests src/process/called-as.ts and all documents.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { calledAs } from '../../src/process/called-as.ts'
import { packagePath } from '../../src/process/package-root.ts'

describe('a program is called', () => {
  test.each([
    ['in its folder', '/opt/analytics/bin/analytics-build.js', '/opt/analytics', 'node bin/analytics-build.js'],
    ['elsewhere', '/opt/analytics/bin/analytics-build.js', '/srv', 'node /opt/analytics/bin/analytics-build.js'],
    ['in a folder with a blank', "/o t/it's/bin/analytics-build.js", '/', "node 'o t/it'\\''s/bin/analytics-build.js'"],
    ['where it is installed', '/usr/local/bin/analytics-build', '/srv', 'analytics-build'],
    ['by another program', '/srv/node_modules/vitest/vitest.mjs', '/srv', 'analytics-build'],
  ])('%s', (_, script, cwd, command) => {
    expect(calledAs('analytics-build', script, cwd)).toBe(command)
    vi.stubEnv('CALLED_AS', 'analytics-build')
    expect(calledAs('analytics-build', script, cwd)).toBe('analytics-build')
    // Of a site that has a name: without it a command would be for another site.
    vi.stubEnv('CALLED_AS', 'analytics-build@my town')
    expect(calledAs('analytics-build', script, cwd)).toBe("'analytics-build@my town'")
    vi.unstubAllEnvs()
  })
})

test('no document, message or file to deploy says npx, but to warn of it, or with the path of a file', () => {
  const places = ['README.md', 'SECURITY.md', 'docs', 'deploy', 'nginx.conf', 'snapshots/README.md', 'src', 'bin']
  const files = execFileSync('git', ['ls-files', '-z', ...places], { cwd: packagePath(), encoding: 'utf8' })
  const listed = files.split('\0').filter((path) => path !== '')
  expect(listed.length).toBeGreaterThan(100)
  const said = listed.flatMap((path) =>
    readFileSync(packagePath(path), 'utf8')
      .split('\n')
      .filter((line) => /\bnpx\b/.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  )
  expect(said).toEqual([
    expect.stringMatching(/^docs\/cli.md: .*Do not start them by `npx`/),
    // Of a file that is named by its path, which fetches nothing of that name.
    expect.stringMatching(/^docs\/deployment\.md: npx --package "\$PWD\/public-analytics-/),
    expect.stringMatching(/^src\/process\/called-as\.ts: .* would make npx fetch/),
  ])
})
