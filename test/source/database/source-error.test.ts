import { describe, expect, test } from 'vitest'
import { explain, SourceError } from '../../../src/source/database/source-error.ts'

const server = (code: string, message: string, more: object = {}): Error =>
  Object.assign(new Error(message), { code, ...more })

describe('worth a retry', () => {
  test.each([
    ['40001', 'conflict with recovery', 'raise max_standby_streaming_delay or set hot_standby_feedback = on'],
    ['40P01', 'deadlock detected', 'another session blocked this one'],
    ['55P03', 'canceling statement due to lock timeout', 'longer than a build waits'],
    ['53300', 'sorry, too many clients already', 'raise its limit'],
    ['57P01', 'terminating connection due to administrator command', 'see its log'],
    ['57P02', 'terminating connection because of crash of another server process', 'see its log'],
    ['57P03', 'the database system is starting up', 'takes none now'],
    ['57P05', 'terminating connection due to idle-session timeout', 'ended the session'],
    ['08006', 'connection failure', 'the connection was lost'],
    ['08P01', 'query_wait_timeout', 'a pooler before the server says so'],
    ['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432', 'nothing listens there; check host and port'],
    ['ECONNRESET', 'read ECONNRESET', 'see the server log'],
    ['EPIPE', 'write EPIPE', 'see the server log'],
    ['ETIMEDOUT', 'connect ETIMEDOUT', 'firewalls'],
    ['EHOSTUNREACH', 'connect EHOSTUNREACH', 'no route to the host'],
    ['EAI_AGAIN', 'getaddrinfo EAI_AGAIN db', 'name server'],
    ['', 'Connection terminated unexpectedly', 'the connection was lost'],
    ['', 'Client has encountered a connection error and is not queryable', 'the connection was lost'],
    ['', 'timeout expired', 'the server did not answer'],
    ['', 'There was an error establishing an SSL connection', 'did not answer as PostgreSQL does; check host and port'],
  ])('%s %s', (code, message, next) => {
    const error = explain(server(code, message), 'mapping native, section votes')
    expect(error).toMatchObject({ name: 'SourceError', retryable: true })
    expect(error.message).toContain(`mapping native, section votes: ${message}; `)
    expect(error.message).toContain(next)
  })
})

describe('never retried, but with the next step', () => {
  test.each([
    ['57014', 'canceling statement due to statement timeout', 'two thirds of --deadline'],
    ['XX000', 'Tenant or user not found', 'there a user has a suffix, such as analytics_reader.REF'],
    ['28P01', 'password authentication failed for user "me"', 'check the user and the password in --database-url'],
    ['28000', 'no pg_hba.conf entry for host', 'pg_hba.conf'],
    ['3D000', 'database "x" does not exist', 'check the database name'],
    ['57P04', 'terminating connection because the database was dropped', 'check the database name'],
    ['42501', 'permission denied', 'run what analytics-build grants prints for the role of --database-url'],
    ['42P01', 'relation "votes" does not exist', 'check --source'],
    ['42703', 'column p.is_approved does not exist', 'another version of the platform'],
    ['42601', 'cannot insert multiple commands into a prepared statement', 'each section is one SELECT'],
    ['0A000', 'WITH clause … must be at the top level', 'each section is one plain SELECT'],
    ['25006', 'cannot execute nextval() in a read-only transaction', 'a mapping may only read'],
    ['22012', 'division by zero', 'cannot be converted'],
    ['42883', 'function f() does not exist', 'fix the mapping'],
    ['53100', 'could not write to file', 'out of a resource'],
    ['58030', 'could not read block', 'system error'],
    ['ENOTFOUND', 'getaddrinfo ENOTFOUND db', 'no such host'],
    ['ENOENT', 'connect ENOENT /run/.s.PGSQL.5432', 'no such socket'],
    ['', 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', 'put it into --database-url'],
    ['', 'The server does not support SSL connections', 'add ?sslmode=disable to --database-url'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', 'sslrootcert'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', `Hostname/IP does not match certificate's altnames`, 'sslrootcert'],
  ])('%s %s', (code, message, next) => {
    const error = explain(server(code, message), 'here')
    expect(error).toMatchObject({ name: 'SourceError', retryable: false })
    expect(error.message).toContain(`here: ${message}; `)
    expect(error.message).toContain(next)
  })

  test('row-level security, in whatever language the server speaks', () => {
    const refused = { routine: 'check_enable_rls', hint: 'To disable the policy …' }
    for (const message of [
      'query would be affected by row-level security policy for table "ideas"',
      'Sicherheit auf Zeilenebene',
    ])
      expect(explain(server('42501', message, refused), 'here').message).toBe(
        `here: ${message}; To disable the policy …; give the role BYPASSRLS, or pass --row-security apply to read through its policies (SQLSTATE 42501)`,
      )
  })

  test('an unknown error, as it is', () => {
    expect(explain(new TypeError('x is not a function'), 'here')).toMatchObject({
      message: 'here: x is not a function',
      retryable: false,
    })
    for (const thrown of [undefined, null, 'text', {}, { code: 7, message: 7 }])
      expect(explain(thrown, 'here').message).toMatch(/^here: ./)
  })
})

describe('the message', () => {
  test('is one line with the server’s hint and the SQLSTATE', () => {
    const error = server('42703', 'column "nmae" does not exist\n  in line 1', {
      hint: 'Perhaps you meant\n"name".',
      detail: 'secret row',
    })
    expect(explain(error, 'mapping x, section users').message).toBe(
      'mapping x, section users: column "nmae" does not exist in line 1; Perhaps you meant "name"; ' +
        'the mapping may be made for another version of the platform; change the mapping (SQLSTATE 42703)',
    )
  })

  test('of several addresses that all failed is that of the first', () => {
    const all = new AggregateError([
      server('ECONNREFUSED', 'connect ECONNREFUSED ::1:5432'),
      server('ETIMEDOUT', 'later'),
    ])
    expect(explain(all, 'here')).toMatchObject({
      message: expect.stringContaining('ECONNREFUSED ::1:5432'),
      retryable: true,
    })
  })

  test('of a SourceError is left alone, and the cause is kept', () => {
    const known = new SourceError('as it is')
    expect(explain(known, 'here')).toBe(known)
    const cause = server('57P01', 'x')
    expect(explain(cause, 'here').cause).toBe(cause)
  })
})
