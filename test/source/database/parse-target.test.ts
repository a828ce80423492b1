import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assert, property } from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { usageError } from '../../../src/process/cli-error.ts'
import { parseDatabaseUrl } from '../../../src/source/database/parse-target.ts'
import { anyText } from '../../contract/any-text.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const folder = temporaryFolder(afterAll)

const expectRefused = (url: string, why: string): void => {
  const read = (): unknown => parseDatabaseUrl(url)
  expect(read).toThrow(usageError(`--database-url: ${why}`))
  expect(read).toThrow(expect.objectContaining({ exitCode: 2 }))
}

describe('a URL says where to connect', () => {
  test.each([
    [
      'postgresql://me:pw@db:6543/ideas',
      'me@db:6543/ideas',
      { host: 'db', port: 6543, user: 'me', password: 'pw', database: 'ideas' },
    ],
    ['postgres://me@db/ideas', 'me@db:5432/ideas', { host: 'db', port: 5432, user: 'me' }],
    ['postgresql://db', '@db:5432/', { host: 'db' }],
    ['postgresql://', '@localhost:5432/', { host: 'localhost' }],
    ['postgresql:///ideas', '@localhost:5432/ideas', { host: 'localhost', database: 'ideas' }],
    ['postgresql://[2001:db8::7]:6543/x', '@[2001:db8::7]:6543/x', { host: '2001:db8::7', port: 6543 }],
    ['postgresql://me%40x:p%40%2F%3F%23%25%3A@db/my%20x', 'me@x@db:5432/my x', { user: 'me@x', password: 'p@/?#%:' }],
    ['postgresql://me:p:w@db/x', 'me@db:5432/x', { user: 'me', password: 'p:w' }],
    ['postgresql://me:a@b@db/x', 'me@db:5432/x', { password: 'a@b' }],
    ['postgresql://db/x?connect_timeout=3', '@db:5432/x', { connectionTimeoutMillis: 3000 }],
    ['postgresql://db/x?application_name=stats', '@db:5432/x', { application_name: 'stats' }],
    ['postgresql://me@db/x', 'me@db:5432/x', { connectionTimeoutMillis: 10_000, application_name: 'analytics-build' }],
    ['postgresql://me@db/x?connect_timeout=', 'me@db:5432/x', { connectionTimeoutMillis: 10_000 }],
    // Longer than a timer can be, which would end at once.
    ['postgresql://me@db/x?connect_timeout=9999999', 'me@db:5432/x', { connectionTimeoutMillis: 2_147_483_647 }],
    ['a socket by percent signs: postgresql://me@%2Frun%2Fpg/x', 'me@/run/pg:5432/x', { host: '/run/pg' }],
    ['a socket: postgresql:///x?host=/run/pg&port=6000', '@/run/pg:6000/x', { host: '/run/pg', port: 6000 }],
    ['a socket: postgresql://me:pw@/x?host=/sql/p:r:i', 'me@[/sql/p:r:i]:5432/x', { host: '/sql/p:r:i', user: 'me' }],
  ])('%s is %s', (given, shown, config) => {
    const target = parseDatabaseUrl(given.replace(/^a socket.*: /, ''))
    expect(target.config).toMatchObject(config)
    expect(target.shown).toBe(shown)
  })
})

describe('sslmode', () => {
  const ca = join(folder, 'ca.pem')
  writeFileSync(ca, 'a certificate')
  const unverified = { rejectUnauthorized: false }
  const verified = { rejectUnauthorized: true }

  test.each([
    ['is disable for loopback', 'postgresql://localhost/x', 'disable', false],
    ['is disable for loopback in capitals', 'postgresql://LocalHost/x', 'disable', false],
    ['is disable for 127/8', 'postgresql://127.1.2.3/x', 'disable', false],
    ['is disable for ::1', 'postgresql://[::1]/x', 'disable', false],
    ['is disable for no host', 'postgresql:///x', 'disable', false],
    ['is disable for sockets', 'postgresql://%2Frun/x', 'disable', false],
    ['is verify-full for any other host', 'postgresql://db.example.org/x', 'verify-full', verified],
    ['is verify-full for what only looks local', 'postgresql://localhost.example.org/x', 'verify-full', verified],
    ['is verify-full for what begins like loopback', 'postgresql://127.0.0.1.example.org/x', 'verify-full', verified],
    ['is decided by the host option', 'postgresql://localhost/x?host=db.example.org', 'verify-full', verified],
    ['may be disable', 'postgresql://db/x?sslmode=disable', 'disable', false],
    ['may be require: encrypted, unverified', 'postgresql://db/x?sslmode=require', 'require', unverified],
    ['may be verify-full for loopback', 'postgresql://127.0.0.1/x?sslmode=verify-full', 'verify-full', verified],
    [
      'verifies with the authority that is named',
      `postgresql://db/x?sslrootcert=${ca}`,
      'verify-full',
      { ...verified, ca: 'a certificate' },
    ],
    ['takes the certificates of the system', 'postgresql://db/x?sslrootcert=system', 'verify-full', verified],
  ])('%s', (_, url, mode, ssl) => {
    const { sslMode, config } = parseDatabaseUrl(url)
    expect([sslMode, config.ssl]).toEqual([mode, ssl])
  })

  test.each(['prefer', 'allow', 'verify-ca', 'Require', '', 'no-verify'])(
    '%j is rejected, naming the three',
    (mode) => {
      const why = `sslmode "${mode}" is not supported; allowed: disable, require, verify-full`
      expectRefused(`postgresql://db/x?sslmode=${mode}`, why)
    },
  )
})

