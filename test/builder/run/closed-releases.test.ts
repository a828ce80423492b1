// What verify and diff say of a release of a closed site; and that one which shows something all the same is a fault.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { KINDS } from '../../../src/contract/kinds/register.ts'
import { EXPORT_TYPES } from '../../../src/contract/kinds/tables.ts'
import { combinationAt } from '../../../src/contract/snapshot-paths.ts'
import { closedFaults } from '../../../src/release/checks/invariants.ts'
import { verifyAt } from '../../release/sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { startProxy } from '../../support/proxy.ts'
import { AS_OF_MS, publishRelease } from '../../support/release.ts'
import { run } from '../build-program.ts'

test('verify finds it whole and says that it is empty, in the folder and where it is served', async () => {
  const snapshots = temporaryFolder()
  const { id } = await publishRelease(snapshots, { closed: true })
  const proxy = await startProxy({ snapshots })
  try {
    for (const which of ['current', proxy.base]) {
      const { code, stdout } = await run(['verify', which, '--snapshots', snapshots])
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(
          new RegExp(
            `^${id} is whole: .*; the site is closed to visitors, and the release is empty\nnot proved:\n(  - .+\n)+$`,
          ),
        ),
      ])
    }
  } finally {
    await proxy.stop()
  }
})

test('diff says which of the two is of a closed site', async () => {
  const snapshots = temporaryFolder()
  const open = await publishRelease(snapshots)
  const closed = await publishRelease(snapshots, { asOfMs: AS_OF_MS + 1, closed: true })
  const { stdout } = await run(['diff', open.id, closed.id, '--snapshots', snapshots])
  expect(stdout).toMatch(/^A .*, mapping native\nB .*, mapping native, closed to visitors\n/)
  const json = JSON.parse(
    (await run(['diff', open.id, 'current', '--json', '--snapshots', snapshots])).stdout,
  ) as object
  expect(json).toMatchObject({ a: { closed: false }, b: { closed: true }, totals: { ideas: { a: 130, b: 0 } } })
})

test('a release that says closed and shows something is a fault; one of an open site may show what it likes', async () => {
  const snapshots = temporaryFolder()
  const manifest = await publishRelease(snapshots)
  expect(closedFaults(manifest)).toEqual([])
  const path = join(snapshots, 'current', 'manifest.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace('"rows":', '"closed":true,"rows":'))
  const { closed, faults } = await verifyAt(snapshots, manifest.id)
  expect(closed).toBe(true)
  expect(faults).toContain('manifest.json: the site is closed to visitors, but 130 ideas are counted')
  expect(faults).toContainEqual(
    expect.stringMatching(
      /^analytics\/\S+: it lists something, but the site is closed to visitors; the same of \d+ more/,
    ),
  )
  const empty = await publishRelease(snapshots, { asOfMs: AS_OF_MS + 1, closed: true })
  expect(closedFaults(empty)).toEqual([])
})

test('the kinds that may list nothing of a closed site are those that have no row there', async () => {
  const { files } = await publishRelease(temporaryFolder(), { closed: true })
  const most = new Map<string, { rows: number; lists: boolean }>()
  for (const { path, rows } of files) {
    const one = combinationAt(path, () => undefined)
    if (one === null || rows === null) continue
    const kind = one.endpoint === 'export' ? `export ${one.type}` : one.endpoint
    const lists = KINDS[one.endpoint].lists(one) !== null
    most.set(kind, { rows: Math.max(rows, most.get(kind)?.rows ?? 0), lists })
  }
  expect(most.size).toBeGreaterThan(EXPORT_TYPES.length)
  for (const [kind, { rows, lists }] of most) expect(lists, kind).toBe(rows === 0)
})
