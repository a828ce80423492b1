// What is said of a folder without a release: where the release is, or what is there in its place.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { insteadOfRelease } from '../../../src/proxy/store/no-release.ts'
import { snapshotsFolder } from '../../support/release.ts'

const folder = snapshotsFolder()
afterAll(() => folder.remove())

const { dir } = folder
const site = join(dir, 'sites', 'town')
const release = join(site, 'releases', '20260520T093000123Z-01234567')
mkdirSync(release, { recursive: true })
writeFileSync(join(release, 'manifest.json'), '{}')
symlinkSync(join('releases', '20260520T093000123Z-01234567'), join(site, 'current'))
mkdirSync(join(dir, 'empty'))
for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) mkdirSync(join(dir, 'other', name), { recursive: true })

const GIVE = 'give --snapshots the folder that analytics-build writes to, which has current and releases/'

test.each([
  ['releases/', join(site, 'releases'), `there is one in ${site}: give --snapshots that folder`],
  ['current/', join(site, 'current'), `there is one in ${site}: give --snapshots that folder`],
  ['a release', release, `there is one in ${site}: give --snapshots that folder`],
  ['the folder of several', join(dir, 'sites'), `there is one in ${site}: give --snapshots that folder`],
  ['nothing', join(dir, 'nowhere'), `there is no folder ${join(dir, 'nowhere')}: ${GIVE}`],
  ['an empty folder', join(dir, 'empty'), `it is empty: ${GIVE}`],
  ['another one', join(dir, 'other'), `it has a, b, c, d, e, …: ${GIVE}`],
])('%s', (_, given, said) => {
  expect(insteadOfRelease(given)).toBe(said)
})
