// What a build survives, one case of each kind of fault: a server that lets nobody in, is none, ends, hangs or cancels, a disk
// that is full or read-only, a signal, a second build. Whatever it is, the build ends in time with the right code and one
// line, shows no password, and the release that was current is whole; where it tries again, what it publishes is whole, too.
// long test: a build for each fault, with the waits between tries
import { execFileSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, utimesSync, writeFileSync } from 'node:fs'
import { cp, readdir } from 'node:fs/promises'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import { releasePaths } from '../../src/release/format/paths.ts'
import { readManifest } from '../../src/release/reading/folder-reader.ts'
import { listReleases, namesBelow } from '../../src/release/reading/release-list.ts'
import { begin, failureOf, logOf, run, type Ran, type Running } from '../builder/build-program.ts'
import { createSmallPlatform } from '../builder/small-platform.ts'
import { wholeCurrent } from '../release/sample-release.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { asRoot } from '../support/as-root.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { startStandby, type Standby } from '../support/standby.ts'
import { leftovers } from '../torture/workshop.ts'

const NATIVE = readFileSync(packagePath('src', 'source', 'mapping', 'built-in', 'native', 'mapping.sql'), 'utf8')
const PASSWORD = 'S3CRET'
/** Waits before the second, third and fourth try. */
const WAITS_MS = [500, 2_000, 5_000]
const READING = `SELECT pid FROM pg_stat_activity WHERE application_name = 'analytics-build' AND query LIKE '%COPY%' AND wait_event = 'PgSleep'`

