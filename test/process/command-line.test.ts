import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi, onTestFinished } from 'vitest'
import { OPTIONS as BUILDER } from '../../src/builder/options/build-options.ts'
import { PROGRAM } from '../../src/builder/commands/table.ts'
import type { BuilderContext } from '../../src/builder/run/context.ts'
import { CliError } from '../../src/process/cli-error.ts'
import { checkVariables, runCommandLine, type CommandOf } from '../../src/process/command-line.ts'
import {
  choice,
  group,
  option,
  optionalOption,
  repeatable,
  secret,
  switchOnce,
  switchOption,
  variableOf,
  type Options,
} from '../../src/process/option.ts'
import { integer, anyText, type Parse } from '../../src/process/value-syntax.ts'
import { PROXY_OPTIONS } from '../../src/proxy/options.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const onlyThis: Parse<string> = (given) => (given === 'this' ? { value: given } : { allowed: 'only this' })
const about = (name: string): string => `what ${name} is for`

const OPTIONS = group('Group', {
  keep: option('--keep <N>', '5', about('--keep'), integer(1, 1000)),
  rowSecurity: choice('--row-security <VALUE>', 'off', about('--row-security'), ['off', 'apply']),
  siteUrl: optionalOption('--site-url <VALUE>', about('--site-url'), anyText('a URL')),
  databaseUrl: optionalOption('--database-url <VALUE>', about('--database-url'), onlyThis).env('DATABASE_URL'),
  json: switchOnce('--json', about('--json')),
  quiet: switchOption('--quiet', about('--quiet')),
  param: repeatable('--param <VALUE>', about('--param'), anyText('KEY=VALUE')).env('ANALYTICS_PARAM'),
})

interface Ran {
  command?: string
  values?: Readonly<Record<string, unknown>>
  args?: readonly unknown[]
  isQuiet?: true
  code?: number
  out: string
  warnings?: string[]
  refusal?: string
}

afterEach(() => void vi.unstubAllEnvs())

/** Two commands, `build` by default, `status` with an optional argument; or one alone. */
async function run(
  argv: string[],
  env: Record<string, string> = {},
  options: Options = OPTIONS,
  alone = false,
): Promise<Ran> {
  const ran: Ran = { out: '' }
  const made = (name: string, more: Partial<CommandOf<Options, object>>): CommandOf<Options, object> => ({
    name,
    summary: `the summary of ${name}`,
    options,
    example: `$0 --keep 7`,
    action: async (values, _, ...args) => {
      Object.assign(ran, { command: name, values: { ...values }, args })
      return 3
    },
    ...more,
  })
  const commands = [made('build', { isDefault: true }), made('status', { argument: '[ID]' })].slice(0, alone ? 1 : 2)
  const before = { ...process.env }
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  try {
    const context = {
      out: (part: string): void => void (ran.out += part),
      beQuiet: (): void => void (ran.isQuiet = true),
      log: { warn: (_: object, message: string): void => void (ran.warnings ??= []).push(message) },
    }
    const program = { name: 'program', summary: 'What it does.', commands }
    ran.code = await runCommandLine(program, argv, context)
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    Object.assign(ran, { code: error.exitCode, refusal: error.message })
  } finally {
    vi.unstubAllEnvs()
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
  }
  return ran
}

test.each([
  ['build', BUILDER.build],
  ['schedule', BUILDER.schedule],
  ['prune', BUILDER.prune],
  ['the proxy', PROXY_OPTIONS],
] as [string, Options][])('the options of %s have the names that commander gives their values', (_, options) => {
  for (const [name, one] of Object.entries(options)) expect(one.attributeName()).toBe(name)
})

