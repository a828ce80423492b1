import { describe, expect, test } from 'vitest'
import { BUILD_OPTIONS, SCHEDULE_OPTIONS } from '../../src/builder/build-options.ts'
import { CliError } from '../../src/process/cli-error.ts'
import {
  runCommandLine,
  variableOf,
  type CommandSpec,
  type OptionSpec,
  type OptionTable,
} from '../../src/process/command-line.ts'
import { integer, oneOf, text, type Parse } from '../../src/process/value-syntax.ts'
import { PROXY_OPTIONS } from '../../src/proxy/options.ts'

const yes: Parse<boolean> = (given) => (given === 'true' ? { value: true } : { allowed: 'true' })
const option = <T>(flag: `--${string}`, parse: Parse<T>, more: Partial<OptionSpec<T>> = {}): OptionSpec<unknown> => ({
  flag,
  argument: 'VALUE',
  variable: variableOf(flag),
  default: null,
  group: 'Group',
  description: `what ${flag} is for`,
  parse,
  ...more,
})

const OPTIONS: OptionTable = {
  keep: option('--keep', integer(1, 1000), { default: '5', argument: 'N' }),
  rowSecurity: option('--row-security', oneOf('off', 'apply'), { default: 'off' }),
  siteUrl: option('--site-url', text('a URL')),
  databaseUrl: option('--database-url', oneOf('only this'), { variable: 'DATABASE_URL' }),
  json: option('--json', yes, { argument: null, variable: null }),
  param: option('--param', text('KEY=VALUE'), { repeatable: true }),
}

interface Ran {
  command?: string
  values?: Readonly<Record<string, unknown>>
  given?: string[]
  args?: readonly string[]
  code?: number
  out: string
  refusal?: string
}

/** Two commands, `build` by default, `status` with an optional argument; or one alone. */
async function run(argv: string[], env: Record<string, string> = {}, options = OPTIONS, alone = false): Promise<Ran> {
  const ran: Ran = { out: '' }
  const command = (name: string, more: Partial<CommandSpec>): CommandSpec => ({
    name,
    summary: `the summary of ${name}`,
    options,
    example: `$0 --keep 7`,
    run: async (values, args, given) => {
      Object.assign(ran, { command: name, values, args, given: [...given] })
      return 3
    },
    ...more,
  })
  const commands = [command('build', { isDefault: true }), command('status', { argument: '[ID]' })].slice(
    0,
    alone ? 1 : 2,
  )
  try {
    const out = (part: string): void => void (ran.out += part)
    ran.code = await runCommandLine({ name: 'program', summary: 'What it does.', commands }, argv, { env, out })
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    Object.assign(ran, { code: error.exitCode, refusal: error.message })
  }
  return ran
}

