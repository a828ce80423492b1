// A hot standby of a throw-away cluster, over a socket in its own folder.
import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountOf, canConnect, flagsOf, postgresAvailable, type Postgres } from './postgres.ts'
import { supervise, untilUp } from './supervised.ts'

export interface Standby {
  readonly url: (role: string, database: string) => string
  readonly stop: () => Promise<void>
}

export async function startStandby(
  primary: Postgres,
  settings: Readonly<Record<string, string>> = {},
): Promise<Standby> {
  const available = postgresAvailable()
  if (!available.ok) throw new Error(available.how)
  const account = accountOf(primary)
  const folder = mkdtempSync(join(tmpdir(), 'standby-'))
  chownSync(folder, account.uid, account.gid)
  const data = join(folder, 'data')
  const copying = ['-D', data, '-X', 'stream', '-R', '--checkpoint=fast', '--no-sync', '-d', primary.url()]
  execFileSync(join(available.bin, 'pg_basebackup'), copying, { cwd: '/', ...account, stdio: 'pipe' })
  const { port } = primary
  const all = { listen_addresses: '', unix_socket_directories: folder, port: String(port), fsync: 'off', ...settings }
  const command = [join(available.bin, 'postgres'), '-D', data, ...flagsOf(all)]
  const server = supervise(command, { folder, signal: 'QUIT', account })
  const url = (role: string, database: string): string =>
    `postgresql://${role}@/${database}?host=${folder}&port=${port}`
  await untilUp(server, 'the standby', () => canConnect(url('postgres', 'postgres')))
  return { url, stop: server.stop }
}
