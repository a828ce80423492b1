// What a build finds to compare its candidate with, and what it says where there is nothing. real test: it reads releases.
import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { IDEA_FIELDS } from '../../../src/model/idea-sample.ts'
import { COUNTED_RELATIONS } from '../../../src/model/rows-by-month.ts'
import { UTC } from '../../../src/contract/time-zone.ts'
import { keptOf, readBase, revisionsOn, type Base } from '../../../src/builder/past/current.ts'
import { warnOfSurprises } from '../../../src/builder/run/warnings.ts'
import type { Log } from '../../../src/process/log.ts'
import type { Manifest } from '../../../src/release/format/manifest.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'
import type { Past } from '../../../src/model/rows-by-month.ts'
import { keepPast } from '../../../src/release/writing/kept-past.ts'
import { rollback } from '../../../src/release/writing/promote.ts'
import { keptSample, rowsByMonth } from '../../release/kept-sample.ts'
import { aboutOf, AS_OF_MS, publishSamples, temporaryFolder } from '../../release/sample-release.ts'

const { mapping: MAPPING } = aboutOf(AS_OF_MS)
const MANIFEST: Manifest = { id: 'new', ...aboutOf(AS_OF_MS + 60_000), files: [] }

interface Found {
  readonly base: Base
  /** What is logged until the release is published, as `level: text`. */
  readonly said: readonly string[]
}

async function found(
  snapshots: string,
  mapping: Pick<Manifest, 'mapping'>['mapping'] = MAPPING,
  past: Past = keptSample('').past,
): Promise<Found> {
  const said: string[] = []
  const say =
    (level: string) =>
    (_: object, text: string): void =>
      void said.push(`${level}: ${text.replaceAll(snapshots, 'DIR')}`)
  const log: Log = { info: say('info'), warn: say('warn'), error: say('error') }
  const request = { paths: releasePaths(snapshots), mapping: mapping as never }
  const base = await readBase(request, log)
  warnOfSurprises({ manifest: { ...MANIFEST, mapping }, closed: null, past }, base, log)
  return { base, said }
}

async function publishedWithPast(): Promise<{ snapshots: string; id: string }> {
  const snapshots = temporaryFolder()
  const [id = ''] = await publishSamples(snapshots, AS_OF_MS)
  await keepPast(releasePaths(snapshots), id, keptSample(id))
  return { snapshots, id }
}

describe('what a candidate is compared with', () => {
  it('is the past of the current release, which nothing is said of', async () => {
    const { snapshots, id } = await publishedWithPast()
    const { base, said } = await found(snapshots)
    expect(base).toMatchObject({ current: { id }, kept: keptSample(id), without: null })
    expect(said).toEqual([])
  })

  it('is that of the release that a rollback made current', async () => {
    const snapshots = temporaryFolder()
    const [first = '', second = ''] = await publishSamples(snapshots, AS_OF_MS - 60_000, AS_OF_MS)
    const paths = releasePaths(snapshots)
    for (const id of [first, second]) await keepPast(paths, id, keptSample(id))
    await rollback(paths, null, AS_OF_MS)
    expect((await found(snapshots)).base.kept).toEqual(keptSample(first))
  })

  it('is nothing, and why, with one warning where nobody may expect it', async () => {
    const { snapshots, id } = await publishedWithPast()
    const paths = releasePaths(snapshots)
    // What everybody expects is in the result of the build only.
    expect(await found(temporaryFolder())).toMatchObject({
      base: { current: null, kept: null, without: { why: 'no release is current' } },
      said: [],
    })
    expect(await found(snapshots, { ...MAPPING, name: 'demo' })).toMatchObject({
      base: { kept: null, without: { why: 'the demo is invented anew for each build' } },
      said: [],
    })
    const others = [
      { ...MAPPING, sha256: 'b'.repeat(64) },
      { ...MAPPING, name: 'fider' },
    ]
    for (const other of others)
      expect((await found(snapshots, other)).said).toEqual([
        `warn: the mapping, its parameters, the time zone or, after an upgrade, the program's own copy of it is not that of ${id}: the past was not compared`,
      ])
    truncateSync(join(paths.state, `${id}.json`), 50)
    expect((await found(snapshots)).said).toEqual([
      expect.stringMatching(
        `^warn: nothing is known of the past of ${id}: DIR/\\.state/${id}\\.json: it is not JSON: .*: the past was not compared$`,
      ),
    ])
    rmSync(paths.state, { recursive: true })
    const missing = await found(snapshots)
    expect(missing.base).toMatchObject({ current: { id }, kept: null })
    expect(missing.said).toEqual([expect.stringMatching(/^warn: nothing is known of the past of .*ENOENT/)])
    writeFileSync(join(snapshots, 'releases', id, 'manifest.json'), '{"id":')
    expect((await found(snapshots)).said).toEqual([
      expect.stringMatching(/^warn: .*it is not JSON.*; the new release is not compared with it$/),
    ])
  })
})

describe('a build whose newest row', () => {
  it.each([
    ['is of the same day', '2026-05-20', '2026-05-20', null],
    ['is of a later day', '2026-05-20', '2026-05-21', null],
    [
      'is of an earlier day',
      '2026-05-20',
      '2026-05-19',
      'is of 2026-05-19; in the current release it was of 2026-05-20:',
    ],
    ['is gone', '2026-05-20', null, 'is of no day; in the current release it was of 2026-05-20:'],
    ['is the first', null, '2026-05-19', null],
  ])('%s is told as an older copy where it may be one', async (_, had, has, told) => {
    const { snapshots, id } = await publishedWithPast()
    const kept = keptSample(id)
    await keepPast(releasePaths(snapshots), id, { ...kept, past: { ...kept.past, newestDay: had } })
    const { said } = await found(snapshots, MAPPING, { ...kept.past, newestDay: has })
    expect(said).toEqual(
      told === null ? [] : [expect.stringContaining(`warn: the newest idea, vote or comment ${told}`)],
    )
  })
})

describe('what is kept', () => {
  const own = rowsByMonth(AS_OF_MS, { '2026-05': 9 })
  const past = { own, earlier: null, newestDay: null }
  const base: Base = { current: null, kept: keptSample('last'), without: null }

  it('names its release, its mapping, and the release that it was compared with', () => {
    expect(keptOf(base, { manifest: MANIFEST, past })).toEqual({
      id: 'new',
      mapping: MAPPING,
      past,
      comparedWith: 'last',
    })
    expect(keptOf({ ...base, kept: null }, { manifest: MANIFEST, past })?.comparedWith).toBeNull()
  })

  it('is nothing of the demo and of a closed site, which are not compared either', () => {
    expect(keptOf(base, { manifest: { ...MANIFEST, mapping: { ...MAPPING, name: 'demo' } }, past })).toBeNull()
    expect(keptOf(base, { manifest: MANIFEST, past: null })).toBeNull()
    expect(revisionsOn(base, null, UTC)).toBeNull()
    expect(revisionsOn({ ...base, kept: null }, past, UTC)).toBeNull()
    const earlier = keptSample('last').past.own
    expect(revisionsOn(base, { ...past, earlier }, UTC)).toHaveLength(COUNTED_RELATIONS.length + IDEA_FIELDS.length)
  })
})
