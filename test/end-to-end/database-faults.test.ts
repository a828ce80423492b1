// What a build makes of its server: killed, crashed, restarted, closed, full, no PostgreSQL at all, a standby that cancels
// the read. Whatever it is, the build ends in time with the right code and one line, shows no password, and the release
// that was current is whole; where it tries again, what it publishes is whole, too.
// long test: a server that fails in each way, with the waits between tries
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import { listReleases } from '../../src/release/reading/release-list.ts'
import { readManifest } from '../../src/release/reading/folder-reader.ts'
import { begin, failureOf, logOf, type Ran, type Running } from '../builder/build-program.ts'
import { createSmallPlatform } from '../builder/small-platform.ts'
import { temporaryFolder, wholeCurrent } from '../release/sample-release.ts'
import { describeWithPostgres, type Postgres } from '../support/postgres.ts'
import { startStandby, type Standby } from '../support/standby.ts'
import { releasePaths } from '../../src/release/format/paths.ts'

const NATIVE = readFileSync(packagePath('src', 'source', 'mapping', 'built-in', 'native', 'mapping.sql'), 'utf8')
const PASSWORD = 'S3CRET'
/** Waits before the second, third and fourth try. */
const WAITS_MS = [500, 2_000, 5_000]
const READING = `SELECT pid FROM pg_stat_activity WHERE application_name = 'analytics-build' AND query LIKE 'COPY%' AND wait_event = 'PgSleep'`