describeWithPostgres('a build', (postgres) => {
  const home = mkdtempSync(join(tmpdir(), 'build-faults-'))
  const published = join(home, 'published')
  let id: string
  /** Of the role `analyst`, which reads with a password. */
  let url: string

  beforeAll(async () => {
    const owner = await createSmallPlatform(postgres(), 'small')
    await postgres().psql(
      `CREATE ROLE analyst LOGIN PASSWORD '${PASSWORD}' IN ROLE password_required;
       GRANT SELECT ON ALL TABLES IN SCHEMA public TO analyst;
       CREATE DATABASE closed; ALTER DATABASE closed ALLOW_CONNECTIONS false;
       CREATE DATABASE private; REVOKE CONNECT ON DATABASE private FROM PUBLIC;`,
      'small',
    )
    url = owner.replace('postgres@', `analyst:${PASSWORD}@`)
    expect(await build(published).done).toMatchObject({ code: 0 })
    id = await wholeCurrent(published)
  })
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  /** The password comes as operators should give it: no other user of the machine sees the environment. */
  function build(snapshots: string, more: readonly string[] = [], databaseUrl = url): Running {
    return begin(['--snapshots', snapshots, ...more], { DATABASE_URL: databaseUrl })
  }

  /** To its end, where that is all that is asked. */
  const built = (snapshots: string, databaseUrl = url): Promise<Ran> =>
    run(['--snapshots', snapshots], { DATABASE_URL: databaseUrl })

  async function snapshotsWithRelease(finished: typeof onTestFinished = onTestFinished): Promise<string> {
    const folder = join(temporaryFolder(finished), 'snapshots')
    await cp(published, folder, { recursive: true, verbatimSymlinks: true })
    return folder
  }

  /** Reading the comments takes so long. */
  function slowedBy(seconds: number): string[] {
    const file = join(home, `slow-${seconds}.sql`)
    writeFileSync(file, NATIVE.replace('FROM comments', `FROM comments, (SELECT pg_sleep(${seconds})) AS slow`))
    return ['--source', file]
  }

  const waitsOf = (ran: Ran): unknown[] => logOf(ran).flatMap(({ waitMs }) => (waitMs === undefined ? [] : [waitMs]))

  function expectClean(ran: Ran): void {
    expect(ran.stdout + ran.stderr).not.toContain(PASSWORD)
    expect(ran.stderr).not.toMatch(/\n {4}at |Uncaught|Unhandled/)
    expect(WAITS_MS).toEqual(expect.arrayContaining(waitsOf(ran)))
  }

  async function expectUntouched(snapshots: string): Promise<void> {
    expect(await wholeCurrent(snapshots)).toBe(id)
    expect(await leftovers(snapshots)).toEqual([])
  }

  async function expectFailure(ran: Ran, snapshots: string, code: number, message: RegExp, tries = 1): Promise<void> {
    expectClean(ran)
    expect(failureOf(ran)).toMatch(message)
    expect(ran).toMatchObject({ code, stdout: '' })
    expect(waitsOf(ran)).toEqual(tries === 4 ? WAITS_MS : [])
    await expectUntouched(snapshots)
  }

  async function expectPublishedAfter(ran: Ran, snapshots: string, said: RegExp): Promise<void> {
    expectClean(ran)
    expect(ran, ran.stderr).toMatchObject({ code: 0 })
    expect(waitsOf(ran).length, ran.stderr).toBeGreaterThan(0)
    expect(logOf(ran)[0]?.message).toMatch(said)
    expect((await wholeCurrent(snapshots)) > id).toBe(true)
    expect(await leftovers(snapshots)).toEqual([])
  }

  async function pidOfReader(): Promise<number> {
    return vi.waitFor(
      async () => {
        const pid = Number(await postgres().psql(READING))
        expect(pid).toBeGreaterThan(0)
        return pid
      },
      { timeout: 30_000, interval: 50 },
    )
  }

  /** It has logged that it tries again. */
  const warned = (child: ChildProcess): Promise<unknown> =>
    child.stderr === null ? Promise.reject(new Error('no log')) : once(child.stderr, 'data')

  // A server learns only when a query ends that nobody waits for it any more.
  const endSessions = (): Promise<string> =>
    postgres().psql(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'analytics-build'`,
    )

  /** Another session that holds a table until it commits, or until the test is over. */
  async function lockTable(table: string): Promise<Client> {
    const blocker = new Client({ connectionString: postgres().url('small') })
    await blocker.connect()
    onTestFinished(() => blocker.end())
    await blocker.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
    return blocker
  }

  describe('whose server does not let it in', () => {
    const CASES: readonly [what: string, database: string, message: RegExp][] = [
      [
        'because the database accepts no connections',
        'closed',
        /^cannot connect to analyst@.*\/closed: database "closed" is not currently accepting connections \(SQLSTATE 55000\)$/,
      ],
      [
        'because the role may not connect to the database',
        'private',
        /^cannot connect to analyst@.*: permission denied for database "private"; run what analytics-build grants prints for the role of --database-url \(SQLSTATE 42501\)$/,
      ],
    ]
    it.concurrent.for(CASES)('%s', async ([, database, message], { onTestFinished: finished }) => {
      const snapshots = await snapshotsWithRelease(finished)
      await expectFailure(await built(snapshots, url.replace(/small$/, database)), snapshots, 3, message)
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
      const { child, done } = build(snapshots)
      await warned(child)
      await Promise.all(others.map((client) => client.end()))
      await expectPublishedAfter(
        await done,
        snapshots,
        /connection slots.*; the server, the database or the role has no connection left.*53300/,
      )
    })
  })

  describe('whose server is no PostgreSQL:', () => {
    const page = (socket: Socket): void => void socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
    const TALKERS: readonly [what: string, talk: (socket: Socket) => void, query: string, message: RegExp][] = [
      ['resets at once', (socket) => socket.resetAndDestroy(), '', /ECONNRESET(?: [\d.:]+)?; the connection was cut/],
      ['says nothing', () => undefined, '&connect_timeout=1', /timeout expired; the server did not answer/],
      [
        'is a web server',
        page,
        '',
        /the server sent a message of \d+ bytes, allowed: 4 to \d+; it does not speak as PostgreSQL does; check host and port/,
      ],
      [
        'answers the request for TLS with a page',
        page,
        '&sslmode=require',
        /There was an error establishing an SSL connection; the server did not answer as PostgreSQL does; check host and port/,
      ],
    ]
    it.concurrent.for(TALKERS)('%s', async ([what, talk, query, message], { onTestFinished: finished }) => {
      const server = createServer((socket) => {
        socket.on('error', () => undefined).resume()
        talk(socket)
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      finished(() => void server.close())
      const snapshots = await snapshotsWithRelease(finished)
      const { port } = server.address() as AddressInfo
      const to = `postgresql://analyst:${PASSWORD}@127.0.0.1:${port}/small?application_name=x${query}`
      // One of them with the waits between its tries.
      const ran = await (what === 'resets at once' ? build(snapshots, [], to).done : built(snapshots, to))
      // Of sslmode=require there is a warning more.
      // What a server says that is no PostgreSQL it says again.
      await expectFailure(ran, snapshots, 3, message, message.source.includes('allowed') ? 1 : 4)
    })
  })

  describe('whose server ends while it reads:', () => {
    const ENDS: readonly [what: string, end: (reader: number) => Promise<unknown>, said: RegExp][] = [
      [
        'its session is killed, and the others with it',
        async (reader) => process.kill(reader, 'SIGKILL'),
        /^mapping native, section \w+: (Connection terminated unexpectedly; the connection was lost|read ECONNRESET)/,
      ],
      ['it is restarted', () => postgres().restart('SIGINT'), /57P01/],
      ['its postmaster is killed', () => postgres().restart('SIGKILL'), /57P01|the connection was lost/],
    ]
    it.each(ENDS)('%s', async (_, end, said) => {
      const snapshots = await snapshotsWithRelease()
      const { done } = build(snapshots, slowedBy(2))
      await end(await pidOfReader())
      await expectPublishedAfter(await done, snapshots, said)
    })
  })

  describe('of a hot standby', () => {
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

    it('that cancels the read for a VACUUM of its primary is tried again', async () => {
      const snapshots = await snapshotsWithRelease()
      const to = standby?.url('postgres', 'small') ?? ''
      const { done } = build(snapshots, slowedBy(2), to)
      const client = new Client({ connectionString: to })
      client.on('error', () => undefined)
      await client.connect()
      await vi.waitFor(async () => expect((await client.query(READING)).rowCount).toBe(1), 30_000)
      await client.end()
      // Takes away row versions that the transaction of the standby may still see.
      await postgres().psql('UPDATE comments SET created_at = created_at', 'small')
      await postgres().psql('VACUUM comments', 'small')
      const conflict =
        /^mapping .*: canceling statement due to conflict with recovery; on a standby, raise max_standby_streaming_delay or set hot_standby_feedback = on \(SQLSTATE 40001\)/
      await expectPublishedAfter(await done, snapshots, conflict)
      const { source } = await readManifest(releasePaths(snapshots), await wholeCurrent(snapshots))
      expect(source.replayLagMs).toBeGreaterThanOrEqual(0)
    })
  })

  it('shows its password to nobody: no process has it in its command line', async () => {
    const snapshots = await snapshotsWithRelease()
    const { child, done } = build(snapshots, slowedBy(2))
    const reader = await pidOfReader()
    for (const pid of [child.pid, reader]) expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain(PASSWORD)
    const ran = await done
    expectClean(ran)
    expect(ran.code).toBe(0)
    expect(readFileSync(join(snapshots, 'current', 'manifest.json'), 'utf8')).not.toContain(PASSWORD)
  })

  describe('whose server is busy or hangs', () => {
    afterEach(endSessions)

    it('succeeds when a locked table is free again in time', async () => {
      const snapshots = await snapshotsWithRelease()
      const blocker = await lockTable('comments')
      const { child, done } = build(snapshots)
      await warned(child)
      await blocker.query('COMMIT')
      await expectPublishedAfter(
        await done,
        snapshots,
        /lock timeout; a lock was held longer than a build waits.*55P03/,
      )
    })

    it.each([
      ['the server while it is being connected to', async () => postgres().pid],
      ['the session in the middle of a query', pidOfReader],
    ])('keeps --deadline when what stops is %s', async (what, stopped) => {
      const snapshots = await snapshotsWithRelease()
      const isBefore = what.startsWith('the server')
      const begun = isBefore ? null : build(snapshots, ['--deadline', '4s', ...slowedBy(120)])
      const pid = await stopped()
      process.kill(pid, 'SIGSTOP')
      try {
        const ran = await (begun ?? build(snapshots, ['--deadline', '4s'])).done
        expect(ran.ms).toBeLessThan(9_000)
        expect(ran.ms).toBeGreaterThan(4_000)
        await expectFailure(ran, snapshots, 3, /^the build took longer than --deadline 4s; raise it/)
      } finally {
        process.kill(pid, 'SIGCONT')
      }
    })
  })

  describe('whose disk', () => {
    const disk = temporaryDisk()
    const testOnDisk = disk.ok ? it : it.skip
    if (!disk.ok) {
      const { why } = disk
      if (process.env['CI'] === 'true')
        it('is a small one in CI', () => {
          throw new Error(why)
        })
      else process.stderr.write(`skipped: builds on a full and on a read-only disk: ${why}\n`)
    }

    const smallDisk = async () => {
      if (!disk.ok) throw new Error(disk.why)
      const { folder, remount } = disk.mount()
      const snapshots = join(folder, 'snapshots')
      await cp(published, snapshots, { recursive: true, verbatimSymlinks: true })
      const freeBytes = (): number => {
        const { bavail, bsize } = statfsSync(folder)
        return bavail * bsize
      }
      return { snapshots, remount, freeBytes }
    }

    // Too little for the lock, and enough for most of the files.
    testOnDisk.each([0, 256])('is full but for %d KiB: 6, and the space is given back', async (freeKib) => {
      const { snapshots, freeBytes } = await smallDisk()
      const filler = join(snapshots, '..', 'filler')
      writeFileSync(filler, Buffer.alloc(freeBytes() - freeKib * 1024))
      const message = /^cannot (write|create) \/.*: ENOSPC, the disk is full; free space, or lower --keep$/
      await expectFailure(await built(snapshots), snapshots, 6, message)
      expect(freeBytes()).toBe(freeKib * 1024)
      rmSync(filler)
      expect((await built(snapshots)).code).toBe(0)
    })

    // What the error of a build on a full disk tells to do.
    testOnDisk('has no room for a byte: prune makes room all the same', async () => {
      const { snapshots, freeBytes } = await smallDisk()
      for (let nth = 0; nth < 2; nth++) expect((await built(snapshots)).code).toBe(0)
      const hourAgo = Date.now() / 1000 - 3600
      utimesSync(join(snapshots, 'releases', id), hourAgo, hourAgo)
      writeFileSync(join(snapshots, '..', 'filler'), Buffer.alloc(freeBytes()))
      expect(freeBytes()).toBe(0)
      expect(await run(['prune', '--keep', '1', '--snapshots', snapshots])).toMatchObject({ code: 0 })
      const left = await listReleases(releasePaths(snapshots))
      expect(left).toHaveLength(2)
      expect(left).not.toContain(id)
      expect(freeBytes()).toBeGreaterThan(0)
      expect(existsSync(join(snapshots, '.lock'))).toBe(false)
    })

    testOnDisk('is read-only: 6', async () => {
      const { snapshots, remount } = await smallDisk()
      remount('ro')
      const message = /^cannot write \/.*: EROFS, the file system is read-only; give --snapshots another folder$/
      await expectFailure(await built(snapshots), snapshots, 6, message)
      for (const command of ['status', 'verify']) expect((await run([command, '--snapshots', snapshots])).code).toBe(0)
    })

    testOnDisk('becomes read-only in the middle: 6', async () => {
      const { snapshots, remount } = await smallDisk()
      // No stage is open for writing yet while the sections are described, so that the disk can be remounted.
      const blocker = await lockTable('votes')
      const { child, done } = build(snapshots, slowedBy(2))
      onTestFinished(() => void child.kill('SIGKILL'))
      await expect.poll(() => namesBelow(releasePaths(snapshots), '.tmp-'), { timeout: 20_000 }).toHaveLength(1)
      remount('ro')
      await blocker.query('COMMIT')
      const ran = await done
      expect(ran.code).toBe(6)
      expect(failureOf(ran)).toMatch(/^cannot (write|create) \/.*: EROFS, the file system is read-only/)
      expect(await wholeCurrent(snapshots)).toBe(id)
      remount('rw')
      expect((await built(snapshots)).code).toBe(0)
      expect(await leftovers(snapshots)).toEqual([])
    })

    // Permissions do not bind root while it may override them (capabilities(7)); util-linux is on every Linux.
    const asAnybody = process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override'] : []
    it('has a folder that may not be written to: 6', async () => {
      const snapshots = await snapshotsWithRelease()
      execFileSync('chmod', ['a-w', snapshots])
      onTestFinished(() => void execFileSync('chmod', ['u+w', snapshots]))
      const ran = await begin(['--snapshots', snapshots], { DATABASE_URL: url }, {}, asAnybody).done
      const message = /: EACCES, permission denied; let this user write there, or give --snapshots another folder$/
      await expectFailure(ran, snapshots, 6, message)
    })
  })

  describe('that is not alone', () => {
    it('publishes once: the other says who holds the lock, and exits 5', async () => {
      const snapshots = await snapshotsWithRelease()
      const blocker = await lockTable('votes')
      const first = build(snapshots)
      const waiting = async (): Promise<number> =>
        (await blocker.query('SELECT FROM pg_locks WHERE NOT granted')).rows.length
      await expect.poll(waiting, { timeout: 20_000 }).toBeGreaterThan(0)
      const second = await built(snapshots)
      expect(second).toMatchObject({ code: 5, stdout: '' })
      expect(failureOf(second)).toMatch(
        new RegExp(`^another command works in this folder: pid ${first.child.pid} on .*, started \\d{4}-`),
      )
      expect(await wholeCurrent(snapshots)).toBe(id)
      await blocker.query('COMMIT')
      expect(await first.done).toMatchObject({ code: 0 })
      expect((await wholeCurrent(snapshots)) > id).toBe(true)
      expect(await leftovers(snapshots)).toEqual([])
    })

    it('stops when its lock was taken over meanwhile, as after a suspend: nothing is published twice', async () => {
      const snapshots = await snapshotsWithRelease()
      const { child, done } = build(snapshots, slowedBy(1))
      onTestFinished(() => void child.kill('SIGKILL'))
      await expect.poll(() => namesBelow(releasePaths(snapshots), '.tmp-'), { timeout: 20_000 }).toHaveLength(1)
      const holder = { host: 'elsewhere', pid: 1, startedAt: 'now', token: crypto.randomUUID() }
      writeFileSync(join(snapshots, '.lock'), JSON.stringify(holder))
      const ran = await done
      expect(ran.code).toBe(6)
      expect(failureOf(ran)).toBe('the lock was taken over by another build; this one stops')
      expect(await wholeCurrent(snapshots)).toBe(id)
      expect(await readdir(join(snapshots, 'releases'))).toEqual([id])
      expect(JSON.parse(readFileSync(join(snapshots, '.lock'), 'utf8'))).toEqual(holder)
    })
  })

  describe('that gets', () => {
    afterEach(endSessions)

    it.each([
      ['SIGINT', [], 130, 'interrupted'],
      ['SIGTERM', [], 143, 'terminated'],
      ['SIGTERM', ['schedule', '--cron', '0 0 1 1 *'], 143, 'terminated'],
    ] as const)('%s in the middle %j exits %d and leaves nothing half done', async (signal, command, code, said) => {
      const snapshots = await snapshotsWithRelease()
      if (command.length > 0) rmSync(snapshots, { recursive: true })
      const args = [...command, '--snapshots', snapshots, ...slowedBy(120)]
      const { child, done } = begin(args, { DATABASE_URL: url })
      onTestFinished(() => void child.kill('SIGKILL'))
      await pidOfReader()
      const startMs = performance.now()
      child.kill(signal)
      const ran = await done
      expect(performance.now() - startMs).toBeLessThan(5_000)
      expect(ran).toMatchObject({ code, stdout: '' })
      if (command.length > 0) return expect(await leftovers(snapshots)).toEqual([])
      expect(logOf(ran)).toEqual([
        expect.objectContaining({ level: 'warn', message: `${said}; the release that was current still is` }),
      ])
      return expectUntouched(snapshots)
    })
  })
})

