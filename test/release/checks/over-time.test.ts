// src/release/verify/: `verify` says of the files of a release that breaks a rule what the gate says of its documents
// (rules.test.ts).
// real test: nearly every case writes a whole release, which takes up to a second.
// long test: writes or reads whole releases for each case
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { MutableRelease } from '../verify/mutable-release.ts'
import { BROKEN, RELEASES } from './broken-rules.ts'

const [folder, otherFolder] = [temporaryFolder(afterAll), temporaryFolder(afterAll)]
let whole: Record<keyof typeof RELEASES, MutableRelease>
beforeAll(async () => {
  whole = {
    shared: await MutableRelease.of(folder, RELEASES.shared),
    plain: await MutableRelease.of(otherFolder, RELEASES.plain),
  }
})

it.each(['shared', 'plain'] as const)('finds nothing in a whole release: %s', async (name) => {
  expect(await whole[name].copy().verify()).toEqual([])
})

it.each(BROKEN)('$rule', async ({ of, mutate, sentences }) => {
  const release = whole[of].copy()
  mutate(release)
  expect(await release.verify()).toEqual(sentences)
})
