// What docs/ says of options, variables, endpoints, errors, messages, metrics, alerts, scripts and packages is what the code
// has.
import { LANGUAGES } from '../../src/contract/site-paths.ts'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { Option } from 'commander'
import { describe, expect, test } from 'vitest'
import { OPTIONS } from '../../src/builder/options/build-options.ts'
import { PROGRAM } from '../../src/builder/commands/table.ts'
import { EXIT_CODES, RESULTS, resultOf } from '../../src/builder/report/exit-codes.ts'
import { EXPORT_COLUMNS } from '../../src/contract/columns.ts'
import { ENDPOINTS, KINDS } from '../../src/contract/kinds/register.ts'
import { API_HEADERS } from '../../src/contract/openapi.ts'
import { internalError, PROBLEM_TITLES, type Failure } from '../../src/contract/problems.ts'
import { ENV_FILE_FLAG } from '../../src/process/env-file.ts'
import { type Options } from '../../src/process/option.ts'
import { packagePath } from '../../src/process/package-root.ts'
import { SECRET_VARIABLES, twinOf } from '../../src/process/variables.ts'
import { PROXY_OPTIONS } from '../../src/proxy/options.ts'
import type { Manifest } from '../../src/release/format/manifest.ts'
import { PARAM_TYPES } from '../../src/source/mapping/parameters.ts'
import { COLUMNS, PAGE_COLUMNS } from '../../src/source/mapping/relations.ts'
import { codeLines, document, DOCUMENTS, FILES, inlineCode } from './documents.ts'

const API = document('docs/api.md').text
const CLI = document('docs/cli.md').text
const OPERATIONS = document('docs/operations.md').text
const PAGE = document('docs/page.md')
const PACKAGE = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as {
  readonly engines: { readonly node: string }
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
}

const BUILDER_TABLE: Options = {
  cron: OPTIONS.schedule.cron,
  ...OPTIONS.build,
  snapshots: withDemo(OPTIONS.build.snapshots, OPTIONS.demo.snapshots),
  title: withDemo(OPTIONS.build.title, OPTIONS.demo.title),
  output: OPTIONS.init.output,
  role: OPTIONS.grants.role,
  makeRole: OPTIONS.setup.makeRole,
  yes: OPTIONS.setup.yes,
  allButCurrent: OPTIONS.prune.allButCurrent,
  log: OPTIONS.verify.log,
}
const ALL_OPTIONS = [BUILDER_TABLE, PROXY_OPTIONS].flatMap((table) => Object.values(table))

const isOfPage = ({ helpGroupHeading }: Options[string]): boolean =>
  helpGroupHeading === OPTIONS.build.title.helpGroupHeading

/** One that names both defaults. */
function withDemo(one: Options[string], demo: Options[string]): Options[string] {
  const both = new Option(one.flags, one.description)
  if (one.envVar !== undefined) both.env(one.envVar)
  if (one.helpGroupHeading !== undefined) both.helpGroup(one.helpGroupHeading)
  return both.default(one.defaultValue, `${one.defaultValueDescription}; demo: ${demo.defaultValueDescription}`)
}

/** A line for each option, and one for those of the page, which docs/page.md describes. */
function optionLines(table: Options): string {
  const named = (option: Options[string]): string => {
    const byDefault = option.defaultValueDescription ?? ''
    const shown = option.long === '--param' || byDefault === '' ? '' : ` (\`${byDefault}\`)`
    return `\`${option.flags.replaceAll(/[<>]/g, '')}\`${shown}`
  }
  const options = Object.values(table)
  const lines = options
    .filter((option) => !isOfPage(option))
    .map((option) => `- ${named(option)}: ${option.description}\n`)
  const folded = options.filter(isOfPage).map(named)
  return folded.length === 0
    ? lines.join('')
    : `${lines.join('')}- options of [the page](${basename(PAGE.path)}#options): ${folded.join(', ')}\n`
}

