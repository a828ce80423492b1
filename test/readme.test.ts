// What the README says of flags, variables, endpoints and errors is what the code does; its examples are run.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BUILD_OPTIONS, DEMO_OPTIONS, SCHEDULE_OPTIONS } from '../src/builder/build-options.ts'
import { PRUNE_OPTIONS } from '../src/builder/release-commands.ts'
import { GRANTS_OPTIONS, INIT_OPTIONS } from '../src/builder/source-commands.ts'
import { ENDPOINTS } from '../src/contract/endpoints.ts'
import { allowedValues } from '../src/contract/parse-query.ts'
import { PROBLEM_TITLES } from '../src/contract/problems.ts'
import type { OptionTable } from '../src/process/command-line.ts'
import { packagePath } from '../src/process/package-root.ts'
import { PROXY_OPTIONS } from '../src/proxy/options.ts'
import { startProgram, type ProxyProgram } from './support/proxy.ts'

const run = promisify(execFile)
const README = await readFile(packagePath('README.md'), 'utf8')

/** The one default in which the demo differs. */
const ofBoth = {
  ...BUILD_OPTIONS.snapshots,
  defaultText: `${BUILD_OPTIONS.snapshots.default}; demo: ${DEMO_OPTIONS.snapshots.default}`,
}

function optionRows(table: OptionTable): string {
  const rows = Object.values(table).map((option) => {
    const flag = option.argument === null ? option.flag : `${option.flag} ${option.argument}`
    const variable = option.variable ?? (option.repeatable === true ? 'ANALYTICS_PARAM_KEY' : '')
    const byDefault =
      option.repeatable === true ? '' : (option.defaultText ?? option.default ?? '').replace(/^default /, '')
    const cell = (text: string): string => text.replaceAll('|', '\\|')
    return `| \`${cell(flag)}\` | ${variable === '' ? '' : `\`${variable}\``} | ${cell(byDefault)} | ${cell(option.description)} |`
  })
  return `| option | variable | default | |\n|---|---|---|---|\n${rows.join('\n')}\n`
}

describe('the README', () => {
  test.each([
    [
      'analytics-build',
      {
        cron: SCHEDULE_OPTIONS.cron,
        ...BUILD_OPTIONS,
        snapshots: ofBoth,
        output: INIT_OPTIONS.output,
        role: GRANTS_OPTIONS.role,
        allButCurrent: PRUNE_OPTIONS.allButCurrent,
      },
    ],
    ['analytics-proxy', PROXY_OPTIONS],
  ])('lists the options of %s as they are', (program, table) => {
    const mark = `<!-- options: ${program} -->\n`
    const from = README.indexOf(mark)
    expect(from, `the mark for ${program}`).toBeGreaterThan(0)
    const shown = README.slice(from + mark.length, README.indexOf('<!-- end -->', from))
    expect(shown).toBe(optionRows(table))
  })

  test('lists every endpoint with its parameters, values and defaults', () => {
    for (const { path, parameters } of Object.values(ENDPOINTS)) {
      const row = README.split('\n').find((line) => line.startsWith(`| \`${path}\``))
      expect(row, path).toBeDefined()
      for (const parameter of parameters) {
        expect(row).toContain(`\`${parameter.name}\``)
        if (parameter.kind === 'choice') expect(row).toContain(`${parameter.values.join(' ')} (${parameter.default})`)
        if (parameter.kind === 'integer')
          expect(row).toContain(`${parameter.min}..${parameter.max} (${parameter.default})`)
        expect(allowedValues(parameter)).not.toBe('')
      }
    }
  })

  test('lists every error with its title, and no other', () => {
    const rows = [...README.matchAll(/^\| ([45]\d{2}) \| ([^|]+) \|/gm)].map(([, status, title]) => [
      Number(status),
      title,
    ])
    expect(rows).toEqual([...PROBLEM_TITLES].sort(([a], [b]) => a - b))
  })

  test('links to files that exist', async () => {
    const links = [...README.matchAll(/\]\(((?!https?:|#)[^)]+)\)/g)].map(([, path]) => path ?? '')
    expect(links.length).toBeGreaterThan(4)
    for (const path of links) await expect(readFile(packagePath(path), 'utf8'), path).resolves.not.toBe('')
  })
})

describe('the README’s curl examples', () => {
  let folder = ''
  let proxy: ProxyProgram | undefined
  const examples = [...README.matchAll(/```console\n\$ (curl [^\n]+)\n([\s\S]*?)\n```/g)].map(
    ([, command, output]) => ({
      command: command ?? '',
      output: output ?? '',
    }),
  )

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'analytics-readme-'))
    await run(process.execPath, [packagePath('bin', 'analytics-build.js'), 'demo', '--snapshots', folder])
    proxy = await startProgram(['--snapshots', folder])
  })
  afterAll(async () => {
    await proxy?.kill()
    if (folder !== '') await rm(folder, { recursive: true, force: true })
  })

  test('are there for each kind of answer', () => {
    expect(examples.length).toBeGreaterThanOrEqual(4)
  })

  test.each(examples)('$command', async ({ command, output }) => {
    const url = /http:\/\/127\.0\.0\.1:8080([^\s']*)/.exec(command)?.[1] ?? ''
    const answer = (await (await fetch(`${proxy?.base ?? ''}${url}`)).text()).trimEnd()
    if (output.startsWith('{')) expect(shapeOf(JSON.parse(answer))).toEqual(shapeOf(JSON.parse(output)))
    else expect(answer.replaceAll('\r', '').split('\n').map(firstCell)).toEqual(output.split('\n').map(firstCell))
  })
})

test('an example in which the proxy is reached from elsewhere says whom it trusts', () => {
  const blocks = [...README.matchAll(/^```\w+\n(.*?)^```/gms)].map(([, block = '']) => block)
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
