// A hot standby of a throw-away cluster, over a socket in a folder of its own; the folder goes with the server, and both
// go with the process that asked for them.
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { postgresAvailable, type Postgres } from './postgres.ts'

export interface Standby {
  url(role: string, database: string): string
  stop(): Promise<void>
}

const START_DEADLINE_MS = 30_000

// A server that is only just starting does not listen to a signal yet.
const SCRIPT =
  '"$0" "$@" >"$dir/log" 2>&1 & server=$!; cat; while kill -QUIT $server; do sleep 0.2; done; rm -rf "$dir"'

export async function startStandby(
  primary: Postgres,
  settings: Readonly<Record<string, string>> = {},
): Promise<Standby> {
  const available = postgresAvailable()
  if (!available.ok) throw new Error(available.how)
  const { uid, gid } = statSync(primary.dataDir)
  const dir = mkdtempSync(join(tmpdir(), 'standby-'))
  chownSync(dir, uid, gid)
  const data = join(dir, 'data')
  const flags = ['-X', 'stream', '-R', '--checkpoint=fast', '--no-sync', '-d', primary.url()]
  execFileSync(join(available.bin, 'pg_basebackup'), ['-D', data, ...flags], { cwd: '/', uid, gid, stdio: 'pipe' })
  const all = { listen_addresses: '', unix_socket_directories: dir, port: primary.port, fsync: 'off', ...settings }
  const server = spawn(
    '/bin/sh',
    [
      '-c',
      SCRIPT,
      join(available.bin, 'postgres'),
      '-D',
      data,
      ...Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
    ],
    {
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '', dir },
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      uid,
      gid,
    },
  )
  const ended = new Promise<void>((resolve) => void server.once('close', () => resolve()))
  const standby: Standby = {
    url: (role, database) => `postgresql://${role}@/${database}?host=${dir}&port=${primary.port}`,
    async stop() {
      server.stdin.destroy()
      await ended
    },
  }
  try {
    await untilReady(dir, primary.port)
  } catch (error) {
    await standby.stop()
    throw error
  }
  return standby
}

async function untilReady(host: string, port: number): Promise<void> {
  const deadlineMs = Date.now() + START_DEADLINE_MS
  for (;;) {
    const client = new Client({ host, port, user: 'postgres', database: 'postgres' })
    try {
      await client.connect()
      return
    } catch (error) {
      if (Date.now() > deadlineMs) throw new Error('the standby did not answer in time', { cause: error })
      await sleep(100)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}
