// real test: it reads every file of the repository
// The graph of this repository: that it knows what each test uses, and what a change of one file in each room would run.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import { FILES } from '../docs/documents.ts'
import { testFiles } from '../support/unit-files.ts'
import { chosen } from './chosen.ts'
import { linesOf } from './edges.ts'
import { repositoryGraph } from './repository.ts'

const { unit, real, long } = testFiles(packagePath())
// Those of this folder name files that they do not use.
const tests = [...unit, ...real, ...long].filter((test) => !test.startsWith('test/reach/'))
const graph = repositoryGraph()
const textOf = (path: string): string => readFileSync(packagePath(path), 'utf8')
const chosenFor = (...changed: string[]): readonly string[] =>
  chosen({ graph, tests, among: long, changed, gone: new Set() })

const usedByLong = new Set(long.flatMap((test) => [...graph.told(test)]))
const PROGRAMS = ['bin/analytics-build.js', 'bin/analytics-proxy.js']

describe('a long test', () => {
  it('says what it and its support files use, in their text or in a line `// depends on: …`', () => {
    expect(long.flatMap((test) => [...graph.untold(test)].map(([file, said]) => ({ test, file, said })))).toEqual([])
  })

  // Whatever name it gives the program: a file that starts Node.js reaches something that Node.js runs.
  it('that starts Node.js, or whose support file does, is known to start a program', () => {
    const started = [...usedByLong].filter((path) => path.startsWith('test/') && /\.(?:ts|mjs)$/.test(path))
    const unknown = started.filter((path) => {
      const text = textOf(path)
      const isProgram = (used: string): boolean => PROGRAMS.includes(used) || /\.(?:mjs|js)$/.test(used)
      const isStarter = /process\.execPath|spawn\('node'/.test(text) && !/^\/\/ depends on: /m.test(text)
      return isStarter && ![...graph.told(path)].some(isProgram)
    })
    expect(unknown).toEqual([])
  })
})

it('each line names files that are there', () => {
  const lines = tests
    .flatMap((test) => [...graph.told(test)])
    .filter((path) => /^(?:src|test)\/.*\.(?:ts|mjs)$/.test(path))
  const stale = [...new Set(lines)]
    .flatMap((path) => linesOf(textOf(path)).map((pattern) => ({ path, pattern })))
    .filter(({ pattern }) => graph.matching(pattern).length === 0)
  expect(stale).toEqual([])
})

it('what the programs read at run time belongs to the source that reads it', () => {
  const shipped = [...FILES].filter((path) => path.startsWith('src/') && !path.endsWith('.ts'))
  expect(shipped.length).toBeGreaterThan(25)
  const used = new Set(PROGRAMS.flatMap((program) => [...graph.told(program)]))
  expect(shipped.filter((path) => !used.has(path))).toEqual([])
  expect(used).toContain('src/site/client/page.ts')
})

it('each source, and each file to deploy or to read, is known to a test', () => {
  const known = new Set([...tests.flatMap((test) => [...graph.told(test)]), ...graph.types])
  const files = [...FILES].filter((path) => /^(?:bin|deploy|docs|src)\/|^nginx\.conf$|^Dockerfile$/.test(path))
  expect(files.filter((path) => !known.has(path))).toEqual([])
})

/** Of each room a file, the long tests that protect it, and some that it cannot break. */
const CHANGES: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  [
    'src/analytics/outcomes.ts',
    ['end-to-end/oracle', 'end-to-end/revisions', 'release/checks/over-time', 'site/browser'],
    ['source/check/grants', 'source/check/isolation', 'source/mapping/detect'],
  ],
  [
    'src/builder/past/gate.ts',
    ['builder/past/compared', 'end-to-end/revisions', 'end-to-end/history', 'torture/failing-calls'],
    ['proxy/store/body-cache', 'proxy/program', 'release/checks/over-time', 'source/check/grants', 'torture/http'],
  ],
  [
    'src/contract/openapi.ts',
    ['proxy/http/malformed', 'proxy/program', 'end-to-end/oracle', 'site/client', 'end-to-end/stored-releases'],
    ['release/checks/over-time', 'source/check/isolation', 'deploy/alerts', 'builder/past/revision-histories'],
  ],
  [
    'src/demo/town.ts',
    ['end-to-end/reuse', 'process/lost-readers', 'site/client', 'builder/run/stopping'],
    ['end-to-end/oracle', 'proxy/store/pick-up', 'release/verify/forgeries', 'source/check/grants', 'torture/http'],
  ],
  [
    'src/model/day-slices.ts',
    ['end-to-end/oracle', 'platforms/platforms', 'end-to-end/people-differences', 'source/check/grants'],
    ['builder/past/idea-revisions', 'source/mapping/detect', 'source/mapping/role-script'],
  ],
  [
    'src/process/hung-loop.ts',
    ['process/hung-loop', 'end-to-end/stopped-builder', 'source/database/lying-databases'],
    ['proxy/program', 'end-to-end/oracle', 'release/checks/over-time', 'torture/http'],
  ],
  [
    'src/proxy/store/origin-store.ts',
    ['proxy/store/origin-store', 'proxy/store/origin-odd', 'torture/http', 'release/reading/way-out'],
    [
      'builder/commands/setup',
      'platforms/platforms',
      'release/checks/over-time',
      'torture/failing-calls',
      'site/browser',
    ],
  ],
  [
    'src/release/publishing/publish.ts',
    ['release/publishing/s3rver', 'release/publishing/paused-publish', 'torture/bucket', 'builder/run/publishing'],
    ['proxy/store/body-cache', 'proxy/program', 'release/checks/over-time', 'source/check/grants', 'torture/http'],
  ],
  [
    'src/site/pages/category-page.ts',
    ['site/browser', 'site/client', 'end-to-end/site-fronts', 'builder/run/carried-assets'],
    ['proxy/store/body-cache', 'proxy/program', 'release/checks/over-time', 'source/check/grants', 'torture/http'],
  ],
  [
    'src/source/check/check.ts',
    ['source/check/grants', 'source/check/isolation', 'source/check/schemas', 'platforms/platforms'],
    ['proxy/store/body-cache', 'end-to-end/oracle', 'site/browser', 'source/mapping/detect', 'torture/http'],
  ],
]