describe('an option is taken from flag, then variable, then default', () => {
  test.each([
    ['the default', [], {}, 5],
    ['the variable', [], { ANALYTICS_KEEP: '6' }, 6],
    ['the flag', ['--keep', '7'], {}, 7],
    ['the flag over the variable', ['--keep', '7'], { ANALYTICS_KEEP: '6' }, 7],
    ['the flag over a variable that is wrong', ['--keep=7'], { ANALYTICS_KEEP: 'many' }, 7],
    ['the default when the variable is empty', [], { ANALYTICS_KEEP: '' }, 5],
    ['the default when another program has that variable', [], { KEEP: '6', analytics_keep: '6' }, 5],
    ['the last flag', ['--keep', '7', '--keep', '8'], {}, 8],
  ] as const)('%s', async (_, argv, env, keep) => {
    expect((await run([...argv], env)).values?.['keep']).toBe(keep)
  })

  test('one without default is null, a repeatable one a list, whatever it came from', async () => {
    expect((await run([])).values).toEqual({
      keep: 5,
      rowSecurity: 'off',
      siteUrl: null,
      databaseUrl: null,
      json: false,
      quiet: false,
      param: [],
    })
    expect((await run(['--json', '--param', 'a=1', '--param', 'b=2'])).values).toMatchObject({
      json: true,
      param: ['a=1', 'b=2'],
    })
    expect((await run([], { ANALYTICS_PARAM: 'a=1' })).values).toMatchObject({ param: ['a=1'] })
    expect((await run(['--param', 'b=2'], { ANALYTICS_PARAM: 'a=1' })).values).toMatchObject({ param: ['b=2'] })
  })

  test('one without variable has none', async () => {
    expect((await run([], { ANALYTICS_JSON: 'true', null: 'true' })).values).toMatchObject({ json: false })
  })

  test.each([
    [[], { ANALYTICS_QUIET: 'true' }, true],
    [[], { ANALYTICS_QUIET: 'false' }, false],
    [[], { ANALYTICS_QUIET: '' }, false],
    [['--quiet'], { ANALYTICS_QUIET: 'false' }, true],
    [['--quiet'], { ANALYTICS_QUIET: 'maybe' }, true],
  ])('a switch: %j with %j is %j, and the program is told of --quiet', async (argv, env, quiet) => {
    const ran = await run(argv, env)
    expect([ran.values?.['quiet'], ran.isQuiet]).toEqual([quiet, quiet ? true : undefined])
  })

  test.each([
    ['--keep', 'ANALYTICS_KEEP'],
    ['--keep-months', 'ANALYTICS_KEEP_MONTHS'],
  ])('the variable of %s is %s', (flag, variable) => {
    expect(variableOf(flag)).toBe(variable)
  })
})

