import { assert, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkText, hasErrors } from '../../../src/builder/report/check-report.ts'
import type { CheckReport } from '../../../src/source/check/check.ts'
import type { CheckedParam } from '../../../src/source/check/params.ts'
import type { Finding } from '../../../src/source/mapping/finding.ts'
import { anyText } from '../../contract/any-text.ts'

const AS_OF_MS = Date.UTC(2026, 4, 20, 9, 30)
const finding = (level: Finding['level'], problem: string, fix = '', about = 'requires'): Finding => ({
  level,
  about,
  problem,
  fix,
})
const PARAM: CheckedParam = {
  name: 'tenant',
  type: 'int',
  description: 'tenants.id',
  value: '1',
  from: 'flag',
  choices: null,
}
const BARE: CheckReport = {
  mapping: 'fider',
  server: { asOfMs: AS_OF_MS, serverVersion: '15.18', role: 'stats', standby: false, replayLagMs: null },
  params: [],
  site: null,
  sections: [],
  proposedRequires: [],
  samples: [],
  totals: null,
  fewPeople: null,
  ignored: [],
  findings: [],
}
const TARGET = 'stats@db.example.org:5432/ideas'
const textOf = (report: Partial<CheckReport>): string => checkText({ ...BARE, ...report }, TARGET)
/** The text without the head and the verdict. */
const bodyOf = (report: Partial<CheckReport>): string => textOf(report).split('\n\n').slice(1, -1).join('\n\n')

test('whether the site is closed is said before what it holds, where the mapping says it', () => {
  const totals = { users: 0, ideas: 3, launched: 0, votes: 0, comments: 0, categories: 0, ideasWithoutCategory: 3 }
  expect(textOf({ totals })).not.toContain('visitors')
  expect(textOf({ totals, site: { closed: false, reason: null } })).toMatch(/\n  site +open to visitors\n/)
  const closed = textOf({ totals, site: { closed: true, reason: 'is_private' } })
  expect(closed).toMatch(/\n  site +CLOSED to visitors \(is_private\): a build publishes zeros at once and removes all/)
  expect(closed).toMatch(/\n  if it were open +0 users, 3 ideas/)
  expect(closed).not.toContain('would publish')
})

test('a whole report is a screen', () => {
  const report: CheckReport = {
    ...BARE,
    params: [{ ...PARAM, choices: [{ value: '1', label: 'ideas' }] }],
    sections: [
      { relation: 'users', rows: 12_345, columns: [{ name: 'id', type: 'int4', category: 'N' }] },
      { relation: 'votes', rows: null, columns: null },
    ],
    samples: [
      { title: 'Dark mode', url: 'https://ideas.example.org/posts/1' },
      { title: 'Export', url: null },
    ],
    totals: {
      users: 12_345,
      ideas: 678,
      launched: 9,
      votes: 1_234_567,
      comments: 0,
      categories: 10,
      ideasWithoutCategory: 3,
    },
    fewPeople: { days: 12, of: 90 },
    ignored: [
      { relation: 'comments', reason: 'on ideas that are not published', rows: 1234 },
      { relation: 'votes', reason: 'dated at or after dataAsOf', rows: 1 },
    ],
    findings: [finding('error', 'column x does not exist', 'update'), finding('warning', 'slow', 'ANALYZE votes;')],
  }
  expect(checkText(report, TARGET)).toBe(
    `check of mapping fider on stats@db.example.org:5432/ideas
  server           PostgreSQL 15.18; read only, at 2026-05-20T09:30:00.000Z

  :tenant          1  [--param]
                   there are: 1 (ideas)

  relation                rows   columns
  users                 12,345   id int4
  votes                      -   not accepted

  newest ideas     "Dark mode"  https://ideas.example.org/posts/1
                   "Export"
  would publish    12,345 users, 678 ideas (9 launched, 3 without category), 1,234,567 votes, 0 comments, 10 categories:
                   compare these with what the site itself shows
  few people       on 12 of the last 90 full days (UTC) 1 to 7 people were active: consider --people rounded
  skipped          1,234 comments: on ideas that are not published
                   1 vote: dated at or after dataAsOf

ERROR   requires: column x does not exist
        → update
warning requires: slow
        → ANALYZE votes;

1 error, 1 warning: fix the errors before you build
`,
  )
})

test('what could not be asked leaves no empty block', () => {
  expect(textOf({})).toBe(
    `check of mapping fider on stats@db.example.org:5432/ideas
  server           PostgreSQL 15.18; read only, at 2026-05-20T09:30:00.000Z

0 errors, 0 warnings: ready to build
`,
  )
})

test('a standby says how far it is behind', () => {
  expect(textOf({ server: { ...BARE.server, standby: true, replayLagMs: 12_345 } })).toContain(
    'PostgreSQL 15.18, a standby 12,345 ms behind; read only',
  )
})

