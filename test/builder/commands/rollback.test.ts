// long test: starts the program, or builds, for each case
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { takeLock } from '../../../src/release/writing/lock.ts'
import { readPin } from '../../../src/release/past/past.ts'
import { until } from '../../support/proxy.ts'
import { AS_OF_MS, publishSamples, wholeCurrent } from '../../release/sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { begin, failureOf, PROGRAM, run, type Ran } from '../build-program.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'

async function threeReleases(): Promise<{
  readonly ids: readonly [string, string, string]
  readonly snapshots: string
  readonly program: (...args: string[]) => Promise<Ran>
}> {
  const snapshots = temporaryFolder()
  const [a = '', b = '', c = ''] = await publishSamples(snapshots, AS_OF_MS, AS_OF_MS + 1, AS_OF_MS + 2)
  return { ids: [a, b, c], snapshots, program: (...args) => run([...args, '--snapshots', snapshots]) }
}

describe('analytics-build rollback', () => {
  it('without an id goes to the release before the current one, and each time one further back', async () => {
    const { ids, snapshots, program } = await threeReleases()
    for (const id of [ids[1], ids[0]]) {
      expect(await program('rollback')).toMatchObject({
        code: 0,
        stdout: `current is ${id}; builds do not publish until: node ${PROGRAM} resume\n`,
        stderr: '',
      })
      expect(await wholeCurrent(snapshots)).toBe(id)
    }
    const first = await program('rollback')
    expect(first).toMatchObject({ code: 2, stdout: '' })
    expect(failureOf(first)).toContain(`no release before ${ids[0]} in ${snapshots}`)
    expect(await wholeCurrent(snapshots)).toBe(ids[0])
    expect(readdirSync(join(snapshots, 'releases')).sort()).toEqual(ids)
  })

  it('has a line in the log of days, which verify --log finds again, or misses', async () => {
    const { ids, snapshots, program } = await threeReleases()
    await program('rollback', ids[0])
    const log = join(snapshots, 'log.csv')
    const [, day = '', back = '', ...none] = readFileSync(log, 'utf8').trimEnd().split('\n')
    expect([day.split(',', 2), back.split(',')[1], none]).toEqual([['2026-05-20', ids[2]], ids[0], []])
    const saved = join(snapshots, 'saved.csv')
    writeFileSync(saved, back)
    const found = await program('verify', '--log', saved)
    expect([found.code, found.stdout]).toEqual([0, expect.stringContaining(`the log has every line of ${saved}`)])
    writeFileSync(log, readFileSync(log, 'utf8').replace(day, day.replace('2026-05-20', '2026-05-19')))
    const changed = await program('verify', '--log', saved, '--log', log)
    expect([changed.code, changed.stdout]).toEqual([1, expect.stringMatching(/its line of 2026-05-19 does not follow/)])
    rmSync(log)
    expect((await program('verify', '--log', saved)).stdout).toMatch(/log\.csv: there is none: .*, or it was removed/)
    const absent = await program('verify', '--log', join(snapshots, 'no.csv'))
    expect([absent.code, failureOf(absent)]).toEqual([2, expect.stringContaining('--log: cannot read')])
  })

  it('goes to the release that is named, and says since when it is pinned as JSON', async () => {
    const { ids, snapshots, program } = await threeReleases()
    const { code, stdout } = await program('rollback', ids[0], '--json')
    expect(code).toBe(0)
    const { removedMonths, ...hold } = JSON.parse(stdout) as { since: string; id: string; removedMonths: string[] }
    expect(removedMonths).toEqual([])
    expect(hold).toEqual({ id: ids[0], since: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/) })
    expect(await readPin(releasePaths(snapshots))).toEqual(hold)
    expect(await wholeCurrent(snapshots)).toBe(ids[0])
    expect(JSON.parse((await program('status', '--json')).stdout)).toMatchObject({ current: ids[0], hold })
    expect((await program('status')).stdout).toContain(`not well: pinned since ${hold.since} at ${ids[0]}: `)
  })

  it('tells the command of --after-publish, whose failure is a warning', async () => {
    const { ids, snapshots, program } = await threeReleases()
    const told = join(snapshots, 'told')
    const { code, stdout, stderr } = await program(
      'rollback',
      '--after-publish',
      `echo "$ANALYTICS_RELEASE" > ${told}; exit 9`,
    )
    expect([code, stdout]).toEqual([0, expect.stringContaining(`current is ${ids[1]}; `)])
    expect(stderr).toContain('--after-publish failed: exit code 9; the release is published all the same')
    expect(readFileSync(told, 'utf8')).toBe(`${join(snapshots, 'releases', ids[1])}\n`)
  })

  const uploadOf = async (program: (...args: string[]) => Promise<Ran>): Promise<string | undefined> => {
    const { problems } = JSON.parse((await program('status', '--json')).stdout) as {
      problems: { kind: string; problem: string }[]
    }
    return problems.find(({ kind }) => kind === 'afterPublish')?.problem
  }

  it('keeps status from being well until that command succeeds for the current release', async () => {
    const { ids, snapshots, program } = await threeReleases()
    const NOTE = join(snapshots, '.after-publish')
    await program('rollback', ids[1], '--after-publish', 'echo disk full; exit 9')
    expect(await uploadOf(program)).toMatch(/failed since 20\S+Z: exit code 9: disk full;/)
    await program('rollback', ids[0])
    expect(await uploadOf(program)).toContain('exit code 9')
    await program('rollback', ids[0], '--after-publish', 'true')
    expect(await uploadOf(program)).toBe(undefined)
    const { code, stderr } = await program('rollback', ids[1])
    expect([code, stderr]).toEqual([0, expect.stringContaining('no --after-publish was given, and it was before')])
    expect(await uploadOf(program)).toContain(`it was last done for ${ids[0]};`)
    expect(statSync(NOTE).mode & 0o777).toBe(0o600)
    rmSync(NOTE)
    expect(await uploadOf(program)).toBe(undefined)
    mkdirSync(NOTE)
    expect((await program('rollback', ids[0])).stderr).toContain(
      `it is not known whether --after-publish was run before: cannot read ${NOTE}: EISDIR`,
    )
    expect(await uploadOf(program)).toContain(`an earlier release: cannot read ${NOTE}: EISDIR`)
    rmSync(NOTE, { recursive: true })
    writeFileSync(NOTE, '{"id":5}')
    expect(await uploadOf(program)).toContain(`an earlier release: ${NOTE} is no note`)
    expect((await program('status')).code).toBe(6)
  })

  it('knows from status that it was killed in the middle of that command', async () => {
    const { snapshots, program } = await threeReleases()
    const on = join(snapshots, 'on')
    const killed = begin(['rollback', '--snapshots', snapshots, '--after-publish', `touch ${on}; exec sleep 50`])
    await until(() => existsSync(on), 30_000, 'the command runs')
    expect(await uploadOf(program)).toBe(undefined)
    killed.child.kill('SIGKILL')
    // What it started has its output, and goes on.
    await once(killed.child, 'exit')
    expect(await uploadOf(program)).toContain('did not end: it was killed')
  })

  it('changes nothing below a build that is under way, and says so; nor does resume', async () => {
    const { ids, snapshots, program } = await threeReleases()
    await program('rollback')
    const hold = await readPin(releasePaths(snapshots))
    const lock = await takeLock(releasePaths(snapshots))
    if (!('release' in lock)) throw new Error('the lock was taken')
    for (const command of ['rollback', 'resume']) {
      const ran = await program(command)
      expect(ran).toMatchObject({ code: 5, stdout: '' })
      expect(failureOf(ran)).toMatch(/^another command works in this folder: pid \d+ on .*; try again when it is done$/)
      expect([await wholeCurrent(snapshots), await readPin(releasePaths(snapshots))]).toEqual([ids[1], hold])
    }
    await lock.release()
    expect(await program('resume')).toMatchObject({ code: 0, stdout: 'builds publish again\n' })
  })

  it('does not bring the demo back, with which an earlier version began', async () => {
    const { ids, snapshots, program } = await threeReleases()
    const path = join(snapshots, 'releases', ids[1], 'manifest.json')
    writeFileSync(path, readFileSync(path, 'utf8').replace('"mapping":{"name":"native"', '"mapping":{"name":"demo"'))
    for (const args of [['rollback'], ['rollback', ids[1]]]) {
      const ran = await program(...args)
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(failureOf(ran)).toContain(`${ids[1]} is of the demo, whose numbers are invented`)
    }
    expect(await readPin(releasePaths(snapshots))).toBe(null)
    expect(await wholeCurrent(snapshots)).toBe(ids[2])
  })
})

