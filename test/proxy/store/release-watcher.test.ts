// When the watcher looks, over a store of the test's own: no folder, no origin.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ReleaseWatcher } from '../../../src/proxy/store/release-watcher.ts'
import type { SnapshotStore } from '../../../src/proxy/store/snapshot-store.ts'

type Current = Awaited<ReturnType<SnapshotStore['current']>>

/** Answers each look when the test says so. */
class Looks {
  readonly under: { resolve: (manifest: Current) => void; reject: (error: Error) => void }[] = []
  readonly logged: string[] = []
  asked = 0

  watcher(): ReleaseWatcher {
    const current = (): Promise<Current> => {
      this.asked += 1
      return new Promise((resolve, reject) => void this.under.push({ resolve, reject }))
    }
    const log = (_fields: object, message: string): void => void this.logged.push(message)
    return new ReleaseWatcher({ current, lookAgainMs: 60_000 } as SnapshotStore, { info: log, warn: log, error: log })
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a watcher that is stopped during its first look', () => {
  test.each(['nothing', 'an error'])('and the look ends with %s: it stays stopped', async (how) => {
    const looks = new Looks()
    const watcher = looks.watcher()
    const started = watcher.start()
    watcher.stop()
    if (how === 'nothing') looks.under[0]?.resolve(null)
    else looks.under[0]?.reject(new Error('the store was closed'))
    await started
    await vi.advanceTimersByTimeAsync(600_000)
    expect(looks.asked).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
    // What fails because the program ends is nobody's problem.
    expect(looks.logged).toEqual([])
  })
})

test('one that is stopped during a later look stays stopped, too', async () => {
  const looks = new Looks()
  const watcher = looks.watcher()
  const started = watcher.start()
  looks.under[0]?.resolve(null)
  await started
  await vi.advanceTimersByTimeAsync(60_000)
  expect(looks.asked).toBe(2)
  watcher.stop()
  looks.under[1]?.reject(new Error('the store was closed'))
  await vi.advanceTimersByTimeAsync(600_000)
  expect([looks.asked, vi.getTimerCount(), looks.logged]).toEqual([2, 0, []])
})

test('one that is started again during its first look looks one after the other, not twice', async () => {
  const looks = new Looks()
  const watcher = looks.watcher()
  const first = watcher.start()
  watcher.stop()
  const second = watcher.start()
  looks.under[0]?.resolve(null)
  await Promise.all([first, second])
  expect([looks.asked, vi.getTimerCount()]).toEqual([1, 1])
  watcher.stop()
  expect(vi.getTimerCount()).toBe(0)
})

test('a request that failed waits for a look, but not for one that does not end', async () => {
  const looks = new Looks()
  const watcher = looks.watcher()
  const started = watcher.start()
  let done = 0
  const waiting = [watcher.lookBriefly(), watcher.lookBriefly()].map((brief) => brief.then(() => (done += 1)))
  await vi.advanceTimersByTimeAsync(1_999)
  expect(done).toBe(0)
  await vi.advanceTimersByTimeAsync(2)
  expect(done).toBe(2)
  const last = watcher.lookBriefly()
  looks.under[0]?.resolve(null)
  await Promise.all([started, last, ...waiting])
  // One for the next look; none of those who waited.
  expect([looks.asked, vi.getTimerCount()]).toEqual([1, 1])
  watcher.stop()
})
