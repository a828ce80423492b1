// What `setup --make-role` leaves where the address of who runs it is not that of the new role: behind poolers, with lists of
// users, with what only this environment has, and when it is stopped half-way. Either the file that it wrote builds, or neither
// file nor role is there, and a second try works.
// long test: a set-up for each, most of them twice
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { startHostedPooler, type HostedPooler, type Judge } from '../../support/hosted-pooler.ts'
import { startPgBouncer, pgbouncerAvailable } from '../../support/pgbouncer.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { describeWithComponent } from '../../support/real-component.ts'
import { begin, failureOf, runIn, type Ran, type Running } from '../build-program.ts'
import { createSmallPlatform } from '../small-platform.ts'

const MADE_ANEW = /warning: The role is there, of a set-up that did not end: it gets a new password/

describeWithPostgres('set-up', (postgres) => {
  let direct = ''
  beforeAll(async () => {
    direct = await createSmallPlatform(postgres(), 'town')
    await postgres().psql(`CREATE ROLE admin LOGIN CREATEROLE; ALTER DATABASE town OWNER TO admin`, 'postgres')
    await postgres().psql(
      `DO $$ DECLARE t text; BEGIN FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'public'
         LOOP EXECUTE format('ALTER TABLE %I OWNER TO admin', t); END LOOP; END $$`,
      'town',
    )
  })

  const FLAGS = 'setup --yes --source native --time-zone UTC --site-url https://x.example --make-role'.split(' ')
  const flags = (url: string, role: string): string[] => [...FLAGS, '--database-url', url, '--role', role]
  const setUp = (folder: string, url: string, role: string, env: Readonly<Record<string, string>> = {}): Promise<Ran> =>
    runIn(folder, flags(url, role), env)
  const urlIn = (folder: string): string =>
    parseEnv(readFileSync(join(folder, 'analytics.env'), 'utf8'))['DATABASE_URL'] ?? ''
  const isThere = async (role: string): Promise<boolean> =>
    (await postgres().psql(`SELECT count(*) FROM pg_roles WHERE rolname = '${role}'`)) === '1'
  const noteOf = (role: string): Promise<string> =>
    postgres().psql(`SELECT coalesce(shobj_description('${role}'::regrole, 'pg_authid'), 'none')`)
  const of = (user: string, port: number, rest = 'town?sslmode=disable'): string =>
    `postgresql://${user}@127.0.0.1:${port}/${rest}`

  async function expectNothing(folder: string, role: string): Promise<void> {
    expect([existsSync(join(folder, 'analytics.env')), await isThere(role)]).toEqual([false, false])
  }

  /** Its first build has what the file says, and nothing else. */
  async function expectBuilds(ran: Ran, role: string): Promise<void> {
    expect(ran.code, `${ran.stdout}${ran.stderr}`).toBe(0)
    expect([await isThere(role), await noteOf(role)]).toEqual([true, 'none'])
  }

  describe('behind a pooler that takes users with a suffix only', () => {
    test.each([
      ['.abcdefghijklmnop', 'as Supabase', 'dotted'],
      ['@town-server', 'as Azure', 'at_server'],
    ])('%s (%s) is written after the name of the role', async (suffix, _, role) => {
      const folder = temporaryFolder()
      const { port } = await startHostedPooler(postgres(), suffix)
      const ran = await setUp(folder, of(`admin${encodeURIComponent(suffix)}:x`, port), role)
      expect(decodeURIComponent(urlIn(folder))).toContain(`//${role}${suffix}:`)
      await expectBuilds(ran, role)
    })

    test('a role that is let in as it is has no suffix', async () => {
      const folder = temporaryFolder()
      const { port } = await startHostedPooler(postgres(), '.ref', () => true)
      const ran = await setUp(folder, of('admin.ref', port), 'plain_reader')
      expect(urlIn(folder)).toContain('//plain_reader:')
      await expectBuilds(ran, 'plain_reader')
    })

    test('one that knows the role only a moment later is asked again', async () => {
      const folder = temporaryFolder()
      let asked = 0
      const judge: Judge = (user) => (user === 'late_reader.ref' ? asked++ > 0 : user === 'admin.ref')
      const { port } = await startHostedPooler(postgres(), '.ref', judge)
      await expectBuilds(await setUp(folder, of('admin.ref', port), 'late_reader'), 'late_reader')
      expect(urlIn(folder)).toContain('//late_reader.ref:')
    })

    test('one that knows nobody but the admin leaves nothing, says why, and the server itself takes the second try', async () => {
      const folder = temporaryFolder()
      const { port } = await startHostedPooler(postgres(), '.ref', (user) => user === 'admin.ref')
      const ran = await setUp(folder, of('admin.ref', port), 'unknown_reader')
      expect([ran.code, failureOf(ran)]).toEqual([
        3,
        expect.stringMatching(
          /no build could log in as it: cannot connect to unknown_reader@.*: Tenant or user not found.*; nor: cannot connect to unknown_reader\.ref@.*\. Let the pooler know the role .*--database-url/,
        ),
      ])
      expect(ran.stdout).toContain('Role unknown_reader was made, and is removed again; nothing is written')
      await expectNothing(folder, 'unknown_reader')
      await expectBuilds(await setUp(folder, of('admin', postgres().port), 'unknown_reader'), 'unknown_reader')
    })
  })

  describeWithComponent('behind PgBouncer', pgbouncerAvailable(), () => {
    test('whose list of users lacks the role, nothing is left', async () => {
      const folder = temporaryFolder()
      const list = join(dirname(postgres().dataDir), 'userlist.txt')
      writeFileSync(list, '"postgres" ""\n', { mode: 0o644 })
      const pooler = await startPgBouncer(postgres(), { auth_type: 'trust', auth_file: list })
      onTestFinished(pooler.stop)
      const ran = await setUp(folder, pooler.url('town'), 'unlisted')
      expect([ran.code, failureOf(ran)]).toEqual([3, expect.stringMatching(/unlisted@.*PgBouncer: auth_file/)])
      await expectNothing(folder, 'unlisted')
    })

    test('that takes everybody for one user, a role would be read as that one: nothing is left', async () => {
      const folder = temporaryFolder()
      const pooler = await startPgBouncer(postgres())
      onTestFinished(pooler.stop)
      const ran = await setUp(folder, pooler.url('town'), 'in_vain')
      expect([ran.code, failureOf(ran)]).toEqual([
        3,
        expect.stringMatching(/in_vain@.* is postgres in town to the server/),
      ])
      await expectNothing(folder, 'in_vain')
    })
  })

  test('where pg_hba.conf does not let the role in, nothing is left; a name that it lets in works', async () => {
    const folder = temporaryFolder()
    const file = join(dirname(postgres().dataDir), 'hba')
    const before = readFileSync(file, 'utf8')
    writeFileSync(file, `host all kept_out 127.0.0.1/32 reject\n${before}`)
    await postgres().psql('SELECT pg_reload_conf()')
    onTestFinished(() => writeFileSync(file, before))
    const ran = await setUp(folder, direct, 'kept_out')
    expect([ran.code, failureOf(ran)]).toEqual([3, expect.stringMatching(/pg_hba\.conf rejects .*kept_out/)])
    await expectNothing(folder, 'kept_out')
    await expectBuilds(await setUp(folder, direct, 'let_in'), 'let_in')
  })

  describe('with what the URL does not say', () => {
    test.each([
      ['no database', 'no_db', '', { PGDATABASE: 'town' }],
      ['user and password as options', 'no_user', 'town?user=admin&password=x', {}],
      ['no user', 'env_user', 'town', { PGUSER: 'admin', PGPASSWORD: 'x' }],
    ] as const)('%s: the file says it', async (_, role, rest, env) => {
      const folder = temporaryFolder()
      const who = role === 'no_db' ? 'admin@' : ''
      const ran = await setUp(folder, `postgresql://${who}127.0.0.1:${postgres().port}/${rest}`, role, env)
      expect(urlIn(folder)).toMatch(new RegExp(`^postgresql://${role}:[\\w-]{32}@127\\.0\\.0\\.1:\\d+/town$`))
      await expectBuilds(ran, role)
    })

    test('a role that is there already and logs in only with PGPASSWORD is not written without a password', async () => {
      const folder = temporaryFolder()
      await postgres().psql(`CREATE ROLE secretive LOGIN PASSWORD 'S3CRET' IN ROLE password_required`, 'postgres')
      await postgres().psql('GRANT SELECT ON ALL TABLES IN SCHEMA public TO secretive', 'town')
      const args = ['setup', '--yes', '--source', 'native', '--role', 'secretive', '--database-url']
      const url = (password: string): string => of(`secretive${password}`, postgres().port)
      const ran = await runIn(folder, [...args, url('')], { PGPASSWORD: 'S3CRET' })
      expect([ran.code, failureOf(ran)]).toEqual([3, expect.stringContaining('put it into --database-url')])
      expect([existsSync(join(folder, 'analytics.env')), await isThere('secretive')]).toEqual([false, true])
      await expectBuilds(await runIn(folder, [...args, url(':S3CRET')]), 'secretive')
    })
  })

  describe('with tables that only who is connected finds', () => {
    beforeAll(async () => {
      await createSmallPlatform(postgres(), 'hidden')
      await postgres().psql('ALTER SCHEMA public RENAME TO app', 'hidden')
    })
    const url = (rest = ''): string => of('postgres', postgres().port, `hidden?sslmode=disable${rest}`)

    test('by PGOPTIONS, which cron does not have: nothing is left, and a URL with the schema works', async () => {
      const folder = temporaryFolder()
      const ran = await setUp(folder, url(), 'lost_in_path', { PGOPTIONS: '-c search_path=app' })
      expect([ran.code, failureOf(ran)]).toEqual([3, expect.stringMatching(/does not exist.*search_path=SCHEMA/)])
      await expectNothing(folder, 'lost_in_path')
      await expectBuilds(await setUp(folder, url('&search_path=app'), 'lost_in_path'), 'lost_in_path')
    })

    test('by a setting of its role', async () => {
      const folder = temporaryFolder()
      await postgres().psql('CREATE ROLE owner SUPERUSER LOGIN; ALTER ROLE owner SET search_path = app', 'postgres')
      const ran = await setUp(folder, url().replace('postgres@', 'owner@'), 'lost_in_role')
      expect(ran.code).toBe(3)
      await expectNothing(folder, 'lost_in_role')
    })
  })

  describe('that is stopped between the role and the file', () => {
    /** Has made the role, and waits for its login. */
    async function stalled(folder: string, role: string): Promise<Running> {
      let isAsked = false
      const judge: Judge = (user) => {
        if (user !== role) return true
        isAsked = true
        return 'stall'
      }
      const { port } = await startHostedPooler(postgres(), '.ref', judge)
      const running = begin(flags(of('admin', port), role), {}, { cwd: folder })
      await vi.waitFor(() => expect(isAsked).toBe(true), { timeout: 30_000, interval: 50 })
      return running
    }

    test('by SIGTERM leaves nothing', async () => {
      const folder = temporaryFolder()
      const { child, done } = await stalled(folder, 'terminated')
      child.kill('SIGTERM')
      expect((await done).code).toBe(143)
      await expectNothing(folder, 'terminated')
      await expectBuilds(await setUp(folder, direct, 'terminated'), 'terminated')
    })

    test('by SIGKILL leaves a role that the next one makes anew, and says so', async () => {
      const folder = temporaryFolder()
      const { child, done } = await stalled(folder, 'killed')
      child.kill('SIGKILL')
      await done
      expect([existsSync(join(folder, 'analytics.env')), await noteOf('killed')]).toEqual([
        false,
        expect.stringContaining('made by a set-up of analytics-build that did not end'),
      ])
      const ran = await setUp(folder, direct, 'killed')
      expect(ran.stdout).toMatch(MADE_ANEW)
      await expectBuilds(ran, 'killed')
    })

    test('by a server that is gone names the role, which the next one makes anew', async () => {
      const folder = temporaryFolder()
      const poolers: HostedPooler[] = []
      const judge: Judge = (user) => {
        if (user === 'abandoned') for (const { stop } of poolers) stop()
        return true
      }
      poolers.push(await startHostedPooler(postgres(), '.ref', judge))
      const ran = await setUp(folder, of('admin', poolers[0]?.port ?? 0), 'abandoned')
      expect([ran.code, existsSync(join(folder, 'analytics.env'))]).toEqual([3, false])
      expect(ran.stdout).toMatch(/warning: Role abandoned may be there: .* A second try with --make-role makes it anew/)
      const second = await setUp(folder, direct, 'abandoned')
      expect(second.stdout).toMatch(MADE_ANEW)
      await expectBuilds(second, 'abandoned')
    })
  })

  test('of several at once that make the same role, every file that is written builds', async () => {
    const folders = Array.from({ length: 3 }, () => temporaryFolder())
    const ran = await Promise.all(folders.map((folder) => setUp(folder, direct, 'same')))
    const written = folders.filter((folder) => existsSync(join(folder, 'analytics.env')))
    expect(written.length, ran.map(({ stderr }) => stderr).join('')).toBeLessThan(2)
    for (const folder of written) {
      const again = await runIn(folder, ['build', '--env-file', 'analytics.env'])
      expect(again.code, again.stderr).toBe(0)
    }
    expect(await isThere('same')).toBe(written.length === 1)
  })

  test('a role that was there before is neither changed nor removed', async () => {
    const folder = temporaryFolder()
    await postgres().psql(`CREATE ROLE earlier LOGIN; COMMENT ON ROLE earlier IS 'of the accountants'`, 'postgres')
    const ran = await setUp(folder, direct, 'earlier')
    expect([ran.code, failureOf(ran)]).toEqual([2, expect.stringContaining('role earlier exists already')])
    expect([await isThere('earlier'), await noteOf('earlier')]).toEqual([true, 'of the accountants'])
  })
})
