// src/builder/commands/, src/proxy/options.ts: an option whose value nobody reads, or that no test gives, is a mistake.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { PROGRAM } from '../../src/builder/commands/table.ts'
import type { Options } from '../../src/process/option.ts'
import { packagePath } from '../../src/process/package-root.ts'
import { PROXY_OPTIONS } from '../../src/proxy/options.ts'
import { FILES } from '../docs/documents.ts'

const textBelow = (folder: string): string =>
  [...FILES]
    .filter((path) => path.startsWith(folder) && path.endsWith('.ts'))
    .map((path) => readFileSync(packagePath(path), 'utf8'))
    .join('\n')

/**
 * `values.name`, and the names of patterns: `{ name }: Values<…>`, `{ name } = values`. Lint finds those not used then. Also what
 * a build or a set-up takes under the name of its option.
 */
function namesRead(source: string): ReadonlySet<string> {
  const members = [...source.matchAll(/\bvalues\.(\w+)/g)].map(([, name = '']) => name)
  const patterns = source.matchAll(
    /\{([^{}]*)\}(?:: (?:Pick<)?\w*Values\b| = values\b)|Pick<\s+Values<'(?:setup|build)'>,([^>]*)>/g,
  )
  const requests = source.matchAll(/^export interface (?:BuildRequest|AnalyticsOptions) .*?^\}/gms)
  const taken = [...requests].flatMap(([text]) =>
    [...text.matchAll(/^ {2}readonly (\w+)/gm)].map(([, name = '']) => name),
  )
  return new Set([
    ...members,
    ...taken,
    ...[...patterns].flatMap(([, list, picked = '']) => (list ?? picked).match(/\w+/g) ?? []),
  ])
}

const tests = textBelow('test/')
const isGiven = ({ long, envVar }: Options[string]): boolean =>
  new RegExp(`(?<![\\w-])(?:${long}|${envVar ?? long})(?![\\w-])`).test(tests)

describe.each([
  ['src/builder/', PROGRAM.commands.flatMap(({ options }) => Object.values(options))],
  ['src/proxy/', Object.values(PROXY_OPTIONS)],
])('every option of %s', (folder, options) => {
  const names = new Map(options.map((option) => [option.attributeName(), option]))

  test('is read there', () => {
    const read = namesRead(textBelow(folder) + textBelow('src/analytics/options'))
    expect([...names.keys()].filter((name) => !read.has(name))).toEqual([])
  })

  test('is given in a test, as a flag or as a variable', () => {
    expect([...names.values()].filter((option) => !isGiven(option)).map(({ long }) => long)).toEqual([])
  })
})
