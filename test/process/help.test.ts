// The help of every command of the three programs, on terminals of any width (help.ts).
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { PROGRAM } from '../../src/builder/commands/table.ts'
import { command, runCommandLine, type AnyCommand, type Program } from '../../src/process/command-line.ts'
import { NO_SCREEN, screenOf, type Screen } from '../../src/process/screen.ts'
import { PROXY_OPTIONS } from '../../src/proxy/options.ts'
import { START_OPTIONS } from '../../src/start/start-options.ts'

const alone = (name: string, options: typeof PROXY_OPTIONS | typeof START_OPTIONS): AnyCommand<never> =>
  command({ name, summary: 'It does.', options, example: '$0 --port 8080', action: async () => 0 })

interface Helped {
  readonly name: string
  readonly argv: readonly string[]
  readonly program: Program<never>
  readonly options: AnyCommand<never>['options']
}

const single = (name: string, options: typeof PROXY_OPTIONS | typeof START_OPTIONS): Helped => {
  const program = { name, summary: 'It does.', commands: [alone(name, options)] }
  return { name, argv: [], program, options: Object.values<AnyCommand<never>['options'][number]>(options) }
}

const HELPED: readonly Helped[] = [
  { name: 'analytics-build', argv: [], program: PROGRAM, options: [] },
  ...PROGRAM.commands.map(({ name, options }) => ({ name, argv: [name], program: PROGRAM, options })),
  single('analytics-proxy', PROXY_OPTIONS),
  single('public-analytics', START_OPTIONS),
]

async function helpOf({ argv, program }: Helped, screen: Screen): Promise<string> {
  let text = ''
  const context = { out: (part: string) => void (text += part), screen: () => screen } as never
  await runCommandLine(program, [...argv, '--help'], context)
  return text
}

describe.each(HELPED)('the help of $name', (helped) => {
  test('names each option that can be given, whatever the width', async () => {
    const flags = helped.options.flatMap((one) => one.long ?? [])
    if (helped.argv.length === 0) flags.push('--env-file')
    for (const width of [40, 80, 120]) {
      const text = await helpOf(helped, { ...NO_SCREEN, width })
      for (const flag of flags) expect(text).toMatch(new RegExp(`${flag}(?![\\w-])`))
    }
  })

  test('is the same with colours, but for them', async () => {
    const coloured = { ...screenOf({ isTTY: true, columns: 80 }, { TERM: 'xterm' }), width: 80 }
    const text = await helpOf(helped, coloured)
    expect(text).toContain('\u001B[1mUsage:\u001B[22m')
    expect(stripVTControlCharacters(text)).toBe(await helpOf(helped, { ...NO_SCREEN, width: 80 }))
  })
})
