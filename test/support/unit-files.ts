// Owns which test files are unit tests: all that import nothing real, themselves or through other files of test/. What the
// sources import does not count: nothing-real.ts fails a unit test that makes them open a socket or start a process. And which
// are long: `npm test` leaves those out.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** Processes, sockets, databases and waits. */
const REAL =
  /^(?:node:(?:child_process|cluster|dgram|http|http2|https|net|timers\/promises|tls|worker_threads)|pg|undici|@electric-sql\/.*|.*\/embedded-postgres\.ts)$/

/** The reason for a real test that no import shows: its sources do it, or a case takes over a second. */
const MARK = /^\/\/ (?:.* )?real test: ./m

/** The reason for a long test: what it repeats of a shorter one, with more of it. */
const LONG = /^\/\/ (?:.* )?long test: ./m

/** Of modules that are there at run time: `import type` is not one. */
const IMPORTED = /^(?:import|export)\s+(?!type\b)(?:[^'"`;=]*?\sfrom\s+)?'([^']+)'/gm

export interface TestFiles {
  readonly unit: readonly string[]
  readonly real: readonly string[]
  readonly long: readonly string[]
}

function importsOf(text: string): string[] {
  return [...text.matchAll(IMPORTED)].map(([, name = '']) => name)
}

/** Paths of test files, relative to `root`. */
export function testFiles(root: string): TestFiles {
  const tests = join(root, 'test')
  const known = new Map<string, boolean>()
  const isReal = (file: string): boolean => {
    const answer = known.get(file)
    if (answer !== undefined) return answer
    // Until it is known, so that files that import each other end.
    known.set(file, false)
    const text = readFileSync(file, 'utf8')
    const isRealImport = (name: string): boolean => {
      const imported = join(dirname(file), name)
      const isOurs = name.startsWith('.') && imported.startsWith(tests) && existsSync(imported)
      return REAL.test(name) || (isOurs && isReal(imported))
    }
    const real = MARK.test(text) || importsOf(text).some(isRealImport)
    known.set(file, real)
    return real
  }
  const all = readdirSync(tests, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'))
  const files = all.sort().map((name) => join(tests, name))
  const kindOf = (file: string): keyof TestFiles =>
    LONG.test(readFileSync(file, 'utf8')) ? 'long' : isReal(file) ? 'real' : 'unit'
  const paths = (kind: keyof TestFiles): string[] =>
    files.filter((file) => kindOf(file) === kind).map((file) => relative(root, file))
  return { unit: paths('unit'), real: paths('real'), long: paths('long') }
}
