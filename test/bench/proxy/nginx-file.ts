// Owns nginx as the outer limit: the captured answer as a file and its .gz, with the same headers and a limiter.
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, listens } from '../../support/ports.ts'
import { onServerCore, program } from './machine.ts'
import { stopping, type Server } from './server.ts'

/** @param files name → content, below the root @param headers names and values in turn */
export async function startNginx(
  dir: string,
  files: Readonly<Record<string, Buffer>>,
  headers: readonly string[],
): Promise<Server> {
  mkdirSync(dir, { recursive: true })
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(dir, name), bytes)
  return startNginxOn(dir, dir, headers)
}

export async function startNginxOn(dir: string, root: string, headers: readonly string[] = []): Promise<Server> {
  mkdirSync(dir, { recursive: true })
  chmodSync(dir, 0o755)
  const port = await freePort()
  writeFileSync(join(dir, 'nginx.conf'), configuration(port, root, headers))
  const [command, args] = onServerCore(program('nginx', 'nginx'), ['-p', dir, '-c', 'nginx.conf', '-e', 'stderr'])
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const { stop } = stopping(child)
  for (let tries = 0; !(await listens(port)); tries++) {
    if (tries > 200 || child.exitCode !== null) throw new Error(`nginx did not start on port ${port}`)
    await sleep(20)
  }
  return { name: 'nginx', url: `http://127.0.0.1:${port}`, port, pid: child.pid ?? 0, child, stop }
}

/** Those that nginx sends by itself, or that the file brings. */
const OF_NGINX = /^(content-.*|etag|last-modified|vary)$/i

function configuration(port: number, root: string, headers: readonly string[]): string {
  const added = headers.flatMap((name, i) =>
    i % 2 === 1 || OF_NGINX.test(name) ? [] : [`add_header ${name} '${headers[i + 1]}';`],
  )
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${kind};`)
  return `daemon off; pid nginx.pid; error_log stderr; worker_processes 1;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 1024; }
http {
  ${temporary.join(' ')}
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000;
  types { "application/json; charset=utf-8" json; "text/csv; charset=utf-8" csv; }
  open_file_cache max=100; # the outer limit: no file is opened twice
  limit_req_zone $binary_remote_addr zone=requests:10m rate=10000000r/s; # more than it can send: it counts, and refuses nobody
  server {
    listen 127.0.0.1:${port};
    root ${root};
    gzip_static on; gzip_vary on;
    limit_req zone=requests burst=100000 nodelay; limit_req_status 429;
    ${added.join('\n    ')}
  }
}
`
}
