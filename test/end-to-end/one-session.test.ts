// A build is one transaction on one session: it needs no second connection, and so can wait for none.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { join } from 'node:path'
import { run } from '../builder/build-program.ts'
import { createSmallPlatform } from '../builder/small-platform.ts'
import { wholeCurrent } from '../release/sample-release.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { pgbouncerAvailable, startPgBouncer, type PgBouncer } from '../support/pgbouncer.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { describeWithComponent } from '../support/real-component.ts'

describeWithPostgres('one session is enough for a build', (postgres) => {
  let url = ''
  beforeAll(async () => {
    url = await createSmallPlatform(postgres(), 'small')
    await postgres().psql(
      `CREATE ROLE single LOGIN CONNECTION LIMIT 1; GRANT SELECT ON ALL TABLES IN SCHEMA public TO single`,
      'small',
    )
  })

  async function expectBuild(databaseUrl: string): Promise<void> {
    const snapshots = join(temporaryFolder(onTestFinished), 'snapshots')
    const ran = await run(['--snapshots', snapshots, '--database-url', databaseUrl])
    expect(ran, ran.stderr).toMatchObject({ code: 0 })
    expect(ran.stderr).not.toContain('"level":"warn"')
    await wholeCurrent(snapshots)
  }

  it('of a role that may open no other', () => expectBuild(url.replace('postgres@', 'single@')))

  describeWithComponent('through PgBouncer', pgbouncerAvailable(), () => {
    describe.each(['transaction', 'session'])('that pools by %s', (mode) => {
      let pooler: PgBouncer | undefined
      beforeAll(async () => {
        pooler = await startPgBouncer(postgres(), { pool_mode: mode })
      })
      afterAll(() => pooler?.stop())

      it('with one connection to the server', () => expectBuild(pooler?.url('small') ?? ''))
    })
  })
})
