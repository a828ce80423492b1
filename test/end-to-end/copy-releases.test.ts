// The two commands of docs/deployment.md, as they stand there, run by a shell with the real rsync while releases are
// published, rolled back and pruned on one side and read without a pause on the other.
// long test: builds and serves for each case
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, readdir, readlink, rm, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import type { Manifest } from '../../src/release/format/manifest.ts'
import { switchTo } from '../../src/release/writing/current-link.ts'
import { prune } from '../../src/release/writing/prune.ts'
import { ask, startProxy, until, type TestProxy } from '../support/proxy.ts'
import { describeWithComponent, findProgram } from '../support/real-component.ts'
import { AS_OF_MS, HOUR_MS, publishRelease, snapshotsFolder } from '../support/release.ts'
import { releasePaths } from '../../src/release/format/paths.ts'

const SOURCE = 'web1:/var/lib/analytics/snapshots'
const [COPY = '', REMOVE = ''] =
  /```sh\n(rsync[^\n]*)\n(rsync[^\n]*)\n```/
    .exec(readFileSync(packagePath('docs', 'deployment.md'), 'utf8'))
    ?.slice(1) ?? []
/** Past the 15 minutes for which a replaced release is kept. */
const GRACE_MS = 16 * 60_000

describeWithComponent('copying releases to a second machine', findProgram('rsync', 'rsync'), () => {
  let first: ReturnType<typeof snapshotsFolder>
  let second: ReturnType<typeof snapshotsFolder>
  let proxy: TestProxy | undefined
  beforeEach(() => {
    first = snapshotsFolder()
    second = snapshotsFolder()
  })
  afterEach(async () => {
    await proxy?.stop()
    proxy = undefined
    first.remove()
    second.remove()
  })

  const run = async (command: string): Promise<void> => {
    expect(command).toContain(SOURCE)
    // As over a network: files take their time, one after the other.
    const slow = command.replaceAll(SOURCE, first.dir).replaceAll('rsync -a', 'rsync -a --bwlimit=3000')
    await promisify(execFile)('bash', ['-c', slow], { cwd: second.dir })
  }
  const CATEGORIES = Array.from({ length: 20 }, (_, i) => `Category ${i}`)
  const publish = (i: number): Promise<Manifest> =>
    publishRelease(first.dir, { categories: CATEGORIES, asOfMs: AS_OF_MS + i * HOUR_MS, revision: i })
  const currentOf = async (dir: string): Promise<string> => (await readlink(join(dir, 'current'))).slice(9)

  test(
    'no request fails while releases come and go, and the copy ends as the original is',
    { timeout: 120_000 },
    async () => {
      await publish(0)
      await run(COPY)
      proxy = await startProxy({ snapshots: second.dir, nowMs: Date.now })
      const { port } = proxy
      const state = { isDone: false }
      const served = new Set<unknown>()
      const counts: Record<number, number> = {}
      const load = async (): Promise<void> => {
        for (let i = 0; !state.isDone; i++) {
          const period = ['24h', '7d', '30d', '90d'][i % 4]
          const name = encodeURIComponent(CATEGORIES[i % 20] ?? '')
          const targets = [
            '/api/public/stats',
            `/api/analytics/trending?period=${period}&category=${name}&limit=${1 + (i % 100)}`,
            `/api/analytics/export?type=ideas&period=${period}&format=csv`,
            '/snapshots/current/manifest.json',
            `/snapshots/current/analytics/categories/${period}.json`,
          ]
          const answer = await ask(port, targets[i % 5] ?? '')
          counts[answer.status] = (counts[answer.status] ?? 0) + 1
          served.add(answer.headers['x-snapshot-id'])
        }
      }
      const publishing = async (): Promise<void> => {
        for (let i = 1; !state.isDone; i++) {
          const { id } = await publish(i)
          await prune(releasePaths(first.dir), { keep: 4, keepMonths: 24 }, Date.now() + GRACE_MS)
          const before = (await readdir(join(first.dir, 'releases'))).sort().at(-2)
          if (i % 3 === 0 && before !== undefined) await switchTo(releasePaths(first.dir), before, Date.now())
          await sleep(300)
          await switchTo(releasePaths(first.dir), id, Date.now())
          await sleep(300)
        }
      }
      const readers = [load(), load(), load()]
      const publisher = publishing()
      try {
        const copies = new Set<string>()
        while (copies.size < 5) {
          // A release may be pruned while it is copied: then nothing has changed here, and the next time does it.
          const copied = await run(COPY).then(
            () => true,
            (error: { code?: unknown }) => {
              expect([23, 24]).toContain(error.code)
              return false
            },
          )
          if (!copied) continue
          await run(REMOVE)
          const id = await currentOf(second.dir)
          await until(() => served.has(id), 20_000, 'the copy is served')
          copies.add(id)
        }
      } finally {
        state.isDone = true
        await Promise.all([...readers, publisher])
      }
      expect(Object.keys(counts)).toEqual(['200'])
      expect(proxy.log.filter(({ level }) => level === 'error')).toEqual([])

      await run(COPY)
      await run(REMOVE)
      const listed = (dir: string) => readdir(join(dir, 'releases'), { recursive: true }).then((names) => names.sort())
      expect(await listed(second.dir)).toEqual(await listed(first.dir))
      expect(await currentOf(second.dir)).toBe(await currentOf(first.dir))
    },
  )

  test('what is being built, was rejected or is pinned on the first machine stays there', async () => {
    await publish(0)
    for (const name of ['.tmp-1', '.refused-20260520T093000123Z-00000000'])
      await mkdir(join(first.dir, 'releases', name))
    await symlink('x', join(first.dir, '.journal'))
    await run(COPY)
    await run(REMOVE)
    expect(await readdir(join(second.dir, 'releases'))).toEqual([await currentOf(first.dir)])
    expect((await readdir(second.dir)).sort()).toEqual(['.next', 'current', 'releases'])
  })

  test('the release that is current here is never removed, though the first machine has it no more', async () => {
    const { id } = await publish(0)
    await run(COPY)
    await publish(1)
    await rm(join(first.dir, 'releases', id), { recursive: true })
    await run(REMOVE)
    expect((await stat(join(second.dir, 'current', 'manifest.json'))).isFile()).toBe(true)
    await run(COPY)
    await run(REMOVE)
    expect(await readdir(join(second.dir, 'releases'))).toEqual([await currentOf(first.dir)])
  })

  test('a copy that was interrupted is taken up by the next one', async () => {
    await publish(0)
    await run(COPY)
    const before = await currentOf(second.dir)
    await publish(1)
    // The note was written, and the switch never made.
    await run(COPY.split(' && ')[0] ?? '')
    expect(await currentOf(second.dir)).toBe(before)
    await publish(2)
    await run(COPY)
    expect(await currentOf(second.dir)).toBe(await currentOf(first.dir))
    expect((await stat(join(second.dir, 'current', 'manifest.json'))).isFile()).toBe(true)
  })
})
