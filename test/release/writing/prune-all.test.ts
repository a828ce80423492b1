// Removing every release but one at once: what leaves the served tree, in which order, and what stays when a step fails.
// long test: whole releases that are removed in each order
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { readCurrent } from '../../../src/release/reading/folder-reader.ts'
import { finishClosing, forgetAllBut } from '../../../src/release/past/forget.ts'
import { readPin } from '../../../src/release/past/past.ts'
import { rollback } from '../../../src/release/past/rollback.ts'
import { failureOf, run, type Ran } from '../../builder/build-program.ts'
import { AS_OF_MS as CLOSED_MS, publishRelease } from '../../support/release.ts'
import { AS_OF_MS, publishSamples, wholeCurrent } from '../sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { releasePaths, type ReleasePaths } from '../../../src/release/format/paths.ts'

let snapshots: string
let paths: ReleasePaths
beforeEach(() => {
  snapshots = temporaryFolder()
  paths = releasePaths(snapshots)
})

const names = (): string[] => readdirSync(join(snapshots, 'releases')).sort()

describe('all but one', () => {
  it('leaves that one, and what is no release of ours', async () => {
    const ids = await publishSamples(snapshots, AS_OF_MS, AS_OF_MS + 1, AS_OF_MS + 2)
    const folder = join(snapshots, 'releases')
    for (const name of ['.refused-x', '.tmp-1-half', `.tmp-pruned-${ids[0]}`, 'lost+found'])
      await mkdir(join(folder, name, 'deep'), { recursive: true })
    await symlink(`releases/${ids[0]}`, join(folder, '.tmp-current-1'))
    expect(await forgetAllBut(paths, [ids[1] ?? ''])).toEqual([ids[0], ids[2], '.refused-x'])
    expect(names()).toEqual([ids[1], 'lost+found'])
    expect(await forgetAllBut(paths, [ids[1] ?? ''])).toEqual([])
  })

  it('removes all that it can, and then says what it could not', async () => {
    const ids = await publishSamples(snapshots, AS_OF_MS, AS_OF_MS + 1, AS_OF_MS + 2)
    // Nothing can be moved to a name that is too long: the file system's own refusal, also for root.
    const long = `.refused-${'x'.repeat(240)}`
    mkdirSync(join(snapshots, 'releases', long))
    await expect(forgetAllBut(paths, [ids[2] ?? ''])).rejects.toMatchObject({
      code: 'write',
      message: expect.stringMatching(/^cannot remove .*\.refused-x+: ENAMETOOLONG/) as string,
    })
    expect(names()).toEqual([long, ids[2]])
  })
})

