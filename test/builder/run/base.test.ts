// What a build finds to compare its candidate with, and what it says where there is nothing. real test: it reads releases.
import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { keptOf, readBase, revisionsOn, type Base } from '../../../src/builder/run/base.ts'
import { warnOfSurprises } from '../../../src/builder/run/warnings.ts'
import type { Log } from '../../../src/process/log.ts'
import type { Manifest } from '../../../src/release/format/manifest.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'
import { keepPast } from '../../../src/release/writing/keep-past.ts'
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

async function found(snapshots: string, mapping: Pick<Manifest, 'mapping'>['mapping'] = MAPPING): Promise<Found> {
  const said: string[] = []
  const say =
    (level: string) =>
    (_: object, text: string): void =>
      void said.push(`${level}: ${text.replaceAll(snapshots, 'DIR')}`)
  const log = { info: say('info'), warn: say('warn'), error: say('error') } as unknown as Log
  const request = { paths: releasePaths(snapshots), mapping: mapping as never }
  const base = await readBase(request, log)
  warnOfSurprises({ ...MANIFEST, mapping }, null, base, log)
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
        `warn: the mapping or its parameters are not those of ${id}: the past was not compared`,
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

describe('what is kept', () => {
  const own = rowsByMonth(AS_OF_MS, { '2026-05': 9 })
  const past = { own, earlier: null }
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
    expect(revisionsOn(base, { past: null })).toBeNull()
    expect(revisionsOn({ ...base, kept: null }, { past })).toBeNull()
    const earlier = keptSample('last').past.own
    expect(revisionsOn(base, { past: { own, earlier } })).toHaveLength(5)
  })
})
