// src/release/writing/kept-past.ts: whose past is kept, for whom it can be read, when it
// goes. real test: the prune and forget of a folder with releases.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { releasePaths, type ReleasePaths } from '../../../src/release/format/paths.ts'
import { keepPast, keptPastText, parseKeptPast, readKeptPast } from '../../../src/release/writing/kept-past.ts'
import { forgetAllBut } from '../../../src/release/past/forget.ts'
import { prune } from '../../../src/release/writing/prune.ts'
import { rollback } from '../../../src/release/past/rollback.ts'
import { switchTo } from '../../../src/release/writing/current-link.ts'
import { keptSample } from '../kept-sample.ts'
import { AS_OF_MS, publishSamples } from '../sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const HOUR_MS = 3_600_000
const FIRST = '20260520T083000000Z-0123abcd'

let snapshots: string
let paths: ReleasePaths
beforeEach(() => {
  snapshots = temporaryFolder()
  paths = releasePaths(snapshots)
})

/** Releases an hour apart, with their pasts, the last one current. */
async function published(many: number): Promise<string[]> {
  const ids = await publishSamples(snapshots, ...Array.from({ length: many }, (_, i) => AS_OF_MS + i * HOUR_MS))
  for (const id of ids) await keepPast(paths, id, keptSample(id))
  for (const id of ids) utimesSync(join(snapshots, 'releases', id), 1, 1)
  return ids
}
const kept = (): string[] => readdirSync(join(snapshots, '.state')).sort()
const files = (...ids: (string | undefined)[]): string[] => ids.map((id) => `${id}.json`)

describe('a kept past', () => {
  it('is read back, by its user only, whatever the umask and whatever a copy has made of the folder', async () => {
    mkdirSync(join(snapshots, 'releases', FIRST), { recursive: true })
    const before = process.umask(0)
    try {
      await keepPast(paths, FIRST, keptSample(FIRST))
      expect(statSync(paths.state).mode & 0o777).toBe(0o700)
      expect(statSync(join(paths.state, `${FIRST}.json`)).mode & 0o777).toBe(0o600)
      chmodSync(paths.state, 0o755)
      await keepPast(paths, FIRST, keptSample(FIRST, 'another'))
      expect(statSync(paths.state).mode & 0o777).toBe(0o700)
    } finally {
      process.umask(before)
    }
    expect(await readKeptPast(paths, FIRST)).toEqual(keptSample(FIRST, 'another'))
    expect(kept()).toEqual(files(FIRST))
  })

  it('of a rejected candidate is found by the name of its folder', async () => {
    mkdirSync(join(snapshots, 'releases', `.refused-${FIRST}`), { recursive: true })
    await keepPast(paths, `.refused-${FIRST}`, keptSample(FIRST))
    expect(await readKeptPast(paths, `.refused-${FIRST}`)).toEqual(keptSample(FIRST))
    expect(await readKeptPast(paths, FIRST)).toMatch(/ENOENT/)
  })

  it('is none where it is missing, cut off, too large, no file, or that of another release', async () => {
    const ids = await published(2)
    const [one = '', two = ''] = ids
    const path = join(paths.state, `${one}.json`)
    expect(await readKeptPast(paths, 'x')).toMatch(/^cannot read .*\.state\/x\.json: ENOENT/)
    truncateSync(path, 100)
    expect(await readKeptPast(paths, one)).toMatch(/\.json: it is not JSON: /)
    truncateSync(path, 0)
    expect(await readKeptPast(paths, one)).toMatch(/it is not JSON/)
    truncateSync(path, 4 << 20)
    expect(await readKeptPast(paths, one)).toMatch(/has 4194304 bytes; a kept past has at most 2097152$/)
    rmSync(path)
    mkdirSync(path)
    expect(await readKeptPast(paths, one)).toMatch(/is not a file|EISDIR/)
    rmSync(path, { recursive: true })
    // Waiting for its writer would be for ever.
    execFileSync('mkfifo', [path])
    expect(await readKeptPast(paths, one)).toMatch(/is not a file/)
    rmSync(path)
    writeFileSync(path, keptPastText(keptSample(two)))
    expect(await readKeptPast(paths, one)).toMatch(/it is that of /)
    rmSync(paths.state, { recursive: true })
    expect(await readKeptPast(paths, one)).toMatch(/ENOENT/)
  })

  it('is unknown, not none, where it could not be read', async () => {
    mkdirSync(paths.state)
    const name = 'x'.repeat(300)
    await expect(readKeptPast(paths, name)).rejects.toMatchObject({ code: 'unreadable' })
  })

  it('goes with its release, by prune and by forgetting; those of all others stay, also below a rollback', async () => {
    const ids = await published(4)
    mkdirSync(join(snapshots, 'releases', `.refused-${FIRST}`))
    await keepPast(paths, `.refused-${FIRST}`, keptSample(FIRST))
    await rollback(paths, ids[1] ?? '', AS_OF_MS)
    await prune(paths, { keep: 1, keepMonths: 24 }, AS_OF_MS + 100 * HOUR_MS)
    const left = readdirSync(join(snapshots, 'releases')).filter((name) => !name.startsWith('.'))
    expect(left).toEqual([ids[0], ids[1], ids[3]])
    expect(kept()).toEqual(files(`.refused-${FIRST}`, ids[0], ids[1], ids[3]))
    expect(await readKeptPast(paths, ids[1] ?? '')).toEqual(keptSample(ids[1] ?? ''))
    await forgetAllBut(paths, [ids[1] ?? ''])
    expect(kept()).toEqual(files(ids[1]))
    // A site that closed: its empty release has none.
    await forgetAllBut(paths, ['of a closed site'])
    expect(kept()).toEqual([])
  })

  it('that a killed build left is of no release, and goes with the next one that is kept', async () => {
    const ids = await published(2)
    // Killed after keeping, before promoting.
    await keepPast(paths, FIRST, keptSample(FIRST))
    writeFileSync(join(paths.state, '.tmp-0123abcd'), '{"format"')
    expect(kept()).toEqual(['.tmp-0123abcd', ...files(FIRST, ...ids)])
    await keepPast(paths, ids[1] ?? '', keptSample(ids[1] ?? ''))
    expect(kept()).toEqual(files(...ids))
    await switchTo(paths, ids[0] ?? '', AS_OF_MS)
    expect(await readKeptPast(paths, ids[0] ?? '')).toEqual(keptSample(ids[0] ?? ''))
  })

  it('that cannot be written fails before anything is promoted, and names the path', async () => {
    const ids = await published(1)
    rmSync(paths.state, { recursive: true })
    writeFileSync(paths.state, 'no folder')
    await expect(keepPast(paths, ids[0] ?? '', keptSample(ids[0] ?? ''))).rejects.toMatchObject({
      message: expect.stringMatching(/\.state.*ENOTDIR/) as string,
    })
    rmSync(paths.state)
    expect(existsSync(paths.state)).toBe(false)
    await prune(paths, { keep: 1, keepMonths: 24 }, AS_OF_MS)
  })
})

