// Real shells complete the real programs. real test: it starts shells on terminals.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import { publishSamples, AS_OF_MS, temporaryFolder } from '../release/sample-release.ts'
import { describeWithComponent, findProgram } from '../support/real-component.ts'

const scriptOf = (program: string, shell: string): string => {
  const { stdout, status } = spawnSync(process.execPath, [packagePath('bin', `${program}.js`), 'completion', shell], {
    encoding: 'utf8',
  })
  expect(status).toBe(0)
  return stdout
}

function folder(shell: string): string {
  const made = temporaryFolder()
  for (const program of ['analytics-build', 'analytics-proxy'])
    writeFileSync(join(made, `${program}.${shell}`), scriptOf(program, shell))
  mkdirSync(join(made, 'some-folder'))
  return made
}

/** What a terminal shows when these lines are typed, a tab being the key. */
function typed(shell: string, cwd: string, lines: readonly string[]): string {
  const { stdout } = spawnSync('script', ['-qec', shell, '/dev/null'], {
    cwd,
    input: [...lines, 'exit', ''].join('\n'),
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: cwd, TERM: 'dumb' },
    timeout: 110_000,
  })
  return stripVTControlCharacters(stdout)
}

describeWithComponent('bash', findProgram('bash', 'bash'), () => {
  test('completes mappings, values, folders and releases', async () => {
    const cwd = folder('bash')
    const [id = ''] = await publishSamples(join(cwd, 'some-folder'), AS_OF_MS)
    const shown = typed('bash --norc --noprofile -i', cwd, [
      'source ./analytics-build.bash; source ./analytics-proxy.bash',
      'analytics-build init fid\t --output - | head -1',
      'echo analytics; analytics-build build --people=rou\t --help | head -1',
      'analytics-build status --js\t --snapshots some\t',
      'analytics-build verify --snapshots some-folder 2\t',
      'analytics-proxy --rate-st\t mongo',
    ])
    expect(shown).toContain('\n-- mapping: fider')
    expect(shown).toContain('--people=rounded')
    expect(shown).toContain(`"current":"${id}"`)
    expect(shown).toContain(`${id} is `)
    expect(shown).toContain("option '--rate-store <STORE>' argument 'mongo' is invalid")
  }, 120_000)
})

describeWithComponent('zsh', findProgram('zsh', 'zsh'), () => {
  test('completes mappings, values, folders and releases', async () => {
    const cwd = folder('zsh')
    const [id = ''] = await publishSamples(join(cwd, 'some-folder'), AS_OF_MS)
    const shown = typed('zsh -f -i', cwd, [
      'autoload -Uz compinit && compinit -u -D; source ./analytics-build.zsh; source ./analytics-proxy.zsh',
      'analytics-build init fid\t --output - | head -1',
      'analytics-build status --js\t --snapshots some\t',
      'analytics-build verify --snapshots some-folder 2\t',
      'analytics-proxy --rate-st\t mongo',
    ])
    expect(shown).toContain('\n-- mapping: fider')
    expect(shown).toContain(`"current":"${id}"`)
    expect(shown).toContain(`${id} is `)
    expect(shown).toContain("option '--rate-store <STORE>' argument 'mongo' is invalid")
  }, 120_000)
})

describeWithComponent('fish', findProgram('fish', 'fish'), () => {
  test('completes mappings, values, folders and releases', async () => {
    const cwd = folder('fish')
    const [id = ''] = await publishSamples(join(cwd, 'some-folder'), AS_OF_MS)
    const asked = [
      'analytics-build init fid',
      'analytics-build build --people ',
      'analytics-build build --people=rou',
      'analytics-build status --snapshots some',
      'analytics-build verify --snapshots some-folder 2',
      'analytics-proxy --rate-st',
    ]
    const commands = asked.map((line) => `complete -C '${line}'`).join('; ')
    const { stdout } = spawnSync(
      'fish',
      ['--no-config', '-c', `source analytics-build.fish; source analytics-proxy.fish; ${commands}`],
      { cwd, encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: cwd }, timeout: 110_000 },
    )
    expect(stdout.split('\n').map((line) => line.split('\t')[0])).toEqual([
      'fider',
      'exact',
      'off',
      'rounded',
      '--people=rounded',
      'some-folder/',
      id,
      '--rate-store',
      '',
    ])
  }, 120_000)
})
