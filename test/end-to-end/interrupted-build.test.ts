// Builds that a signal ends, or that are not alone (src/builder/run/, src/release/writing/). After each of them the release
// that was current is whole. SIGKILL at any moment is in test/torture.
// long test: builds and serves for each case
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { releasePaths } from '../../src/release/format/paths.ts'
import { currentId, listReleases } from '../../src/release/reading/release-list.ts'
import { begin, failureOf, logOf, run } from '../builder/build-program.ts'
import { temporaryFolder, wholeCurrent } from '../release/sample-release.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { expectUntouched, leftovers, publishedPlatform, SLOW, until } from './published-platform.ts'

describeWithPostgres('a build that is interrupted', (postgres) => {
  const { made, snapshotsWithRelease, mapping, lockTable, endSessions, argsOf } = publishedPlatform(postgres)
  let id: string
  beforeAll(() => void ({ id } = made()))

  describe('by a second one', () => {
    it('publishes once: the other says who holds the lock, and exits 5', async () => {
      const snapshots = await snapshotsWithRelease()
      const blocker = await lockTable('votes')
      const first = begin(argsOf(snapshots))
      await until('the first build waits for the table', async () => {
        const { rows } = await blocker.query('SELECT FROM pg_locks WHERE NOT granted')
        return rows.length > 0
      })
      const second = await run(argsOf(snapshots))
      expect(second).toMatchObject({ code: 5, stdout: '' })
      expect(failureOf(second)).toMatch(
        new RegExp(`^another command works in this folder: pid ${first.child.pid} on .*, started \\d{4}-`),
      )
      const rollback = await run(['rollback', id, '--snapshots', snapshots])
      expect(rollback.code).toBe(5)
      expect(failureOf(rollback)).toMatch(
        /^another command works in this folder: pid \d+ on .*; try again when it is done$/,
      )
      expect(await wholeCurrent(snapshots)).toBe(id)

      await blocker.query('COMMIT')
      expect(await first.done).toMatchObject({ code: 0 })
      expect((await wholeCurrent(snapshots)) > id).toBe(true)
      expect(await leftovers(snapshots)).toEqual([])
    })

    it('stops when its lock was taken over meanwhile, as after a suspend: nothing is published twice', async () => {
      const snapshots = await snapshotsWithRelease()
      const slow = mapping('one-second', ['FROM comments', 'FROM comments, (SELECT pg_sleep(1)) AS slow'])
      const { child, done } = begin(argsOf(snapshots, '--source', slow))
      onTestFinished(() => void child.kill('SIGKILL'))
      await until('the build reads', async () => (await listReleases(releasePaths(snapshots), '.tmp-')).length > 0)
      const holder = { host: 'elsewhere', pid: 1, startedAt: 'now', token: crypto.randomUUID() }
      writeFileSync(join(snapshots, '.lock'), JSON.stringify(holder))
      const ran = await done
      expect(ran.code).toBe(6)
      expect(failureOf(ran)).toBe('the lock was taken over by another build; this one stops')
      expect(await wholeCurrent(snapshots)).toBe(id)
      expect(await listReleases(releasePaths(snapshots))).toEqual([id])
      expect(await leftovers(snapshots)).toEqual(['.lock'])
      expect(JSON.parse(readFileSync(join(snapshots, '.lock'), 'utf8'))).toEqual(holder)
    })
  })

  describe('by a signal', () => {
    const SIGNALS: readonly [signal: 'SIGINT' | 'SIGTERM', code: number, said: string][] = [
      ['SIGINT', 130, 'interrupted'],
      ['SIGTERM', 143, 'terminated'],
    ]
    afterEach(endSessions)

    it.each(SIGNALS)('%s in the middle exits %d and leaves nothing half done', async (signal, code, said) => {
      const snapshots = await snapshotsWithRelease()
      const { child, done } = begin(argsOf(snapshots, '--source', mapping('slow', SLOW)))
      onTestFinished(() => void child.kill('SIGKILL'))
      await until('the ideas are being read', async () => {
        const reading = `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'analytics-build' AND query LIKE 'COPY%'`
        return (
          (await listReleases(releasePaths(snapshots), '.tmp-')).length === 1 &&
          (await postgres().psql(reading)) === '1'
        )
      })
      const startMs = performance.now()
      child.kill(signal)
      const ran = await done
      expect(performance.now() - startMs).toBeLessThan(5_000)
      expect(ran).toMatchObject({ code, stdout: '' })
      expect(logOf(ran)).toEqual([
        expect.objectContaining({ level: 'warn', message: `${said}; the release that was current still is` }),
      ])
      await expectUntouched(snapshots, id)
    })

    it('SIGINT at random moments: published and 0, or not and 130', async () => {
      const snapshots = await snapshotsWithRelease()
      for (let i = 0; i < 12; i++) {
        const before = await currentId(releasePaths(snapshots))
        const { child, done } = begin(argsOf(snapshots))
        await sleep(Math.random() * 450)
        child.kill('SIGINT')
        const { code } = await done
        const now = await wholeCurrent(snapshots)
        if (now === before) expect(code).toBe(130)
        else expect([0, 130]).toContain(code)
        expect(await leftovers(snapshots)).toEqual([])
      }
    })

    it('SIGTERM ends a schedule between two builds, and in one', async () => {
      const snapshots = await snapshotsWithRelease()
      const idle = begin(['schedule', ...argsOf(snapshots), '--cron', '0 0 1 1 *'])
      onTestFinished(() => void idle.child.kill('SIGKILL'))
      await sleep(1_000)
      idle.child.kill('SIGTERM')
      expect((await idle.done).code).toBe(143)
      await expectUntouched(snapshots, id)

      const fresh = join(temporaryFolder(), 'snapshots')
      const busy = begin(['schedule', ...argsOf(fresh, '--source', mapping('slow-too', SLOW)), '--cron', '0 0 1 1 *'])
      onTestFinished(() => void busy.child.kill('SIGKILL'))
      await until('the first build reads', async () => (await listReleases(releasePaths(fresh), '.tmp-')).length > 0)
      busy.child.kill('SIGTERM')
      const ran = await busy.done
      expect(ran.code).toBe(143)
      expect(logOf(ran).filter(({ level }) => level === 'error')).toEqual([])
      expect(await leftovers(fresh)).toEqual([])
    })
  })
})