it.each(CHANGES)('a change of %s runs what protects it, and not what it cannot break', (file, protecting, others) => {
  const files = chosenFor(file)
  const pathOf = (name: string): string => `test/${name}.test.ts`
  // Names of tests that are there, or the second half would hold by itself.
  expect(long).toEqual(expect.arrayContaining([...protecting, ...others].map(pathOf)))
  expect(protecting.map(pathOf).filter((path) => !files.includes(path))).toEqual([])
  expect(others.map(pathOf).filter((path) => files.includes(path))).toEqual([])
})

it.each([
  ['nginx.conf', ['test/deploy/uploads.test.ts', 'test/end-to-end/site-fronts.test.ts']],
  ['docs/examples/open-polis.sql', ['test/docs/mappings.test.ts', 'test/end-to-end/open-polis.test.ts']],
  ['deploy/prometheus/analytics.rules.yml', ['test/deploy/alerts.test.ts', 'test/proxy/metrics/metrics.test.ts']],
  ['deploy/varnish/analytics.vcl', []],
  ['docs/glossary.md', []],
  ['test/site/page/style.test.ts', []],
])('a change of %s runs what reads it', (file, expected) => {
  expect(chosenFor(file)).toEqual(expect.arrayContaining([...expected]))
  if (expected.length === 0) expect(chosenFor(file)).toEqual([])
})

it.each([
  'package.json',
  'vitest.config.ts',
  'scripts/compile.js',
  'test/support/postgres.ts',
  '.ci/run',
  '.github/workflows/ci.yml',
  'unheard.of',
])('a change of %s runs all', (file) => {
  expect(chosenFor(file)).toEqual(long)
})
