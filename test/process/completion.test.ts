// What may follow on a command line that is being typed (completion.ts), by the tables of the real programs.
import { describe, expect, test } from 'vitest'
import { PROGRAM } from '../../src/builder/commands/table.ts'
import { candidatesFor, type CompletedProgram } from '../../src/process/completion.ts'
import { command, runCommandLine } from '../../src/process/command-line.ts'
import { ReplacedOption } from '../../src/process/option.ts'
import { PROXY_OPTIONS } from '../../src/proxy/options.ts'
import { builtInMappings } from '../../src/source/mapping/mapping.ts'

const BUILDER: CompletedProgram = {
  ...PROGRAM,
  completers: { ...PROGRAM.completers, '[ID]': (given) => [`of ${given.get('--snapshots') ?? 'nowhere'}`] },
}
const serve = command({ name: 'serve', summary: '', options: PROXY_OPTIONS, example: '', action: async () => 0 })
const PROXY: CompletedProgram = { commands: [serve] }

async function after(line: string, program = BUILDER): Promise<readonly string[]> {
  const { words, paths } = await candidatesFor(program, line.split(' '))
  return [...words.map(({ value }) => value), ...(paths === 'none' ? [] : [paths])]
}

describe('what may follow', () => {
  test.each<[string, readonly string[]]>([
    ['', PROGRAM.commands.map(({ name }) => name)],
    ['re', ['resume']],
    ['status ', []],
    ['--keep 3 sta', ['status']],
    ['build --peo', ['--people']],
    ['--peo', ['--people']],
    ['build --people ', ['exact', 'rounded', 'off']],
    ['build --people r', ['rounded']],
    ['build --people=r', ['--people=rounded']],
    ['build --people = r', ['rounded']],
    ['build --people =', ['exact', 'rounded', 'off']],
    ['build --log-level d', ['debug']],
    ['build --row-security ', ['off', 'apply']],
    ['build --source fi', ['fider', 'files']],
    ['init ', builtInMappings()],
    ['build --title ', []],
    ['build --keep 3 --kee', []],
    ['build --param a=1 --para', ['--param']],
    ['build --snapshots ', ['folders']],
    ['build --env-file ', ['files']],
    ['build --metrics-file x', ['files']],
    ['rollback ', ['of nowhere']],
    ['rollback --snapshots there ', ['of there']],
    ['rollback --snapshots=there ', ['of there']],
    ['rollback one ', []],
    ['completion ', ['bash', 'zsh', 'fish']],
    ['build --no-such ', []],
    ['--vers', ['--version']],
  ])('after "%s"', async (line, expected) => {
    expect(await after(line)).toEqual(expected)
  })

  test('is each option that a command has, each once, and none that is gone', async () => {
    for (const { name, options } of PROGRAM.commands) {
      const flags = options.flatMap((one) => (one instanceof ReplacedOption ? [] : [one.long]))
      const found = await after(`${name} --`)
      expect(found, name).toEqual([...flags, '--env-file', '--no-color', '--help'])
    }
  })

  test('of a program without commands is its options', async () => {
    expect(await after('', PROXY)).toEqual([])
    expect(await after('--rate-st', PROXY)).toEqual(['--rate-store'])
    expect(await after('--log-level ', PROXY)).toEqual(['error', 'warn', 'info', 'debug'])
  })

  test('a comparison has two releases', async () => {
    expect(await after('diff --snapshots /nowhere cur')).toEqual(['current'])
    expect(await after('diff --snapshots /nowhere current cur')).toEqual(['current'])
    expect(await after('diff --snapshots /nowhere current current ')).toEqual([])
  })
})

test.each([
  [['completion'], 'completion: no shell is given; allowed: bash, zsh, fish'],
  [['completion', 'tcsh'], 'completion: "tcsh" is not allowed; allowed: bash, zsh, fish'],
])('%j is an error that says what is allowed', async (argv, message) => {
  await expect(runCommandLine(PROGRAM, argv, { out: () => undefined } as never)).rejects.toThrow(message)
})
