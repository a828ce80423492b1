// Which tests a change can break: chosen.ts.
import { expect, it } from 'vitest'
import { chosen } from './chosen.ts'
import { graphOf } from './graph.ts'

const TEXTS: Readonly<Record<string, string>> = {
  'test/a.test.ts': `import '../src/a.ts'`,
  'test/b.test.ts': `import '../src/b.ts'`,
  'test/unit.test.ts': `import '../src/c.ts'; import type { Words } from '../src/words.ts'`,
  'test/support/shared-fixtures.ts': `import './postgres.ts'`,
  'test/support/postgres.ts': '',
  'src/a.ts': '',
  'src/b.ts': `import './a.ts'`,
  'src/c.ts': '',
  'src/words.ts': '',
  'src/nobody.sql': '',
}
const [A, B] = ['test/a.test.ts', 'test/b.test.ts']
const ALL = [A, B]

function chosenFor(changed: readonly string[], gone: readonly string[] = []): readonly string[] {
  const graph = graphOf({ files: [...Object.keys(TEXTS), ...gone], read: (path) => TEXTS[path] ?? '' })
  return chosen({ graph, tests: [A, B, 'test/unit.test.ts'], among: ALL, changed, gone: new Set(gone) })
}

it.each([
  ['a file that both use', 'src/a.ts', ALL],
  ['a file that one uses', 'src/b.ts', [B]],
  ['the test itself', A, [A]],
  ['what only a unit test uses', 'src/c.ts', []],
  ['what only types come from', 'src/words.ts', []],
  ['what no test uses', 'src/nobody.sql', ALL],
  ['a file of which nobody has heard', 'new/folder/file', ALL],
  ['the packages', 'package-lock.json', ALL],
  ['the compiler', 'test/tsconfig.json', ALL],
  ['the test runner', 'vitest.config.ts', ALL],
  ['what makes the programs', 'scripts/compile.js', ALL],
  ['what each run starts with', 'test/support/postgres.ts', ALL],
  ['what readers are told', 'CHANGELOG.md', []],
  ['the licence', 'LICENSE', []],
  ['a rule of style', '.oxlintrc.json', []],
  ['what CI does', '.github/workflows/ci.yml', ALL],
  ['a form for issues', '.github/ISSUE_TEMPLATE/bug.yml', []],
  ['the container for development', '.devcontainer/compose.yaml', []],
  ['a benchmark', 'test/bench/main.ts', []],
  ['how long tests take', 'test/durations.json', []],
])('%s', (_, changed, expected) => {
  expect(chosenFor([changed])).toEqual(expected)
})

it('is of several files what each of them reaches', () => {
  expect(chosenFor(['src/c.ts', 'src/b.ts', 'CHANGELOG.md'])).toEqual([B])
  expect(chosenFor([])).toEqual([])
})

it('is nothing for code that is gone: who imported it has changed, too', () => {
  expect(chosenFor(['src/old.ts'], ['src/old.ts'])).toEqual([])
  expect(chosenFor(['src/old.sql'], ['src/old.sql'])).toEqual(ALL)
})
