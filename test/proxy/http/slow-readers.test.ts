import type { Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchSlowReaders } from '../../../src/proxy/http/slow-readers.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

class Reader {
  writableLength = 0
  bytesWritten = 0
  cut = 0
  destroy(): void {
    this.cut += 1
  }
}

function watched(state: Partial<Reader> = {}): Reader & { unwatch: () => void } {
  const reader = Object.assign(new Reader(), state)
  const sockets = new Set([reader as unknown as Socket])
  return Object.assign(reader, { unwatch: watchSlowReaders(sockets, 60_000, () => undefined) })
}

test('a reader who takes nothing for a minute is cut, within the next few seconds', () => {
  const reader = watched({ writableLength: 1, bytesWritten: 100 })
  vi.advanceTimersByTime(60_000)
  expect(reader.cut).toBe(0)
  vi.advanceTimersByTime(5_000)
  expect(reader.cut).toBe(1)
})

test('one who takes 4 KiB a second is not, for as long as it takes', () => {
  const reader = watched({ writableLength: 1 })
  for (let i = 0; i < 100; i++) {
    vi.advanceTimersByTime(30_000)
    reader.bytesWritten += 30 * 4096
  }
  expect(reader.cut).toBe(0)
})

test('one who takes a little now and then is, after five minutes, however much it took before', () => {
  const reader = watched({ writableLength: 1, bytesWritten: 1 << 30 })
  const sip = (): void => {
    vi.advanceTimersByTime(55_000)
    reader.bytesWritten += 65_536
  }
  for (let i = 0; i < 5; i++) sip()
  expect(reader.cut).toBe(0)
  sip()
  expect(reader.cut).toBeGreaterThan(0)
})

test('one who reads all that there is between two looks begins anew', () => {
  const reader = watched({ writableLength: 1 })
  for (let i = 0; i < 20; i++) {
    vi.advanceTimersByTime(50_000)
    reader.bytesWritten += 1
    reader.writableLength = 0
    vi.advanceTimersByTime(5_000)
    reader.writableLength = 1
  }
  expect(reader.cut).toBe(0)
})

test('one whom nothing is owed is not, however long it is silent', () => {
  const reader = watched()
  vi.advanceTimersByTime(3_600_000)
  expect(reader.cut).toBe(0)
  // What it is owed from now on counts from now on.
  reader.writableLength = 1
  vi.advanceTimersByTime(60_000)
  expect(reader.cut).toBe(0)
})

test('nobody is, once the watch has ended', () => {
  const reader = watched({ writableLength: 1 })
  reader.unwatch()
  vi.advanceTimersByTime(3_600_000)
  expect(reader.cut).toBe(0)
})
