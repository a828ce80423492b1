// The examples of README.md and docs/ are run: curl lines against a proxy that serves the demo, and the lists of commands
// against --help.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import { startProgram, type ProxyProgram } from '../support/proxy.ts'
import { document, DOCUMENTS } from './documents.ts'

const run = promisify(execFile)
const BUILD = packagePath('bin', 'analytics-build.js')

describe('the curl examples', () => {
  let folder = ''
  let proxy: ProxyProgram | undefined
  const examples = DOCUMENTS.flatMap(({ path, text }) =>
    [...text.matchAll(/```console\n\$ (curl [^\n]+)\n([\s\S]*?)\n```/g)].map(([, command = '', output = '']) => ({
      path,
      command,
      output,
    })),
  )

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'analytics-docs-'))
    await run(process.execPath, [BUILD, 'demo', '--snapshots', folder])
    proxy = await startProgram(['--snapshots', folder])
  })
  afterAll(async () => {
    await proxy?.kill()
    if (folder !== '') await rm(folder, { recursive: true, force: true })
  })

  test('are there for each kind of answer', () => {
    expect(examples.filter(({ path }) => path === 'docs/api.md').length).toBeGreaterThanOrEqual(4)
    expect(examples.map(({ path }) => path)).toContain('README.md')
  })

  test.each(examples)('$path: $command', async ({ command, output }) => {
    const url = /http:\/\/127\.0\.0\.1:8080([^\s']*)/.exec(command)?.[1] ?? ''
    const answer = (await (await fetch(`${proxy?.base ?? ''}${url}`)).text()).trimEnd()
    if (output.startsWith('{')) expect(shapeOf(JSON.parse(answer))).toEqual(shapeOf(JSON.parse(output)))
    else expect(answer.replaceAll('\r', '').split('\n').map(firstCell)).toEqual(output.split('\n').map(firstCell))
  })
})

describe('the commands of analytics-build', () => {
  let commands: string[] = []
  beforeAll(async () => {
    const { stdout } = await run(process.execPath, [BUILD, '--help'])
    const listed = stdout.slice(stdout.indexOf('Commands:'), stdout.indexOf('Options of a command:'))
    commands = [...listed.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name).filter((name) => name !== 'help')
  })

  test('are those of docs/cli.md, in order', () => {
    const { text } = document('docs/cli.md')
    const table = text.slice(text.indexOf('| command |'), text.indexOf('A release is named'))
    expect(commands.length).toBeGreaterThan(9)
    expect([...table.matchAll(/^\| `([a-z]+)/gm)].map(([, name]) => name)).toEqual(commands)
  })

  test.each(DOCUMENTS)('are the only ones that $path names', ({ text }) => {
    for (const [, command = ''] of text.matchAll(/analytics-build(?:\.js)? ([a-z]+)(?=[` \n])(?! it)/g))
      if (!['or', 'and', 'stands', 'is', 'as', 'within', 'for'].includes(command)) expect(commands).toContain(command)
  })
})

test('an example in which the proxy is reached from elsewhere says whom it trusts', () => {
  const blocks = DOCUMENTS.flatMap(({ text }) =>
    [...text.matchAll(/^```\w+\n(.*?)^```/gms)].map(([, block = '']) => block),
  )
  const open = blocks.filter((block) => block.includes('analytics-proxy') && /0\.0\.0\.0|"::"/.test(block))
  expect(open.length).toBeGreaterThan(0)
  for (const block of open) expect(block).toContain('--trust-proxy')
})

/** Keys in order, and of a list the shape of its first element: the demo's values differ from day to day. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [shapeOf(value[0])]
  if (value === null || typeof value !== 'object') return 'value'
  return Object.entries(value).map(([key, one]) => [key, shapeOf(one)])
}

function firstCell(line: string): string | undefined {
  return line.split(',')[0]
}
