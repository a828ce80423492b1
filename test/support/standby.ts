// A hot standby of a throw-away cluster, over a socket in its own folder.
import { execFileSync } from 'node:child_process'
import { appendFileSync, chownSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { accountOf, canConnect, flagsOf, type Postgres } from './postgres.ts'
import { supervise, untilUp, type Account } from './supervised.ts'

/** An error until WAL comes: how far a standby is behind is not known before. */
const STREAMS =
  'SELECT 1 / count(*) FROM pg_catalog.pg_stat_wal_receiver WHERE pg_catalog.pg_last_wal_receive_lsn() IS NOT NULL'

export interface Standby {
  readonly url: (role: string, database: string) => string
  readonly stop: () => Promise<void>
}

/** A copy of the data while the primary runs, as pg_basebackup makes it: that is one version's own. WAL comes by streaming. */
async function copyData(primary: Postgres, data: string, account: Account): Promise<void> {
  const client = new Client({ connectionString: primary.url() })
  await client.connect()
  try {
    const { rows } = await client.query<{ later: boolean }>(
      `SELECT current_setting('server_version_num')::int >= 150000 AS later`,
    )
    const [start, stop] =
      rows[0]?.later === true
        ? [`pg_backup_start('standby', true)`, 'pg_backup_stop(false)']
        : [`pg_start_backup('standby', true, false)`, 'pg_stop_backup(false, false)']
    await client.query(`SELECT ${start}`)
    execFileSync('/bin/sh', ['-c', COPY, 'sh', primary.dataDir, data], { cwd: '/', ...account, stdio: 'pipe' })
    const { rows: ends } = await client.query<{ labelfile: string }>(`SELECT labelfile FROM ${stop}`)
    const auto = join(data, 'postgresql.auto.conf')
    const conninfo = `host=127.0.0.1 port=${primary.port} user=postgres`
    writeOwned(join(data, 'backup_label'), ends[0]?.labelfile ?? '', account)
    writeOwned(join(data, 'standby.signal'), '', account)
    appendFileSync(auto, `primary_conninfo = '${conninfo}'\n`)
  } finally {
    await client.end()
  }
}

/** A file that vanishes or changes while it is copied is set right from WAL. */
const COPY = `
cp -a "$1" "$2" 2>/dev/null
[ -f "$2/global/pg_control" ] || exit 1
rm -f "$2/postmaster.pid" "$2/postmaster.opts"
find "$2/pg_wal" -type f -delete
`

function writeOwned(file: string, text: string, { uid, gid }: Account): void {
  writeFileSync(file, text, { mode: 0o600 })
  chownSync(file, uid, gid)
}

export async function startStandby(
  primary: Postgres,
  settings: Readonly<Record<string, string>> = {},
): Promise<Standby> {
  const account = accountOf(primary)
  const folder = mkdtempSync(join(tmpdir(), 'standby-'))
  chownSync(folder, account.uid, account.gid)
  const data = join(folder, 'data')
  await copyData(primary, data, account)
  const { port } = primary
  const all = { listen_addresses: '', unix_socket_directories: folder, port: String(port), fsync: 'off', ...settings }
  const command = [join(primary.bin, 'postgres'), '-D', data, ...flagsOf(all)]
  const server = supervise(command, { folder, signal: 'QUIT', account })
  const url = (role: string, database: string): string =>
    `postgresql://${role}@/${database}?host=${folder}&port=${port}`
  await untilUp(server, 'the standby', () => canConnect(url('postgres', 'postgres'), STREAMS))
  return { url, stop: server.stop }
}
