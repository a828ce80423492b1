import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { OPTIONS } from '../../src/builder/options/build-options.ts'
import { PROGRAM } from '../../src/builder/commands/table.ts'
import { addFromFile, readSecret } from '../../src/process/env-file.ts'
import type { TypedOption } from '../../src/process/option.ts'
import { KNOWN_VARIABLES, SECRET_VARIABLES, twinOf } from '../../src/process/variables.ts'
import { PROXY_OPTIONS } from '../../src/proxy/options.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folder = temporaryFolder(afterAll)
function fileOf(text: string): string {
  const path = join(folder, 'x.env')
  writeFileSync(path, text)
  return path
}

/** The variables after the file. */
function after(text: string, env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const variables = { ...env }
  addFromFile(variables, fileOf(text))
  return variables
}

const refusal = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    return (error as Error).message.replace(`${folder}/`, '')
  }
  return 'none'
}

describe('a file adds variables', () => {
  test.each<[string, string, NodeJS.ProcessEnv, NodeJS.ProcessEnv]>([
    ['that are not set', 'ANALYTICS_SOURCE=fider\n', {}, { ANALYTICS_SOURCE: 'fider' }],
    ['but leaves those that are', 'ANALYTICS_KEEP=6', { ANALYTICS_KEEP: '7' }, { ANALYTICS_KEEP: '7' }],
    ['an empty one is not set', 'ANALYTICS_KEEP=6', { ANALYTICS_KEEP: '' }, { ANALYTICS_KEEP: '6' }],
    ['an empty one in it sets nothing', 'ANALYTICS_KEEP=\n', { ANALYTICS_KEEP: '7' }, { ANALYTICS_KEEP: '7' }],
    ['in quotes', `ANALYTICS_TITLE='What our & town'`, {}, { ANALYTICS_TITLE: 'What our & town' }],
    ['of another program, of several lines', `KEY="a\nno line"\nPORT=1`, {}, { KEY: 'a\nno line', PORT: '1' }],
    ['after a byte-order mark, with CRLF', '\uFEFF# x\r\n\r\nexport PORT=1 # one\r\nA=B', {}, { PORT: '1', A: 'B' }],
    ['of a parameter of any name', 'ANALYTICS_PARAM_ANY_NAME=1', {}, { ANALYTICS_PARAM_ANY_NAME: '1' }],
    ['twice, of other programs', 'FOO=1\nFOO=2', {}, { FOO: '2' }],
    ['with a comment behind', 'PORT=1 # one\nANALYTICS_KEEP= # none', {}, { PORT: '1' }],
    ['with a # between quotes', `ANALYTICS_ACCENT='#0d5c8f' # blue`, {}, { ANALYTICS_ACCENT: '#0d5c8f' }],
    ['with a comment that has one', 'ANALYTICS_EVERY=1h # see issue#12', {}, { ANALYTICS_EVERY: '1h' }],
    ['with a comment of several', 'ANALYTICS_PUBLISHER=City ## of us (#3)', {}, { ANALYTICS_PUBLISHER: 'City' }],
    ['of other programs, with a #', 'FOO=a#b', {}, { FOO: 'a' }],
    ['of other programs of PostgreSQL', 'PGADMIN_DEFAULT_PASSWORD=a#b', {}, { PGADMIN_DEFAULT_PASSWORD: 'a' }],
    ['of other programs', 'HTTP_PROXY=x\nPGSSLCERT=y\nSORT=z', {}, { HTTP_PROXY: 'x', PGSSLCERT: 'y', SORT: 'z' }],
  ])('%s', (_, text, env, expected) => {
    expect(after(text, env)).toEqual(expected)
  })

  test('a secret that is set, or given as a file, goes before both ways to give it in the file', () => {
    expect(after('DATABASE_URL_FILE=f', { DATABASE_URL: 'u' })).toEqual({ DATABASE_URL: 'u' })
    expect(after('DATABASE_URL=u', { DATABASE_URL_FILE: 'f' })).toEqual({ DATABASE_URL_FILE: 'f' })
    // What Node 20 has added before the program began.
    expect(after('DATABASE_URL_FILE=f', { DATABASE_URL: 'u', DATABASE_URL_FILE: 'f' })).toEqual({
      DATABASE_URL: 'u',
    })
  })
})

