import { describe, expect, test } from 'vitest'
import { runYielding, type Yielding } from '../../../src/release/format/yielding.ts'

function* counting(to: number, onStep: (i: number) => void = () => {}): Yielding<string> {
  for (let i = 1; i <= to; i++) {
    onStep(i)
    yield
  }
  return `${to} steps`
}

describe('work in steps', () => {
  test('gives what the work returns', async () => {
    expect(await runYielding(counting(5))).toBe('5 steps')
    expect(await runYielding(counting(0))).toBe('0 steps')
  })

  test('in turns lets others in between: here after each step', async () => {
    const seen: string[] = []
    const work = runYielding(
      counting(3, (i) => {
        seen.push(`step ${i}`)
        setImmediate(() => seen.push(`another after ${i}`))
      }),
      0,
    )
    await work
    expect(seen).toEqual(['step 1', 'another after 1', 'step 2', 'another after 2', 'step 3', 'another after 3'])
  })

  test('within one turn nobody comes in between', async () => {
    let others = 0
    setImmediate(() => (others += 1))
    await runYielding(counting(1000), 60_000)
    expect(others).toBe(0)
  })

  test('fails as the work does', async () => {
    const failing = () =>
      counting(3, (i) => {
        if (i === 2) throw new Error('at the second')
      })
    await expect(runYielding(failing(), 0)).rejects.toThrow('at the second')
  })
})
