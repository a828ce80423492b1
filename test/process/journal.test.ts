// What journald makes of the lines of both programs: it takes the priority from the beginning of a line (sd-daemon(3)), and only where it
// reads standard error itself. Tests src/process/log.ts.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** What a program says on a standard error that is a file, of which the variable says that it is journald's, or is not. */
function saidTo(program: string, args: readonly string[], stream: string): string[] {
  const folder = temporaryFolder()
  const file = join(folder, 'stderr')
  writeFileSync(file, '')
  const line = `JOURNAL_STREAM=$(${stream}) exec "$@" 2>>'${file}'`
  const command = [process.execPath, packagePath('bin', `${program}.js`), ...args]
  try {
    execFileSync('sh', ['-c', line.replace('FILE', file), 'sh', ...command], {
      cwd: folder,
      stdio: 'ignore',
      timeout: 20_000,
    })
  } catch {
    // It is to fail.
  }
  return readFileSync(file, 'utf8').trimEnd().split('\n')
}

const JOURNALD = "stat -c %d:%i 'FILE'"
const OTHERS = 'echo 8:12345'

test.each([
  ['analytics-build', ['--nonsense'], /^<3>analytics-build: /],
  ['analytics-build', ['verify', 'https://127.0.0.1:1/snapshots'], /^<3>\{"level":"error"/],
  ['analytics-proxy', ['--nonsense'], /^<3>analytics-proxy: /],
] as const)('%s %j: an error is one', (program, args, form) => {
  const lines = saidTo(program, args, JOURNALD)
  expect(lines.at(-1)).toMatch(form)
  for (const line of lines) expect(line).toMatch(/^<[346]>/)
  const elsewhere = saidTo(program, args, OTHERS)
  expect(elsewhere.length).toBeGreaterThan(0)
  for (const line of elsewhere) expect(line).not.toMatch(/^</)
})
