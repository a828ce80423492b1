// Addresses of a database as platforms hand them out, given to the real program.
// long test: builds and serves for each case
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { logOf, run, type Ran } from '../builder/build-program.ts'
import { createSmallPlatform } from '../builder/small-platform.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { pgbouncerAvailable, startPgBouncer, type PgBouncer } from '../support/pgbouncer.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { describeWithComponent } from '../support/real-component.ts'

describeWithPostgres('a database that a platform hands out', (postgres) => {
  let url = ''
  beforeAll(async () => {
    url = await createSmallPlatform(postgres(), 'small')
    // The tables are where only a search_path leads; in public are others of the same names, without a row.
    await postgres().psql(
      `ALTER SCHEMA public RENAME TO "My App"; CREATE SCHEMA public;
       CREATE TABLE public.votes (LIKE "My App".votes); CREATE TABLE public.comments (LIKE "My App".comments);`,
      'small',
    )
  })

  const build = (env: Readonly<Record<string, string>>): Promise<Ran> =>
    run(['--json'], { ANALYTICS_SNAPSHOTS: join(temporaryFolder(onTestFinished), 'snapshots'), ...env })
  const rowsOf = ({ stdout }: Ran): unknown => (JSON.parse(stdout) as { rows: unknown }).rows
  const ROWS = { users: 300, ideas: 150, votes: 2_728, comments: 1_000, launchedIdeas: 50, categories: 5 }
  const warningsOf = (ran: Ran): string[] =>
    logOf(ran)
      .filter(({ level }) => level === 'warn')
      .map(({ message }) => message)
  const options = '?schema=My%20App&pgbouncer=true&connection_limit=1&pool_timeout=0'
  const warning =
    '--database-url: a build does not use pgbouncer, connection_limit, pool_timeout; the rest of the URL is used'

  it('with the options of Prisma is read in its schema, with one warning', async () => {
    const built = await build({ DATABASE_URL: `${url}${options}` })
    expect({ code: built.code, warnings: warningsOf(built) }, built.stderr).toEqual({ code: 0, warnings: [warning] })
    expect(rowsOf(built)).toEqual(ROWS)
  })

  it('with another one says that the URL decides', async () => {
    const built = await build({ DATABASE_URL: `${url}?schema=public` })
    expect(built.code).toBe(3)
    expect(built.stderr).toContain('give --database-url options=-c search_path=')
  })

  it('is checked and looked at in that schema, too', async () => {
    const checked = await run(['check', '--json'], { DATABASE_URL: `${url}${options}` })
    expect(checked.code, checked.stderr).toBe(0)
    expect(warningsOf(checked)).toEqual([warning])
    expect((JSON.parse(checked.stdout) as { totals: unknown }).totals).toMatchObject({ ideas: 150, votes: 2_728 })
    const looked = await run(['init', '--output', '-'], { DATABASE_URL: `${url}${options}` })
    expect(looked.code, looked.stderr).toBe(0)
    expect(looked.stdout).toContain('-- mapping: native\n')
  })

  it('as the variables of psql is read without a URL; a URL holds against them', async () => {
    const { port } = new URL(url)
    const variables = {
      PGHOST: '127.0.0.1',
      PGPORT: port,
      PGUSER: 'postgres',
      PGPASSWORD: 'S3CRET',
      PGDATABASE: 'small',
      PGOPTIONS: String.raw`-c search_path="My\ App"`,
    }
    const built = await build(variables)
    expect({ code: built.code, warnings: warningsOf(built) }, built.stderr).toEqual({ code: 0, warnings: [] })
    expect(rowsOf(built)).toEqual(ROWS)
    const { PGOPTIONS: _, ...elsewhere } = { ...variables, PGHOST: '127.0.0.1', PGPORT: '1', PGDATABASE: 'none' }
    expect(await build({ ...elsewhere, DATABASE_URL: `${url}${options}` })).toMatchObject({ code: 0 })
    const failed = await build(elsewhere)
    expect(failed.code).toBe(3)
    expect(failed.stderr).toContain('postgres@127.0.0.1:1/none')
    expect(failed.stderr).not.toContain('S3CRET')
  })

  describeWithComponent('through PgBouncer', pgbouncerAvailable(), () => {
    let pooler: PgBouncer | undefined
    beforeAll(async () => {
      pooler = await startPgBouncer(postgres())
    })
    afterAll(() => pooler?.stop())

    it('is read in the schema of its URL, which the next client of the pool does not see', async () => {
      const pooled = pooler?.url('small') ?? ''
      const built = await build({ DATABASE_URL: `${pooled}${options}` })
      expect({ code: built.code, warnings: warningsOf(built) }, built.stderr).toEqual({ code: 0, warnings: [warning] })
      expect(rowsOf(built)).toEqual(ROWS)
      const next = await build({ DATABASE_URL: pooled })
      expect(next.code).toBe(3)
      expect(next.stderr).toContain('is in schema My App')
    })
  })
})
