// Runs yielding work without a pause, for tests of what it returns.
import type { Yielding } from '../../src/release/format/yielding.ts'

export function runToEnd<T>(work: Yielding<T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}