/** The rows of the table that begins with this head, without it. */
function rowsBelow(text: string, head: string): string[][] {
  const from = text.indexOf(head)
  expect(from, head).toBeGreaterThan(0)
  const [table = ''] = text.slice(from).split('\n\n')
  return table
    .trimEnd()
    .split('\n')
    .slice(2)
    .map((row) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .map((cells) => cells.slice(1, -1))
}

interface JsonOfParameter {
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: string | number
}

describe('docs/cli.md', () => {
  test.each([
    ['analytics-build', BUILDER_TABLE],
    ['analytics-proxy', PROXY_OPTIONS],
  ])('lists the options of %s as they are', (program, table) => {
    const mark = `<!-- options: ${program} -->\n`
    const from = CLI.indexOf(mark)
    expect(from, `the mark for ${program}`).toBeGreaterThan(0)
    const shown = CLI.slice(from + mark.length, CLI.indexOf('<!-- end -->', from))
    expect(shown).toBe(optionLines(table))
  })

  test('leaves it to docs/page.md to describe the options of the page, and README names its languages', () => {
    for (const { long } of Object.values(BUILDER_TABLE).filter(isOfPage)) expect(PAGE.text).toContain(`\`${long}`)
    expect(PAGE.text).toContain(`some of ${LANGUAGES.map((language) => `\`${language}\``).join(', ')}`)
    const names = new Intl.DisplayNames('en', { type: 'language' })
    expect(document('README.md').text).toContain(`(${LANGUAGES.map((language) => names.of(language)).join(', ')})`)
  })

  test('says of each option whether it has a variable, and which', () => {
    const [rule = ''] = /^- \*\*Options\*\*.*?(?=\n- )/ms.exec(CLI) ?? []
    for (const { long = '', envVar } of ALL_OPTIONS) {
      const byName = `ANALYTICS_${long.slice(2).toUpperCase().replaceAll('-', '_')}`
      const named = envVar ?? long
      if (long !== '--param' && envVar !== byName) expect(rule).toContain(`\`${named}\``)
    }
  })

  test('names the file of each secret', () => {
    for (const name of SECRET_VARIABLES) expect(CLI).toContain(`\`${twinOf(name)}\``)
  })
})

describe('the commands of analytics-build', () => {
  const commands = PROGRAM.commands.map(({ name }) => name)

  test('are those of docs/cli.md, in order', () => {
    const listed = rowsBelow(CLI, '| command | what it does |').map(([name = '']) => /`([a-z]+)/.exec(name)?.[1])
    expect(listed).toEqual(commands)
  })

  test.each(DOCUMENTS)('are the only ones that $path names', (doc) => {
    for (const code of [...inlineCode(doc), ...codeLines(doc)])
      for (const [, command] of code.matchAll(/analytics-build(?:\.js)? ([a-z]+)(?=$|[^\w.-])/g))
        expect(commands, code).toContain(command)
  })
})

describe('the exit codes of analytics-build', () => {
  test('are all in docs/cli.md', () => {
    const codes = rowsBelow(CLI, '| exit code | meaning |').flatMap(([list = '']) => list.split(', ').map(Number))
    expect(codes).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 129, 130, 143, 137])
    expect(codes).toEqual(expect.arrayContaining(Object.values(EXIT_CODES)))
  })

  test('have in docs/operations.md the results that they have in the metrics', () => {
    const row = OPERATIONS.split('\n').find((line) => line.includes('analytics_build_last_run_result{result}')) ?? ''
    const pairs = [...row.matchAll(/((?:`\w+`, )*`\w+`) \(([\d, ]+)\)/g)].flatMap(([, names = '', codes = '']) =>
      names.split(', ').flatMap((name) => codes.split(', ').map((code) => [name.slice(1, -1), Number(code)] as const)),
    )
    expect(new Set(pairs.map(([name]) => name))).toEqual(new Set(RESULTS))
    for (const [name, code] of pairs)
      // Each signal has a code of its own.
      if (name !== 'stopped') expect([name, code]).toEqual([name, EXIT_CODES[name as keyof typeof EXIT_CODES]])
    const outcomes = ['published', 'refused', 'held', 'locked']
    for (const [name, code] of pairs) if (!outcomes.includes(name)) expect(resultOf(code)).toBe(name)
  })
})

describe('docs/mappings.md', () => {
  const { text } = document('docs/mappings.md')

  test('lists the sections with their columns', () => {
    const rows = new Map(
      rowsBelow(text, '| section | columns | |').map(([name = '', columns = '']) => [
        /`(\w+)`/.exec(name)?.[1],
        [...columns.matchAll(/`(\w+)`/g)].map(([, column]) => column),
      ]),
    )
    expect([...rows.keys()]).toEqual([...Object.keys(COLUMNS), 'closed', 'page', 'with'])
    expect(rows.get('page')).toEqual(PAGE_COLUMNS)
    for (const [relation, columns] of Object.entries(COLUMNS)) expect(rows.get(relation)).toEqual(Object.keys(columns))
  })

  test('lists the types of parameters', () => {
    for (const type of PARAM_TYPES) expect(text).toContain(`\`${type}\``)
  })
})

