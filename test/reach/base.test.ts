// Since when files have changed: base.ts. real test: it asks git.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { changeIn } from './base.ts'

const NOBODY = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }
const HOUR_S = 3600
const START_S = 1_800_000_000

class Clone {
  readonly folder = temporaryFolder()
  constructor() {
    this.git({}, 'init', '-q', '-b', 'main')
  }
  git(env: Readonly<Record<string, string>>, ...args: readonly string[]): string {
    const who = ['-c', 'user.name=Nobody', '-c', 'user.email=nobody@example.org']
    return execFileSync('git', [...who, ...args], {
      cwd: this.folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], ...NOBODY, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()
  }
  put(path: string, text = path): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true })
    writeFileSync(join(this.folder, path), text)
  }
  /** @returns its id */
  commit(path: string, atHours: number): string {
    this.put(path)
    const date = `${START_S + atHours * HOUR_S} +0000`
    this.git({}, 'add', '-A')
    this.git({ GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date }, 'commit', '-q', '-m', path)
    return this.git({}, 'rev-parse', 'HEAD')
  }
  changed(given = ''): readonly [string | undefined, readonly string[]] {
    const { since, files } = changeIn(this.folder, given)
    return [since, [...files].sort()]
  }
}

it('is the last day where no CI has passed', () => {
  const clone = new Clone()
  clone.commit('first', 0)
  const before = clone.commit('second', 10)
  clone.commit('third', 30)
  clone.commit('fourth', 35)
  expect(clone.changed()).toEqual([before, ['fourth', 'third']])
})

it('is unknown where the clone has no history', () => {
  const clone = new Clone()
  clone.commit('first', 0)
  clone.commit('second', 1)
  expect(clone.changed()).toEqual([undefined, []])
})

it('begins at the newest tag of CI before this commit, whatever its age, and not at one of another branch', () => {
  const clone = new Clone()
  clone.commit('first', 0)
  clone.git({}, 'tag', 'ci-passed/1')
  clone.commit('second', 100)
  clone.git({}, 'tag', '-a', '-m', 'all', 'ci-passed/2')
  clone.git({}, 'tag', 'v1.0.0')
  clone.commit('third', 200)
  clone.git({}, 'tag', 'other')
  clone.git({}, 'switch', '-q', '-c', 'branch')
  clone.commit('elsewhere', 300)
  clone.git({}, 'tag', 'ci-passed/3')
  clone.git({}, 'switch', '-q', 'main')
  clone.commit('fourth', 400)
  expect(clone.changed()).toEqual(['ci-passed/2', ['fourth', 'third']])
})

it('begins where CHANGED_SINCE says', () => {
  const clone = new Clone()
  const first = clone.commit('first', 0)
  clone.commit('second', 100)
  clone.git({}, 'tag', 'ci-passed/1')
  clone.commit('third', 200)
  expect(clone.changed(first)).toEqual([first, ['second', 'third']])
})

it('has what is not committed yet, a file that was renamed by both names, and knows which are gone', () => {
  const clone = new Clone()
  const first = clone.commit('old name', 0)
  clone.commit('é.txt', 1)
  clone.git({}, 'mv', 'old name', 'new name')
  clone.put('untracked')
  expect(clone.changed(first)[1]).toEqual(['new name', 'old name', 'untracked', 'é.txt'])
  rmSync(join(clone.folder, 'é.txt'))
  const { gone } = changeIn(clone.folder, 'HEAD')
  expect([...gone].sort()).toEqual(['old name', 'é.txt'])
})
