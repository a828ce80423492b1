// Each mapping on the oldest and the newest PostgreSQL that are supported, and through what may stand before a server: the
// same rows, a check without findings, a build that verify finds whole. Prints the servers of docs/deployment.md.
// `npm run test:postgres` takes every version, and on each the tests of reading, check, grants and platforms, too.
// long test: servers of several versions
// depends on: docs/deployment.md
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import { loadMapping, openMapping } from '../../src/source/mapping/mapping.ts'
import { run } from '../builder/build-program.ts'
import { createSmallPlatform } from '../builder/small-platform.ts'
import { createPlatform, PLATFORMS, ROLE } from '../platforms/create-platform.ts'
import { AS_OF, type ExpectedRead } from '../platforms/platform.ts'
import { readPlatform } from '../platforms/read-platform.ts'
import { check, errorsOf } from '../source/check/checking.ts'
import { createAuthority } from '../support/certificates.ts'
import { pgbouncerAvailable, startPgBouncer } from '../support/pgbouncer.ts'
import { accountOf, startPostgres, TEMPLATE, type Postgres } from '../support/postgres.ts'
import { fetchPostgres, MAJOR_VERSIONS, versionsAvailable, type MajorVersion } from '../support/postgres-versions.ts'
import { describeWithComponent } from '../support/real-component.ts'
import { startStandby } from '../support/standby.ts'
import { supervise, type Supervised } from '../support/supervised.ts'

const ALL = process.env['POSTGRES_VERSIONS'] === 'all'
const VERSIONS = ALL ? MAJOR_VERSIONS : ([12, 18] as const)
const [, MAPPINGS = '', LISTED = ''] =
  /^Tested on real servers \(all (\d+) built-in mappings\): (.*?)\.\n\n/ms.exec(
    readFileSync(packagePath('docs', 'deployment.md'), 'utf8'),
  ) ?? []
/** The servers of docs/deployment.md. */
const SERVERS = LISTED.replaceAll('\n', ' ').split(', ')

interface Site {
  readonly mapping: string
  readonly params: Readonly<Record<string, string>>
  readonly right: ExpectedRead
}

/** Where each mapping's database is, seen from the builder. */
type UrlOf = (mapping: string) => string