describe('an option is taken from flag, then variable, then default', () => {
  test.each([
    ['the default', [], {}, 5, false],
    ['the variable', [], { ANALYTICS_KEEP: '6' }, 6, true],
    ['the flag', ['--keep', '7'], {}, 7, true],
    ['the flag over the variable', ['--keep', '7'], { ANALYTICS_KEEP: '6' }, 7, true],
    ['the flag over a variable that is wrong', ['--keep=7'], { ANALYTICS_KEEP: 'many' }, 7, true],
    ['the default when the variable is empty', [], { ANALYTICS_KEEP: '' }, 5, false],
    ['the default when another program has that variable', [], { KEEP: '6', analytics_keep: '6' }, 5, false],
    ['the last flag', ['--keep', '7', '--keep', '8'], {}, 8, true],
  ] as const)('%s', async (_, argv, env, keep, given) => {
    const ran = await run([...argv], env)
    expect([ran.values?.['keep'], ran.given?.includes('keep')]).toEqual([keep, given])
  })

  test('one without default is null, a repeatable one a list, whatever it came from', async () => {
    expect((await run([])).values).toEqual({
      keep: 5,
      rowSecurity: 'off',
      siteUrl: null,
      databaseUrl: null,
      json: null,
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
    expect((await run([], { ANALYTICS_JSON: 'true', null: 'true' })).values).toMatchObject({ json: null })
  })

  test.each([
    ['--keep', 'ANALYTICS_KEEP'],
    ['--statement-timeout', 'ANALYTICS_STATEMENT_TIMEOUT'],
    ['--ipv6-prefix', 'ANALYTICS_IPV6_PREFIX'],
  ])('the variable of %s is %s', (flag, variable) => {
    expect(variableOf(flag)).toBe(variable)
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

describe('a refusal is exit 2 and one line that names the option, the value and what is allowed', () => {
  test.each([
    ['a flag', ['--keep', '0'], {}, '--keep: "0" is not allowed; allowed: a whole number from 1 to 1000'],
    [
      'a variable, which is named too',
      [],
      { ANALYTICS_KEEP: 'many' },
      '--keep (from ANALYTICS_KEEP): "many" is not allowed; allowed: a whole number from 1 to 1000',
    ],
    ['a word', ['--row-security=on'], {}, '--row-security: "on" is not allowed; allowed: off or apply'],
    ['an empty flag is no unset one', ['--site-url', ''], {}, '--site-url: "" is not allowed; allowed: a URL'],
    [
      'a long value, cut',
      ['--keep', 'x'.repeat(500)],
      {},
      `--keep: "${'x'.repeat(80)}" is not allowed; allowed: a whole number from 1 to 1000`,
    ],
    [
      'a value of several lines',
      ['--keep', '1\n 2'],
      {},
      '--keep: "1 2" is not allowed; allowed: a whole number from 1 to 1000',
    ],
    ['a flag without its value', ['--keep'], {}, "option '--keep <N>' argument missing; see program --help"],
    [
      'an unknown option, and the one that was meant',
      ['--kepe', '7'],
      {},
      "unknown option '--kepe' (Did you mean --keep?); see program --help",
    ],
    ['a prefix of an option', ['--kee=7'], {}, "unknown option '--kee=7' (Did you mean --keep?); see program --help"],
    [
      'an unknown command',
      ['biuld'],
      {},
      'unexpected argument "biuld"; build takes options only; commands: build, status; see program --help',
    ],
    [
      'an argument too many',
      ['status', 'a', 'b'],
      {},
      'unexpected argument "b"; status takes [ID]; commands: build, status; see program --help',
    ],
  ] as const)('%s', async (_, argv, env, refusal) => {
    expect(await run([...argv], env)).toEqual({ out: '', code: 2, refusal })
  })

  test('of an argument of a program without commands', async () => {
    expect((await run(['x'], {}, OPTIONS, true)).refusal).toBe(
      'unexpected argument "x"; it takes options only; see program --help',
    )
  })

  test.each([
    ['in a value', ['--database-url', 'postgresql://me:s3cr3t@db/x'], {}],
    ['in a variable', [], { DATABASE_URL: 'postgresql://me:s3cr3t@db/x' }],
    [
      'with a slash, a space, a line break or an @ in it',
      ['--database-url', 'postgresql://me:s3cr3t/ \ns3cr3t@s3cr3t@db/x'],
      {},
    ],
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

describe('the help', () => {
  const helpOf = async (argv: string[], options: OptionTable, alone = false): Promise<string> => {
    const { code, out, command } = await run([...argv, '--help'], {}, options, alone)
    expect([code, command]).toEqual([0, undefined])
    return out
  }

  test.each([
    ['analytics-build build', ['build'], BUILD_OPTIONS, false],
    ['analytics-build schedule', ['build'], SCHEDULE_OPTIONS, false],
    ['analytics-proxy', [], PROXY_OPTIONS, true],
  ])(
    'of %s fits a screen, groups its options, shows their variables and defaults, and an example',
    async (_, argv, options, alone) => {
      const help = await helpOf(argv, options, alone)
      const lines = help.trimEnd().split('\n')
      expect(lines.length).toBeGreaterThanOrEqual(24)
      expect(lines.length).toBeLessThanOrEqual(40)
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(118)
      expect(help).toMatch(/\nExample:\n {2}program (?:build )?--keep 7\n/)
      for (const { flag, group, variable, default: byDefault } of Object.values(options as OptionTable)) {
        expect(help).toContain(`\n  ${flag} `)
        expect(help).toContain(`\n${group}:\n`)
        if (variable !== null) expect(help).toContain(variable)
        if (byDefault !== null) expect(help.replaceAll(/\s+/g, ' ')).toContain(`default ${byDefault}`)
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

  test('and the version end with 0 and run nothing', async () => {
    expect(await run(['--version'])).toEqual({ out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), code: 0 })
    expect(await run(['help', 'status'])).toMatchObject({
      out: expect.stringContaining('the summary of status'),
      code: 0,
    })
  })
})
