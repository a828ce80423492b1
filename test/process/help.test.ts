// The help of every command of the three programs (help.ts).
import { describe, expect, test } from 'vitest'
import { PROGRAM } from '../../src/builder/commands/table.ts'
import { command, runCommandLine, type AnyCommand, type Program } from '../../src/process/command-line.ts'
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

async function helpOf({ argv, program }: Helped): Promise<string> {
  let text = ''
  const context = { out: (part: string) => void (text += part) } as never
  await runCommandLine(program, [...argv, '--help'], context)
  return text
}

describe.each(HELPED)('the help of $name', (helped) => {
  test('names each option that can be given', async () => {
    const text = await helpOf(helped)
    for (const { long } of helped.options) expect(text).toMatch(new RegExp(`${long}(?![\\w-])`))
  })
})
