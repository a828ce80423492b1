// What a file names of others: edges.ts.
import { expect, it } from 'vitest'
import { edgesOf } from './edges.ts'

const IMPORTS = `import { join } from 'node:path'\nimport { packagePath } from '../src/process/package-root.ts'\n`
const ROOT = 'src/process/package-root.ts'

/** Of test/a.test.ts. */
const uses = (text: string): readonly string[] => edgesOf('test/a.test.ts', text).uses

it.each([
  ['an import', `import { b } from './b.ts'`, ['test/b.ts']],
  ['an import for its effects', `import '../src/b.ts'`, ['src/b.ts']],
  ['what is handed on', `export * from './b.ts'; export { c } from './c.ts'`, ['test/b.ts', 'test/c.ts']],
  ['a type beside a value', `import { type B, b } from './b.ts'`, ['test/b.ts']],
  // It is loaded all the same: only \`import type\` goes.
  ['types, imported as values', `import { type B } from './b.ts'`, ['test/b.ts']],
  ['types only', `import type { B } from './b.ts'; export type { C } from './c.ts'; export type * from './d.ts'`, []],
  ['a package', `import pg from 'pg'; await import('undici')`, []],
  ['an import inside of a function', `const f = async () => (await import('./b.ts')).b`, ['test/b.ts']],
  ['an import of which a part is made', 'await import(`./rooms/${name}/b.ts`)', ['test/rooms/**/b.ts']],
  ['a worker', `new Worker(new URL('./b.ts', import.meta.url))`, ['test/b.ts']],
  ['a file beside it', `readFileSync(new URL('b.sql', import.meta.url))`, ['test/b.sql']],
  ['a URL of the web', `new URL('./b', base)`, []],
])('uses %s', (_, text, expected) => {
  expect(uses(text)).toEqual(expected)
})

it.each([
  ['a file', `packagePath('deploy', 'varnish', 'analytics.vcl')`, ['deploy/varnish/analytics.vcl']],
  ['a folder', `join(packagePath('deploy', 'compose'), name)`, ['deploy/compose']],
  [
    'a path of which a part is made',
    `packagePath('test', 'platforms', name, 'schema.sql')`,
    ['test/platforms/**/schema.sql'],
  ],
  ['a name of which a part is made', 'packagePath("src", `${name}.sql`)', ['src/**.sql']],
  ['what is compiled', `packagePath('dist', 'builder', 'main.js')`, ['src/builder/main.ts']],
  ['the script of the page', `packagePath('dist/site/assets/page.js')`, ['src/site/client/page.ts']],
  ['what nobody changes', `packagePath('node_modules', 'typescript'); packagePath('snapshots')`, []],
])('uses %s by its path from the root', (_, text, expected) => {
  expect(uses(IMPORTS + text)).toEqual([ROOT, ...expected])
})

it.each([
  ['a path of which a part is made', 'readFileSync(`docs/examples/${name}.sql`)', 'docs/examples/**.sql'],
  ['a path that is joined', `readFileSync(join('src', 'source', name, 'x.sql'))`, 'src/source/**/x.sql'],
])('uses %s, from the folder in which tests run', (_, text, expected) => {
  expect(uses(text)).toEqual([expected])
})

it('takes functions of the same name elsewhere for something else', () => {
  expect(uses(`const packagePath = (x: string) => x; packagePath('docs')`)).toEqual([])
})

it('uses what a template is made of', () => {
  const text = `import { fillTemplate } from '../sql/template.ts'; fillTemplate('check/role', { values })`
  expect(edgesOf('src/source/check/role.ts', text).uses).toEqual([
    'src/source/sql/template.ts',
    'src/source/check/role.sql',
  ])
  // In the function itself, what its callers name.
  const own = `import { packagePath } from '../../process/package-root.ts'; packagePath('src', \`\${name}.sql\`)`
  expect(edgesOf('src/source/sql/template.ts', own).uses).toEqual([ROOT])
})

it('may use each path that it says, and the program that it names', () => {
  const { maybe } = edgesOf('test/a.test.ts', `read('src/x/mapping.sql'); run(join(folder, 'analytics-build.js'))`)
  expect(maybe).toEqual(['src/x/mapping.sql', 'bin/analytics-build.js'])
  expect(edgesOf('bin/analytics-build.js', `load('builder/main.js')`).maybe).toEqual(['src/builder/main.ts'])
  // A message that says how the program is called starts none.
  expect(edgesOf('src/a.ts', `log('node bin/analytics-build.js')`).maybe).not.toContain('bin/analytics-build.js')
})

it.each([
  `packagePath()`,
  `packagePath(name)`,
  `packagePath('dist')`,
  `new URL(name, import.meta.url)`,
  `import.meta.dirname`,
  `import(name)`,
  'import(`${dist}/builder/main.js`)',
  `'npm'`,
  `'npx'`,
])('cannot tell what %s uses, where no line does', (said) => {
  const text = `${IMPORTS}f(${said})`
  expect(edgesOf('test/a.test.ts', text)).toMatchObject({ uses: [ROOT], untold: [said] })
  const told = `// depends on: docs/, src/**/*.sql\n${text}`
  expect(edgesOf('test/a.test.ts', told)).toMatchObject({ uses: ['docs/', 'src/**/*.sql', ROOT], untold: [] })
  expect(edgesOf('test/a.test.ts', `// depends on: nothing else\n${text}`)).toMatchObject({ uses: [ROOT], untold: [] })
})

it('takes a line for a path of which a part is made and which begins as it does', () => {
  const text = `${IMPORTS}packagePath('test', 'oracle', name); packagePath('docs', name)`
  expect(uses(`// depends on: test/oracle/*.sql\n${text}`)).toEqual(['test/oracle/*.sql', ROOT, 'docs/**'])
})
