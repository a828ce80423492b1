// How far a real standby is behind, as a role without any privilege of statistics can know it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { readManifest } from '../../../src/release/reading/folder-reader.ts'
import { beginRead, type Begun } from '../../../src/source/database/transaction.ts'
import { logOf, run } from '../../builder/build-program.ts'
import { createSmallPlatform } from '../../builder/small-platform.ts'
import { wholeCurrent } from '../../release/sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { inSession } from '../../support/session.ts'
import { startStandby, type Standby } from '../../support/standby.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'

const OPTIONS = { statementTimeoutMs: 20_000, lockTimeoutMs: 5000, rowSecurity: 'off' } as const

describeWithPostgres('a standby', (postgres) => {
  let standby: Standby | undefined
  beforeAll(async () => {
    await createSmallPlatform(postgres(), 'small')
    await postgres().psql('CREATE ROLE plain LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO plain', 'small')
    standby = await startStandby(postgres())
  })
  afterAll(() => standby?.stop())

  const ask = <T>(role: string, use: (client: Client) => Promise<T>): Promise<T> =>
    inSession(standby?.url(role, 'small') ?? '', use)
  const tells = (sql: string): Promise<unknown> =>
    ask('postgres', async (client) => (await client.query<{ said: unknown }>(`SELECT ${sql} AS said`)).rows[0]?.said)
  const until = (sql: string): Promise<void> =>
    expect.poll(() => tells(sql), { timeout: 30_000, interval: 10 }).toBe(true)
  const lag = async (): Promise<Pick<Begun, 'standby' | 'replayLagMs'>> => {
    const { standby: is, replayLagMs } = await ask('plain', (client) => beginRead(client, OPTIONS))
    return { standby: is, replayLagMs }
  }
  const commit = (): Promise<string> =>
    postgres().psql('UPDATE comments SET created_at = created_at WHERE id = 1', 'small')

  test('that has replayed all it received is not behind, however long nothing was committed', async () => {
    await until('EXISTS (SELECT FROM pg_stat_wal_receiver)')
    await commit()
    await until(`now() - pg_last_xact_replay_timestamp() > interval '100 milliseconds'`)
    expect(await lag()).toEqual({ standby: true, replayLagMs: 0 })
  })

  test('that has something to replay is behind', async () => {
    await ask('postgres', (client) => client.query('SELECT pg_wal_replay_pause()'))
    try {
      await commit()
      await until('pg_last_wal_receive_lsn() > pg_last_wal_replay_lsn()')
      expect((await lag()).replayLagMs).toBeGreaterThan(0)
    } finally {
      await ask('postgres', (client) => client.query('SELECT pg_wal_replay_resume()'))
    }
    await until('pg_last_wal_receive_lsn() <= pg_last_wal_replay_lsn()')
    expect(await lag()).toEqual({ standby: true, replayLagMs: 0 })
  })

  test('whose primary is gone has an unknown lag, and a build of it says so', async () => {
    const hba = join(postgres().socketDir, 'hba')
    writeFileSync(hba, `host replication all all reject\n${readFileSync(hba, 'utf8')}`)
    await postgres().psql('SELECT pg_reload_conf()')
    await expect
      .poll(() => postgres().psql('SELECT count(pg_terminate_backend(pid)) FROM pg_stat_replication'), {
        timeout: 30_000,
        interval: 10,
      })
      .toBe('0')
    await until('NOT EXISTS (SELECT FROM pg_stat_wal_receiver)')
    expect(await lag()).toEqual({ standby: true, replayLagMs: null })

    const folder = temporaryFolder(onTestFinished)
    const [snapshots, metrics] = [join(folder, 'snapshots'), join(folder, 'metrics.prom')]
    const url = standby?.url('plain', 'small') ?? ''
    const ran = await run(['--snapshots', snapshots, '--database-url', url, '--metrics-file', metrics])
    expect(ran, ran.stderr).toMatchObject({ code: 0 })
    expect(logOf(ran).map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^the standby does not stream from its primary: how far it is behind is unknown; /),
    )
    const { source } = await readManifest(releasePaths(snapshots), await wholeCurrent(snapshots))
    expect(source).toEqual({ standby: true, replayLagMs: null, rowSecurity: 'off' })
    const { stdout: checked } = await run(['check', '--database-url', url])
    expect(checked).toContain(', a standby that does not stream: replay lag unknown;')
  })

  test('a primary is none', async () => {
    const begun = await inSession(postgres().url('small'), (client) => beginRead(client, OPTIONS))
    expect(begun).toMatchObject({ standby: false, replayLagMs: null })
  })
})
