// Owns `npm run test:changed`: runs the long tests that a change can break, or a part of them, or lists them.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { testFiles } from '../support/unit-files.ts'
import { changeIn, seedOf, type Change } from './base.ts'
import { chosen } from './chosen.ts'
import { dividedIn, measured, type Durations, type Report } from './durations.ts'
import { repositoryGraph } from './repository.ts'
import { sampled } from './sampled.ts'

const DURATIONS = join('test', 'durations.json')
const USAGE = `node scripts/changed-tests.js [--list] [--part K/N] [FILE...]
node scripts/changed-tests.js --durations REPORT

Runs the long tests that a change can break: of all since CHANGED_SINCE, the newest tag ci-passed/..., or a day; or of these FILEs.
  --list              prints them with the seconds that they take, the slowest first, and runs none
  --part K/N          the K-th of N parts, which take equally long
  --durations REPORT  puts the seconds of a report into test/durations.json, and runs none; the report is made by
                      npm run test:all -- --reporter=default --reporter=json --outputFile=REPORT
`

function keepDurations(root: string, report: string, before: Durations): void {
  const isThere = (file: string): boolean => file.endsWith('.test.ts') && existsSync(join(root, file))
  const now = measured(JSON.parse(readFileSync(report, 'utf8')) as Report, before, isThere)
  writeFileSync(join(root, DURATIONS), `${JSON.stringify(now, null, 2)}\n`)
}

type Print = (text: string) => void

const printed: Record<'out' | 'err', Print> = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
}

/** @returns the exit code */
export function main(root: string, args: readonly string[], { out, err } = printed): number {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      list: { type: 'boolean' },
      part: { type: 'string', default: '1/1' },
      durations: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    out(USAGE)
    return 0
  }
  const durations = JSON.parse(readFileSync(join(root, DURATIONS), 'utf8')) as Durations
  if (values.durations !== undefined) {
    keepDurations(root, values.durations, durations)
    return 0
  }
  const [, k = 0, n = 0] = /^([1-9]\d?)\/([1-9]\d?)$/.exec(values.part)?.map(Number) ?? []
  if (k === 0 || k > n) {
    err(`--part ${values.part}: K/N, with K from 1 to N\n`)
    return 2
  }
  const { unit, real, long } = testFiles(root)
  const { since, files, gone } = positionals.length > 0 ? named(positionals) : changeIn(root)
  const graph = repositoryGraph(gone)
  const question = {
    graph,
    tests: [...unit, ...real, ...long],
    among: long,
    changed: files,
    gone,
  }
  const reached = since === undefined ? long : chosen(question)
  const part = dividedIn(n, reached, durations)[k - 1] ?? []
  out(`long tests: ${since === undefined ? 'no history' : `${files.length} files changed since ${since}`}: `)
  out(`${amount(reached, durations)} of ${amount(long, durations)}`)
  out(n === 1 ? '\n' : `; part ${k}/${n}: ${amount(part, durations)}\n`)
  const read = (file: string): string => readFileSync(join(root, file), 'utf8')
  const sample = since === undefined ? [] : sampled(part, { graph, read, changed: files })
  const env = { TORTURE_SAMPLE: sample.join(), TORTURE_SEED: process.env['TORTURE_SEED'] ?? String(seedOf(root)) }
  // Who runs one of them with these variables sees what this run saw.
  if (sample.length > 0)
    out(`a sample of some: TORTURE_SEED=${env.TORTURE_SEED} TORTURE_SAMPLE=${env.TORTURE_SAMPLE}\n`)
  if (values.list) {
    const lines = part.map((file) => `${String(durations[file] ?? '?').padStart(6)} s  ${file}\n`)
    out(lines.join(''))
    return 0
  }
  if (part.length === 0) return 0
  // Whole paths: a filter that is a part of a name would take others, too.
  const paths = part.map((file) => join(root, file))
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } } as const
  return spawnSync('npx', ['vitest', 'run', '--project', 'long', ...paths], options).status ?? 1
}

const named = (files: readonly string[]): Change => ({ since: 'now', files, gone: new Set() })

function amount(files: readonly string[], durations: Durations): string {
  return `${files.length} (${Math.round(files.reduce((sum, one) => sum + (durations[one] ?? 0), 0))} s)`
}