describe('--env-file', () => {
  const fileWith = (content: string): string => {
    const path = join(temporaryFolder(), 'x.env')
    writeFileSync(path, content)
    return path
  }
  const SECRET: Options = {
    ...OPTIONS,
    databaseUrl: secret(
      optionalOption('--database-url <VALUE>', '', anyText('a URL')).env('DATABASE_URL'),
      'DATABASE_URL',
      'PGPASSWORD',
    ),
  }

  test.each([
    ['before the default', [], {}, 6],
    ['after the variable', [], { ANALYTICS_KEEP: '7' }, 7],
    ['after the flag', ['--keep', '8'], { ANALYTICS_KEEP: '' }, 8],
  ] as const)('goes %s', async (_, argv, env, keep) => {
    const file = fileWith('ANALYTICS_KEEP=6\n')
    for (const given of [[`--env-file=${file}`], ['--env-file', file]]) {
      expect((await run([...given, ...argv], env)).values?.['keep']).toBe(keep)
      expect(await run(['status', ...argv, ...given], env)).toMatchObject({ command: 'status', values: { keep } })
      expect((await run([...given, ...argv], env, OPTIONS, true)).values?.['keep']).toBe(keep)
    }
  })

  test('a wrong value names the variable', async () => {
    const file = fileWith('ANALYTICS_KEEP=many\n')
    expect((await run(['--env-file', file])).refusal).toBe(
      `option '--keep <N>' value 'many' from env 'ANALYTICS_KEEP' is invalid. Allowed: a whole number from 1 to 1000; see program --help`,
    )
  })

  test.each([
    ['without a file', ['--env-file'], /^option '--env-file <FILE>' argument missing; see program --help$/],
    ['of a file that is not there', ['--env-file', '/nowhere/x'], /^--env-file: cannot read \/nowhere\/x: ENOENT/],
  ])('%s is a usage error', async (_, argv, refusal) => {
    expect(await run(argv)).toMatchObject({ code: 2, refusal: expect.stringMatching(refusal) })
  })

  test('a secret may be in a file that a variable, or the file, names', async () => {
    const url = fileWith('postgresql://me:s3cr3t@db/x\n')
    for (const env of [{ DATABASE_URL_FILE: url }, {}] as Record<string, string>[]) {
      const argv = ['--env-file', fileWith('DATABASE_URL_FILE' in env ? '' : `DATABASE_URL_FILE=${url}`)]
      expect((await run(argv, env, SECRET)).values?.['databaseUrl']).toBe('postgresql://me:s3cr3t@db/x')
      expect((await run([...argv, '--database-url', 'flag'], env, SECRET)).values?.['databaseUrl']).toBe('flag')
    }
    expect(await run([], { DATABASE_URL_FILE: url, DATABASE_URL: 'u' }, SECRET)).toMatchObject({
      code: 2,
      refusal: 'DATABASE_URL and DATABASE_URL_FILE are both set; set one of them',
    })
    // A flag has no password of its own: the other variable counts.
    const wrong = { PGPASSWORD_FILE: '/nowhere/p' }
    expect((await run(['--database-url', 'flag'], wrong, SECRET)).refusal).toMatch(/^PGPASSWORD_FILE: cannot read/)
  })

  test('the variables of another command are checked without its secrets, which a flag may have replaced', () => {
    vi.stubEnv('DATABASE_URL_FILE', '/nowhere/x')
    expect(() => checkVariables(BUILDER.build)).not.toThrow()
    vi.stubEnv('ANALYTICS_KEEP', 'many')
    expect(() => checkVariables(BUILDER.build)).toThrow(/ANALYTICS_KEEP/)
  })
})

describe('a command', () => {
  test.each([
    ['is the default one when none is named', [], 'build', []],
    ['is the one that is named', ['status'], 'status', []],
    ['may have an argument', ['status', '--keep', '7', 'ID'], 'status', ['ID']],
    ['may stand behind --', ['status', '--', '--keep'], 'status', ['--keep']],
  ])('%s', async (_, argv, command, args) => {
    expect(await run(argv)).toMatchObject({ command, args, code: 3 })
  })

  test('alone in its program needs no name', async () => {
    expect(await run(['--keep', '7'], {}, OPTIONS, true)).toMatchObject({
      command: 'build',
      values: { keep: 7 },
      code: 3,
    })
  })
})

