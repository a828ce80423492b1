// A throw-away PgBouncer before a throw-away cluster: transaction pooling, one server connection a database. It runs in
// the foreground of a small shell script that ends it when its pipe from the test process closes, as with PostgreSQL.
import { spawn } from 'node:child_process'
import { chownSync, mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { freePort } from './ports.ts'
import type { Postgres } from './postgres.ts'
import { findProgram, type RealComponent } from './real-component.ts'

export interface PgBouncer {
  url(database: string): string
  stop(): Promise<void>
}

const START_DEADLINE_MS = 20_000

const SCRIPT =
  '"$0" "$dir/ini" >"$dir/log" 2>&1 & server=$!; cat; kill -KILL $server; wait $server 2>/dev/null; rm -rf "$dir"'

export function pgbouncerAvailable(): RealComponent {
  return findProgram('pgbouncer', 'pgbouncer', ['/usr/sbin'])
}

/** @param settings beyond a pool of one server connection, such as `pool_mode` */
export async function startPgBouncer(
  postgres: Postgres,
  settings: Readonly<Record<string, string>> = {},
): Promise<PgBouncer> {
  const available = pgbouncerAvailable()
  if (!available.ok) throw new Error(available.how)
  // It refuses to run as root, too.
  const { uid, gid } = statSync(postgres.dataDir)
  const dir = mkdtempSync(join(tmpdir(), 'pgbouncer-'))
  chownSync(dir, uid, gid)
  const port = await freePort()
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: 1,
    ...settings,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`)
  const server = `* = host=127.0.0.1 port=${postgres.port} user=postgres`
  writeFileSync(join(dir, 'ini'), ['[databases]', server, '[pgbouncer]', ...lines, ''].join('\n'))
  const child = spawn('/bin/sh', ['-c', SCRIPT, available.bin], {
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '', dir },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    uid,
    gid,
  })
  const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()))
  const pgbouncer: PgBouncer = {
    url: (database) => `postgresql://postgres@127.0.0.1:${port}/${database}`,
    async stop() {
      child.stdin.destroy()
      await ended
    },
  }
  try {
    await untilReady(pgbouncer.url('postgres'))
  } catch (error) {
    await pgbouncer.stop()
    throw error
  }
  return pgbouncer
}

async function untilReady(url: string): Promise<void> {
  const deadlineMs = Date.now() + START_DEADLINE_MS
  for (;;) {
    const client = new Client({ connectionString: url })
    try {
      await client.connect()
      return
    } catch (error) {
      if (Date.now() > deadlineMs) throw new Error('PgBouncer did not answer in time', { cause: error })
      await sleep(50)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}
