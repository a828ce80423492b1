// What `status` says of a release beside its age and size: whether its numbers are invented, whether its site is closed.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../release/sample-release.ts'
import { AS_OF_MS, publishRelease } from '../../support/release.ts'
import { failureOf, run } from '../build-program.ts'

test('status says which releases are invented and which are of a closed site', async () => {
  const snapshots = temporaryFolder()
  const open = await publishRelease(snapshots)
  const demo = await publishRelease(snapshots, { asOfMs: AS_OF_MS + 1, mapping: 'demo' })
  const closed = await publishRelease(snapshots, { asOfMs: AS_OF_MS + 2, closed: true })
  const { code, stdout } = await run(['status', '--snapshots', snapshots])
  expect(code).toBe(0)
  const lineOf = (id: string): string => stdout.split('\n').find((line) => line.includes(` ${id} `)) ?? ''
  expect(lineOf(open.id)).toMatch(/ native$/)
  expect(lineOf(demo.id)).toMatch(/ demo \(invented numbers\)$/)
  expect(lineOf(closed.id)).toMatch(/^\* .* native, closed to visitors: empty$/)
  const listed = JSON.parse((await run(['status', '--snapshots', snapshots, '--json'])).stdout) as object
  expect(listed).toMatchObject({
    releases: [
      { id: open.id, demo: false, closed: false },
      { id: demo.id, demo: true, closed: false },
      { id: closed.id, demo: false, closed: true, current: true },
    ],
  })
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