describe('a usage error is exit 2 and one line that names the option, the value and what is allowed', () => {
  const KEEP = 'is invalid. Allowed: a whole number from 1 to 1000'
  test.each([
    [['--keep', '0'], {}, `option '--keep <N>' argument '0' ${KEEP}`],
    [[], { ANALYTICS_KEEP: 'many' }, `option '--keep <N>' value 'many' from env 'ANALYTICS_KEEP' ${KEEP}`],
    [
      ['--row-security=on'],
      {},
      "option '--row-security <VALUE>' argument 'on' is invalid. Allowed choices are off, apply",
    ],
    [
      [],
      { ANALYTICS_QUIET: 'no' },
      "option '--quiet' value 'no' from env 'ANALYTICS_QUIET' is invalid. Allowed: true or false",
    ],
    // An empty flag is no unset one.
    [['--site-url', ''], {}, "option '--site-url <VALUE>' argument '' is invalid. Allowed: a URL"],
    [['--keep', 'x'.repeat(500)], {}, `option '--keep <N>' argument '${'x'.repeat(80)}' ${KEEP}`],
    [['--keep', '1\n 2'], {}, `option '--keep <N>' argument '1 2' ${KEEP}`],
    [['--keep'], {}, "option '--keep <N>' argument missing"],
    [['--kepe', '7'], {}, "unknown option '--kepe' (Did you mean --keep?)"],
    [['--kee=7'], {}, "unknown option '--kee=7' (Did you mean --keep?)"],
    [['--port'], {}, "unknown option '--port'"],
    [['status', '--versoin'], {}, "unknown option '--versoin' (Did you mean --version?)"],
    [
      ['biuld'],
      {},
      'unexpected argument "biuld"; did you mean build?; build takes options only; commands: build, status',
    ],
    [
      ['--json', 'stauts'],
      {},
      'unexpected argument "stauts"; did you mean status?; build takes options only; commands: build, status',
    ],
    [['publish'], {}, 'unexpected argument "publish"; build takes options only; commands: build, status'],
    [['status', 'a', 'b'], {}, 'unexpected argument "b"; status takes [ID]; commands: build, status'],
  ] as const)('%j with %j: %s', async (argv, env, refusal) => {
    expect(await run([...argv], env)).toEqual({ out: '', code: 2, refusal: `${refusal}; see program --help` })
  })

  test.each([
    [['build', '--cron', '* * * * *'], "'--cron'; it is an option of schedule"],
    [['--cron=hourly'], "'--cron'; it is an option of schedule"],
    [['status', '--keep', '3'], "'--keep'; it is an option of build, schedule, demo, prune"],
    [['build', '--jsno'], "'--jsno' (Did you mean --json?)"],
    // A command's own switch, which takes no value.
    [['status', '--json=true'], "'--json=true'"],
  ])('of %j: it says which command has the option', async (argv, why) => {
    const context = { out: () => {}, log: { warn: () => {} } } as unknown as BuilderContext
    const refused = runCommandLine(PROGRAM, argv, context)
    await expect(refused).rejects.toThrow(`unknown option ${why}; see analytics-build --help`)
  })

  test.each([
    [['--keep', '7', 'status'], 'status'],
    [['--site-url', 'status', '--json', 'status', 'ID'], 'status'],
    [['--site-url', 'host=h user=u password=s3cr3t', 'build'], 'build'],
    [['--site-url', 'u:s3cr3t@h/d', 'build'], 'build'],
  ])('of %j: the command comes first, and no option is shown', async (argv, command) => {
    expect((await run(argv)).refusal).toBe(`a command comes before its options: program ${command} …`)
  })

  test.each([
    ['x', 'unexpected argument "x"; it takes options only'],
    ['help', 'unexpected argument "help"; it takes options only'],
    ['--kepe', "unknown option '--kepe' (Did you mean --keep?)"],
  ])('of a program without commands: %s', async (word, why) => {
    expect((await run([word], {}, OPTIONS, true)).refusal).toBe(`${why}; see program --help`)
  })

  test.each([
    ['in a value', ['--database-url', 'postgresql://me:s3cr3t@db/x'], {}],
    ['in a variable', [], { DATABASE_URL: 'postgresql://me:s3cr3t@db/x' }],
    ['with a slash, a break or an @ in it', ['--database-url', 'postgresql://me:s3cr3t/ \ns3cr3t@s3cr3t@db/x'], {}],
    ['behind a misspelt option', ['--databse-url=postgresql://me:s3cr3t@db/x'], {}],
    ['as an argument', ['postgresql://me:s3cr3t@db/x'], {}],
    ['as an argument of a command', ['status', 'ID', 'postgresql://me:s3cr3t@db/x'], {}],
  ] as const)('never shows a password: %s', async (_, argv, env) => {
    const { refusal } = await run([...argv], env)
    expect(refusal).not.toContain('s3cr3t')
    expect(refusal).toMatch(/^[^\n]+$/)
    expect(refusal).toContain('db/x')
  })
})

