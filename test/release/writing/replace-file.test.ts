// Tests src/release/writing/replace-file.ts.
import { lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { replaceFile } from '../../../src/release/writing/replace-file.ts'
import { temporaryFolder } from '../sample-release.ts'

test('a link that somebody planted is replaced, not followed, and the mode is the one that is given', async () => {
  const folder = temporaryFolder()
  const [path, next, theirs] = ['role.sql', 'role.sql.next', 'theirs'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(theirs, 'theirs')
  for (const link of [path, next]) symlinkSync(theirs, link)
  await replaceFile(path, next, 'ours', 0o600)
  expect([readFileSync(path, 'utf8'), readFileSync(theirs, 'utf8')]).toEqual(['ours', 'theirs'])
  expect([lstatSync(path).isSymbolicLink(), statSync(path).mode & 0o777]).toEqual([false, 0o600])
})
