// What tells two programs of one version apart. Which commit it is, package.test.ts and commit.test.ts try.
import { expect, test } from 'vitest'
import { programText, programVersion, thisProgram } from '../../src/process/package-root.ts'

const HASH = '672fec04e1b2a9c0d7f31e5b8a6c4d2f90e7b5a3'

test.each([
  [HASH, '1.2.3 (commit 672fec04e1b2)'],
  [`${HASH}-modified`, '1.2.3 (commit 672fec04e1b2-modified)'],
  ['', '1.2.3'],
  [undefined, '1.2.3'],
])('of %s: %s', (programCommit, shown) => {
  expect(programText({ programVersion: '1.2.3', programCommit })).toBe(shown)
})

test('this one is of the version of the package', () => {
  expect(thisProgram().programVersion).toBe(programVersion())
})