describeWithPostgres('a build whose server', (postgres) => {
  let home: string
  let published: string
  let id: string
  /** Of the role `analyst`, which reads with a password. */
  let url: string
  /** Reading the ideas takes some seconds. */
  let slow: string
  /** Longer than any test waits. */
  let slower: string

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'database-faults-'))
    published = join(home, 'published')
    slow = join(home, 'slow.sql')
    slower = join(home, 'slower.sql')
    for (const [file, seconds] of [
      [slow, 2],
      [slower, 120],
    ] as const)
      writeFileSync(file, NATIVE.replace('FROM comments', `FROM comments, (SELECT pg_sleep(${seconds})) AS slow`))
    const owner = await createSmallPlatform(postgres(), 'small')
    await postgres().psql(
      `CREATE ROLE analyst LOGIN PASSWORD '${PASSWORD}' IN ROLE password_required;
       GRANT SELECT ON ALL TABLES IN SCHEMA public TO analyst;`,
      'small',
    )
    url = owner.replace('postgres@', `analyst:${PASSWORD}@`)
    expect(await build(published, url).done).toMatchObject({ code: 0 })
    id = await wholeCurrent(published)
  })
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  /** The password comes as operators should give it: no other user of the machine sees the environment. */
  function build(snapshots: string, databaseUrl: string, ...more: string[]): Running {
    return begin(['--snapshots', snapshots, ...more], { DATABASE_URL: databaseUrl })
  }

  async function snapshotsWithRelease(finished: typeof onTestFinished = onTestFinished): Promise<string> {
    const folder = join(temporaryFolder(finished), 'snapshots')
    await cp(published, folder, { recursive: true, verbatimSymlinks: true })
    return folder
  }

  const waitsOf = (ran: Ran): unknown[] => logOf(ran).flatMap(({ waitMs }) => (waitMs === undefined ? [] : [waitMs]))

  function expectClean(ran: Ran): void {
    expect(ran.stdout + ran.stderr).not.toContain(PASSWORD)
    expect(ran.stderr).not.toMatch(/\n {4}at |Uncaught|Unhandled/)
    expect(WAITS_MS).toEqual(expect.arrayContaining(waitsOf(ran)))
  }

  async function expectFailure(ran: Ran, snapshots: string, message: RegExp, tries: 1 | 4): Promise<void> {
    expectClean(ran)
    expect(failureOf(ran)).toMatch(message)
    expect(ran).toMatchObject({ code: 3, stdout: '' })
    expect(waitsOf(ran)).toEqual(tries === 4 ? WAITS_MS : [])
    expect(await wholeCurrent(snapshots)).toBe(id)
    expect(await listReleases(releasePaths(snapshots), '.tmp-')).toEqual([])
  }

  async function expectPublishedAfter(ran: Ran, snapshots: string, said: RegExp): Promise<void> {
    expectClean(ran)
    expect(ran, ran.stderr).toMatchObject({ code: 0 })
    expect(waitsOf(ran).length, ran.stderr).toBeGreaterThan(0)
    expect(logOf(ran)[0]?.message).toMatch(said)
    expect((await wholeCurrent(snapshots)) > id).toBe(true)
    expect(await listReleases(releasePaths(snapshots), '.tmp-')).toEqual([])
  }

  async function pidOfReader(server: Postgres = postgres()): Promise<number> {
    return vi.waitFor(
      async () => {
        const pid = Number(await server.psql(READING))
        expect(pid).toBeGreaterThan(0)
        return pid
      },
      { timeout: 30_000, interval: 50 },
    )
  }

  const as = (role: string, database = 'small'): string => {
    const target = new URL(url)
    target.username = role
    target.pathname = `/${database}`
    return target.href
  }

  describe('does not let it in', () => {
    beforeAll(async () => {
      await postgres().psql(`
        CREATE DATABASE closed; ALTER DATABASE closed ALLOW_CONNECTIONS false;
        CREATE DATABASE private; REVOKE CONNECT ON DATABASE private FROM PUBLIC;
        CREATE DATABASE few CONNECTION LIMIT 0;
        CREATE ROLE counted LOGIN CONNECTION LIMIT 0 PASSWORD '${PASSWORD}' IN ROLE password_required;
        CREATE ROLE late LOGIN PASSWORD '${PASSWORD}' VALID UNTIL '2001-01-01' IN ROLE password_required;
        CREATE ROLE nologin PASSWORD '${PASSWORD}' IN ROLE password_required;`)
    })

    const CASES: readonly [what: string, url: () => string, tries: 1 | 4, message: RegExp][] = [
      [
        'because the database accepts no connections',
        () => as('analyst', 'closed'),
        4,
        /^cannot connect to analyst@.*\/closed: database "closed" is not currently accepting connections; an administrator has closed it: ALTER DATABASE … ALLOW_CONNECTIONS true opens it \(SQLSTATE 55000\)$/,
      ],
      [
        'because the role may not connect to the database',
        () => as('analyst', 'private'),
        1,
        /^cannot connect to analyst@.*: permission denied for database "private"; GRANT CONNECT ON DATABASE to the role of --database-url \(SQLSTATE 42501\)$/,
      ],
      [
        'because the role has no connection left',
        () => as('counted'),
        4,
        /too many connections for role "counted"; the role has its own limit: end its other sessions \(pg_stat_activity shows them\), or ALTER ROLE … CONNECTION LIMIT \(SQLSTATE 53300\)$/,
      ],
      [
        'because the database has no connection left',
        () => as('analyst', 'few'),
        4,
        /too many connections for database "few"; the database has its own limit: ALTER DATABASE … CONNECTION LIMIT raises it, or build at a quieter time \(SQLSTATE 53300\)$/,
      ],
      [
        'because the password has expired',
        () => as('late'),
        1,
        /password authentication failed for user "late"; check the user and the password/,
      ],
      [
        'because the role may not log in',
        () => as('nologin'),
        1,
        /role "nologin" is not permitted to log in; check the user/,
      ],
    ]
    it.concurrent.for(CASES)('%s', async ([, to, tries, message], { onTestFinished: finished }) => {
      const snapshots = await snapshotsWithRelease(finished)
      await expectFailure(await build(snapshots, to()).done, snapshots, message, tries)
    })

    it('because all its connections are taken, until they are given back', async () => {
      const snapshots = await snapshotsWithRelease()
      const others: Client[] = []
      onTestFinished(async () => void (await Promise.all(others.map((client) => client.end().catch(() => undefined)))))
      const take = async (): Promise<void> => {
        for (;;) {
          const client = new Client({ connectionString: url })
          client.on('error', () => undefined)
          await client.connect()
          others.push(client)
        }
      }
      await expect(take()).rejects.toThrow(/remaining connection slots/)
      const { done } = build(snapshots, url)
      await sleep(2_000)
      await Promise.all(others.map((client) => client.end()))
      await expectPublishedAfter(await done, snapshots, /connection slots.*; the server has no connection left.*53300/)
    })
  })

  describe('is no PostgreSQL:', () => {
    const TALKERS: readonly [what: string, talk: (socket: Socket) => void, query: string, message: RegExp][] = [
      ['closes at once', (socket) => socket.end(), '', /Connection terminated unexpectedly; the connection was lost/],
      ['resets at once', (socket) => socket.resetAndDestroy(), '', /ECONNRESET(?: [\d.:]+)?; the connection was cut/],
      ['says nothing', () => undefined, '&connect_timeout=1', /timeout expired; the server did not answer/],
      [
        'is a web server',
        (socket) => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'),
        '',
        /Connection terminated unexpectedly; the connection was lost/,
      ],
      [
        'is an SSH server that waits',
        (socket) => void socket.write('SSH-2.0-OpenSSH_9.2p1\r\n'),
        '&connect_timeout=1',
        /timeout expired; the server did not answer/,
      ],
      [
        'answers the request for TLS with a page',
        (socket) => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'),
        '&sslmode=require',
        /There was an error establishing an SSL connection; the server did not answer as PostgreSQL does; check host and port/,
      ],
    ]
    it.concurrent.for(TALKERS)('%s', async ([, talk, query, message], { onTestFinished: finished }) => {
      const server = createServer((socket) => {
        socket.on('error', () => undefined).resume()
        talk(socket)
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      finished(() => void server.close())
      const snapshots = await snapshotsWithRelease(finished)
      const { port } = server.address() as AddressInfo
      const to = `postgresql://analyst:${PASSWORD}@127.0.0.1:${port}/small?application_name=x${query}`
      await expectFailure(await build(snapshots, to).done, snapshots, message, 4)
    })
  })

  describe('ends while it reads:', () => {
    const ENDS: readonly [what: string, end: (reader: number) => Promise<unknown>, said: RegExp][] = [
      [
        'its session is killed, and the others with it',
        async (reader) => process.kill(reader, 'SIGKILL'),
        /^mapping native, reading ideas.*: (Connection terminated unexpectedly; the connection was lost|read ECONNRESET)/,
      ],
      [
        'an administrator ends the session',
        (reader) => postgres().psql(`SELECT pg_terminate_backend(${reader})`),
        /57P01/,
      ],
      ['it is restarted (fast)', () => postgres().restart('SIGINT'), /57P01/],
      ['it is restarted (immediate)', () => postgres().restart('SIGQUIT'), /57P0[12]|the connection was lost/],
      ['its postmaster is killed', () => postgres().restart('SIGKILL'), /57P01|the connection was lost/],
    ]
    it.each(ENDS)('%s', async (_, end, said) => {
      const snapshots = await snapshotsWithRelease()
      const { done } = build(snapshots, url, '--source', slow)
      await end(await pidOfReader())
      await expectPublishedAfter(await done, snapshots, said)
    })

    it('and stays away: nothing listens, four tries', async () => {
      const snapshots = await snapshotsWithRelease()
      const { done } = build(snapshots, url, '--source', slow)
      await pidOfReader()
      const back = postgres().restart('SIGINT', done)
      const ran = await done
      await back
      await expectFailure(ran, snapshots, /^cannot connect to analyst@.*ECONNREFUSED.*; nothing listens there/, 4)
    })

    it('and shuts down as long as somebody is there: 57P03, then it is back', async () => {
      const snapshots = await snapshotsWithRelease()
      const other = new Client({ connectionString: postgres().url('small') })
      other.on('error', () => undefined)
      await other.connect()
      const back = postgres().restart('SIGTERM')
      await vi.waitFor(() => expect(postgres().psql('SELECT 1')).rejects.toThrow(/shutting down/))
      const { done } = build(snapshots, url)
      await sleep(1_500)
      await other.end()
      await back
      await expectPublishedAfter(
        await done,
        snapshots,
        /the database system is shutting down; the server is starting up or not accepting connections \(SQLSTATE 57P03\)/,
      )
    })
  })

  describe('is a hot standby', () => {
    let standby: Standby | undefined
    beforeAll(async () => {
      standby = await startStandby(postgres(), {
        max_standby_streaming_delay: '0',
        max_standby_archive_delay: '0',
        hot_standby_feedback: 'off',
      })
      await postgres().psql('ALTER TABLE comments SET (autovacuum_enabled = off)', 'small')
    })
    afterAll(() => standby?.stop())

    const standbyUrl = (): string => standby?.url('postgres', 'small') ?? ''
    /** @param builds that read now */
    const isReading = async (builds: 0 | 1 = 1): Promise<void> => {
      const client = new Client({ connectionString: standbyUrl() })
      client.on('error', () => undefined)
      await client.connect()
      try {
        await vi.waitFor(async () => expect((await client.query(READING)).rowCount).toBe(builds), 30_000)
      } finally {
        await client.end()
      }
    }
    /** Takes away row versions that a transaction of the standby may still see. */
    const vacuum = async (): Promise<void> => {
      await postgres().psql('UPDATE comments SET created_at = created_at', 'small')
      await postgres().psql('VACUUM comments', 'small')
    }
    const CONFLICT =
      /^mapping .*: canceling statement due to conflict with recovery; on a standby, raise max_standby_streaming_delay or set hot_standby_feedback = on \(SQLSTATE 40001\)/

    it('that cancels the read for a VACUUM of its primary: it is tried again', async () => {
      const snapshots = await snapshotsWithRelease()
      const { done } = build(snapshots, standbyUrl(), '--source', slow)
      await isReading()
      await vacuum()
      await expectPublishedAfter(await done, snapshots, CONFLICT)
      const { source } = await readManifest(releasePaths(snapshots), await wholeCurrent(snapshots))
      expect(source.replayLagMs).toBeGreaterThanOrEqual(0)
    })

    it('that cancels it every time: four tries', async () => {
      const snapshots = await snapshotsWithRelease()
      const { done } = build(snapshots, standbyUrl(), '--source', slower)
      for (const _ of [1, 2, 3, 4]) {
        // Not before it reads: what is cancelled while it connects is said of the connection.
        await isReading()
        await vacuum()
        await isReading(0)
      }
      await expectFailure(await done, snapshots, CONFLICT, 4)
    })
  })

  describe('hides rows', () => {
    beforeAll(() =>
      postgres().psql(
        'ALTER TABLE ideas ENABLE ROW LEVEL SECURITY; CREATE POLICY half ON ideas TO analyst USING (id % 2 = 0)',
        'small',
      ),
    )
    afterAll(() => postgres().psql('DROP POLICY half ON ideas; ALTER TABLE ideas DISABLE ROW LEVEL SECURITY', 'small'))

    it('by row-level security: 3, naming the table and both ways out', async () => {
      const snapshots = await snapshotsWithRelease()
      const ran = await build(snapshots, url).done
      await expectFailure(ran, snapshots, /\bideas\b.*give the role BYPASSRLS, or pass --row-security apply/, 1)
    })

    it('and is read through its policies: said in the log and in the manifest, fewer counted', async () => {
      const snapshots = await snapshotsWithRelease()
      const ran = await build(snapshots, url, '--row-security', 'apply', '--accept-revision').done
      expectClean(ran)
      expect(ran).toMatchObject({ code: 0 })
      expect(logOf(ran)[0]).toMatchObject({
        level: 'warn',
        message: expect.stringMatching(/^row-level security is applied/),
      })
      const { source, rows } = await readManifest(releasePaths(snapshots), await wholeCurrent(snapshots))
      expect([source.rowSecurity, rows.ideas]).toEqual(['apply', 75])
    })
  })

  it('knows its password: no process shows it', async () => {
    const snapshots = await snapshotsWithRelease()
    const { child, done } = build(snapshots, url, '--source', slow)
    const reader = await pidOfReader()
    for (const pid of [child.pid, reader]) expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain(PASSWORD)
    const ran = await done
    expectClean(ran)
    expect(ran.code).toBe(0)
    expect(readFileSync(join(snapshots, 'current', 'manifest.json'), 'utf8')).not.toContain(PASSWORD)
  })
})
