// What a build survives: every bad input, a server that hangs, a disk that is full or read-only. After each of them the
// release that was current is whole, and still current.
// long test: a build for each fault
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, utimesSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { listReleases } from '../../src/release/reading/release-list.ts'
import { begin, failureOf, logOf, run, type Ran } from '../builder/build-program.ts'
import { temporaryFolder, wholeCurrent } from '../release/sample-release.ts'
import { asRoot } from '../support/as-root.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { releasePaths } from '../../src/release/format/paths.ts'
import { expectUntouched, leftovers, until, SLOW, publishedPlatform } from './published-platform.ts'

describeWithPostgres('a build that goes wrong', (postgres) => {
  const { made, snapshotsWithRelease, mapping, lockTable, endSessions, argsOf } = publishedPlatform(postgres)
  let url: string
  let published: string
  let id: string
  beforeAll(() => void ({ url, published, id } = made()))

  describe('by what it was told', () => {
    const at = (change: (target: URL) => void) => (): string[] => {
      const target = new URL(url)
      change(target)
      return ['--database-url', target.href]
    }
    const changed = (name: string, from: string, to: string) => (): string[] => ['--source', mapping(name, [from, to])]

    const BAD: readonly [what: string, args: () => string[], code: number, message: RegExp][] = [
      [
        'a URL of another kind',
        () => ['--database-url', 'postgres//u:s3cret@h/d'],
        2,
        /^analytics-build: --database-url: not a PostgreSQL URL/,
      ],
      [
        'a wrong password',
        at((target) => {
          target.username = 'analyst'
          target.password = 's3cret'
        }),
        3,
        /^cannot connect to analyst@127\.0\.0\.1:\d+\/small: password authentication failed .*check the user and the password .*28P01/,
      ],
      [
        'a database without these tables',
        at((target) => (target.pathname = '/postgres')),
        3,
        /^mapping native: table users does not exist, table ideas .*; is --source native right here\? /,
      ],
      [
        'a role without privileges',
        at((target) => (target.username = 'outsider')),
        3,
        /^mapping native: role outsider may not read users\(id, created_at\); GRANT SELECT .* and 5 more: /,
      ],
      [
        'an id twice',
        changed('twice', 'status FROM ideas', 'status FROM ideas, generate_series(1, 2)'),
        3,
        /section ideas: it returns id 1 2 times; return every idea once\. In psql .*: SELECT .* HAVING count\(\*\) > 1;$/,
      ],
      [
        'a mapping file with an error',
        changed('error', '-- section comments', '-- section coments'),
        2,
        /^analytics-build: .*\/error\.sql:\d+: no section "coments"; allowed: users, ideas/,
      ],
    ]
    it.concurrent.for(BAD)('%s', async ([, args, code, message], { onTestFinished: finished }) => {
      const snapshots = await snapshotsWithRelease(finished)
      const ran = await run(argsOf(snapshots, ...args()))
      expect(failureOf(ran)).toMatch(message)
      expect(ran).toMatchObject({ code, stdout: '' })
      expect(ran.stderr).not.toContain('s3cret')
      expect(ran.stderr).not.toContain('    at ')
      expect(ran.ms).toBeLessThan(15_000)
      await expectUntouched(snapshots, id)
    })

    it('warns once when it is told not to verify the server', async () => {
      const snapshots = await snapshotsWithRelease()
      const ran = await run(argsOf(snapshots, ...at((target) => (target.search = '?sslmode=require'))()))
      expect(ran.code).toBe(3)
      expect(failureOf(ran)).toMatch(/does not support SSL/)
      expect(logOf(ran).filter(({ level }) => level === 'warn')).toEqual([
        expect.objectContaining({
          message: expect.stringMatching(/^sslmode=require encrypts, but does not verify who/),
        }),
      ])
    })

    it('tries again what may pass, three times, and says so', async () => {
      const snapshots = await snapshotsWithRelease()
      const ran = await run(argsOf(snapshots, '--database-url', 'postgresql://u:s3cret@127.0.0.1:1/d'))
      expect(logOf(ran).map(({ level, waitMs }) => [level, waitMs])).toEqual([
        ['warn', 500],
        ['warn', 2_000],
        ['warn', 5_000],
        ['error', undefined],
      ])
    })
  })

  describe('by a server that is busy or hangs', () => {
    it('gives up a table that stays locked, after 5 s and three more tries', async () => {
      const snapshots = await snapshotsWithRelease()
      await lockTable('comments')
      const ran = await run(argsOf(snapshots))
      expect(ran.code).toBe(3)
      expect(failureOf(ran)).toMatch(
        /^mapping native, section comments: .*lock timeout; a lock was held longer than a build waits.*55P03/,
      )
      expect(logOf(ran).filter(({ level }) => level === 'warn')).toHaveLength(3)
      await expectUntouched(snapshots, id)
    })

    it('succeeds when the table is free again in time', async () => {
      const snapshots = await snapshotsWithRelease()
      const blocker = await lockTable('comments')
      const { done } = begin(argsOf(snapshots))
      await sleep(6_000)
      await blocker.query('COMMIT')
      expect((await done).code).toBe(0)
      expect((await wholeCurrent(snapshots)) > id).toBe(true)
    })

    const DEADLINE_MS = 4_000
    async function expectDeadline(running: Promise<Ran>, snapshots: string): Promise<void> {
      const ran = await running
      expect(ran.code).toBe(3)
      expect(ran.ms).toBeLessThan(DEADLINE_MS + 5_000)
      expect(ran.ms).toBeGreaterThan(DEADLINE_MS)
      expect(failureOf(ran)).toMatch(/^the build took longer than --deadline 4s; raise it/)
      await expectUntouched(snapshots, id)
    }

    it('keeps --deadline when the server stops while it is being connected to', async () => {
      const snapshots = await snapshotsWithRelease()
      const { pid } = postgres()
      process.kill(pid, 'SIGSTOP')
      try {
        await expectDeadline(run(argsOf(snapshots, '--deadline', '4s')), snapshots)
      } finally {
        process.kill(pid, 'SIGCONT')
      }
    })

    it('keeps --deadline when the session stops in the middle of a query', async () => {
      const snapshots = await snapshotsWithRelease()
      const slow = mapping('stopped', SLOW)
      const { done } = begin(argsOf(snapshots, '--deadline', '4s', '--source', slow))
      let session = 0
      await until('the query runs', async () => {
        session = Number(
          await postgres().psql(
            `SELECT pid FROM pg_stat_activity WHERE application_name = 'analytics-build' AND query LIKE 'COPY%'`,
          ),
        )
        return session > 0
      })
      process.kill(session, 'SIGSTOP')
      try {
        await expectDeadline(done, snapshots)
      } finally {
        process.kill(session, 'SIGCONT')
        await endSessions()
      }
    })
  })

  describe('by its disk', () => {
    const disk = temporaryDisk()
    const testOnDisk = disk.ok ? it : it.skip
    if (!disk.ok) {
      const { why } = disk
      if (process.env['CI'] === 'true')
        it('has a small disk in CI', () => {
          throw new Error(why)
        })
      else process.stderr.write(`skipped: builds on a full and on a read-only disk: ${why}\n`)
    }

    const smallDisk = async (): Promise<{
      snapshots: string
      remount: (how: 'ro' | 'rw') => void
      freeBytes: () => number
    }> => {
      if (!disk.ok) throw new Error(disk.why)
      const mounted = disk.mount()
      const snapshots = join(mounted.folder, 'snapshots')
      await cp(published, snapshots, { recursive: true, verbatimSymlinks: true })
      const freeBytes = (): number => {
        const { bavail, bsize } = statfsSync(mounted.folder)
        return bavail * bsize
      }
      return { snapshots, remount: mounted.remount, freeBytes }
    }

    // From too little for the lock to enough for most of the files.
    testOnDisk.each([0, 4, 64, 256])('that is full but for %d KiB: 6, and the space is given back', async (freeKib) => {
      const { snapshots, freeBytes } = await smallDisk()
      const filler = join(snapshots, '..', 'filler')
      writeFileSync(filler, Buffer.alloc(freeBytes() - freeKib * 1024))
      const before = freeBytes()
      expect(before).toBe(freeKib * 1024)
      const ran = await run(argsOf(snapshots))
      expect(ran.code).toBe(6)
      expect(failureOf(ran)).toMatch(
        /^cannot (write|create) \/.*: ENOSPC, the disk is full; free space, or lower --keep$/,
      )
      expect(freeBytes()).toBe(before)
      await expectUntouched(snapshots, id)
      rmSync(filler)
      expect((await run(argsOf(snapshots))).code).toBe(0)
    })

    // What the error of a build on a full disk tells to do.
    testOnDisk('that has no room for a byte: prune makes room all the same', async () => {
      const { snapshots, freeBytes } = await smallDisk()
      for (let built = 0; built < 2; built++) expect((await run(argsOf(snapshots))).code).toBe(0)
      const hourAgo = Date.now() / 1000 - 3600
      utimesSync(join(snapshots, 'releases', id), hourAgo, hourAgo)
      writeFileSync(join(snapshots, '..', 'filler'), Buffer.alloc(freeBytes()))
      expect(freeBytes()).toBe(0)
      const ran = await run(['prune', '--keep', '1', '--snapshots', snapshots])
      expect(ran).toMatchObject({ code: 0 })
      const left = await listReleases(releasePaths(snapshots))
      expect(left).toHaveLength(2)
      expect(left).not.toContain(id)
      expect(freeBytes()).toBeGreaterThan(0)
      expect(existsSync(join(snapshots, '.lock'))).toBe(false)
    })

    testOnDisk('that is read-only: 6', async () => {
      const { snapshots, remount } = await smallDisk()
      remount('ro')
      const ran = await run(argsOf(snapshots))
      expect(ran.code).toBe(6)
      expect(failureOf(ran)).toMatch(
        /^cannot write \/.*: EROFS, the file system is read-only; give --snapshots another folder$/,
      )
      await expectUntouched(snapshots, id)
      expect((await run(['status', '--snapshots', snapshots])).code).toBe(0)
      expect((await run(['verify', '--snapshots', snapshots])).code).toBe(0)
    })

    testOnDisk('that is read-only, and holds nothing yet: 6', async () => {
      const { snapshots, remount } = await smallDisk()
      remount('ro')
      const ran = await run(argsOf(join(snapshots, '..', 'other')))
      expect(ran.code).toBe(6)
      expect(failureOf(ran)).toMatch(
        /^cannot create \/.*\/other: EROFS, the file system is read-only; give --snapshots/,
      )
    })

    testOnDisk('that becomes read-only in the middle: 6', async () => {
      const { snapshots, remount } = await smallDisk()
      const slow = mapping('two-seconds', ['FROM comments', 'FROM comments, (SELECT pg_sleep(2)) AS slow'])
      // No stage is open for writing yet while the sections are described, so that the disk can be remounted.
      const blocker = await lockTable('votes')
      const { child, done } = begin(argsOf(snapshots, '--source', slow))
      onTestFinished(() => void child.kill('SIGKILL'))
      await until('the stage stands', async () => (await listReleases(releasePaths(snapshots), '.tmp-')).length > 0)
      remount('ro')
      await blocker.query('COMMIT')
      const ran = await done
      expect(ran.code).toBe(6)
      expect(failureOf(ran)).toMatch(/^cannot (write|create) \/.*: EROFS, the file system is read-only/)
      expect(await wholeCurrent(snapshots)).toBe(id)
      remount('rw')
      expect((await run(argsOf(snapshots))).code).toBe(0)
      expect(await leftovers(snapshots)).toEqual([])
    })

    // Permissions do not bind root while it may override them (capabilities(7)); util-linux is on every Linux.
    const asAnybody = process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override'] : []
    it('whose folder may not be written to: 6', async () => {
      const snapshots = await snapshotsWithRelease()
      execFileSync('chmod', ['a-w', snapshots])
      onTestFinished(() => void execFileSync('chmod', ['u+w', snapshots]))
      const ran = await begin(argsOf(snapshots), {}, {}, asAnybody).done
      expect(ran.code).toBe(6)
      expect(failureOf(ran)).toMatch(
        /: EACCES, permission denied; let this user write there, or give --snapshots another folder$/,
      )
      await expectUntouched(snapshots, id)
    })

    it('where a file stands in place of the folder: 6', async () => {
      const file = join(temporaryFolder(), 'file')
      writeFileSync(file, '')
      const ran = await run(argsOf(file))
      expect(ran.code).toBe(6)
      expect(failureOf(ran)).toMatch(/^cannot create \/.*\/file: /)
    })

    it('where a folder stands in place of `current`: 6', async () => {
      const snapshots = await snapshotsWithRelease()
      rmSync(join(snapshots, 'current'))
      mkdirSync(join(snapshots, 'current'))
      const ran = await run(argsOf(snapshots))
      expect(ran.code).toBe(6)
      expect(failureOf(ran)).toMatch(/^\/.*\/current is not a symbolic link; move it away/)
      expect(await listReleases(releasePaths(snapshots))).toEqual([id])
    })
  })
})

type SmallDisk = { ok: true; mount: () => MountedDisk } | { ok: false; why: string }

interface MountedDisk {
  readonly folder: string
  readonly remount: (how: 'ro' | 'rw') => void
}

/** A tmpfs of 8 MiB, mounted as root or through sudo without a password, as CI machines have it. */
function temporaryDisk(): SmallDisk {
  const owner = `uid=${process.getuid?.() ?? 0},gid=${process.getgid?.() ?? 0}`
  const mount = (): { folder: string; unmount: () => void } => {
    const folder = mkdtempSync(join(tmpdir(), 'small-disk-'))
    try {
      asRoot('mount', '-t', 'tmpfs', '-o', `size=8m,mode=755,${owner}`, 'tmpfs', folder)
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
