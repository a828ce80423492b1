// A throw-away PgBouncer before a throw-away cluster: transaction pooling, one server connection a database.
import { chownSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './ports.ts'
import { accountOf, canConnect, type Postgres } from './postgres.ts'
import { findProgram, type RealComponent } from './real-component.ts'
import { supervise, untilUp } from './supervised.ts'

export interface PgBouncer {
  readonly url: (database: string) => string
  readonly stop: () => Promise<void>
}

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
  const account = accountOf(postgres)
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'))
  chownSync(folder, account.uid, account.gid)
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
  const file = join(folder, 'ini')
  writeFileSync(file, ['[databases]', server, '[pgbouncer]', ...lines, ''].join('\n'))
  const pooler = supervise([available.bin, file], { folder, signal: 'KILL', account })
  const url = (database: string): string => `postgresql://postgres@127.0.0.1:${port}/${database}`
  await untilUp(pooler, 'PgBouncer', () => canConnect(url('postgres')))
  return { url, stop: pooler.stop }
}
