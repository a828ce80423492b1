// Who may not read or write says whose that is, and how root mends it: src/release/format/owner.ts.
import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { ownerText } from '../../../src/release/format/owner.ts'
import { diskError } from '../../../src/release/format/release-error.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const ME = process.getuid?.() ?? 0
const asUid = (uid: number): void => {
  vi.spyOn(process as Required<NodeJS.Process>, 'geteuid').mockReturnValue(uid)
  vi.spyOn(process as Required<NodeJS.Process>, 'getegid').mockReturnValue(12)
}
afterEach(() => void vi.restoreAllMocks())

test('of what is ours, and of what root cannot do, nothing is known', () => {
  const root = temporaryFolder()
  for (const uid of [ME, 0]) {
    asUid(uid)
    expect(ownerText(join(root, '.lock'), true)).toBe('')
  }
})

test.runIf(ME === 0)('after a restore by root its own line gives the folder back', () => {
  const root = join(temporaryFolder(), "releases/it's")
  for (const folder of ['.state', 'releases']) mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, 'log.csv'), '')
  asUid(11)
  const line = `if this user builds, and root has restored it: chown -R 11:12 '${root.replace("'", String.raw`'\''`)}/'`
  for (const [path, there] of [
    ['.lock-1-2', root],
    ['.state/a.json', join(root, '.state')],
    ['log.csv', join(root, 'log.csv')],
    ['releases/.tmp-1/a', join(root, 'releases')],
  ] as const)
    expect(ownerText(join(root, path), true)).toBe(`; ${there} belongs to uid 0, and this is uid 11: ${line}`)
  const denied = Object.assign(new Error(), { code: 'EACCES' })
  expect(diskError('write', join(root, '.lock'), denied).message).toContain(
    `give --snapshots another folder; ${root} bel`,
  )
  // A proxy only reads, and nobody else reads what is the builder's.
  for (const [path, end] of [
    ['releases/2026-05/a', 'this is uid 11'],
    ['.state/a.json', line],
  ] as const)
    expect(ownerText(join(root, path), false).endsWith(end)).toBe(true)
  // What is not the builder's is not given away.
  expect(ownerText(join(root, 'x.prom'), true)).toBe(`; ${root} belongs to uid 0, and this is uid 11`)
  // A folder of the system that has one called releases is no folder of snapshots.
  const above = join(root, '..', '..')
  for (const path of ['releases', 'current', 'log.csv', '.lock'])
    expect(ownerText(join(above, path), true)).not.toContain('chown')
  chownSync(join(root, 'releases'), 13, 13)
  expect(ownerText(join(root, '.lock'), true)).not.toContain('chown')
  chownSync(root, 13, 13)
  expect(ownerText(join(root, '.lock'), true)).toBe(`; ${root} belongs to uid 13, and this is uid 11`)
})
