// A throw-away PostgreSQL cluster for one test file: its own folder under the temp folder, its own port on loopback.
// A small shell script runs the server and reads a pipe from the test process: when the pipe
// closes, by stop(), by a crash or by SIGKILL, it stops the server and removes the folder. No exit handler is needed.
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, escapeIdentifier, escapeLiteral } from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { freePort } from './ports.ts'
import { describeWithComponent, isExecutable, type RealComponent } from './real-component.ts'
import type { Account } from './supervised.ts'

export interface Postgres {
  /** `postgresql://postgres@127.0.0.1:…/<database>`; everybody is trusted but members of the role `password_required`. */
  url(database?: string): string
  /** Creates a UTF8 database with locale C, or as a copy of one to which nobody is connected, and returns its URL. */
  createDatabase(name?: string, copied?: string): Promise<string>
  /** Ends its sessions. */
  dropDatabase(name: string): Promise<void>
  /**
   * Ends the server by a signal to its postmaster (SIGINT ends the sessions, SIGKILL makes it
   * crash), and starts a new one on the same data as soon as the old one is gone.
   */
  restart(signal: 'SIGINT' | 'SIGKILL'): Promise<void>
  /** Runs a script through psql (meta-commands work) and returns its unaligned output without headers. */
  psql(sql: string, database?: string): Promise<string>
  stop(): Promise<void>
  /** Of the postmaster; another one after a restart. */
  readonly pid: number
  readonly port: number
  readonly socketDir: string
  readonly dataDir: string
  /** The folder of its programs. */
  readonly bin: string
}

/** The variable that names a folder, empty at first, in which the data of a new cluster is kept for the others. */
export const TEMPLATE = 'TEST_POSTGRES_TEMPLATE'

const START_DEADLINE_MS = 60_000

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '40',
  shared_buffers: '32MB',
  // As of segments of the usual size.
  max_wal_size: '1GB',
  // Neither UTC nor the process's zone, and needing no tz database: a query that does not ask for UTC shows it.
  timezone: '<+0545>-05:45',
  // As since PostgreSQL 14: HBA asks for it.
  password_encryption: 'scram-sha-256',
  log_timezone: 'UTC',
}

// scram for members of one role, so that a test can try passwords: CREATE ROLE x LOGIN PASSWORD 'y' IN ROLE password_required
const HBA = `host all +password_required 127.0.0.1/32 scram-sha-256
local all +password_required scram-sha-256
local all all trust
host all all 127.0.0.1/32 trust
host replication all 127.0.0.1/32 trust
`

/** In a new database of an older server, what the scripts of the tests take for granted. */
const AS_LATER = `DO $$ BEGIN
  IF current_setting('server_version_num')::int < 130000 THEN
    CREATE EXTENSION pgcrypto SCHEMA pg_catalog; -- gen_random_uuid()
  END IF;
  IF current_setting('server_version_num')::int < 150000 THEN
    REVOKE CREATE ON SCHEMA public FROM PUBLIC;
  END IF;
END $$`

// SIGQUIT is PostgreSQL's immediate shutdown: nothing in here is worth a checkpoint. It is repeated, because a server
// that is only just starting may not listen yet; and stderr may be a closed pipe by then, which must not end the script.
// The first one of a run is copied before it starts; those after it are copies, which takes a third of the time.
// A server that ends while the file `again` is there is started again: several times while
// the sessions of a killed postmaster still hold its memory.
const SUPERVISOR = `
trap '' PIPE
bin=$1 dir=$2 template=$3; shift 3
exec 3<&0 </dev/null
if [ -d "$template/data" ]; then
  cp -a "$template/data" "$dir/data" >"$dir/log" 2>&1
else
  "$bin/initdb" -D "$dir/data" -U postgres -E UTF8 --locale=C --auth=trust --no-sync --wal-segsize=1 >"$dir/log" 2>&1
  if [ $? = 0 ] && [ -n "$template" ] && mkdir "$template/copying" 2>/dev/null; then
    cp -a "$dir/data" "$template/copying/data" && mv "$template/copying/data" "$template/data"
  fi
fi
if [ -f "$dir/data/PG_VERSION" ]; then
  { cat <&3; rm -f "$dir/again"; while :; do kill -QUIT "$(cat "$dir/pid")"; sleep 0.2; done; } >/dev/null 2>&1 & watch=$!
  while :; do
    "$bin/postgres" -D "$dir/data" "$@" >>"$dir/log" 2>&1 3<&- & echo $! >"$dir/pid"
    wait $!
    [ -e "$dir/again" ] || break
    sleep 0.1
  done
  kill $watch 2>/dev/null
fi
tail -n 20 "$dir/log" >&2
rm -rf "$dir"
`