const ID = '20260520T093000000Z-0123abcd'
const KEPT = keptSample(ID, FIRST)

describe('the text of a kept past', () => {
  it('is read back as it was', () => {
    for (const one of [KEPT, { ...KEPT, comparedWith: null, past: { ...KEPT.past, earlier: null } }])
      expect(parseKeptPast(keptPastText(one), ID)).toEqual(one)
  })

  /** Each leaves the rest of the text whole. */
  const DAMAGED: readonly [what: string, from: string | RegExp, to: string, why: RegExp][] = [
    ['cut off', /.{20}\n$/, '', /^it is not JSON: /],
    ['empty', /^[^]*$/, '', /^it is not JSON: /],
    ['null', /^[^]*$/, 'null', /^its format is undefined, this version of the program has 3$/],
    ['a list', /^[^]*$/, '[]', /^its format is undefined/],
    ['of a later format', '"format":3', '"format":4', /^its format is 4, this version of the program has 3$/],
    ['of an earlier format', '"format":3', '"format":2', /^its format is 2, this version of the program has 3$/],
    ['of another release', ID, ID.replace('abcd', 'abce'), /^it is that of "20260520T093000000Z-0123abce"$/],
    ['without mapping', '"mapping":', '"x":', /^it is not as it was written$/],
    ['another count', '"2026-04":40', '"2026-04":41', /^it is not as it was written$/],
    ['without a hash', '"sha256":"', '"x":"', /^it is not as it was written$/],
  ]
  it.each(DAMAGED)('says nothing when it is %s, and why', (_, from, to, why) => {
    const text = keptPastText(KEPT)
    const damaged = text.replace(from, to)
    expect(damaged).not.toBe(text)
    expect(parseKeptPast(damaged, ID)).toMatch(why)
  })
})