describe('docs/api.md', () => {
  test('names every header', () => {
    for (const header of Object.keys(API_HEADERS)) expect(API).toContain(`\`${header}`)
  })

  test('lists the columns of every export', () => {
    const rows = rowsBelow(API, '| `type` | columns | rows |').map(([type, columns]) => [type, columns])
    const columns = Object.entries(EXPORT_COLUMNS).map(([type, names]) => [`\`${type}\``, `\`${names.join(',')}\``])
    expect(rows).toEqual(columns)
  })

  test('lists every key of the manifest', () => {
    const every: Readonly<Record<keyof Manifest, true>> = {
      id: true,
      dataAsOf: true,
      generatedAt: true,
      version: true,
      nextUpdateAt: true,
      programVersion: true,
      programCommit: true,
      timeZoneDatabase: true,
      options: true,
      mapping: true,
      source: true,
      closed: true,
      closedSince: true,
      site: true,
      months: true,
      month: true,
      categoryChanges: true,
      previous: true,
      rows: true,
      ignored: true,
      categories: true,
      files: true,
    }
    const listed = rowsBelow(API, '| key of the manifest | meaning |').flatMap(([keys = '']) =>
      [...keys.matchAll(/`(\w+)`/g)].map(([, key]) => key),
    )
    expect(listed).toEqual(Object.keys(every))
  })

  test('lists every endpoint with its parameters, values and defaults', () => {
    for (const { path, parameters } of Object.values(ENDPOINTS)) {
      const row = API.split('\n').find((line) => line.startsWith(`| \`${path}\``))
      expect(row, path).toBeDefined()
      for (const parameter of parameters) {
        expect(row).toContain(`\`${parameter.name}\``)
        const { enum: values, minimum, maximum, default: unless } = parameter.json as JsonOfParameter
        if (unless === undefined) continue
        if (values !== undefined) expect(row).toContain(`${values.join(' ')} (${unless})`)
        if (minimum !== undefined && maximum !== undefined) expect(row).toContain(`${minimum}..${maximum} (${unless})`)
        expect(parameter.allowed).not.toBe('')
      }
    }
  })

  test('has the files of every kind', () => {
    const [, tree = ''] = API.split('```\nsnapshots/current -> ')
    for (const [path] of Object.values(KINDS).flatMap(({ files }) => files))
      expect(tree.split('```')[0]).toContain(` ${path.replace(/csv$/, 'json')}`)
  })

  test('lists every error with its title, and no other', () => {
    const rows = [...API.matchAll(/^\| ([45]\d{2}) \| ([^|]+) \|/gm)].map(([, code, title]) => [Number(code), title])
    expect(rows).toEqual(Object.entries(PROBLEM_TITLES).map(([status, title]) => [Number(status), title]))
  })

  test('lists every message of 500', () => {
    const every: Readonly<Record<Failure, true>> = {
      'no release': true,
      'not yet': true,
      damaged: true,
      unreadable: true,
      unexpected: true,
    }
    const messages = Object.keys(every).map((failure) => internalError(failure as Failure).message)
    expect(rowsBelow(API, '| message | cause |').map(([message]) => message)).toEqual(messages)
  })
})

describe('docs/operations.md', () => {
  const paths = [...FILES].filter((path) => /^src\/.*\.ts$/.test(path))
  const sources = paths.map((path) => readFileSync(packagePath(path), 'utf8'))

  const messages = rowsBelow(OPERATIONS, '| message | do |').map(([message = '']) => message)
  test.each(messages)('%s is a message', (message) => {
    // Whatever it begins with is before it.
    const text = message.replaceAll('`', '').replace(/^…/, '')
    const parts = text.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    const pattern = new RegExp(parts.join('[^\\n]{1,90}?'))
    expect(sources.some((source) => pattern.test(source))).toBe(true)
  })

  test('names every endpoint that the metrics count by', () => {
    const row = OPERATIONS.split('\n').find((line) => line.includes('analytics_proxy_requests_total{endpoint,status}'))
    for (const name of Object.keys(ENDPOINTS)) expect(row).toContain(`\`${name}\``)
  })

  test('leaves it to each alert to say what to do', () => {
    const rules = readFileSync(packagePath('deploy', 'prometheus', 'analytics.rules.yml'), 'utf8')
    const [, ...alerts] = rules.split('- alert: ')
    expect(alerts.length).toBeGreaterThan(10)
    for (const alert of alerts) expect(alert).toMatch(/ summary: .+\n +description: (?:>-\n +)?\w.{30}/)
  })
})