describe('a parameter says its value, where it is from, and what there is', () => {
  const choices = (...values: string[]) => values.map((value) => ({ value, label: null }))
  const THERE = '1  [--param]\n                   there are: '
  test.each<[string, Partial<CheckedParam>, string]>([
    ['from a flag', {}, '1  [--param]'],
    ['from a variable', { from: 'variable' }, '1  [variable]'],
    ['by default', { from: 'default' }, '1  [default]'],
    ['empty', { value: '' }, '(empty)  [--param]'],
    ['not given', { value: null, from: null }, 'not given'],
    ['of which there are some', { choices: [{ value: '1', label: 'small' }, ...choices('2')] }, `${THERE}1 (small), 2`],
    ['with labels that say nothing more', { choices: [{ value: 'a', label: 'a' }] }, `${THERE}a`],
    ['with nothing to choose from', { choices: [] }, '1  [--param]'],
    [
      'with twelve choices',
      { choices: choices(...'abcdefghijkl'.split('')) },
      `${THERE}a, b, c, d, e, f, g, h, i, j, k, l`,
    ],
    ['with more', { choices: choices(...'abcdefghijklm'.split('')) }, `${THERE}a, b, c, d, e, f, g, h, i, j, k, l, …`],
  ])('%s', (_, given, line) => {
    expect(bodyOf({ params: [{ ...PARAM, ...given }] })).toBe(`  :tenant          ${line}`)
  })
})

describe('a title', () => {
  const shown = (title: string): string => bodyOf({ samples: [{ title, url: null }] }).slice(19)
  test.each([
    ['of 50 characters is whole', 'x'.repeat(50), `"${'x'.repeat(50)}"`],
    ['of 51 is cut', 'x'.repeat(51), `"${'x'.repeat(49)}…"`],
    ['is counted as it is seen', 'e\u0301'.repeat(50), `"${'e\u0301'.repeat(50)}"`],
    ['is cut between characters', '👍🏽'.repeat(51), `"${'👍🏽'.repeat(49)}…"`],
    ['of several lines is one', 'a\r\nb\u2028c\td', '"a b c d"'],
    ['cannot colour the terminal', '\u001B[31mred\u009B0m', '"[31mred 0m"'],
    ['cannot turn the line round', 'a\u202Eb', '"a b"'],
  ])('%s', (_, title, line) => {
    expect(shown(title)).toBe(line)
  })
})

describe('findings', () => {
  test.each<[string, Finding[], string]>([
    ['an error with its fix', [finding('error', 'p', 'f')], 'ERROR   requires: p\n        → f'],
    ['a warning without', [finding('warning', 'p')], 'warning requires: p'],
    ['a fix of lines', [finding('warning', 'p', 'a\nb')], 'warning requires: p\n        → a\n          b'],
    [
      'a fix of several findings is printed below the last of them',
      [finding('error', 'p', 'f'), finding('error', 'q', 'f'), finding('error', 'r', 'g')],
      'ERROR   requires: p\nERROR   requires: q\n        → f\nERROR   requires: r\n        → g',
    ],
    [
      'a fix is not lost between others',
      [finding('error', 'p', 'f'), finding('error', 'q'), finding('error', 'r', 'f')],
      'ERROR   requires: p\n        → f\nERROR   requires: q\nERROR   requires: r\n        → f',
    ],
  ])('%s', (_, findings, text) => {
    expect(bodyOf({ findings })).toBe(text)
  })

  test.each<[Finding['level'][], boolean, string]>([
    [[], false, '0 errors, 0 warnings: ready to build'],
    [['warning'], false, '0 errors, 1 warning: ready to build'],
    [['warning', 'warning'], false, '0 errors, 2 warnings: ready to build'],
    [['error'], true, '1 error, 0 warnings: fix the errors before you build'],
    [['error', 'error', 'warning'], true, '2 errors, 1 warning: fix the errors before you build'],
  ])('%j end in a verdict', (levels, errors, verdict) => {
    const report = { ...BARE, findings: levels.map((level, i) => finding(level, `p${i}`)) }
    expect(hasErrors(report)).toBe(errors)
    expect(checkText(report, TARGET).trimEnd().split('\n').at(-1)).toBe(verdict)
  })
})

describe('whatever stands in the database,', () => {
  const SECTION = { relation: 'users', rows: 1 } as const
  test.each<[what: string, report: (text: string) => Partial<CheckReport>]>([
    ['a title', (title) => ({ samples: [{ title, url: null }] })],
    ['an address', (url) => ({ samples: [{ title: 'x', url }] })],
    ['a choice', (value) => ({ params: [{ ...PARAM, choices: [{ value, label: null }] }] })],
    ['a choice’s label', (label) => ({ params: [{ ...PARAM, choices: [{ value: '1', label: `b${label}` }] }] })],
    ['a column’s name', (name) => ({ sections: [{ ...SECTION, columns: [{ name, type: 'int4', category: 'N' }] }] })],
    ['a problem', (problem) => ({ findings: [finding('error', problem)] })],
    ['the first line of a fix', (fix) => ({ findings: [finding('error', 'p', `a${fix.replaceAll('\n', ' ')}`)] })],
  ])('%s adds neither a line nor anything that a terminal obeys', (_, report) => {
    const lines = textOf(report('x')).split('\n').length
    assert(
      property(anyText({ maxLength: 20 }), (text) => {
        const shown = textOf(report(text)).split('\n')
        expect(shown.join('')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u)
        expect(shown).toHaveLength(lines)
      }),
      { examples: [['\u001B[2J'], ['a\nERROR   b'], ['\u009B31m'], ['\u202E'], ['a\rb']] },
    )
  })
})
