// src/release/quantities/ and checks/: what the gate says of a release that breaks a rule. That `verify` says the same is in
// over-time.test.ts.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { MutableRelease } from '../verify/mutable-release.ts'
import { BROKEN, RELEASES, TIMELINES, TOTALS } from './broken-rules.ts'

const folders = {
  shared: temporaryFolder(afterAll),
  plain: temporaryFolder(afterAll),
  sample: temporaryFolder(afterAll),
}
const whole = new Map<string, MutableRelease>()
beforeAll(async () => {
  for (const [name, folder] of Object.entries(folders))
    whole.set(name, await MutableRelease.of(folder, (RELEASES as Record<string, typeof RELEASES.plain>)[name]))
})
const copyOf = (name: string, without?: (path: string) => boolean): MutableRelease => whole.get(name)!.copy(without)

it.each(Object.keys(folders))(
  'nothing is wrong with a whole release, if it is not known that an idea has two categories, too: %s',
  (name) => {
    const release = copyOf(name)
    expect(release.gate()).toEqual([])
    release.sharedIdeas = null
    expect(release.gate()).toEqual([])
  },
)

it.each(BROKEN)('$rule', ({ of, mutate, sentences }) => {
  const release = copyOf(of)
  mutate(release)
  expect(release.gate()).toEqual(sentences)
})

it.each(Object.entries(TOTALS))('totals: %s', (_, [mutate, ...sentences]) => {
  const release = copyOf('sample', (path) => /^analytics\/(export\/)?(timeline|outcomes|category)\b/.test(path))
  mutate(release)
  expect(release.gate()).toEqual(sentences)
})

it.each(Object.entries(TIMELINES))('a timeline of a category: %s', (_, [span, mutate, fault]) => {
  const release = copyOf('shared')
  mutate(release.category('Design').timelines[span])
  const [sentence, ...more] = release.gate()
  expect(more).toEqual([])
  // Its numbers are others.
  expect(sentence).toMatch(/^analytics\/category\/design-[0-9a-f]{12}\.json: /)
  expect(sentence).toContain(`timelines.${span}`)
  expect(sentence).toContain(fault.replace(/^IT: /, '').split(/ is | are |: \d|: not /)[0])
})

it('a release of another zone has none of its documents', () => {
  const release = copyOf('shared')
  const faults = release.gate({ options: { ...release.manifest.options, timeZone: 'Europe/Madrid' } })
  // Of an export the head says of which zone its days are, which verify compares.
  expect(faults).toHaveLength(8)
  expect(faults).toContain('analytics/outcomes.json: cohorts: its timeZone is missing, not Europe/Madrid')
})

it('does not depend on the order in which documents are read', () => {
  const release = copyOf('shared')
  for (const { mutate } of BROKEN.slice(0, 4)) mutate(release)
  const sentences = release.gate()
  expect(sentences.length).toBeGreaterThan(2)
  expect(release.gate({}, (paths) => paths.toReversed())).toEqual(sentences)
})

it('says nothing of what was not read: who could not read it has said so', () => {
  const release = copyOf('shared')
  for (const path of release.paths) {
    expect(
      release.gate({}, (paths) => paths.filter((one) => one !== path)),
      `without ${path}`,
    ).toEqual([])
    expect(
      release.gate({}, () => [path]),
      `${path} alone`,
    ).toEqual([])
  }
  expect(release.gate({}, () => [])).toEqual([])
})

it('names each document that a release of a closed site shows something in', () => {
  const release = copyOf('shared')
  const zero = { users: 0, ideas: 0, votes: 0, comments: 0, launchedIdeas: 0, categories: 0 }
  const shown = (files: typeof release.manifest.files): string =>
    release.gate({ closed: true, rows: zero, categories: [], files }).join('\n')
  expect(shown([])).toMatch(
    /^analytics\/outcomes\.json: it lists something, but the site is closed to visitors; the same of 6 more, such as analytics\/timeline\/24h\.json$/m,
  )
  const files = release.manifest.files.filter(({ path }) => /category\/|outcomes\//.test(path))
  expect(shown(files)).toMatch(/^analytics\/\S+: it lists something, .*the same of \d+ more/m)
})
