// What `node scripts/changed-tests.js` prints: main.ts, and its start. real test: it starts a program.
import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'

const listed = (...args: readonly string[]) =>
  spawnSync(process.execPath, [packagePath('scripts', 'changed-tests.js'), '--list', ...args], { encoding: 'utf8' })

function list(...args: readonly string[]) {
  const { status, stdout, stderr } = listed(...args)
  return {
    status,
    stderr,
    summary: stdout.split('\n')[0],
    files: [...stdout.matchAll(/^ *[\d.?]+ s {2}(.+)$/gm)].map(([, file = '']) => file),
  }
}

it('lists what a change of a file would run', () => {
  const { status, stderr, summary, files } = list('docs/examples/open-polis.sql')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(summary).toMatch(/^long tests: 1 files changed since now: \d+ \(\d+ s\) of \d+ \(\d+ s\)$/)
  expect(files).toContain('test/end-to-end/open-polis.test.ts')
  expect(files).not.toContain('test/torture/kills.test.ts')
})

it('says of which tests a sample is enough, and how that is drawn again', () => {
  const [, said] = listed('src/site/pages/category-page.ts').stdout.split('\n')
  expect(said).toMatch(/^a sample of some: TORTURE_SEED=\d+ TORTURE_SAMPLE=\S*test\/torture\/kills\.test\.ts/)
  expect(listed('src/release/writing/lock.ts').stdout).not.toMatch(/TORTURE_SAMPLE=\S*kills/)
})

it('divides them in parts that have each file once', () => {
  const parts = [1, 2].map((k) => list('--part', `${k}/2`, 'package.json').files)
  const { files } = list('package.json')
  expect(parts.flat().sort()).toEqual([...files].sort())
})

it.each(['0/2', '3/2', 'x', '1'])('refuses the part %s', (part) => {
  expect(list('--part', part)).toMatchObject({ status: 2, stderr: `--part ${part}: K/N, with K from 1 to N\n` })
})
