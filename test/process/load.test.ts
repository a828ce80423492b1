// Which versions of Node.js run the programs: bin/load.js in a program as it is shipped (dist/).
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'

const { engines } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as {
  readonly engines: { node: string }
}
const NEEDED = engines.node.replace('>=', '')
const [major = 0, minor = 0, patch = 0] = NEEDED.split('.').map(Number)

/** Starts a program that takes its Node.js for another version. */
function startedOn(
  version: string,
  program = 'analytics-build.js',
): { readonly status: number | null; readonly stderr: string } {
  const told = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  const args = ['--import', `data:text/javascript,${told}`, packagePath('bin', program), '--version']
  return spawnSync(process.execPath, args, { encoding: 'utf8' })
}

test.each([NEEDED, `${major}.${minor}.${patch + 10}`, `${major}.${minor + 1}.0`, `${major + 2}.0.0`])(
  'Node.js %s runs them',
  (version) => {
    expect(startedOn(version)).toMatchObject({ status: 0, stderr: '' })
  },
)

test.each([`${major}.${minor}.${patch - 1}`, `${major}.${minor - 11}.99`, `${major - 2}.99.99`])(
  'Node.js %s does not, and says which one would',
  (version) => {
    for (const program of ['analytics-build.js', 'analytics-proxy.js'])
      expect(startedOn(version, program)).toMatchObject({
        status: 2,
        stderr: `public-analytics needs Node.js ${NEEDED} or newer; this is ${version} (${process.execPath}). https://nodejs.org has it.\n`,
      })
  },
)
