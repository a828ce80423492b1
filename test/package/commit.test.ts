// Which commit the sources of a folder are of. Tests scripts/commit.js. real test: asks git
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const { commitOf } = (await import(packagePath('scripts', 'commit.js'))) as {
  commitOf: (root: string, options: string[]) => string
}

function clone(): { root: string; git: (...args: string[]) => string } {
  const root = temporaryFolder()
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
      cwd: root,
      encoding: 'utf8',
    }).trim()
  git('init', '--quiet')
  mkdirSync(join(root, 'src'))
  writeFileSync(join(root, 'src', 'a.ts'), '')
  git('add', '.')
  git('commit', '--quiet', '--message', 'Begin')
  return { root, git }
}

test('is its hash, with a word where a source is another, or a new one', () => {
  const { root, git } = clone()
  const hash = git('rev-parse', 'HEAD')
  writeFileSync(join(root, 'notes.md'), '')
  expect(commitOf(root, [])).toBe(hash)
  appendFileSync(join(root, 'src', 'a.ts'), 'changed')
  expect(commitOf(root, [])).toBe(`${hash}-modified`)
  git('checkout', '--quiet', '.')
  writeFileSync(join(root, 'src', 'b.ts'), '')
  expect(commitOf(root, [])).toBe(`${hash}-modified`)
})

test('is not that of a clone around it, nor of one without a commit', () => {
  const { root } = clone()
  expect(commitOf(join(root, 'src'), [])).toBe('')
  const empty = temporaryFolder()
  execFileSync('git', ['init', '--quiet'], { cwd: empty })
  expect(commitOf(empty, [])).toBe('')
})

test('is what an option says, which is taken out of the others', () => {
  const options = ['--a', '--commit', 'abc', '--b']
  expect([commitOf(packagePath(), options), options]).toEqual(['abc', ['--a', '--b']])
  expect(commitOf(packagePath(), ['--commit', ''])).toBe('')
})
