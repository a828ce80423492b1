// Which versions of Node.js run the programs: bin/load.js of programs that end as soon as they are loaded.
// depends on: bin/
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const { engines } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as {
  readonly engines: { node: string }
}
const NEEDED = engines.node.replace('>=', '')
const [major = 0, minor = 0, patch = 0] = NEEDED.split('.').map(Number)

const folder = temporaryFolder(afterAll)
for (const name of ['bin', 'package.json']) cpSync(packagePath(name), join(folder, name), { recursive: true })
for (const name of ['builder', 'proxy']) {
  mkdirSync(join(folder, 'dist', name), { recursive: true })
  writeFileSync(join(folder, 'dist', name, 'main.js'), 'export const main = async () => 0')
}

/** Starts a program that takes its Node.js for another version. */
function startedOn(
  version: string,
  program = 'analytics-build.js',
): { readonly status: number | null; readonly stderr: string } {
  const told = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  const args = ['--import', `data:text/javascript,${told}`, join(folder, 'bin', program), '--version']
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
