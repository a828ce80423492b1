// What `status` says of a folder: whether all is well, how the last build ended, which releases are invented or closed.
// long test: starts the program, or builds, for each case
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { AS_OF_MS, HOUR_MS, publishRelease } from '../../support/release.ts'
import { asRoot } from '../../support/as-root.ts'
import { begin, failureOf, PROGRAM, run } from '../build-program.ts'

test('status says which releases are invented and which are of a closed site', async () => {
  const snapshots = temporaryFolder()
  const open = await publishRelease(snapshots)
  const demo = await publishRelease(snapshots, { asOfMs: AS_OF_MS + 1, mapping: 'demo' })
  const closed = await publishRelease(snapshots, { asOfMs: AS_OF_MS + 2, closed: true })
  const { code, stdout } = await run(['status', '--snapshots', snapshots])
  // The site is closed, and older releases are there.
  expect(code).toBe(1)
  const lineOf = (id: string): string => stdout.split('\n').find((line) => line.includes(` ${id} `)) ?? ''
  expect(lineOf(open.id)).toMatch(/ native, made by 1\.0\.0$/)
  expect(lineOf(demo.id)).toMatch(/ demo \(invented numbers\), made by 1\.0\.0$/)
  expect(lineOf(closed.id)).toMatch(/^\* .* native, closed to visitors: empty, made by 1\.0\.0$/)
  const listed = JSON.parse((await run(['status', '--snapshots', snapshots, '--json'])).stdout) as object
  expect(listed).toMatchObject({
    releases: [
      { id: open.id, demo: false, closed: false },
      { id: demo.id, demo: true, closed: false },
      { id: closed.id, demo: false, closed: true, current: true },
    ],
  })
})

test('status says how the last build ended, which only its user may read, until a later one succeeds', async () => {
  const snapshots = temporaryFolder()
  // Such a release is made a second after its data: on a fast machine it would be newer than the builds below.
  const { id } = await publishRelease(snapshots, { asOfMs: Date.now() - 60_000, cadenceMs: HOUR_MS })
  const listed = async (): Promise<object> =>
    JSON.parse((await run(['status', '--snapshots', snapshots, '--json'])).stdout) as object
  expect(await listed()).toMatchObject({ ok: true, problems: [], lastBuild: null, current: id, hold: null })
  const wrong = ['build', '--snapshots', snapshots, '--database-url', 'postgresql://me:pa55@db/x?sslmode=never']
  expect((await run(wrong)).code).toBe(2)
  expect((await run(wrong)).code).toBe(2)
  expect(statSync(join(snapshots, '.last-build')).mode & 0o777).toBe(0o600)
  const { stdout } = await run(['status', '--snapshots', snapshots])
  expect(stdout).toMatch(
    /^not well: the last 2 builds failed, the first of them \d+s ago, the last \d+s ago \(exit code 2\): .*sslmode.*\nnext: node \S+ build --snapshots \S+\n/,
  )
  expect(stdout).not.toContain('pa55')
  expect(await listed()).toMatchObject({
    ok: false,
    problems: [{ kind: 'failed', next: `analytics-build build --snapshots ${snapshots}` }],
    lastBuild: { result: 'usage', exitCode: 2, failures: 2 },
  })
  await publishRelease(snapshots, { asOfMs: Date.now(), cadenceMs: HOUR_MS })
  expect(await listed()).toMatchObject({ ok: true })
  writeFileSync(join(snapshots, '.last-build'), '{"result":')
  expect(await listed()).toMatchObject({ ok: true, lastBuild: null })
})

test('status says that a build was killed, and does not take one that works for it', async () => {
  const snapshots = temporaryFolder()
  await publishRelease(snapshots, { asOfMs: Date.now() - 60_000, cadenceMs: HOUR_MS })
  const status = async (): Promise<object> =>
    JSON.parse((await run(['status', '--snapshots', snapshots, '--json'])).stdout) as object
  // A database that never answers.
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const database = `postgresql://me@127.0.0.1:${port}/x?sslmode=disable`
  const { child, done } = begin(['--snapshots', snapshots, '--database-url', database])
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(server, 'connection')
  expect(await status()).toMatchObject({ ok: true, unfinished: null })
  child.kill('SIGKILL')
  await done
  expect(await status()).toMatchObject({
    ok: false,
    problems: [{ kind: 'unfinished', problem: expect.stringContaining(`(pid ${child.pid} on `) as string }],
    lastBuild: null,
    unfinished: { pid: child.pid },
  })
  await publishRelease(snapshots, { asOfMs: Date.now(), cadenceMs: HOUR_MS })
  expect(await status()).toMatchObject({ ok: true })
})

test('of a build on another machine status knows after 30 seconds that it is dead', async () => {
  const snapshots = temporaryFolder()
  const { id } = await publishRelease(snapshots, { asOfMs: Date.now() - 60_000, cadenceMs: HOUR_MS })
  const holder = { host: 'elsewhere', pid: 7, startedAt: new Date().toISOString(), token: randomUUID() }
  const lock = join(snapshots, '.lock')
  writeFileSync(lock, JSON.stringify(holder))
  const said = async (): Promise<string> => (await run(['status', '--snapshots', snapshots])).stdout
  expect(await said()).toMatch(/^all is well: /)
  const aSecondTooOld = Date.now() / 1000 - 31
  utimesSync(lock, aSecondTooOld, aSecondTooOld)
  expect(await said()).toMatch(/^not well: the build .* that was started at .* \(pid 7 on elsewhere\) did not end: /)
  expect(await said()).toContain(id)
})

test('a demo that is refused where real numbers are is no end of a build of theirs', async () => {
  const snapshots = temporaryFolder()
  await publishRelease(snapshots, { asOfMs: AS_OF_MS })
  const before = readdirSync(snapshots).sort()
  const ran = await run(['demo', '--snapshots', snapshots])
  expect([ran.code, failureOf(ran)]).toEqual([2, expect.stringContaining('which the demo would replace')])
  expect(readdirSync(snapshots).sort()).toEqual(before)
})

test('root leaves nothing in the folder of another user, not even a note of how a build ended', async () => {
  const snapshots = temporaryFolder()
  const owner = statSync(snapshots).uid
  asRoot('chown', '12345', snapshots)
  onTestFinished(() => asRoot('chown', String(owner), snapshots))
  for (const command of ['demo', 'prune', 'rollback'])
    expect(() => asRoot(process.execPath, PROGRAM, command, '--snapshots', snapshots)).toThrow(
      'belongs to the user with id 12345',
    )
  expect(readdirSync(snapshots)).toEqual([])
})

test('real numbers cannot be published under the name of the demo', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'mine.sql')
  const sections = ['users', 'ideas', 'idea_categories', 'votes', 'comments'].map(
    (name) => `-- section ${name}\nSELECT 1`,
  )
  writeFileSync(file, ['-- mapping: demo', ...sections].join('\n'))
  const ran = await run(['--source', file, '--database-url', 'postgresql://x@127.0.0.1:1/x', '--snapshots', folder])
  expect(ran.code).toBe(2)
  expect(failureOf(ran)).toContain('the mapping is called "demo", which names invented data; give it another name')
})
