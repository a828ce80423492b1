// publish(): an upload that is killed at each of its requests.
// real test: a minute of uploads, one for each request
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ReleaseError } from '../../../src/release/format/release-error.ts'
import { HOUR_MS, scene } from './scene.ts'
import { keysOf, smallRelease } from './small-release.ts'

test('is killed at each request, and the next one goes on: no hole, no mixture, no older release after a newer one', async () => {
  const { folder, paths, s3, ids, upload } = scene()
  s3.pageSize = 1000
  const made = [await smallRelease(folder, 0)]
  await upload()
  for (let at = 1; ; at++) {
    const manifest = await smallRelease(folder, at, { [`category/x-${String(at).padStart(12, '0')}/index.html`]: 'x' })
    made.push(manifest)
    const before = s3.asked.length
    let isKilled = false
    s3.fault = (n) => ((isKilled ||= n >= before + at) && 'killed') || null
    const ended = await upload().catch((error: unknown) => error)
    s3.fault = () => null
    s3.nowMs += HOUR_MS / 2
    if (at > 1) rmSync(join(paths.releases, made[at - 2]!.id), { recursive: true })
    if (!isKilled) break
    expect(ended).toBeInstanceOf(ReleaseError)
    // Every second one is not tried again: the next release comes.
    if (at % 2 === 0) await upload()
  }
  expect(made.length).toBeGreaterThan(20)
  const seenInOrder = ids.map((id) => made.findIndex((one) => one.id === id))
  expect(seenInOrder).toEqual([...seenInOrder].sort((a, b) => a - b))
  s3.nowMs += 2 * HOUR_MS
  await upload()
  const stay = made.slice(-3, -1).filter(({ id }) => s3.objects.has(`snapshots/releases/${id}/manifest.json`))
  expect([...s3.objects.keys()].sort()).toEqual(keysOf(made.at(-1)!, ...stay))
})