type SmallDisk = { ok: true; mount: () => MountedDisk } | { ok: false; why: string }

interface MountedDisk {
  readonly folder: string
  readonly remount: (how: 'ro' | 'rw') => void
}

/** A tmpfs of 16 MiB, which has room for three releases, mounted as root or through sudo without a password, as CI machines have it. */
function temporaryDisk(): SmallDisk {
  const owner = `uid=${process.getuid?.() ?? 0},gid=${process.getgid?.() ?? 0}`
  const mount = (): { folder: string; unmount: () => void } => {
    const folder = mkdtempSync(join(tmpdir(), 'small-disk-'))
    try {
      asRoot('mount', '-t', 'tmpfs', '-o', `size=16m,mode=755,${owner}`, 'tmpfs', folder)
    } catch (error) {
      rmSync(folder, { recursive: true })
      throw error
    }
    return {
      folder,
      unmount: () => {
        // Lazy: also when a failed test has left a file open there.
        asRoot('umount', '-l', folder)
        rmSync(folder, { recursive: true })
      },
    }
  }
  try {
    mount().unmount()
  } catch (error) {
    return { ok: false, why: `cannot mount a tmpfs (as root, or by sudo -n): ${(error as Error).message.trim()}` }
  }
  return {
    ok: true,
    mount: () => {
      const { folder, unmount } = mount()
      onTestFinished(unmount)
      return { folder, remount: (how) => asRoot('mount', '-o', `remount,${how}`, folder) }
    },
  }
}