describe('analytics-build resume', () => {
  it('lets builds publish again, and moves nothing itself', async () => {
    const { ids, snapshots, program } = await threeReleases()
    await program('rollback')
    expect(await program('resume', '--json')).toMatchObject({ code: 0, stdout: '{"held":true}\n', stderr: '' })
    expect(await readPin(releasePaths(snapshots))).toBe(null)
    expect(await wholeCurrent(snapshots)).toBe(ids[1])
    expect(await program('resume', '--json')).toMatchObject({ code: 0, stdout: '{"held":false}\n' })
  })

  it('says of a folder without a release that there is none, not that nothing was pinned, and makes none', async () => {
    const snapshots = join(temporaryFolder(), 'nowhere')
    const ran = await run(['resume', '--snapshots', snapshots])
    expect([ran.code, ran.stdout]).toEqual([2, ''])
    expect(failureOf(ran)).toContain(`no release in ${snapshots}: no such folder`)
    expect(existsSync(snapshots)).toBe(false)
  })
})

describe('analytics-build prune', () => {
  it('says what is too young to be removed', async () => {
    const { ids, program } = await threeReleases()
    const young = `not removed, because they were made or replaced less than 15 minutes ago and may still be read: ${ids[0]}; prune again later\n`
    expect(await program('prune', '--keep', '1')).toMatchObject({ code: 0, stdout: young })
    expect(await program('prune', '--keep', '1', '--json')).toMatchObject({
      stdout: `${JSON.stringify({ removed: [], young: [ids[0]] })}\n`,
    })
    expect(await program('prune', '--keep', '3')).toMatchObject({ code: 0, stdout: 'nothing to remove\n' })
  })
})