/** Every platform, and tables of one's own. */
async function fill(postgres: Postgres): Promise<UrlOf> {
  for (const { mapping } of PLATFORMS) await createPlatform(postgres, mapping, mapping)
  await createSmallPlatform(postgres, 'native', AS_OF)
  await postgres.psql(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${ROLE}`, 'native')
  return (mapping) => postgres.url(mapping).replace('//postgres@', `//${ROLE}@`)
}

/** For each mapping the rows are those expected and a check has no error; a build is whole. */
async function expectRead(sites: readonly Site[], urlOf: UrlOf): Promise<void> {
  for (const { mapping, params, right } of sites) {
    expect([mapping, await readPlatform(urlOf(mapping), loadMapping(mapping, params))]).toEqual([mapping, right])
    const report = await check(urlOf(mapping), openMapping(mapping), { params })
    expect([mapping, errorsOf(report)]).toEqual([mapping, []])
  }
  const snapshots = mkdtempSync(join(tmpdir(), 'matrix-'))
  try {
    const source = ['--database-url', urlOf('native'), '--time-zone', 'Europe/Berlin']
    const built = await run(['build', '--snapshots', snapshots, ...source])
    // Its rules are compared on each server, too.
    expect(built, built.stderr).toMatchObject({ code: 0, stderr: expect.not.stringContaining('time zone') })
    expect(await run(['verify', '--snapshots', snapshots])).toMatchObject({ code: 0 })
  } finally {
    rmSync(snapshots, { recursive: true, force: true })
  }
}

describeWithComponent('PostgreSQL', versionsAvailable(), () => {
  const printed: string[] = []
  let home: string
  let keeper: Supervised | undefined
  let machine: Postgres
  let sites: readonly Site[]
  let urlOf: UrlOf
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'postgres-versions-'))
    chmodSync(home, 0o755)
    // A program that only waits: the folder goes when this process ends, however it ends.
    keeper = supervise(['tail', '-f', '/dev/null'], { folder: home, signal: 'TERM' })
    machine = await startPostgres({ wal_level: 'replica' })
    urlOf = await fill(machine)
    const right = await readPlatform(urlOf('native'), loadMapping('native', {}))
    expect(right.totals.ideas).toBe(150)
    sites = [...PLATFORMS, { mapping: 'native', params: {}, right }]
  })
  afterAll(async () => {
    process.stdout.write(`\n${printed.join('\n')}\n`)
    await machine?.stop()
    await keeper?.stop()
  })

  async function expectServer(name: string, where: UrlOf): Promise<void> {
    await expectRead(sites, where)
    printed.push(name)
    expect(SERVERS).toContain(name)
  }

  describe.each(VERSIONS)('%i', (version) => {
    let programs: string
    let server: Postgres | undefined
    beforeAll(async () => {
      programs = fetched(home, version)
      server = await startPostgres({}, programs)
    }, 300_000)
    afterAll(() => server?.stop())

    it('gives each mapping the same rows', { timeout: 120_000 }, async () => {
      if (server === undefined) throw new Error('no server')
      const { server_version: exact } = await shown(server.url(), 'server_version')
      await expectServer(`PostgreSQL ${exact}`, await fill(server))
    })

    // Each where there is such a thing: PostgreSQL 17 brought the time limit, 15 took the right away.
    if (version >= 17)
      it('reads for longer than its transaction_timeout', async () => {
        if (server === undefined) throw new Error('no server')
        await createSmallPlatform(server, 'slow_reads', AS_OF)
        await server.psql(`ALTER DATABASE slow_reads SET transaction_timeout = '1s'`)
        const slow = `SELECT 1 AS id, timestamptz '2024-01-01' AS created_at FROM pg_sleep(1.5)`
        const native = loadMapping('native', {})
        const selects = native.selects.map((one) => (one.name === 'users' ? { ...one, sql: slow } : one))
        const mapping = { ...native, selects }
        expect((await readPlatform(server.url('slow_reads'), mapping)).totals).toMatchObject({ users: 1, ideas: 150 })
      })

    if (version < 15)
      it('warns of a schema in which everybody may create tables', async () => {
        if (server === undefined) throw new Error('no server')
        await server.psql('CREATE DATABASE as_made TEMPLATE template0')
        await server.psql(`CREATE ROLE plain LOGIN`)
        const report = await check(server.url('as_made').replace('postgres@', 'plain@'), openMapping('native'))
        expect(report.findings).toContainEqual(
          expect.objectContaining({
            problem: 'role plain may create tables in schema public',
            fix: 'if the platform does without: REVOKE CREATE ON SCHEMA public FROM PUBLIC, "plain";',
          }),
        )
      })

    if (!ALL) return
    it('passes the tests of reading, check, grants and platforms', { timeout: 1_800_000 }, async () => {
      const { failed, passed } = await suiteOn(programs, ['test/source', 'test/platforms'])
      printed.push(`PostgreSQL ${version}: ${passed} tests of reading, check, grants and platforms passed`)
      expect(failed).toEqual([])
      expect(passed).toBeGreaterThan(1400)
    })
  })

  describeWithComponent('behind PgBouncer', pgbouncerAvailable(), () => {
    it.each(['transaction', 'session'])('that pools by %s', { timeout: 120_000 }, async (mode) => {
      const pooler = await startPgBouncer(machine, { pool_mode: mode, default_pool_size: '4' })
      try {
        await expectServer(`PgBouncer pooling by ${mode}`, pooler.url)
      } finally {
        await pooler.stop()
      }
    })
  })

  it('as a streaming standby', { timeout: 120_000 }, async () => {
    const standby = await startStandby(machine)
    try {
      await expectServer('a streaming standby', (mapping) => standby.url(ROLE, mapping))
    } finally {
      await standby.stop()
    }
  })

  it('that takes connections over TLS only', { timeout: 120_000 }, async () => {
    const authority = createAuthority(mkdtempSync(join(home, 'tls-')), 'ours')
    const { certificate, key } = authority.sign('server', 'IP:127.0.0.1')
    const { uid, gid } = accountOf(machine)
    for (const file of [certificate, key]) chownSync(file, uid, gid)
    chmodSync(join(certificate, '..'), 0o755)
    const settings = { ssl: 'on', ssl_cert_file: certificate, ssl_key_file: key }
    for (const [name, value] of Object.entries(settings)) await machine.psql(`ALTER SYSTEM SET ${name} = '${value}'`)
    writeFileSync(join(machine.socketDir, 'hba'), 'hostssl all all 127.0.0.1/32 trust\nlocal all postgres trust\n')
    await machine.psql('SELECT pg_reload_conf()')
    await expect.poll(() => readNative('sslmode=disable')).toMatch(/no pg_hba.conf entry/)
    expect(await readNative('sslmode=verify-full')).toMatch(/certificate/)
    const flags = `sslmode=verify-full&sslrootcert=${authority.certificate}`
    await expectServer('a server that takes TLS only', (mapping) => `${urlOf(mapping)}?${flags}`)
  })

  /** Why it cannot be read. */
  const readNative = (flags: string): Promise<string> =>
    readPlatform(`${urlOf('native')}?${flags}`, loadMapping('native', {})).then(
      () => 'read',
      (error: unknown) => (error as Error).message,
    )

  it('are those of docs/deployment.md, and no others', () => {
    const versions = SERVERS.flatMap((name) => /^PostgreSQL (\d+)/.exec(name)?.[1] ?? [])
    expect(versions).toEqual(MAJOR_VERSIONS.map(String))
    expect(SERVERS.length).toBe(MAJOR_VERSIONS.length + 4)
    expect(Number(MAPPINGS)).toBe(sites.length)
  })
})

