// What each sslmode makes of each kind of server: with which it speaks, whether encrypted, and what it says of the rest.
import { chownSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { connect } from '../../../src/source/database/connect.ts'
import { parseDatabaseUrl, SSL_MODES } from '../../../src/source/database/parse-target.ts'
import { SourceError } from '../../../src/source/database/source-error.ts'
import { failureOf, run } from '../../builder/build-program.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { createAuthority, type Certificate } from '../../support/certificates.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { startRelay } from '../../support/relay.ts'
import { inSession } from '../../support/session.ts'

const HERE = 'DNS:localhost,IP:127.0.0.1'
const SERVERS = ['good', 'of another authority', 'for another host', 'expired', 'none'] as const
type Server = (typeof SERVERS)[number]

describeWithPostgres('a server over TLS', (postgres) => {
  const folder = temporaryFolder(afterAll)
  let root: string
  const certificates = new Map<Server, Certificate>()

  beforeAll(async () => {
    const ours = createAuthority(folder, 'ours')
    root = ours.certificate
    certificates.set('good', ours.sign('good', HERE))
    certificates.set('of another authority', createAuthority(folder, 'theirs').sign('good', HERE))
    certificates.set('for another host', ours.sign('elsewhere', 'DNS:db.example.org,IP:192.0.2.1'))
    certificates.set('expired', ours.sign('expired', HERE, -1))
    // The server takes no key that belongs to somebody else.
    const { uid, gid } = statSync(postgres().dataDir)
    for (const name of ['', ...readdirSync(folder)]) chownSync(join(folder, name), uid, gid)
    await postgres().psql(`CREATE ROLE locked LOGIN PASSWORD 'S3CRET' IN ROLE password_required`)
  })

  async function serve(server: Server): Promise<void> {
    const files = certificates.get(server)
    const settings =
      files === undefined ? { ssl: 'off' } : { ssl: 'on', ssl_cert_file: files.certificate, ssl_key_file: files.key }
    await inSession(postgres().url(), async (admin) => {
      for (const [name, value] of Object.entries(settings)) await admin.query(`ALTER SYSTEM SET ${name} = '${value}'`)
      await admin.query('SELECT pg_reload_conf()')
    })
    // As a session finds it that begins then.
    const shown = Object.keys(settings).map((name) => `current_setting('${name}') AS ${name}`)
    const found = () => inSession(postgres().url(), async (other) => (await other.query(`SELECT ${shown.join()}`)).rows)
    await vi.waitFor(async () => expect(await found()).toEqual([settings]), { timeout: 10_000, interval: 10 })
  }

  const url = (mode: string, port = postgres().port): string =>
    `postgresql://locked:S3CRET@127.0.0.1:${port}/postgres?sslmode=${mode}&sslrootcert=${root}`

  /** `encrypted`, `plain`, or why not. */
  async function tried(to: string): Promise<string> {
    try {
      const connection = await connect(parseDatabaseUrl(to), new AbortController().signal, () => 60_000)
      const { rows } = await connection.client.query<{ ssl: boolean }>(
        'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
      )
      await connection.close()
      return rows[0]?.ssl === true ? 'encrypted' : 'plain'
    } catch (error) {
      expect(error).toBeInstanceOf(SourceError)
      expect(error).toMatchObject({ name: 'SourceError', retryable: false })
      return (error as Error).message
    }
  }

  const NEXT =
    'add ?sslmode=require to --database-url to encrypt without verifying, or ?sslrootcert=FILE with the certificate of the authority'
  const no = (why: string, next = NEXT): RegExp =>
    new RegExp(`^cannot connect to locked@127\\.0\\.0\\.1:\\d+/postgres: ${why}; ${next.replaceAll('?', '\\?')}$`)
  const NOT_ENCRYPTED = no(
    'The server does not support SSL connections',
    'add ?sslmode=disable to --database-url to connect without encryption',
  )
  const TABLE: Readonly<Record<Server, readonly (string | RegExp)[]>> = {
    good: ['plain', 'encrypted', 'encrypted'],
    'of another authority': ['plain', 'encrypted', no('(unable to|self-signed).* certificate.*')],
    'for another host': ['plain', 'encrypted', no(`Hostname/IP does not match certificate's altnames: .*`)],
    expired: ['plain', 'encrypted', no('certificate has expired')],
    none: ['plain', NOT_ENCRYPTED, NOT_ENCRYPTED],
  }

  describe.each(SERVERS)('whose certificate is: %s', (server) => {
    beforeAll(() => serve(server))

    it.each(SSL_MODES.map((mode, i) => [mode, TABLE[server][i] ?? '']))('sslmode=%s: %s', async (mode, expected) => {
      expect(await tried(url(mode))).toMatch(expected)
    })
  })

  describe('that takes nothing else', () => {
    beforeAll(async () => {
      await serve('good')
      const file = join(postgres().socketDir, 'hba')
      writeFileSync(file, `hostnossl all locked 127.0.0.1/32 reject\n${readFileSync(file, 'utf8')}`)
      await postgres().psql('SELECT pg_reload_conf()')
    })
    const plain = (): string => url('require').replace(/\?.*/, '')

    it('is rejected by the default of a local server, and the error says what to add, which helps', async () => {
      await expect
        .poll(() => tried(plain()), { timeout: 10_000, interval: 10 })
        .toMatch(
          // Before version 14 the server says that SSL is off.
          /(?:no encryption|SSL off); check the user .* where that takes only encrypted connections, add \?sslmode=require \(SQLSTATE 28000\)$/,
        )
      expect(await tried(`${plain()}?sslmode=require`)).toBe('encrypted')
    })
  })

  describe('whose authority the system does not know', () => {
    beforeAll(() => serve('good'))

    it('is rejected without sslrootcert', async () => {
      expect(await tried(url('verify-full').replace(/&sslrootcert.*/, ''))).toMatch(
        no('(unable to|self-signed).* certificate.*'),
      )
    })

    it('by name is the same as by address', async () => {
      expect(await tried(url('verify-full').replace('127.0.0.1', 'localhost'))).toBe('encrypted')
    })

    it('ends a build with 3 and one line that shows no password', async () => {
      const ran = await run(['--snapshots', join(temporaryFolder(), 'snapshots')], {
        DATABASE_URL: url('verify-full').replace(/&sslrootcert.*/, ''),
      })
      expect(ran).toMatchObject({ code: 3, stdout: '' })
      expect(failureOf(ran)).toContain(NEXT)
      expect(ran.stderr).not.toContain('S3CRET')
    })

    // What the server says to the request for TLS is 1 byte; the handshake takes more than 500.
    it.concurrent.each([0, 1, 500])(
      'is left at the deadline when it falls silent %d bytes into the handshake',
      async (afterBytes) => {
        const relay = await startRelay(postgres().port, () => ({
          afterBytes,
          how: 'stall',
        }))
        try {
          const deadline = AbortSignal.timeout(500)
          const startMs = performance.now()
          const connecting = connect(parseDatabaseUrl(url('verify-full', relay.port)), deadline, () => 60_000)
          await expect(connecting).rejects.toThrow(/timeout/)
          expect(performance.now() - startMs).toBeLessThan(5_000)
        } finally {
          await relay.close()
        }
      },
    )

    it.each([1, 500, 800])('is tried again when it is cut off %d bytes into the handshake', async (afterBytes) => {
      const relay = await startRelay(postgres().port, () => ({ afterBytes, how: 'reset' }))
      try {
        const connecting = connect(
          parseDatabaseUrl(url('verify-full', relay.port)),
          new AbortController().signal,
          () => 60_000,
        )
        await expect(connecting).rejects.toMatchObject({ name: 'SourceError', retryable: true })
      } finally {
        await relay.close()
      }
    })
  })
})
