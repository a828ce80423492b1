// The rule for tests that need a real program other than Node (PostgreSQL, nginx, Redis): without it they fail in CI and
// are skipped elsewhere, with the line that says how to get it. A green run in CI therefore means that they ran.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, test } from 'vitest'

/** Where it is, or the line that says how to get it. */
export type RealComponent = { ok: true; bin: string } | { ok: false; how: string }

/** Looks for an executable on PATH, then in `folders`; `aptPackage` is what brings it on Debian and Ubuntu. */
export function findProgram(program: string, aptPackage: string, folders: readonly string[] = []): RealComponent {
  for (const folder of [...(process.env['PATH'] ?? '').split(delimiter), ...folders]) {
    const file = join(folder, program)
    if (folder !== '' && isExecutable(file)) return { ok: true, bin: file }
  }
  return { ok: false, how: `${program} is not installed: apt-get install ${aptPackage}` }
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export function describeWithComponent(
  name: string,
  component: RealComponent,
  body: (bin: string) => void,
  inCi: boolean = process.env['CI'] === 'true',
): void {
  if (component.ok) {
    const { bin } = component
    describe(name, () => body(bin))
    return
  }
  const { how } = component
  if (inCi) {
    describe(name, () => {
      test('runs in CI', () => {
        throw new Error(how)
      })
    })
    return
  }
  process.stderr.write(`skipped: ${name}: ${how}\n`)
  describe(name, () => {
    test.skip(how, () => undefined)
  })
}
