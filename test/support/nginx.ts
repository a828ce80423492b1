// A throw-away nginx for one test, with the repository's own nginx.conf: ports, upstreams and certificate paths are
// replaced in its text, optional lines are switched on by the sed command that the file itself names, the rest is as it
// is.
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packagePath } from '../../src/process/package-root.ts'
import { freePort, listens } from './ports.ts'
import { findProgram, type RealComponent } from './real-component.ts'
import { supervise, untilUp } from './supervised.ts'

export const NGINX_CONF: string = packagePath('nginx.conf')

export interface NginxSpec {
  /** Becomes snapshots/ next to nginx.conf; the worker of an nginx that root starts must be able to read it. */
  readonly snapshots: string
  /** Ports of the proxies: one, or two with `several`. */
  readonly upstreams: readonly number[]
  /** Sets of optional lines. */
  readonly on?: readonly ('ipv6' | 'tls' | 'tls6' | 'several' | 'cdn')[]
  /** Further texts; each must be there. */
  readonly replace?: Readonly<Record<string, string>>
  /** Further variables of its environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Numeric user and group of an nginx that root shall not run. */
  readonly runAs?: number
}

export interface Nginx {
  readonly port: number
  readonly tlsPort: number
  /** The folder after -p. */
  readonly prefix: string
  /** What it wrote to stderr. */
  readonly log: () => string
  readonly stop: () => Promise<void>
}

export function nginxAvailable(): RealComponent {
  return findProgram('nginx', 'nginx', ['/usr/sbin'])
}

export async function startNginx(spec: NginxSpec): Promise<Nginx> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOn(await freePort(), await freePort(), spec)
    } catch (error) {
      // Somebody else may take a free port before nginx does.
      if (!String(error).includes('Address already in use') || attempt === 3) throw error
    }
  }
}

async function startOn(port: number, tlsPort: number, spec: NginxSpec): Promise<Nginx> {
  const available = nginxAvailable()
  if (!available.ok) throw new Error(available.how)
  const prefix = mkdtempSync(join(tmpdir(), 'nginx-test-'))
  // mkdtemp's 0700 would keep out the worker of an nginx that root starts.
  chmodSync(prefix, 0o755)
  if (spec.on?.includes('tls') === true) makeCertificate(prefix)
  writeFileSync(join(prefix, 'nginx.conf'), configuration(spec, port, tlsPort))
  symlinkSync(spec.snapshots, join(prefix, 'snapshots'))
  const { runAs } = spec
  if (runAs !== undefined) chownSync(prefix, runAs, runAs)

  const server = supervise([available.bin, '-p', prefix, '-c', 'nginx.conf', '-g', 'daemon off;'], {
    folder: prefix,
    signal: 'TERM',
    env: { ...process.env, ...spec.env },
    account: runAs === undefined ? undefined : { uid: runAs, gid: runAs },
  })
  await untilUp(server, `nginx on port ${port}`, () => listens(port))
  return { port, tlsPort, prefix, log: server.log, stop: server.stop }
}

function configuration(spec: NginxSpec, port: number, tlsPort: number): string {
  let text = readFileSync(NGINX_CONF, 'utf8')
  const documented = /sed -i '(.+)' nginx\.conf/.exec(text)?.[1] ?? ''
  for (const word of spec.on ?? []) {
    const script = documented.replace('#tls', `#${word}`)
    const switched = execFileSync('sed', [script], { input: text, encoding: 'utf8' })
    if (switched === text) throw new Error(`nginx.conf: sed '${script}' switches nothing on`)
    text = switched
  }
  const [first, second] = spec.upstreams
  const replacements = {
    'listen 8000;': `listen ${port};`,
    'listen [::]:8000;': `listen [::]:${port};`,
    'server 127.0.0.1:8080;': `server 127.0.0.1:${first};`,
    'server 127.0.0.1:8081;': `server 127.0.0.1:${second};`,
    'listen 443 ': `listen ${tlsPort} `,
    'listen [::]:443 ': `listen [::]:${tlsPort} `,
    '/etc/letsencrypt/live/ideas.example.org/': '',
    ...spec.replace,
  }
  for (const [from, to] of Object.entries(replacements)) {
    if (!text.includes(from)) throw new Error(`nginx.conf has no "${from}" to replace`)
    text = text.replaceAll(from, to)
  }
  return text
}

function makeCertificate(folder: string): void {
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  execFileSync('openssl', ['req', '-x509', ...key, ...files, '-days', '2', '-subj', '/CN=localhost'], { stdio: 'pipe' })
  // An nginx that an ordinary user runs must be able to read it.
  chmodSync(join(folder, 'privkey.pem'), 0o644)
}