describe('a variable that nothing reads', () => {
  test.each([
    ['ANALYTICS_PEPLE', 'ANALYTICS_PEOPLE'],
    ['ANALYTICS_TIMEZONE', 'ANALYTICS_TIME_ZONE'],
    ['ANALYTICS_SNAPSHOT', 'ANALYTICS_SNAPSHOTS'],
    ['ANALYTICS_RATE_STORE_FLIE', 'ANALYTICS_RATE_STORE_FILE'],
    ['ANALYTICS_people', 'ANALYTICS_PEOPLE'],
    ['ANALYTICS_METRICSFILES', 'ANALYTICS_METRICS_FILE'],
  ])('%s is an error: %s was meant', async (name, meant) => {
    const refusal = `the environment has ${name}, which nothing reads; did you mean ${meant}? Correct or unset it`
    for (const alone of [false, true])
      expect(await run([], { [name]: 'x' }, OPTIONS, alone)).toEqual({ out: '', code: 2, refusal })
    expect(await run([], { [name]: '' })).toMatchObject({ command: 'build' })
  })

  test('is one warning, of all of them, where none was meant', async () => {
    const { command, warnings } = await run([], { ANALYTICS_FOO: '1', ANALYTICS_OTHER_THING: '2', ANALYTICS_FOE: '' })
    expect([command, warnings]).toEqual([
      'build',
      [
        expect.stringMatching(
          /^the environment has ANALYTICS_FOO, ANALYTICS_OTHER_THING, which nothing reads; allowed: ANALYTICS_ and the name /,
        ),
      ],
    ])
  })

  test.each(['EVENT', 'QUERY', 'CONTEXT', 'CONNECT', 'PUBLIC', 'TABLE', 'LOGIN', 'LOG', 'HOSTED', 'URL', 'ID'])(
    'ANALYTICS_%s, a word of its own, is a warning, which --quiet leaves out',
    async (word) => {
      const env = { [`ANALYTICS_${word}`]: 'x' }
      expect(await run([], env)).toMatchObject({ command: 'build', warnings: [expect.any(String)] })
      const quiet = { quiet: switchOption('--quiet', 'says less') }
      expect((await run(['--quiet'], env, quiet)).warnings).toBeUndefined()
    },
  )

  test('says of one that has no prefix that it is ours without it; other programs may read it so', async () => {
    for (const [name, value] of [
      ['ANALYTICS_PORT', '8081'],
      ['ANALYTICS_DATABASE_URL', 'postgres://db/x'],
    ] as const)
      expect(await run([], { [name]: value })).toMatchObject({
        command: 'build',
        warnings: [expect.stringContaining(`has ${name} (without the prefix it is ours), which nothing reads`)],
      })
    // Of a service of Kubernetes that is called analytics.
    expect((await run([], { ANALYTICS_PORT: 'tcp://10.0.0.1:80' })).warnings).toBeUndefined()
  })

  test.each([
    'ANALYTICS_SERVICE_HOST',
    'ANALYTICS_PROXY_SERVICE_PORT_HTTP',
    'ANALYTICS_PORTS_PORT_8080_TCP_ADDR',
    'ANALYTICS_RELEASE',
    'ANALYTICS_RELEASE_ID',
    'ANALYTICS_PARAM_ANY',
    'ANALYTICS_RATE_STORE',
  ])('%s is of others, or of the other program', async (name) => {
    const ran = await run([], { [name]: 'x' })
    expect([ran.command, ran.warnings]).toEqual(['build', undefined])
  })
})

