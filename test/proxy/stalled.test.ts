import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchStalled, type WatchedSocket } from '../../src/proxy/stalled.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

class Reader implements WatchedSocket {
  writableLength = 0
  bytesWritten = 0
  cut = 0
  destroy(): void {
    this.cut += 1
  }
}

function watched(...readers: Reader[]): () => void {
  return watchStalled(new Set(readers), 60_000)
}

test('a reader who takes nothing for a minute is cut, within the next few seconds', () => {
  const reader = Object.assign(new Reader(), { writableLength: 1, bytesWritten: 100 })
  watched(reader)
  vi.advanceTimersByTime(60_000)
  expect(reader.cut).toBe(0)
  vi.advanceTimersByTime(5_000)
  expect(reader.cut).toBe(1)
})

test('one who takes a little now and then is not, however slow', () => {
  const reader = Object.assign(new Reader(), { writableLength: 1 })
  watched(reader)
  for (let i = 0; i < 20; i++) {
    vi.advanceTimersByTime(55_000)
    reader.bytesWritten += 1
  }
  expect(reader.cut).toBe(0)
})

test('one whom nothing is owed is not, however long it is silent', () => {
  const reader = new Reader()
  watched(reader)
  vi.advanceTimersByTime(3_600_000)
  expect(reader.cut).toBe(0)
  // What it is owed from now on counts from now on.
  reader.writableLength = 1
  vi.advanceTimersByTime(60_000)
  expect(reader.cut).toBe(0)
})

test('nobody is, once the watch has ended', () => {
  const reader = Object.assign(new Reader(), { writableLength: 1 })
  watched(reader)()
  vi.advanceTimersByTime(3_600_000)
  expect(reader.cut).toBe(0)
})
