// src/builder/run/one-module.ts
import { expect, test } from 'vitest'
import { gzipSync } from 'node:zlib'
import { oneModule } from '../../../src/builder/run/one-module.ts'
import { packagePath } from '../../../src/process/package-root.ts'

const read =
  (files: Readonly<Record<string, string>>) =>
  (path: string): string =>
    files[path]!
const run = (text: string): unknown => {
  // oxlint-disable-next-line no-implied-eval typescript/no-implied-eval -- it is what is tested
  return new Function('seen', `'use strict';${text}`)
}

test('modules become one, each run once, before those that import it, with names of its own', () => {
  const text = oneModule(
    '/a/page.js',
    read({
      '/a/page.js': `// starts here\nimport { one, two as second } from './sub/x.js';\nimport { sum } from './y.js';\nimport './z.js';\nconst local = 3;\nseen.push(one, second(), sum([1, 2]), local);\n//# sourceMappingURL=page.js.map\n`,
      '/a/sub/x.js': `import { sum } from '../y.js';\nconst local = 1;\n/** One.\n * export const no = 1 */\nexport const one = sum([local]);\nexport function two() {\n    return 'import { x } from "y"';\n}\n`,
      '/a/y.js': `seen.push('y');\nexport function sum(all) {\n    return all.length;\n}\n`,
      '/a/z.js': `const local = 4;\nexport class Z {\n}\nseen.push(typeof Z);\n`,
    }),
  )
  const seen: unknown[] = []
  ;(run(text) as (seen: unknown[]) => void)(seen)
  expect(seen).toEqual(['y', 'function', 1, 'import { x } from "y"', 2, 3])
  expect(text).not.toMatch(/starts here|One\.|sourceMappingURL|^import|^export/m)
})

test.each([
  `import { max } from 'd3-array';\n`,
  `import * as all from './y.js';\n`,
  `export { one } from './y.js';\n`,
  `export default 1;\n`,
])('what it does not know is refused: %s', (statement) => {
  expect(() => oneModule('/a.js', read({ '/a.js': statement, '/y.js': '' }))).toThrow('/a.js')
})

test('the script of the page has at most 20 KiB on its way', () => {
  const text = oneModule(packagePath('dist', 'site', 'client', 'page.js'))
  expect(gzipSync(text, { level: 6 }).length).toBeLessThanOrEqual(20 << 10)
})
