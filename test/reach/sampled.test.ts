// Of which tests a sample is enough: sampled.ts.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import { graphOf } from './graph.ts'
import { repositoryGraph } from './repository.ts'
import { sampled } from './sampled.ts'

const TEXTS: Readonly<Record<string, string>> = {
  'test/a.test.ts': '// all of it after a change of: src/writing/, src/switch.ts\n',
  'test/b.test.ts': "import '../src/other.ts'\n",
  'src/writing/inside/lock.ts': '',
  'src/switch.ts': '',
  'src/other.ts': '',
}
const read = (path: string): string => TEXTS[path] ?? ''
const graph = graphOf({ files: Object.keys(TEXTS), read })

it.each([
  ['nothing', [], ['test/a.test.ts']],
  ['what it does not name', ['src/other.ts'], ['test/a.test.ts']],
  ['a file in a folder that it names', ['src/other.ts', 'src/writing/inside/lock.ts'], []],
  ['a file that it names', ['src/switch.ts'], []],
  ['the test itself', ['test/a.test.ts'], []],
])('after a change of %s', (_, changed, expected) => {
  expect(sampled(['test/a.test.ts', 'test/b.test.ts'], { graph, read, changed })).toEqual(expected)
})

const real = {
  graph: repositoryGraph(),
  read: (path: string): string => readFileSync(packagePath(path), 'utf8'),
}
const BUILDS = ['closing', 'failing-calls', 'kills'].map((name) => `test/torture/${name}.test.ts`)

it.each([
  'src/release/writing/snapshot-writer.ts',
  'src/release/writing/current-link.ts',
  'src/builder/past/gate.ts',
  'src/builder/run/closing.ts',
  'test/torture/faults.c',
])('a change of %s tortures builds by all that there is, and by a sample after one of the page', (changed) => {
  expect(sampled(BUILDS, { ...real, changed: [changed] })).toEqual([])
  expect(sampled(BUILDS, { ...real, changed: ['src/site/pages/category-page.ts'] })).toEqual(BUILDS)
})
