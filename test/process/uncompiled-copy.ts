// Owns a copy of this package that was never compiled, with the development packages of this one.
// depends on: nothing else
import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { onTestFinished } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const COPIED = ['package.json', 'package-lock.json', 'tsconfig.json', 'src', 'bin', 'scripts']

/** @param finished as of `temporaryFolder` */
export function uncompiledCopy(finished?: typeof onTestFinished): string {
  const folder = temporaryFolder(finished)
  for (const name of COPIED) cpSync(packagePath(name), join(folder, name), { recursive: true })
  symlinkSync(packagePath('node_modules'), join(folder, 'node_modules'))
  return folder
}