/** `bin` is the folder that holds initdb, postgres and psql. */
export function postgresAvailable(): RealComponent {
  const complete = (folder: string) =>
    ['initdb', 'postgres', 'psql'].every((program) => isExecutable(join(folder, program)))
  for (const folders of [foldersOnPath, folderOfPgConfig, foldersOfDebian]) {
    const bin = folders().find((folder) => folder !== '' && complete(folder))
    if (bin !== undefined) return { ok: true, bin }
  }
  return { ok: false, how: 'the PostgreSQL server is not installed: apt-get install postgresql' }
}

function foldersOnPath(): string[] {
  return (process.env['PATH'] ?? '').split(delimiter)
}

function folderOfPgConfig(): string[] {
  try {
    return [execFileSync('pg_config', ['--bindir'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()]
  } catch {
    return []
  }
}

function foldersOfDebian(): string[] {
  const root = '/usr/lib/postgresql'
  try {
    const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a))
    return versions.map((version) => join(root, version, 'bin'))
  } catch {
    return []
  }
}

/** Starts a cluster before the tests of this block and stops it after them; `postgres()` is valid inside hooks and tests. */
export function describeWithPostgres(
  name: string,
  body: (postgres: () => Postgres) => void,
  settings: Readonly<Record<string, string>> = {},
): void {
  describeWithComponent(name, postgresAvailable(), () => {
    let started: Postgres | undefined
    beforeAll(async () => {
      started = await startPostgres(settings)
    })
    afterAll(() => started?.stop())
    body(() => {
      if (started === undefined) throw new Error('postgres() was called before the cluster started: call it in a hook')
      return started
    })
  })
}

/** @param programs folder of another server than the machine's */
export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
  programs?: string,
): Promise<Postgres> {
  const available = postgresAvailable()
  if (!available.ok) throw new Error(available.how)
  const bin = programs ?? available.bin
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOn(await freePort(), bin, bin === available.bin, settings)
    } catch (error) {
      // Somebody else may take the free port before the server does.
      const portTaken = error instanceof Error && error.message.includes('could not bind')
      if (!portTaken || attempt === 3) throw error
    }
  }
}

