// What each file of a tree can be broken by: graph.ts.
import { expect, it } from 'vitest'
import { graphOf, type Graph } from './graph.ts'

const graph = (texts: Readonly<Record<string, string>>): Graph =>
  graphOf({ files: Object.keys(texts), read: (path) => texts[path] ?? '' })

const reach = (texts: Readonly<Record<string, string>>, path = 'test/a.test.ts'): string[] =>
  [...graph(texts).reach(path)].sort()

it('is the file, and what it uses, and so on, also in a circle', () => {
  const texts = {
    'test/a.test.ts': `import './b.ts'`,
    'test/b.ts': `import '../src/c.ts'`,
    'src/c.ts': `import './d.ts'`,
    'src/d.ts': `import './c.ts'`,
    'src/other.ts': '',
  }
  expect(reach(texts)).toEqual(['src/c.ts', 'src/d.ts', 'test/a.test.ts', 'test/b.ts'])
})

it('is not what only types come from', () => {
  const texts = { 'test/a.test.ts': `import type { B } from './b.ts'`, 'test/b.ts': `import './c.ts'`, 'test/c.ts': '' }
  expect(reach(texts)).toEqual(['test/a.test.ts'])
  const known = graph(texts)
  known.reach('test/a.test.ts')
  expect([...known.types]).toEqual(['test/b.ts'])
})

it('is, of a program that a support file starts, all that it loads, at once or later', () => {
  const texts = {
    'test/a.test.ts': `import { run } from './support/run.ts'`,
    'test/support/run.ts': `import { packagePath } from '../../src/process/package-root.ts'; spawn(packagePath('bin', 'analytics-build.js'))`,
    'bin/analytics-build.js': `import { load } from './load.js'; load(first ? 'process/first.js' : 'builder/main.js')`,
    'bin/analytics-proxy.js': `import { load } from './load.js'; load('proxy/main.js')`,
    'bin/load.js': 'import(url)',
    'src/process/package-root.ts': '',
    'src/process/first.ts': '',
    'src/builder/main.ts': `export const main = async () => (await import('./late.ts')).late()`,
    'src/builder/late.ts': `readFileSync(packagePath('src/builder/page.css'))`,
    'src/builder/page.css': '',
    'src/proxy/main.ts': '',
  }
  const { 'bin/analytics-proxy.js': _program, 'src/proxy/main.ts': _main, ...reached } = texts
  expect(reach(texts)).toEqual(Object.keys(reached).sort())
})

it('follows what was compiled for a test by the name that it has then', () => {
  const texts = {
    'test/a.test.ts': `new URL('./b.js', import.meta.url)`,
    'test/b.ts': `import './c.ts'`,
    'test/c.ts': '',
  }
  expect(reach(texts)).toEqual(['test/a.test.ts', 'test/b.ts', 'test/c.ts'])
})

it.each([
  ['docs/', ['docs/a.md', 'docs/examples/b.sql']],
  ['docs', ['docs/a.md', 'docs/examples/b.sql']],
  ['*.md', ['README.md']],
  ['**/*.sql', ['docs/examples/b.sql', 'src/x/c.sql', 'top.sql']],
  ['src/**.sql', ['src/x/c.sql']],
  ['docs/*/', ['docs/examples/b.sql']],
  ['docs/a.md', ['docs/a.md']],
  ['docs/aXmd', []],
])('%s in a line names %j', (pattern, expected) => {
  const files = ['README.md', 'docs/a.md', 'docs/examples/b.sql', 'src/x/c.sql', 'top.sql', 'test/a.test.ts']
  const text = `// depends on: ${pattern}`
  const read = (path: string): string => (path === 'test/a.test.ts' ? text : '')
  expect([...graphOf({ files, read }).reach('test/a.test.ts')].slice(1)).toEqual(expected)
})

it('is everything where a test, or a support file that it uses, leaves it untold', () => {
  const texts = { 'test/a.test.ts': `import './b.ts'`, 'test/b.ts': `spawn('npm', ['start'])`, 'src/c.ts': '' }
  expect(reach(texts)).toEqual(['src/c.ts', 'test/a.test.ts', 'test/b.ts'])
  expect([...graph(texts).untold('test/a.test.ts')]).toEqual([['test/b.ts', [`'npm'`]]])
  expect(reach({ ...texts, 'test/b.ts': `// depends on: nothing else\n${texts['test/b.ts']}` })).toEqual([
    'test/a.test.ts',
    'test/b.ts',
  ])
})
