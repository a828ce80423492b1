// The package as operators get it: made by `npm run package` from a copy of this working tree, so that no test that runs here meets
// a dist/ that is being replaced; and installed without the development packages.
// depends on: package.json, package-lock.json, tsconfig.json, scripts/, bin/, src/
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { packagePath } from '../../src/process/package-root.ts'
import { NO_REGISTRY, npm, type Npm } from './npm.ts'
import type { RealComponent } from './real-component.ts'

/** What the cache has is not asked for again. */
const QUIETLY = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']

/** The files that git knows or would add, as they are now. */
export function copyOfRepository(into: string, isWanted: (path: string) => boolean = () => true): string {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: packagePath(),
    encoding: 'utf8',
  })
  for (const path of listed.split('\0').filter((one) => one !== '' && isWanted(one))) {
    mkdirSync(dirname(join(into, path)), { recursive: true })
    cpSync(packagePath(path), join(into, path))
  }
  return into
}

export interface Packed {
  /** Of all that is made here: the caller removes it. */
  readonly folder: string
  /** What was packed. */
  readonly repository: string
  readonly tarball: string
}

/** @param beside what somebody has put beside the files of the repository */
export function packed(beside: readonly string[] = []): Packed {
  const folder = mkdtempSync(join(tmpdir(), 'analytics-package-'))
  const repository = copyOfRepository(join(folder, 'repository'))
  symlinkSync(packagePath('node_modules'), join(repository, 'node_modules'))
  for (const path of beside) {
    mkdirSync(dirname(join(repository, path)), { recursive: true })
    writeFileSync(join(repository, path), 'hunter2')
  }
  return { folder, repository, tarball: packedFrom(repository, folder) }
}

/** Of which the package says that it is made: the repository that is packed has no history. */
export const COMMIT = '0123456789abcdef0123456789abcdef01234567'

/** By somebody whose files nobody else may read. */
export function packedFrom(repository: string, into: string): string {
  const before = process.umask(0o077)
  const { ok, said } = npm(repository, 'run', 'package', '--', '--commit', COMMIT, '--pack-destination', into)
  process.umask(before)
  const name = said.match(/^public-analytics-.*\.tgz$/m)?.[0]
  if (!ok || name === undefined) throw new Error(`npm run package failed: ${said}`)
  return join(into, name)
}

/** In production: unpacked into a folder of its own, with the packages that its npm-shrinkwrap.json names. */
export function unpackedIn(folder: string, { tarball }: Packed): RealComponent {
  mkdirSync(folder)
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder])
  return orWhyNot(folder, npm(folder, 'ci', ...QUIETLY))
}

/** As a package of another project. */
export function installedIn(folder: string, { tarball }: Packed): RealComponent {
  mkdirSync(folder)
  return orWhyNot(folder, npm(folder, 'install', '--omit=dev', ...QUIETLY, tarball))
}

function orWhyNot(folder: string, { ok, said }: Npm): RealComponent {
  if (ok) return { ok: true, bin: folder }
  if (NO_REGISTRY.test(said))
    return { ok: false, how: 'npm reaches no registry, and its cache lacks a package: npm ping' }
  throw new Error(`npm cannot install the package: ${said}`)
}