describe('the help', () => {
  const helpOf = async (argv: string[], options: Options, alone = false): Promise<string> => {
    const { code, out, command } = await run([...argv, '--help'], {}, options, alone)
    expect([code, command]).toEqual([0, undefined])
    return out
  }

  test.each([
    ['analytics-build build', ['build'], BUILDER.build, false],
    ['analytics-build schedule', ['build'], BUILDER.schedule, false],
    ['analytics-proxy', [], PROXY_OPTIONS, true],
  ] as [string, string[], Options, boolean][])(
    'of %s groups its options, shows defaults, how variables are named and which are named otherwise, and an example',
    async (_, argv, options, alone) => {
      const help = await helpOf(argv, options, alone)
      expect(help).toMatch(/\nExample:\n {2}program (?:build )?--keep 7\n/)
      expect(help.replaceAll(/\s+/g, ' ')).toContain('file of variables: ANALYTICS_TIME_ZONE=UTC for --time-zone UTC')
      for (const { long, helpGroupHeading, envVar, defaultValueDescription } of Object.values(options)) {
        expect(help).toContain(`\n  ${long} `)
        expect(help).toContain(`\n${helpGroupHeading}\n`)
        expect(help).toContain(envVar === variableOf(long ?? '') ? '' : (envVar ?? ''))
        expect(help.replaceAll(/\s+/g, ' ')).toContain(defaultValueDescription ?? '')
      }
    },
  )

  test('of a program with commands lists them, says where their options are, and shows the example of the default one', async () => {
    const help = await helpOf([], OPTIONS)
    expect(help).toMatch(/build \[options\] +the summary of build\n/)
    expect(help).toMatch(/status \[options\] \[ID\] +the summary of status\n/)
    expect(help).toContain('\n  program COMMAND --help\n')
    expect(help).toContain('\nExample:\n  program --keep 7\n')
  })

  test.each([
    [['build', '--help'], { ANALYTICS_KEEP: 'many' }],
    [['status', '-h'], { ANALYTICS_JSON: 'maybe' }],
    [['build', '--keep', 'many', '--help'], {}],
    [['build', '--env-file', '/nonexistent/file', '--help'], {}],
  ])('of %j is there also where %j or an option is wrong', async (argv, env: Record<string, string>) => {
    const ofCommand = new RegExp(`the summary of ${argv[0]}\n[^]*--keep <N>`)
    expect(await run(argv, env)).toEqual({ out: expect.stringMatching(ofCommand), code: 0 })
    expect(await run(['--help', '--keep', 'many'], env, OPTIONS, true)).toMatchObject({
      out: expect.stringContaining('--keep'),
      code: 0,
    })
  })

  test.each([[['--help']], [['build', '-h']], [['help']], [['help', 'status']], [['--keep', 'x', '--help']]])(
    'of %j is there once',
    async (argv) => {
      expect((await run(argv)).out.match(/^Usage: /gm)).toHaveLength(1)
    },
  )

  test.each(PROGRAM.commands.map(({ name }) => name))('of %s fits 60 lines', async (name) => {
    let help = ''
    const context = { out: (part: string) => void (help += part), log: { warn: () => {} } }
    await runCommandLine(PROGRAM, [name, '--help'], context as unknown as BuilderContext)
    expect(help.split('\n').length).toBeLessThanOrEqual(61)
    expect(help).toContain(`Usage: analytics-build ${name}`)
  })

  test('is not what an option has as its value', async () => {
    expect(await run(['build', '--site-url', '--help'])).toMatchObject({ values: { siteUrl: '--help' } })
  })

  test('has its code where the program has none yet', async () => {
    const before = process.exitCode
    process.exitCode = 13
    onTestFinished(() => void (process.exitCode = before))
    expect(await run(['help', 'status'])).toMatchObject({ code: 0 })
  })

  test('and the version end with 0 and run nothing', async () => {
    expect(await run(['--version'])).toEqual({
      out: expect.stringMatching(/^\d+\.\d+\.\d+(?:-(?:dev|rc)\.\d+)?(?: \(commit [0-9a-f]{12}(?:-modified)?\))?\n$/),
      code: 0,
    })
    expect(await run(['help', 'status'])).toMatchObject({
      out: expect.stringContaining('the summary of status'),
      code: 0,
    })
  })
})
