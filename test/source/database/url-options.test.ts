// URLs as platforms, poolers and drivers hand them out: what each means to a build, and what of it is not used.
import { describe, expect, test } from 'vitest'
import {
  namesDatabase,
  parseDatabaseUrl,
  targetOfEnvironment,
  type Target,
} from '../../../src/source/database/parse-target.ts'
import { usageError } from '../../../src/process/cli-error.ts'

interface Means {
  readonly shown: string
  readonly searchPath?: readonly string[]
  readonly unused?: readonly string[]
  readonly sslMode?: Target['sslMode']
  readonly password?: string
}

const HANDED_OUT: Readonly<Record<string, [url: string, means: Means]>> = {
  'Prisma, on this machine': [
    'postgresql://johndoe:pw@localhost:5432/mydb?schema=public',
    { shown: 'johndoe@localhost:5432/mydb', searchPath: ['public'], sslMode: 'disable' },
  ],
  'Prisma, with everything': [
    'postgresql://u:pw@db.example.org/app?schema=My%20Schema&connection_limit=5&pool_timeout=10&sslaccept=strict&statement_cache_size=0&socket_timeout=3',
    {
      shown: 'u@db.example.org:5432/app',
      searchPath: ['My Schema'],
      unused: ['connection_limit', 'pool_timeout', 'sslaccept', 'statement_cache_size', 'socket_timeout'],
    },
  ],
  'Supabase, by its pooler': [
    'postgres://postgres.abcdef:p%40ss%2Fword@aws-0-eu-central-1.pooler.supabase.com:6543/postgres?pgbouncer=true&connection_limit=1',
    {
      shown: 'postgres.abcdef@aws-0-eu-central-1.pooler.supabase.com:6543/postgres',
      unused: ['pgbouncer', 'connection_limit'],
      password: 'p@ss/word',
    },
  ],
  Neon: [
    'postgresql://alex:pw@ep-cool-darkness-123456-pooler.eu-central-1.aws.neon.tech/dbname?sslmode=require&channel_binding=require',
    {
      shown: 'alex@ep-cool-darkness-123456-pooler.eu-central-1.aws.neon.tech:5432/dbname',
      unused: ['channel_binding'],
      sslMode: 'require',
    },
  ],
  'Neon, for clients without SNI': [
    'postgresql://alex:pw@ep-cool.neon.tech/db?options=endpoint%3Dep-cool',
    { shown: 'alex@ep-cool.neon.tech:5432/db', unused: ['options'] },
  ],
  RDS: [
    'postgresql://me:pw@mydb.abc.eu-west-1.rds.amazonaws.com:5432/postgres?sslmode=verify-full&target_session_attrs=read-only',
    {
      shown: 'me@mydb.abc.eu-west-1.rds.amazonaws.com:5432/postgres',
      unused: ['target_session_attrs'],
      sslMode: 'verify-full',
    },
  ],
  'DigitalOcean and node-postgres': [
    'postgresql://doadmin:pw@db-do-user-1.ondigitalocean.com:25060/defaultdb?sslmode=require&uselibpqcompat=true&ssl=true',
    {
      shown: 'doadmin@db-do-user-1.ondigitalocean.com:25060/defaultdb',
      unused: ['uselibpqcompat', 'ssl'],
      sslMode: 'require',
    },
  ],
  'libpq, a search_path': [
    'postgresql://me@localhost/x?options=-c%20search_path%3Dapp,public',
    { shown: 'me@localhost:5432/x', searchPath: ['app', 'public'] },
  ],
  'libpq, several settings in every notation': [
    'postgresql://me@localhost/x?options=--search-path%3DApp,%22Bc%22%20-cstatement_timeout=5s%20-c%20work_mem=1GB',
    {
      shown: 'me@localhost:5432/x',
      unused: ['options'],
      searchPath: ['app', 'Bc'],
    },
  ],
  'libpq, a blank in a value': [
    String.raw`postgresql://me@localhost/x?options=-csearch_path%3D%22my\%20schema%22,\%20%22$user%22,$user`,
    { shown: 'me@localhost:5432/x', searchPath: ['my schema', '$user', '$user'] },
  ],
  'libpq, everything as options': [
    'postgresql://?host=/run/pg&port=6000&dbname=x&user=me&password=p%26w&keepalives=1&gssencmode=disable',
    {
      shown: 'me@/run/pg:6000/x',
      unused: ['keepalives', 'gssencmode'],
      password: 'p&w',
      sslMode: 'disable',
    },
  ],
  'Go’s drivers': [
    'postgres://me:pw@localhost/x?search_path=polis&pool_max_conns=10',
    { shown: 'me@localhost:5432/x', searchPath: ['polis'], unused: ['pool_max_conns'] },
  ],
  'several hosts': [
    'postgresql://me:p,w@db1.example.org:5433,db2.example.org:5434/x?target_session_attrs=any',
    {
      shown: 'me@db1.example.org:5433/x',
      unused: ['all hosts but the first', 'target_session_attrs'],
      password: 'p,w',
      sslMode: 'verify-full',
    },
  ],
  'several hosts as options': [
    'postgresql:///x?host=db1,db2&port=1000,2000',
    { shown: '@db1:1000/x', unused: ['all hosts but the first'] },
  ],
  'an option twice, and one whose name is no name': [
    'postgresql://db/x?foo=1&foo=2&S3CRET%2F=1&a1b2=3',
    { shown: '@db:5432/x', unused: ['foo', 'an unnamed one'] },
  ],
  'no schema after all': ['postgresql://localhost/x?schema=&options=', { shown: '@localhost:5432/x', unused: [] }],
}