describe('a rejection says what is wrong', () => {
  const notAUrl = 'not a PostgreSQL URL; expected postgresql://user:password@host:5432/database'
  const meant = (begins: string): string => `${notAUrl}; did you mean postgresql:// where it has "${begins}"?`
  const encode = '@ / ? # % in a user, password or database must be written %40 %2F %3F %23 %25'
  test.each([
    ['', notAUrl],
    ['ideas', notAUrl],
    ['host=db user=me', `${notAUrl}; it has the form name=value, which is read as PGHOST, PGPORT, PGDATABASE, …`],
    ['mysql://me@db/x', `${notAUrl}; this program reads PostgreSQL only, not mysql`],
    ['MongoDB+srv://me@db/x', notAUrl],
    ['postgre://me:pw@db/x', meant('postgre://')],
    ['http://db/x', `${notAUrl}; this program reads PostgreSQL only, not http`],
    ['postgresql://db:port/x', notAUrl],
    ['postgresql://db:99999/x', notAUrl],
    ['postgresql:me:pw@db/x', meant('postgresql:')],
    ['postgresql:/me:pw@db/x', meant('postgresql:/')],
    ['postgresql://db:0/x', 'port "0" is not allowed; allowed: 1 to 65535'],
    ['postgresql:///x?port=70000', 'port "70000" is not allowed; allowed: 1 to 65535'],
    ['postgresql:///x?port=abc', 'port "abc" is not allowed; allowed: 1 to 65535'],
    ['postgresql://db/%zz', 'malformed percent-encoding; a % itself is written %25'],
    ['postgresql://me:50%@db/x', 'malformed percent-encoding; a % itself is written %25'],
    ['postgresql://me:a/b@db/x', encode],
    ['postgresql://me:a?b@db/x', encode],
    ['postgresql://me:a#b@db/x', encode],
    [
      `postgresql://db/x?sslrootcert=${folder}/none`,
      `sslrootcert cannot be read: ENOENT: no such file or directory, open '${folder}/none'`,
    ],
  ])('%s', expectRefused)
})

describe('a password', () => {
  const visible = (url: string): string => {
    try {
      const { shown, sslMode } = parseDatabaseUrl(url)
      return `${shown} ${sslMode}`
    } catch (error) {
      return (error as Error).message
    }
  }

  // prettier-ignore
  test.each([
    'S3CRET', '/S3CRET', '1/S3CRET', '1?S3CRET', '1#S3CRET', '?S3CRET', '#S3CRET', 'S3CRET/', '%S3CRET', 'S3CRET%', '@S3CRET', 'S3CRET@',
    ':S3CRET', '1/?#@S3CRET', ' S3CRET', '1/\nS3CRET', 'S3CRET\\', '[S3CRET', '65536/S3CRET', '1/x?sslmode=S3CRET', '1?port=S3CRET',
  ])('is never shown, nor is a part of it, however badly it is written: %j', (password) => {
    for (const rest of ['@db/x', '@db', '@/x', '@db:x/', '@db/x?sslmode=nope', '@db/x?nope=1', '@db/%zz', '@db:0/x'])
      for (const scheme of ['postgresql://', 'postgresql:/', 'postgres:'])
        expect(visible(`${scheme}me:${password}${rest}`)).not.toContain('S3CRET')
  })

  test('arrives as it was meant when it is percent-encoded', () => {
    assert(
      property(anyText({ minLength: 1 }), (password) => {
        const { config, shown } = parseDatabaseUrl(`postgresql://me:${encodeURIComponent(password)}@db/x`)
        expect([config.password, shown]).toEqual([password, 'me@db:5432/x'])
      }),
    )
  })
})
