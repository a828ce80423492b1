// What `node scripts/changed-tests.js` prints: main.ts, and its start. real test: it starts a program.
import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import { main } from './main.ts'

interface Listed {
  readonly summary: string
  readonly files: readonly string[]
}

function listed(text: string): Listed {
  const files = [...text.matchAll(/^ *[\d.?]+ s {2}(.+)$/gm)].map(([, file = '']) => file)
  return { summary: text.split('\n')[0] ?? '', files }
}

/** In this process. */
function list(
  ...args: readonly string[]
): Listed & { readonly code: number; readonly said: string; readonly text: string } {
  let [text, said] = ['', '']
  const code = main(packagePath(), ['--list', ...args], { out: (one) => (text += one), err: (one) => (said += one) })
  return { code, said, text, ...listed(text) }
}

it('lists what a change of a file would run', () => {
  const command = [packagePath('scripts', 'changed-tests.js'), '--list', 'docs/examples/open-polis.sql']
  const { status, stderr, stdout } = spawnSync(process.execPath, command, { encoding: 'utf8' })
  const { summary, files } = listed(stdout)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(summary).toMatch(/^long tests: 1 files changed since now: \d+ \(\d+ s\) of \d+ \(\d+ s\)$/)
  expect(files).toContain('test/end-to-end/open-polis.test.ts')
  expect(files).not.toContain('test/torture/kills.test.ts')
})

it('says of which tests a sample is enough, and how that is drawn again', () => {
  expect(list('src/site/pages/category-page.ts').text).toMatch(
    /\na sample of some: TORTURE_SEED=\d+ TORTURE_SAMPLE=\S*test\/torture\/kills\.test\.ts/,
  )
  expect(list('src/release/writing/lock.ts').text).not.toMatch(/TORTURE_SAMPLE=\S*kills/)
})

it('divides them in parts that have each file once', () => {
  const parts = [1, 2].map((k) => list('--part', `${k}/2`, 'package.json').files)
  const { files } = list('package.json')
  expect(parts.flat().sort()).toEqual([...files].sort())
})

it.each(['0/2', '3/2', 'x', '1'])('refuses the part %s', (part) => {
  expect(list('--part', part)).toMatchObject({ code: 2, said: `--part ${part}: K/N, with K from 1 to N\n` })
})