function fetched(home: string, version: MajorVersion): string {
  return fetchPostgres(version, mkdtempSync(join(home, `${version}-`)))
}

async function shown(url: string, name: string): Promise<Record<string, string>> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, string>>(`SHOW ${name}`)).rows[0] ?? {}
  } finally {
    await client.end()
  }
}

/** Of CI's rules it needs none: what a package lacks (pg_dump) is skipped. */
async function suiteOn(programs: string, folders: readonly string[]): Promise<{ passed: number; failed: string[] }> {
  const report = join(programs, '..', 'report.json')
  // A folder of its own: the data of the run's template are of the machine's version.
  const { [TEMPLATE]: _, ...inherited } = process.env
  const env = { ...inherited, PATH: `${programs}${delimiter}${process.env['PATH']}`, POSTGRES_VERSIONS: '', CI: '' }
  const args = ['vitest', 'run', '--maxWorkers', '2', '--reporter=json', `--outputFile=${report}`, ...folders]
  const child = spawn('npx', args, { cwd: packagePath(), env, stdio: 'ignore' })
  await once(child, 'close')
  const { testResults, numPassedTests: passed } = JSON.parse(readFileSync(report, 'utf8')) as {
    readonly numPassedTests: number
    readonly testResults: readonly {
      readonly name: string
      readonly status: string
      readonly assertionResults: readonly { status: string; fullName: string }[]
    }[]
  }
  const failed = testResults.flatMap(({ name, status: whole, assertionResults }) => {
    const names = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)
    // Where what comes before the tests fails, each of them is skipped.
    return names.length === 0 && whole === 'failed' ? [name] : names
  })
  return { passed, failed }
}
