// Owns which test files a change can break: those that reach a changed file. A file that all depend on reaches all, and so does one
// that nobody knows.
import type { Graph } from './graph.ts'

/** What no test reads outside of this folder, and what `npm run check` alone reads. What CI does is not of these: .github/workflows/. */
const APART =
  /^(?:CHANGELOG\.md|LICENSE|\.devcontainer\/.*|\.github\/(?!workflows\/).*|\.nvmrc|\.editorconfig|\.gitignore|\.oxlintrc\.json|\.prettier.*|knip\.json|test\/durations\.json|test\/(?:bench|reach)\/.*)$/

/** What makes the programs and runs the tests. */
const COMMON =
  /^(?:\.ci\/run|package(?:-lock)?\.json|(?:.*\/)?tsconfig[^/]*\.json|vitest\.config\.[^/]*|scripts\/(?:compile|commit)\.js)$/
/** It starts with each run of the tests. */
const FIXTURES = 'test/support/shared-fixtures.ts'

export interface Question {
  /** Of a tree that has the files that are gone, too, without text: who looks for them is known. */
  readonly graph: Graph
  /** All test files, of which `among` are asked for. */
  readonly tests: readonly string[]
  readonly among: readonly string[]
  readonly changed: readonly string[]
  readonly gone: ReadonlySet<string>
}

export function chosen({ graph, tests, among, changed, gone }: Question): readonly string[] {
  const read = changed.filter((file) => !APART.test(file))
  if (read.length === 0) return []
  // The tests of this folder name files that they do not use.
  const others = tests.filter((test) => !APART.test(test))
  const known = new Set([...others.flatMap((test) => [...graph.told(test)]), ...graph.types])
  const common = graph.reach(FIXTURES)
  // Who imported code that is gone has changed, too.
  const isNobodys = (file: string): boolean => gone.has(file) && /^(?:src|test)\/.*\.ts$/.test(file)
  const reachesAll = (file: string): boolean =>
    COMMON.test(file) || common.has(file) || (!known.has(file) && !isNobodys(file))
  if (read.some(reachesAll)) return among
  return among.filter((test) => read.some((file) => graph.reach(test).has(file)))
}