describe('a file is an error', () => {
  const ALLOWED =
    'allowed: ANALYTICS_ and the name of an option in capitals, such as ANALYTICS_SNAPSHOTS for --snapshots, and ANALYTICS_PARAM_NAME for a parameter of a mapping'
  const HASH = (name: string): string =>
    `the value of ${name} would end at its #; put the value between single quotes: ${name}='…'`

  test.each([
    [2, 'PORT=1\nANALYTICS_FROBNICATE=x', `there is no variable ANALYTICS_FROBNICATE; ${ALLOWED}`],
    [1, 'ANALYTICS_PEPLE=x', `there is no variable ANALYTICS_PEPLE; did you mean ANALYTICS_PEOPLE?; ${ALLOWED}`],
    [1, 'ANALYTICS_SERVICE_HOST=x', `there is no variable ANALYTICS_SERVICE_HOST; ${ALLOWED}`],
    [3, 'PORT=1\n\nexport PORT=1', 'PORT is in line 1 already; keep one of them'],
    [4, `A='\nAWS_REGION=x'\nAWS_REGION=y\nAWS_REGION=z`, 'AWS_REGION is in line 3 already; keep one of them'],
    [1, 'DATABASE_URL=postgresql://me:a#b@db/x', HASH('DATABASE_URL')],
    [1, 'ANALYTICS_ACCENT=#0d5c8f', HASH('ANALYTICS_ACCENT')],
    [1, 'AWS_SECRET_ACCESS_KEY=a#', HASH('AWS_SECRET_ACCESS_KEY')],
    [1, 'ANALYTICS_KEEP=5#five', HASH('ANALYTICS_KEEP')],
    [1, 'PORT: 8080', 'expected NAME=VALUE, or a comment that begins with #'],
    [1, '=8080', 'expected NAME=VALUE, or a comment that begins with #'],
    [1, `ANALYTICS_TITLE='Ideas\nPORT=1`, `the value of ANALYTICS_TITLE begins with ' and does not end with it`],
  ])('in line %i of %j: %s', (line, text, message) => {
    expect(refusal(() => after(text))).toBe(`--env-file: x.env:${line}: ${message}`)
  })

  test.each([
    ['.', 'EISDIR, it is a folder'],
    [folder, 'EISDIR, it is a folder'],
    ['/dev/null/x.env', 'ENOTDIR, a part of the path is not a folder'],
    ['x.evn', 'ENOENT, there is no such file'],
  ])('that is %s', (path, why) => {
    expect(refusal(() => addFromFile({}, path))).toBe(
      `--env-file: cannot read ${path.replace(`${folder}/`, '')}: ${why}; give a file that this user may read`,
    )
  })

  test.each([
    ['ANALYTICS_TITLE=A\nANALYTICS_PUBLISHER=B\u00fcrger\n', 'latin1', 2, 40],
    ['ANALYTICS_KEEP=4\n', 'utf16le', 1, 1],
    ['PORT=1\nA=\u00e9', 'latin1', 2, 10],
  ] as const)('%j in %s is not UTF-8', (text, encoding, line, byte) => {
    const path = join(folder, 'x.env')
    const bytes = Buffer.from(encoding === 'utf16le' ? `\uFEFF${text}` : text, encoding)
    writeFileSync(path, bytes)
    expect(refusal(() => addFromFile({}, path))).toBe(
      `--env-file: cannot read x.env: line ${line} is not UTF-8 (byte ${byte} of the file); save it as UTF-8`,
    )
  })

  test('that cannot be read', () => {
    expect(refusal(() => addFromFile({}, '/nowhere/x.env'))).toMatch(
      /^--env-file: cannot read \/nowhere\/x\.env: ENOENT.*; give a file that this user may read$/,
    )
  })

  test.each([
    'postgresql://me:s3cr3t@db/x',
    'ANALYTICS_DATABASE_URL=postgresql://me:s3cr3t@db/x',
    `DATABASE_URL='postgresql://me:s3cr3t@db/x`,
  ])('that shows no value: %s', (text) => {
    expect(refusal(() => after(text))).toMatch(/^--env-file: x\.env:1: (?!.*s3cr3t)/)
  })
})

