import { expect, test } from 'vitest'
import { remembering } from '../../src/process/remembering.ts'

test('a result is worked out once, until one more than are known is asked for; that of a long text each time', () => {
  const made: string[] = []
  const of = remembering((key: string) => ({ number: made.push(key) }), 2)
  const long = 'x'.repeat(201)
  const first = of('a')
  expect([of('b'), of('a')]).toEqual([{ number: 2 }, first])
  of(long)
  of(long)
  // It makes nobody forget the others.
  expect(of('a')).toBe(first)
  expect(made).toEqual(['a', 'b', long, long])
})

test('when all are known, one more makes all others forgotten', () => {
  const made: number[] = []
  const of = remembering((key: number) => ({ number: made.push(key) }), 2)
  for (const key of [1, 2, 3, 3, 1]) of(key)
  expect(made).toEqual([1, 2, 3, 1])
})
