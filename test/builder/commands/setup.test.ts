// Sets up every platform on a real server with flags alone, as a script does, and builds from what it wrote.
// Tests src/builder/commands/setup.ts and src/builder/setup/.
// long test: a set-up of every platform
// depends on: test/platforms/*/
import { chmodSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { parseEnv } from 'node:util'
import { packagePath } from '../../../src/process/package-root.ts'
import { readCurrent } from '../../../src/release/reading/folder-reader.ts'
import { openMapping } from '../../../src/source/mapping/mapping.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { S3_BUCKET, startS3rver } from '../../support/s3-servers.ts'
import type { PlatformCase } from '../../platforms/platform.ts'
import { begin, failureOf, runIn, type Ran } from '../build-program.ts'
import { createSmallPlatform } from '../small-platform.ts'

const FOLDER = packagePath('test', 'platforms')
const PLATFORMS = await Promise.all(
  readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(
      async ({ name }) =>
        ((await import(`../../platforms/${name}/expected.ts`)) as { platform: PlatformCase }).platform,
    ),
)
const scriptsOf = (platform: string): string =>
  ['schema.sql', 'seed.sql'].map((file) => readFileSync(join(FOLDER, platform, file), 'utf8')).join('\n')

const envOf = (folder: string): NodeJS.Dict<string> => parseEnv(readFileSync(join(folder, 'analytics.env'), 'utf8'))
const setUp = (folder: string, ...args: readonly string[]): Promise<Ran> => runIn(folder, ['setup', '--yes', ...args])
const setUpFrom = (url: string, folder: string, ...args: readonly string[]): Promise<Ran> =>
  setUp(folder, '--database-url', url, ...args)
const making = (role: string): string[] => ['--make-role', '--role', role]

describe('without a terminal', () => {
  test('it says which flags answer', async () => {
    const ran = await runIn(temporaryFolder(), ['setup', '--database-url', 'postgresql://x@127.0.0.1:1/x'])
    expect(ran.code).toBe(2)
    expect(failureOf(ran)).toMatch(/terminal, and there is none: for a script give --yes, --database-url and/)
  })

  test('and without a database, or a folder that it may write', async () => {
    const folder = temporaryFolder()
    const none = await setUp(folder)
    expect([none.code, failureOf(none)]).toEqual([
      2,
      expect.stringMatching(/--yes: Which database does the platform have\? Give --database-url URL$/),
    ])
    expect(failureOf(await setUp(folder, '--output', join(folder, 'nowhere', 'x.env')))).toMatch(
      /^analytics-build: --output: cannot write/,
    )
    expect(readdirSync(folder)).toEqual([])
  })
})

describeWithPostgres('on a real server', (postgres) => {
  const urls = new Map<string, string>()
  const urlOf = (mapping = 'native'): string => urls.get(mapping) ?? ''
  beforeAll(async () => {
    for (const { mapping } of PLATFORMS) {
      urls.set(mapping, await postgres().createDatabase(mapping))
      await postgres().psql(`${scriptsOf(mapping)};\nANALYZE`, mapping)
    }
    urls.set('native', await createSmallPlatform(postgres(), 'native'))
    await postgres().psql('CREATE ROLE plain LOGIN; CREATE ROLE maker LOGIN CREATEROLE', 'postgres')
  }, 120_000)

  test.each(PLATFORMS.map((one) => [one.mapping, one] as const))(
    '%s is found, read by its own role, and published',
    async (mapping, { params }) => {
      const folder = temporaryFolder()
      const role = `reader_${mapping}`
      // One table of a parameter's values needs no flag where there is one value only: all are given here.
      const flags = Object.entries(params).flatMap(([name, value]) => ['--param', `${name}=${value}`])
      const ran = await setUpFrom(urlOf(mapping), folder, ...flags, '--title', 'Our town', ...making(role))
      expect(ran.code, ran.stderr).toBe(0)
      expect(ran.stdout).toContain(`platform: ${mapping}\n`)
      const env = envOf(folder)
      expect(env).toMatchObject({ ANALYTICS_SOURCE: mapping, ANALYTICS_TITLE: 'Our town', ANALYTICS_PEOPLE: 'exact' })
      expect(env['DATABASE_URL']).toMatch(new RegExp(`//${role}:[\\w-]{32}@`))
      for (const [name, value] of Object.entries(params))
        expect([value, undefined]).toContain(env[`ANALYTICS_PARAM_${name.toUpperCase()}`])
      expect(statSync(join(folder, 'analytics.env')).mode & 0o777).toBe(0o600)
      const manifest = await readCurrent(releasePaths(join(folder, 'snapshots')))
      expect(manifest?.mapping.name).toBe(mapping)
      expect(ran.stdout).toContain(`published ${manifest?.id}\n`)
      expect(ran.stdout).toContain(`--env-file ${folder}/analytics.env --quiet`)
      expect(`${ran.stdout}${ran.stderr}`).not.toContain(/reader_\w+:([^@]+)@/.exec(env['DATABASE_URL'] ?? '')?.[1])
    },
  )

  test('the role has a password, is in no other group, and reads only', async () => {
    const folder = temporaryFolder()
    // In a process of its own, which ends by itself.
    const args = ['setup', '--yes', '--database-url', urlOf(), ...making('guarded')]
    const ran = await begin(args, {}, { cwd: folder }).done
    expect(ran.code, ran.stderr).toBe(0)
    const url = envOf(folder)['DATABASE_URL'] ?? ''
    // From here on the server asks it for its password.
    await postgres().psql('GRANT password_required TO guarded', 'postgres')
    const check = await runIn(folder, ['check', '--database-url', url])
    expect(check.stdout).not.toMatch(/superuser|may write/)
    const wrong = await runIn(folder, ['check', '--database-url', url.replace(/:[^:@]+@/, ':wrong@')])
    expect(wrong.code).toBe(3)
  })

  test('a role that is there is not changed unasked, and the name has the database in it', async () => {
    const url = urlOf()
    const hash = (role: string): Promise<string> =>
      postgres().psql(`SELECT rolpassword FROM pg_authid WHERE rolname = '${role}'`)
    const [first, second] = [temporaryFolder(), temporaryFolder()]
    const made = await setUpFrom(url, first, '--make-role')
    expect(made.code, made.stderr).toBe(0)
    expect(envOf(first)['DATABASE_URL']).toMatch(/\/\/analytics_reader_native:/)
    const before = await hash('analytics_reader_native')
    for (const role of [[], ['--role', 'plain']]) {
      const ran = await setUpFrom(url, second, '--make-role', ...role)
      expect([ran.code, failureOf(ran)]).toEqual([2, expect.stringMatching(/exists already.*--role NAME/)])
    }
    expect([await hash('analytics_reader_native'), await hash('plain')]).toEqual([before, ''])
  }, 120_000)

  test('a bucket is written with its key, and has the first release; without a key nothing is asked of the database', async () => {
    const storage = await startS3rver()
    onTestFinished(storage.stop)
    const folder = temporaryFolder()
    const flags = ['--database-url', urlOf(), ...making('stored')]
    const given = [...flags, '--publish', `s3://${S3_BUCKET}/town`]
    const none = await setUp(folder, ...given)
    expect([none.code, failureOf(none), readdirSync(folder)]).toEqual([
      2,
      expect.stringContaining('AWS_ACCESS_KEY_ID is not set'),
      [],
    ])
    writeFileSync(join(folder, 'token'), 'a-token')
    const more = { AWS_SESSION_TOKEN_FILE: 'token', AWS_PROFILE: 'of another tool', AWS_NOTE: 'two\nlines' }
    const ran = await runIn(folder, ['setup', '--yes', ...given], { ...storage.env(), ...more })
    expect(ran.code, ran.stderr).toBe(0)
    const written = { ...storage.env(), AWS_SESSION_TOKEN_FILE: join(folder, 'token') }
    expect(envOf(folder)).toMatchObject({ ANALYTICS_PUBLISH: `s3://${S3_BUCKET}/town`, ...written })
    expect(Object.keys(envOf(folder))).not.toContain('AWS_PROFILE')
    const verified = await runIn(folder, ['verify', `s3://${S3_BUCKET}/town`, '--env-file', 'analytics.env'])
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('is whole')])
  })

  test('what cannot be written is an error before a role is made', async () => {
    const folder = temporaryFolder()
    const ran = await setUpFrom(urlOf(), folder, ...making('early'), '--title', `'"`)
    expect([ran.code, failureOf(ran)]).toEqual([2, expect.stringContaining('ANALYTICS_TITLE: ')])
    expect(await postgres().psql(`SELECT count(*) FROM pg_roles WHERE rolname = 'early'`)).toBe('0')
  })

  test('several sites are listed, and one is not chosen', async () => {
    for (const [mapping, expected] of [
      ['fider', /Give --param tenant=VALUE; there are: 1 \(acme\), 2 \(other\)/],
      ['decidim', /there are: 1 \(participa\.example\.org\), 2 \(other\.example\.org\)/],
      ['govocal', /there are: ideas_town_org, ideas_village_org/],
    ] as const) {
      const folder = temporaryFolder()
      const ran = await setUpFrom(urlOf(mapping), folder)
      expect([ran.code, failureOf(ran)]).toEqual([2, expect.stringMatching(expected)])
      expect(readdirSync(folder)).toEqual([])
    }
  })

  test('a role without rights makes nothing: the server says no, and nothing is written', async () => {
    const folder = temporaryFolder()
    const as = (role: string): string => urlOf().replace('//postgres@', `//${role}@`)
    await postgres().psql('GRANT SELECT ON ALL TABLES IN SCHEMA public TO plain, maker', 'native')
    const plain = await setUpFrom(as('plain'), folder, ...making('half'))
    expect([plain.code, failureOf(plain)]).toEqual([3, expect.stringContaining('role plain may not create roles')])
    // In the form of the rest, which is text.
    expect(plain.stderr).toMatch(/^analytics-build: --make-role: role plain/)
    // It may create the role, but owns no table.
    const maker = await setUpFrom(as('maker'), folder, ...making('half'))
    expect([maker.code, failureOf(maker)]).toEqual([3, expect.stringMatching(/permission denied|could not read/)])
    expect(await postgres().psql(`SELECT count(*) FROM pg_roles WHERE rolname = 'half'`)).toBe('0')
    expect(readdirSync(folder)).toEqual([])
  })

  test('without --make-role nothing is written to the database, and the role that is connected stays only where it is named', async () => {
    const folder = temporaryFolder()
    const roles = 'SELECT count(*) FROM pg_roles'
    const before = await postgres().psql(roles)
    const url = urlOf()
    const unasked = await setUpFrom(url, folder)
    expect([unasked.code, failureOf(unasked)]).toEqual([
      2,
      expect.stringMatching(/role postgres may do more than read.*--make-role.*--role postgres/),
    ])
    expect(readdirSync(folder)).toEqual([])
    const ran = await setUpFrom(url, folder, '--role', 'postgres')
    expect(ran.code, ran.stderr).toBe(0)
    expect(ran.stdout).toContain('warning: A build needs a role that only reads')
    expect([await postgres().psql(roles), envOf(folder)['DATABASE_URL']]).toEqual([before, url])
  })

  describe('requires lines that a mapping file lacks', () => {
    const text = openMapping('native').text
    const without = text.replaceAll(/^-- requires (?:votes|comments).*\n/gm, '').replaceAll('\n', '\r\n')
    const LINES = [
      '-- requires votes(idea_id, user_id, value, created_at)',
      '-- requires comments(id, idea_id, user_id, created_at)',
    ]

    test('are added with --yes: the mode, the line ends and a link to it stay, and the role may read what they name', async () => {
      const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()]
      const file = join(elsewhere, 'real.sql')
      writeFileSync(file, without)
      chmodSync(file, 0o640)
      symlinkSync(file, join(folder, 'mine.sql'))
      const ran = await setUpFrom(urlOf(), folder, '--source', './mine.sql', ...making('amended'))
      expect(ran.code, ran.stderr).toBe(0)
      expect(ran.stdout).toContain('added 2 requires lines to ./mine.sql\n')
      const now = readFileSync(file, 'utf8')
      for (const line of LINES) expect(now).toContain(`${line}\r\n`)
      expect(
        now
          .split('\r\n')
          .filter((line) => !LINES.includes(line))
          .join('\r\n'),
      ).toBe(without)
      expect([statSync(file).mode & 0o777, readlinkSync(join(folder, 'mine.sql'))]).toEqual([0o640, file])
      expect(readdirSync(elsewhere)).toEqual(['real.sql'])
      const again = await runIn(folder, ['check', '--source', './mine.sql'], {
        DATABASE_URL: envOf(folder)['DATABASE_URL'] ?? '',
      })
      expect(again.stdout).toMatch(/\n0 errors, 1 warning: ready to build\n$/)
      expect(again.stdout).toContain('warning section votes: ')
    })

    test('stay out of a file that is not UTF-8, which is an error', async () => {
      const folder = temporaryFolder()
      const bytes = Buffer.concat([
        Buffer.from(without.replace('-- section', '-- caf\n-- section')),
        Buffer.from([0x0a, 0x2d, 0x2d, 0xe9]),
      ])
      writeFileSync(join(folder, 'mine.sql'), bytes)
      const ran = await setUpFrom(urlOf(), folder, '--source', './mine.sql', ...making('latin'))
      expect([ran.code, failureOf(ran)]).toEqual([
        2,
        expect.stringMatching(/\.\/mine\.sql: line \d+ is not UTF-8 \(byte/),
      ])
      expect(readFileSync(join(folder, 'mine.sql')).equals(bytes)).toBe(true)
    })
  })

  test('a file that is there is not changed, and nothing else is', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'analytics.env')
    writeFileSync(file, '# mine\n')
    const ran = await setUpFrom(urlOf(), folder, ...making('second'))
    expect([ran.code, failureOf(ran)]).toEqual([2, expect.stringMatching(/analytics\.env is there already: remove it/)])
    expect(readFileSync(file, 'utf8')).toBe('# mine\n')
    expect(await postgres().psql(`SELECT count(*) FROM pg_roles WHERE rolname = 'second'`)).toBe('0')
  })

  test('of two at once one writes the file, and only its role is made', async () => {
    const folder = temporaryFolder()
    const url = urlOf()
    const roles = ['one_at_once', 'other_at_once']
    const ran = await Promise.all(roles.map((role) => setUpFrom(url, folder, ...making(role))))
    expect(new Set(ran.map(({ code }) => code))).toEqual(new Set([0, 2]))
    expect(failureOf(ran.find(({ code }) => code === 2)!)).toMatch(/analytics\.env is there already: remove it/)
    const made = await postgres().psql(`SELECT rolname FROM pg_roles WHERE rolname LIKE '%at_once'`)
    expect(envOf(folder)['DATABASE_URL']).toContain(`//${made}:`)
  })

  test('what the platform calls itself is taken, after what is given; the role need not read it', async () => {
    await postgres().createDatabase('named')
    await postgres().psql(`${scriptsOf('astuto')}; UPDATE tenants SET locale = 'fr-CA'`, 'named')
    const url = ['--database-url', postgres().url('named'), '--param', 'tenant=1']
    const folder = temporaryFolder()
    const first = await setUp(folder, ...url, ...making('reader_of_named'))
    expect(first.code, first.stderr).toBe(0)
    expect(envOf(folder)).toMatchObject({ ANALYTICS_TITLE: 'Acme', ANALYTICS_LANGUAGES: 'fr' })
    const manifest = await readCurrent(releasePaths(join(folder, 'snapshots')))
    expect(manifest?.options?.site).toMatchObject({ title: 'Acme', languages: ['fr'] })
    const given = temporaryFolder()
    expect((await setUp(given, ...url, '--role', 'postgres', '--title', 'Ours', '--languages', 'de,en')).code).toBe(0)
    expect(envOf(given)).toMatchObject({ ANALYTICS_TITLE: 'Ours', ANALYTICS_LANGUAGES: 'de,en' })
    const asRole = temporaryFolder()
    const again = await setUp(asRole, '--database-url', envOf(folder)['DATABASE_URL'] ?? '', '--param', 'tenant=1')
    expect(again.code, again.stderr).toBe(0)
    expect(envOf(asRole)).toMatchObject({ ANALYTICS_LANGUAGES: 'en' })
    expect(envOf(asRole)).not.toHaveProperty('ANALYTICS_TITLE')
  })

  test('another version of a platform is an error that names it, what it lacks, and the way on', async () => {
    const folder = temporaryFolder()
    await postgres().createDatabase('older')
    await postgres().psql(`${scriptsOf('fider')}; DROP TABLE post_tags`, 'older')
    const ran = await setUp(folder, '--database-url', postgres().url('older'))
    expect(ran.stdout).toContain('platform: fider, an older or newer version\n')
    expect(ran.stdout).toContain('not there: post_tags\n')
    expect(ran).toMatchObject({ code: 2, stderr: '' })
    expect(ran.stdout).toMatch(/ init --database-url …\n.* setup --source \.\/fider\.sql\n/)
    expect(readdirSync(folder)).toEqual([])
  })
})