describe('a secret may be in a file', () => {
  const secretAfter = (env: NodeJS.ProcessEnv, content: string): NodeJS.ProcessEnv => {
    const path = fileOf(content)
    const variables = { ...env, ...(env['PGPASSWORD_FILE'] && { PGPASSWORD_FILE: path }) }
    readSecret(variables, 'PGPASSWORD')
    return variables
  }

  test.each([
    ['x', 'x'],
    ['x\n', 'x'],
    ['x\r\n', 'x'],
    ['x\n\n', 'x\n'],
    [' x ', ' x '],
  ])('%j is %j', (content, value) => {
    expect(secretAfter({ PGPASSWORD_FILE: '/run/secrets/p' }, content)).toEqual({ PGPASSWORD: value })
    expect(secretAfter({ PGPASSWORD_FILE: '/run/secrets/p', PGPASSWORD: '' }, content)).toEqual({ PGPASSWORD: value })
  })

  test('an empty name of a file is none', () => {
    expect(secretAfter({ PGPASSWORD_FILE: '', PGPASSWORD: 'y' }, 'x')).toEqual({ PGPASSWORD: 'y' })
  })

  test('of both, of none that is there, or of an empty one it is an error', () => {
    expect(refusal(() => secretAfter({ PGPASSWORD_FILE: 'f', PGPASSWORD: 's3cr3t' }, 'x'))).toBe(
      'PGPASSWORD and PGPASSWORD_FILE are both set; set one of them',
    )
    expect(refusal(() => secretAfter({ PGPASSWORD_FILE: 'f' }, '\n'))).toBe(
      'PGPASSWORD_FILE: x.env is empty; expected the value of PGPASSWORD',
    )
    expect(refusal(() => readSecret({ PGPASSWORD_FILE: '/nowhere/f' }, 'PGPASSWORD'))).toMatch(
      /^PGPASSWORD_FILE: cannot read \/nowhere\/f: ENOENT/,
    )
  })
})

describe('the variables that a file may have', () => {
  const tables = [...PROGRAM.commands.flatMap(({ options }) => Object.values(options)), ...Object.values(PROXY_OPTIONS)]

  test('are those of all options, and the files of their secrets', () => {
    const ofOptions = new Set(
      tables.flatMap((one) => (one.envVar === undefined || one.long === '--param' ? [] : [one.envVar])),
    )
    expect(new Set(KNOWN_VARIABLES)).toEqual(
      new Set([...ofOptions, ...SECRET_VARIABLES, ...SECRET_VARIABLES.map(twinOf)]),
    )
    expect(new Set(KNOWN_VARIABLES).size).toBe(KNOWN_VARIABLES.length)
  })

  test('each secret belongs to an option', () => {
    expect(new Set(tables.flatMap(({ secrets = [] }: TypedOption<unknown>) => secrets))).toEqual(
      new Set(SECRET_VARIABLES),
    )
    expect(OPTIONS.build.databaseUrl.secrets).toContain(OPTIONS.build.databaseUrl.envVar)
    expect(PROXY_OPTIONS.rateStore.secrets).toEqual([PROXY_OPTIONS.rateStore.envVar])
  })
})