test('docs/architecture.md justifies every production package, and no other', () => {
  const listed = rowsBelow(document('docs/architecture.md').text, '| package | for |').flatMap(([names = '']) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  )
  expect(listed).toEqual(Object.keys(PACKAGE.dependencies))
})

test('docs/glossary.md has an entry for each word that it refers to', () => {
  const { text } = document('docs/glossary.md')
  const entries = [...text.matchAll(/^\| \*\*([^*]+)\*\* \|/gm)].flatMap(([, words = '']) => words.split(', '))
  expect(new Set(entries).size).toBe(entries.length)
  const referred = [...text.matchAll(/(?<!\*)\*([A-Za-z][^*\n]*)\*(?!\*)/g)].map(([, word]) => word)
  expect(referred.length).toBeGreaterThan(8)
  for (const word of referred) if (word !== 'italics') expect(entries).toContain(word)
})

/** Options of other programs: node, vitest, git, npm, tar, docker, kubectl, rsync, rclone, curl, systemctl, our bench, torture and scripts. */
const FOREIGN =
  /^--(help|version|branch|omit|ignore-scripts|strip-components|rm|read-only|cap-drop|build-arg|platform|push|from-file|from|exclude|include|delete|delete-after|delete-excluded|mkpath|no-check-dest|size-only|header-upload|volumes|collector|filter|compressed|quick|only|json|slice|seed|now|full|no-git-tag-version|enable-source-maps|inspect|inspect-brk|no-file-parallelism|cpu-prof|cpu-prof-dir|heapsnapshot-signal|diagnostic-dir|list|part|package|draft)$/

describe.each(DOCUMENTS)('$path', (doc) => {
  const code = [...inlineCode(doc), ...codeLines(doc)]

  test('names options that exist', () => {
    const flags = [ENV_FILE_FLAG, ...ALL_OPTIONS.map(({ long }) => long)]
    for (const line of code)
      for (const [flag] of line.matchAll(/(?<![\w-])--[a-z][a-z0-9-]+/g))
        if (!FOREIGN.test(flag)) expect(flags, line).toContain(flag)
  })

  test('names variables that exist', () => {
    const variables = [...ALL_OPTIONS.map(({ envVar }) => envVar), ...SECRET_VARIABLES.map(twinOf)]
    for (const [name] of doc.text.matchAll(/\bANALYTICS_[A-Z_]+\b/g))
      // The builder sets those of the release for --after-publish.
      if (!/^ANALYTICS_(?:PARAM_|RELEASE(?:_ID)?$)/.test(name)) expect(variables).toContain(name)
  })

  test('names metrics that docs/operations.md lists', () => {
    for (const [name] of doc.text.matchAll(/\banalytics_(?:build|proxy)_\w+/g))
      expect(OPERATIONS).toMatch(new RegExp(`^\\| \`${name}[\`{]`, 'm'))
  })

  test('names scripts of package.json, and parts of the bench and the torture', () => {
    for (const [, script = ''] of doc.text.matchAll(/\bnpm run ([a-z:]+)/g))
      expect(Object.keys(PACKAGE.scripts)).toContain(script)
    for (const [part] of doc.text.matchAll(/(?<![\w:])(?:build|proxy):[a-z-]+/g))
      expect(readFileSync(packagePath('test', 'bench', 'main.ts'), 'utf8')).toContain(`  '${part}': `)
  })

  test('names the version of Node that is needed', () => {
    for (const [, version] of doc.text.matchAll(/Node(?:\.js\S*)? (20\.\d+\.\d+) or later/g))
      expect(PACKAGE.engines.node).toBe(`>=${version}`)
  })
})
