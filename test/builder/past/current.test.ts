// What a build finds to compare its candidate with, and what it says where there is nothing. real test: it reads releases.
import { readFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { IDEA_FIELDS } from '../../../src/model/idea-sample.ts'
import { COUNTED_RELATIONS } from '../../../src/model/rows-by-month.ts'
import {
  changedCategories,
  keptOf,
  NO_BASE,
  otherQuestion,
  otherZone,
  readBase,
  type Base,
} from '../../../src/builder/past/current.ts'
import { haveSameMonths, revisionsSince } from '../../../src/builder/past/revision.ts'
import { warnOfSurprises } from '../../../src/builder/run/warnings.ts'
import type { Log } from '../../../src/process/log.ts'
import type { Manifest } from '../../../src/release/format/manifest.ts'
import { REJECTED_PREFIX, releasePaths } from '../../../src/release/format/paths.ts'
import { shortHash } from '../../../src/analytics/idea-sample.ts'
import type { CountedPast, RowsByMonth } from '../../../src/model/rows-by-month.ts'
import { keepPast } from '../../../src/release/writing/kept-past.ts'
import { rollback } from '../../../src/release/past/rollback.ts'
import { publishRelease } from '../../support/release.ts'
import { ASSETS, sampleSite } from '../../support/site.ts'
import { ASKED, keptSample, rowsByMonth } from '../../release/kept-sample.ts'
import { aboutOf, AS_OF_MS, publishSamples } from '../../release/sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

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
  past: CountedPast = keptSample('').past,
): Promise<Found> {
  const said: string[] = []
  const say =
    (level: string) =>
    (_: object, text: string): void =>
      void said.push(`${level}: ${text.replaceAll(snapshots, 'DIR')}`)
  const log: Log = { info: say('info'), warn: say('warn'), error: say('error') }
  const request = { paths: releasePaths(snapshots), mapping: mapping as never }
  const base = await readBase(request, log)
  warnOfSurprises({ manifest: { ...MANIFEST, mapping }, closed: null, past, notes: [] }, base, log)
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

  it('has of the files of the current release those that the next one carries on', async () => {
    const snapshots = temporaryFolder()
    await publishRelease(snapshots, { site: sampleSite() })
    const paths = (await found(snapshots)).base.current?.files.map(({ path }) => path)
    expect(paths).toEqual(['analytics/export/history/all.json', ASSETS.css.path, ASSETS.js.path].sort())
  })

  it('is that of the release that a rollback made current', async () => {
    const snapshots = temporaryFolder()
    const [first = '', second = ''] = await publishSamples(snapshots, AS_OF_MS - 60_000, AS_OF_MS)
    const paths = releasePaths(snapshots)
    for (const id of [first, second]) await keepPast(paths, id, keptSample(id))
    await rollback(paths, null, AS_OF_MS)
    expect((await found(snapshots)).base.kept).toEqual(keptSample(first))
  })

  it('is no rejected candidate that somebody made current by hand: it is no release', async () => {
    const { snapshots, id } = await publishedWithPast()
    const { releases, current } = releasePaths(snapshots)
    renameSync(join(releases, id), join(releases, `${REJECTED_PREFIX}${id}`))
    rmSync(current)
    symlinkSync(join('releases', `${REJECTED_PREFIX}${id}`), current)
    await expect(found(snapshots)).rejects.toMatchObject({ code: 'damaged', message: expect.stringContaining(id) })
  })

  it('is nothing, and why, with one warning where nobody may expect it', async () => {
    const { snapshots, id } = await publishedWithPast()
    const paths = releasePaths(snapshots)
    // What everybody expects is in the result of the build only.
    expect(await found(temporaryFolder())).toMatchObject({
      base: { current: null, kept: null, without: 'no release is current' },
      said: [],
    })
    expect(await found(snapshots, { ...MAPPING, name: 'demo' })).toMatchObject({
      base: { kept: null, without: 'the demo is invented anew for each build' },
      said: [],
    })
    // Another mapping is compared, too.
    for (const other of [
      { ...MAPPING, sha256: 'b'.repeat(64) },
      { ...MAPPING, name: 'fider' },
    ])
      expect(await found(snapshots, other)).toMatchObject({ base: { kept: keptSample(id), without: null }, said: [] })
    truncateSync(join(paths.state, `${id}.json`), 50)
    expect((await found(snapshots)).said).toEqual([
      expect.stringMatching(
        `^warn: nothing is known of the past of ${id}: DIR/\\.state/${id}\\.json: it is not JSON: .*: the past was not compared$`,
      ),
    ])
    expect((await found(snapshots)).base.without).toMatch(/^nothing is known of the past of /)
    rmSync(paths.state, { recursive: true })
    const missing = await found(snapshots)
    expect(missing.base).toMatchObject({ current: { id }, kept: null, without: expect.stringMatching(/ENOENT/) })
    expect(missing.said).toEqual([expect.stringMatching(/^warn: nothing is known of the past of .*ENOENT/)])
    const manifest = join(snapshots, 'releases', id, 'manifest.json')
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"name":"native"', '"name":"demo"'))
    expect(await found(snapshots)).toMatchObject({
      base: { without: `${id} is of the demo` },
      said: [`warn: ${id} is of the demo: the past was not compared`],
    })
    writeFileSync(manifest, '{"id":')
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

it('a newest row that is of an earlier day in another time zone is no older copy', async () => {
  const { snapshots, id } = await publishedWithPast()
  const { past, ...kept } = keptSample(id)
  await keepPast(releasePaths(snapshots), id, { ...kept, past: { ...past, newestDay: '2026-05-20' } })
  const now = (monthStarts: number): CountedPast => ({
    own: past.own,
    earlier: { ...past.own, monthStarts },
    newestDay: '2026-05-19',
  })
  expect((await found(snapshots, MAPPING, now(past.own.monthStarts + 1))).said).toEqual([])
  expect((await found(snapshots, MAPPING, now(past.own.monthStarts))).said).toHaveLength(1)
})

describe('what is kept', () => {
  const own = rowsByMonth(AS_OF_MS, { '2026-05': 9 })
  const past = { own, earlier: null, newestDay: null }
  const base: Base = { ...NO_BASE, kept: keptSample('last'), without: null }

  it('names its release, its mapping, and the release that it was compared with', () => {
    expect(keptOf(base, { manifest: MANIFEST, past }, ASKED)).toEqual({
      id: 'new',
      mapping: { ...MAPPING, asked: ASKED },
      past,
      comparedWith: 'last',
    })
    expect(keptOf({ ...base, kept: null }, { manifest: MANIFEST, past }, ASKED)?.comparedWith).toBeNull()
  })

  it('is nothing of the demo and of a closed site, which are not compared either', () => {
    expect(keptOf(base, { manifest: { ...MANIFEST, mapping: { ...MAPPING, name: 'demo' } }, past }, ASKED)).toBeNull()
    expect(keptOf(base, { manifest: MANIFEST, past: null }, ASKED)).toBeNull()
    expect(revisionsSince(keptSample('last').past.own, null)).toBeNull()
    expect(revisionsSince(undefined, past)).toBeNull()
    const earlier = keptSample('last').past.own
    expect(revisionsSince(earlier, { ...past, earlier })).toHaveLength(COUNTED_RELATIONS.length + IDEA_FIELDS.length)
  })
})

describe('what was asked otherwise', () => {
  const base: Base = {
    ...NO_BASE,
    current: { programVersion: '1.0.0' } as never,
    kept: keptSample('last'),
    without: null,
  }
  const asked = (change: Partial<typeof ASKED>, mapping: object = { sha256: 'b' }): string | null =>
    otherQuestion(base, { ...MAPPING, ...mapping, asked: { ...ASKED, ...change } })
  const END = 'of the current release: if this is what you changed, build once with --accept-revision'
  const UPGRADE = END.replace(':', ', which 1.0.0 made:')

  it.each([
    ['nothing', null, asked({ sections: {} }, {})],
    ['a section', `section votes is not that ${END}`, asked({ builtIn: false, sections: { votes: 'b' } })],
    [
      'one that came and one that went',
      `section votes, section closed are not those ${END}`,
      asked({ builtIn: false, sections: { closed: 'a' } }),
    ],
    [
      "the program's own",
      `the program's own section votes is not that ${UPGRADE}`,
      asked({ sections: { votes: 'b' } }),
    ],
    ['a parameter', `parameter p is not that ${UPGRADE}`, asked({ params: { p: 'x' } })],
    [
      'many',
      `section votes, section a, section b, section c and 1 more are not those ${END}`,
      asked({ builtIn: false, sections: { a: '', b: '', c: '' }, params: { p: '' } }),
    ],
    ['another mapping', `mapping fider is not that ${END}`, asked({ builtIn: false }, { name: 'fider', sha256: 'b' })],
    ['what no section shows', `mapping native is not that ${UPGRADE}`, asked({})],
  ])('%s', (_, expected, said) => {
    expect(said).toBe(expected)
  })

  it('is nothing where nothing is kept', () => {
    expect(otherQuestion({ ...base, kept: null }, { ...MAPPING, sha256: 'b', asked: ASKED })).toBeNull()
  })
})

describe('months', () => {
  const { past } = keptSample('')
  const of = (monthStarts: number): CountedPast => ({ ...past, earlier: { ...past.own, monthStarts } })
  const { monthStarts: SAME } = past.own
  const OTHER = SAME + 1
  const about = (timeZone: string | undefined, timeZoneDatabase?: string) =>
    ({
      ...MANIFEST,
      timeZoneDatabase,
      options: { ...MANIFEST.options, ...(timeZone === undefined ? {} : { timeZone }) },
    }) as const
  const baseOf = (...zone: Parameters<typeof about>): Base => ({
    ...NO_BASE,
    current: about(...zone) as never,
    kept: keptSample('last'),
    without: null,
  })
  const madrid = baseOf('Europe/Madrid', '2025c')
  const CHANGED =
    'the rules of the time zone changed: Europe/Madrid by version 2026e, in the current release by 2025c: where both differ, rows are of other hours, days or months now'

  it('are compared where they begin when they did, whatever the zone is called', () => {
    const none = { rules: [], months: [] }
    expect(otherZone(madrid, of(SAME), about('Europe/Madrid', '2025c'))).toEqual(none)
    expect(otherZone(baseOf(undefined), of(SAME), about('Africa/Abidjan', '2026e'))).toEqual(none)
    expect(otherZone(madrid, null, about('Europe/Madrid', '2026e'))).toEqual(none)
    expect(otherZone({ ...madrid, kept: null }, of(OTHER), about('Europe/Berlin', '2026e'))).toEqual(none)
    expect(otherZone(madrid, of(SAME), about('Europe/Madrid', '2026e'))).toEqual({ rules: [CHANGED], months: [] })
    expect([of(SAME).earlier, null, undefined].map((earlier) => haveSameMonths(past.own, earlier))).toEqual([
      true,
      true,
      true,
    ])
    expect(haveSameMonths(undefined, past.own)).toBe(true)
  })

  it('are one sum where they do not, and the zone or its rules are named', () => {
    expect(haveSameMonths(past.own, of(OTHER).earlier)).toBe(false)
    expect(otherZone(baseOf(undefined), of(OTHER), about('Europe/Berlin', '2026e'))).toEqual({
      rules: [],
      months: [
        'the time zone is Europe/Berlin, of the current release UTC: the months of each relation are compared as one sum',
      ],
    })
    expect(otherZone(madrid, of(OTHER), about('Europe/Madrid', '2026e'))).toEqual({
      rules: [CHANGED],
      months: [
        'the rules of the time zone Europe/Madrid are 2026e, of the current release 2025c: the months of each relation are compared as one sum',
      ],
    })
  })
})

describe('categories', () => {
  const sampleOf = (...names: (readonly string[])[]): RowsByMonth['sample'] =>
    names.map((all, i) => [i, 1, 2, all.map(shortHash), 1, 0, 0])
  const changes = (was: readonly (readonly string[])[], is: readonly (readonly string[])[]) => {
    const own = { ...keptSample('').past.own, sample: sampleOf(...was) }
    const kept = { ...keptSample('last'), past: { ...keptSample('').past, own } }
    const listed = (all: typeof was) => [...new Set(all.flat())].map((name) => ({ name, key: '' }))
    const base: Base = { ...NO_BASE, current: { categories: listed(was) } as never, kept, without: null }
    return changedCategories(base, { ...kept.past, earlier: { ...own, sample: sampleOf(...is) } }, listed(is))
  }

  it('are named as they were and are published', () => {
    const was = [['NA'], ['NA'], ['None'], ['null'], ['null'], ['Roads']]
    expect(changes(was, was)).toEqual([])
    expect(changes(was, [['None'], ['None'], ['None'], ['null'], ['null'], ['Roads']])).toEqual([
      { kind: 'merged', from: 'NA', into: ['None'] },
    ])
    expect(changes(was, [['NA'], ['NA'], ['None'], ['nan'], ['n/a'], ['Roads']])).toEqual([
      { kind: 'split', from: 'null', into: ['nan', 'n/a'] },
    ])
    expect(changes(was, [['N/A'], ['N/A'], ['None'], ['null'], ['null'], ['Roads']])).toEqual([
      { kind: 'renamed', from: 'NA', into: ['N/A'] },
    ])
  })
})