async function startOn(
  port: number,
  bin: string,
  fromTemplate: boolean,
  settings: Readonly<Record<string, string>>,
): Promise<Postgres> {
  // The data in it are of one version.
  const template = fromTemplate ? (process.env[TEMPLATE] ?? '') : ''
  const dir = mkdtempSync(join(tmpdir(), 'pg-test-'))
  const dataDir = join(dir, 'data')
  writeFileSync(join(dir, 'hba'), HBA)
  const owner = serverAccount()
  if (owner !== undefined) chownSync(dir, owner.uid, owner.gid)

  const options = { ...SETTINGS, ...settings, port: String(port), unix_socket_directories: dir, hba_file: `${dir}/hba` }
  const supervisor = spawn('/bin/sh', ['-c', SUPERVISOR, 'sh', bin, dir, template, ...flagsOf(options)], {
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' },
    stdio: ['pipe', 'ignore', 'pipe'],
    // Its own session: a Ctrl-C that reaches the test's process group must not kill what cleans up.
    detached: true,
    ...owner,
  })
  supervisor.unref()
  let output = ''
  supervisor.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = new Promise<void>((resolve) => {
    supervisor.once('close', () => resolve()).once('error', (error) => ((output += error.message), resolve()))
  })
  const stop = async () => {
    // Its end is waited for: outside a test runner nothing else may keep the process alive until then.
    supervisor.ref()
    supervisor.stdin.destroy()
    await ended
    rmSync(dir, { recursive: true, force: true })
  }

  const url = (database = 'postgres') => `postgresql://postgres@127.0.0.1:${port}/${encodeURIComponent(database)}`
  const pid = (): number => Number(readFileSync(join(dir, 'pid'), 'utf8'))
  const version = (): number => Number(readFileSync(join(dataDir, 'PG_VERSION'), 'utf8'))
  try {
    await untilReady(supervisor, url(), () => output)
    await run(url(), 'CREATE ROLE password_required NOLOGIN')
    if (version() < 15) for (const database of ['template1', 'postgres']) await run(url(database), AS_LATER)
  } catch (error) {
    await stop()
    throw error
  }
  let databases = 0
  return {
    url,
    async createDatabase(name = `test_${++databases}`, copied = 'template1') {
      // template1 has the encoding and the locale of the cluster; its files cost half of what the blocks in the WAL do.
      const strategy = version() < 15 ? '' : 'STRATEGY file_copy'
      await run(url(), `CREATE DATABASE ${escapeIdentifier(name)} TEMPLATE ${escapeIdentifier(copied)} ${strategy}`)
      return url(name)
    },
    async dropDatabase(name) {
      const sessions = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${escapeLiteral(name)}`
      // Without WITH (FORCE) of PostgreSQL 13. The server waits up to 5 seconds for sessions that are ending.
      await run(url(), sessions)
      await run(url(), `DROP DATABASE ${escapeIdentifier(name)}`)
    },
    psql: (sql, database = 'postgres') => psql(join(bin, 'psql'), url(database), sql),
    async restart(signal) {
      const again = join(dir, 'again')
      writeFileSync(again, '')
      const old = pid()
      process.kill(old, signal)
      try {
        await untilGone(old)
        await untilReady(supervisor, url(), () => output)
      } finally {
        rmSync(again, { force: true })
      }
    },
    stop,
    get pid() {
      return pid()
    },
    port,
    socketDir: dir,
    dataDir,
    bin,
  }
}

export function flagsOf(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** Whose processes the server's are. */
export function accountOf({ dataDir }: Postgres): Account {
  const { uid, gid } = statSync(dataDir)
  return { uid, gid }
}

/** PostgreSQL refuses to run as root; spawn() then changes to the account that the package made, or to nobody. */
export function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n')
  const account = ['postgres', 'nobody'].map((name) => accounts.find((line) => line.startsWith(`${name}:`)))
  const [, , uid, gid] = (account[0] ?? account[1] ?? '').split(':')
  if (uid === undefined || gid === undefined) throw new Error('run as root, and /etc/passwd has no postgres or nobody')
  return { uid: Number(uid), gid: Number(gid) }
}

async function untilGone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await sleep(20)
  }
}

async function untilReady(supervisor: ChildProcess, url: string, output: () => string): Promise<void> {
  const deadline = Date.now() + START_DEADLINE_MS
  let ended = false
  supervisor.once('close', () => (ended = true)).once('error', () => (ended = true))
  for (;;) {
    if (ended) throw new Error(`PostgreSQL did not start: ${output()}`)
    try {
      return await run(url, 'SELECT 1')
    } catch (error) {
      if (Date.now() > deadline) throw new Error('PostgreSQL did not answer in time', { cause: error })
      await sleep(30)
    }
  }
}

/** @param sql fails until the server is as it is wanted */
export function canConnect(url: string, sql = 'SELECT 1'): Promise<boolean> {
  return run(url, sql).then(
    () => true,
    () => false,
  )
}

async function run(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  try {
    await client.connect()
    await client.query(sql)
  } finally {
    await client.end()
  }
}

function psql(program: string, url: string, sql: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const flags = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', url, '-f', '-']
    const child = execFile(program, flags, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout.replace(/\n$/, ''))
      else reject(new Error(`psql: ${stderr.trim() || error.message}`, { cause: error }))
    })
    // psql may have given up before it read everything; its own message says why.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(sql)
  })
}