describe('prune --all-but-current', () => {
  const prune = (...args: string[]): Promise<Ran> =>
    run(['prune', '--all-but-current', '--snapshots', snapshots, ...args])

  it('removes what prune keeps: young ones, the previous one, a rejected one; also when a release is pinned', async () => {
    const ids = await publishSamples(snapshots, AS_OF_MS, AS_OF_MS + 1, AS_OF_MS + 2)
    mkdirSync(join(snapshots, 'releases', '.refused-x', 'public'), { recursive: true })
    mkdirSync(join(snapshots, 'releases', '.tmp-left', 'public'), { recursive: true })
    const { pin: hold } = await rollback(paths, ids[1] ?? '', AS_OF_MS + 3)
    for (const month of ['2024-09', '2024-10']) mkdirSync(join(snapshots, 'releases', month))
    const pruned = await run(['prune', '--keep', '1', '--keep-months', '1', '--snapshots', snapshots])
    expect(pruned).toMatchObject({ code: 0, stdout: 'removed 2024-09\n' })
    expect(names()).toEqual(['.refused-x', '2024-10', ...ids])
    const ran = await prune('--keep', '100', '--keep-months', '0')
    expect(ran).toMatchObject({
      code: 0,
      stdout: `removed ${ids[0]}\nremoved ${ids[2]}\nremoved 2024-10\nremoved .refused-x\n`,
      stderr: '',
    })
    expect(names()).toEqual([ids[1]])
    expect(await wholeCurrent(snapshots)).toBe(ids[1])
    expect(await readPin(paths)).toEqual(hold)
    expect(await prune('--json')).toMatchObject({ code: 0, stdout: '{"removed":[],"young":[]}\n' })
  })

  it('removes nothing where nothing would be left: without a current release, or with one that is damaged', async () => {
    const [older = '', current = ''] = await publishSamples(snapshots, AS_OF_MS, AS_OF_MS + 1)
    writeFileSync(join(snapshots, 'releases', current, 'manifest.json'), '{')
    const damaged = await prune()
    expect(damaged).toMatchObject({ code: 1, stdout: '' })
    expect(failureOf(damaged)).toContain('manifest.json: it is not JSON')
    rmSync(join(snapshots, 'releases', current), { recursive: true })
    expect(await prune()).toMatchObject({ code: 1, stdout: '' })
    rmSync(join(snapshots, 'current'))
    const none = await prune()
    expect(none).toMatchObject({ code: 2, stdout: '' })
    expect(failureOf(none)).toContain(`no release is current in ${snapshots}, so nothing would be left`)
    expect(names()).toEqual([older])
  })

  it('can be asked for in so many words only: no variable does it', async () => {
    const ids = await publishSamples(snapshots, AS_OF_MS, AS_OF_MS + 1)
    expect(await run(['prune', '--snapshots', snapshots], { ANALYTICS_ALL_BUT_CURRENT: 'true' })).toMatchObject({
      code: 0,
    })
    expect(names()).toEqual(ids)
  })
})

describe('what a closed site must not show', () => {
  const finish = async (): Promise<string[]> =>
    finishClosing(paths, await readCurrent(paths), new AbortController().signal)

  it('goes where the current release says that it is closed, and nowhere else', async () => {
    const open = await publishRelease(snapshots, { asOfMs: CLOSED_MS + 1 })
    expect(await finish()).toEqual([])
    const closed = await publishRelease(snapshots, { asOfMs: CLOSED_MS + 2, closed: true })
    expect(await finish()).toEqual([open.id])
    expect(await wholeCurrent(snapshots)).toBe(closed.id)
    const reopened = await publishRelease(snapshots, { asOfMs: CLOSED_MS + 3 })
    expect(await finish()).toEqual([])
    expect(names()).toEqual([closed.id, reopened.id])
  })

  it('stays where the current release is damaged, missing or none: nobody knows that it is closed', async () => {
    expect(await finish()).toEqual([])
    await publishRelease(snapshots)
    const { id } = await publishRelease(snapshots, { asOfMs: CLOSED_MS + 1, closed: true })
    writeFileSync(join(snapshots, 'releases', id, 'manifest.json'), '{"closed":true}')
    expect(await finish()).toEqual([])
    expect(names()).toHaveLength(2)
  })
})

describe('a rollback', () => {
  it('to a time when the site was closed removes everything else, and pins', async () => {
    const closed = await publishRelease(snapshots, { closed: true })
    await publishRelease(snapshots, { asOfMs: CLOSED_MS + 1 })
    await publishRelease(snapshots, { asOfMs: CLOSED_MS + 2 })
    const { pin: hold } = await rollback(paths, closed.id, CLOSED_MS + 3)
    expect(await wholeCurrent(snapshots)).toBe(closed.id)
    expect(names()).toEqual([closed.id])
    expect(await readPin(paths)).toEqual(hold)
  })

  it('fails while the site is closed, and pins nothing', async () => {
    const open = await publishRelease(snapshots)
    const closed = await publishRelease(snapshots, { asOfMs: CLOSED_MS + 1, closed: true })
    for (const wanted of [null, open.id, closed.id, 'no id'])
      await expect(rollback(paths, wanted, CLOSED_MS + 2)).rejects.toMatchObject({
        code: 'absent',
        message: expect.stringContaining(`the current release ${closed.id} says that the site is closed`) as string,
      })
    expect(await wholeCurrent(snapshots)).toBe(closed.id)
    expect(await readPin(paths)).toBe(null)
  })
})
