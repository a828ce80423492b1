// No compiler reads the scripts: what one takes from the compiled programs is exported there, and each program that bin/ starts has a
// `main`, also the one that is process 1 of a container.
// depends on: bin/, scripts/, test/support/
import { existsSync, readFileSync } from 'node:fs'
import { parseSync } from 'rolldown/utils'
import { expect, test } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import { FILES } from '../docs/documents.ts'

const SCRIPTS = [...FILES].filter((path) => /^(?:bin|scripts|test)\/.+\.m?js$/.test(path))
const SOURCES = SCRIPTS.map((path) => ({ path, text: readFileSync(packagePath(path), 'utf8') }))

/** Of a file of src, given its path in dist/. */
function exportsOf(compiled: string): string[] {
  const path = packagePath('src', compiled.replace(/\.js$/, '.ts'))
  if (!existsSync(path)) return []
  const { staticExports } = parseSync(path, readFileSync(path, 'utf8')).module
  return staticExports.flatMap(({ entries }) => entries.flatMap(({ exportName: { name } }) => name ?? []))
}

test('what a script imports from the compiled programs is exported there', () => {
  const imports = SOURCES.flatMap(({ path, text }) =>
    [
      ...text.matchAll(
        /\{(?<names>[^{}]+)\} (?:from|= await import\([^'`]*) ?['`][^'`]*?dist\}?\/(?<from>[^'`]+)['`]/g,
      ),
    ].flatMap(({ groups: { names = '', from = '' } = {} }) =>
      names.split(',').map((name) => ({ path, from, name: name.trim() })),
    ),
  )
  expect(imports.map(({ path }) => path)).toContain('scripts/dev-build.js')
  expect(imports.map(({ path }) => path)).toContain('test/support/killed-build.mjs')
  const wrong = imports.filter(({ from, name }) => !exportsOf(from).includes(name))
  expect(wrong).toEqual([])
})

test('each program that bin/ starts has a main', () => {
  const programs = SOURCES.flatMap(({ path, text }) =>
    path.startsWith('bin/') ? [...text.matchAll(/'(?<program>[a-z-]+\/[a-z-]+\.js)'/g)].map(([, one = '']) => one) : [],
  )
  expect(programs.toSorted()).toEqual([
    'builder/main.js',
    'demo/serve-demo.js',
    'process/first-process.js',
    'proxy/main.js',
  ])
  for (const program of programs) expect(exportsOf(program), program).toContain('main')
})