describe('is taken as it is handed out:', () => {
  test.each(Object.entries(HANDED_OUT))('%s', (_, [url, means]) => {
    const { shown, searchPath, unused, sslMode, config } = parseDatabaseUrl(url)
    expect({ shown, searchPath, unused }).toEqual({
      shown: means.shown,
      searchPath: means.searchPath ?? null,
      unused: means.unused ?? [],
    })
    if (means.sslMode !== undefined) expect(sslMode).toBe(means.sslMode)
    if (means.password !== undefined) expect(config.password).toBe(means.password)
    // A parameter of the start-up message is what PgBouncer refuses.
    expect(config).not.toHaveProperty('options')
  })
})

test.each([
  ['jdbc:postgresql://db/x?user=me&password=S3CRET', 'not a PostgreSQL URL; expected '],
  ['postgresql+psycopg2://me:S3CRET@db/x', 'not a PostgreSQL URL; expected '],
  ['"postgresql://me:S3CRET@db/x"', 'not a PostgreSQL URL; expected '],
  [
    'postgresql://me:S3CRET@db/x?options=-csearch_path=%22open',
    'search_path must be a list of schemas, such as app,public',
  ],
  ['postgresql://me:S3CRET@db/x?search_path=a,,b', 'search_path must be a list of schemas, such as app,public'],
])('%s is rejected', (url, why) => {
  const read = (): unknown => parseDatabaseUrl(url)
  expect(read).toThrow(`--database-url: ${why}`)
  expect(read).not.toThrow('S3CRET')
})

describe('without a URL the variables of psql say where', () => {
  const all = {
    PGHOST: 'db.example.org',
    PGPORT: '6543',
    PGUSER: 'me',
    PGPASSWORD: 'p@ss/word',
    PGDATABASE: 'ideas',
    PGSSLMODE: 'require',
    PGCONNECT_TIMEOUT: '3',
    PGAPPNAME: 'stats',
  }
  test('each of them', () => {
    const { config, shown, sslMode, searchPath, unused } = targetOfEnvironment(all)
    expect(config).toMatchObject({
      host: 'db.example.org',
      port: 6543,
      user: 'me',
      password: 'p@ss/word',
      database: 'ideas',
      connectionTimeoutMillis: 3000,
      application_name: 'stats',
    })
    expect({ shown, sslMode, searchPath, unused }).toEqual({
      shown: 'me@db.example.org:6543/ideas',
      sslMode: 'require',
      searchPath: null,
      unused: [],
    })
  })

  test('with the same defaults as a URL', () => {
    expect(targetOfEnvironment({ PGHOST: 'db' })).toMatchObject({ shown: '@db:5432/', sslMode: 'verify-full' })
    expect(targetOfEnvironment({ PGDATABASE: 'x', PGPORT: '' })).toMatchObject({
      shown: '@localhost:5432/x',
      sslMode: 'disable',
    })
    expect(targetOfEnvironment({ PGHOST: '/run/pg' })).toMatchObject({ shown: '@/run/pg:5432/', sslMode: 'disable' })
    expect(targetOfEnvironment({ PGHOST: 'a,b', PGPORT: '1,2' })).toMatchObject({
      shown: '@a:1/',
      unused: ['all hosts but the first'],
    })
  })

  test('a rejection names the variable', () => {
    const refused = (env: NodeJS.ProcessEnv) => expect(() => targetOfEnvironment(env))
    for (const port of ['x', '0', '65536'])
      refused({ ...all, PGPORT: port }).toThrow(`PGPORT: "${port}" is not allowed; allowed: 1 to 65535`)
    refused({ ...all, PGSSLMODE: 'prefer' }).toThrow(
      usageError('PGSSLMODE: "prefer" is not supported; allowed: disable, require, verify-full'),
    )
    refused({ PGHOST: 'db', PGSSLROOTCERT: '/nowhere/ca' }).toThrow(/^PGSSLROOTCERT: cannot be read: ENOENT/)
  })

  test('a host or a database is enough, a user alone is not', () => {
    expect(
      [{ PGHOST: 'a' }, { PGDATABASE: 'a' }, { PGHOST: '' }, { PGUSER: 'a', PGPASSWORD: 'b' }, {}].map(namesDatabase),
    ).toEqual([true, true, false, false, false])
  })
})
