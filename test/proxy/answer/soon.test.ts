import { expect, test } from 'vitest'
import { soon } from '../../../src/proxy/answer/soon.ts'

const fail = (): never => {
  throw new Error('broken')
}
const failLater = (): Promise<never> => Promise.reject(new Error('broken'))
const told = (error: unknown): string => `told: ${String(error)}`

test('what is there goes on at once; what is on its way, when it has come', async () => {
  expect(soon(() => 1, String)).toBe('1')
  const later = soon(() => Promise.resolve(1), String)
  expect(later).toBeInstanceOf(Promise)
  expect(await later).toBe('1')
})

test.each([
  ['in the first step', () => soon(fail, String, told)],
  ['in the first step, later', () => soon(failLater, String, told)],
  ['in the second step', () => soon(() => 1, fail, told)],
  ['in the second step, after the first one came later', () => soon(() => Promise.resolve(1), fail, told)],
  ['in the second step, later', () => soon(() => 1, failLater, told)],
])('what is thrown %s is told once', async (_, made) => {
  expect(await made()).toBe('told: Error: broken')
})

test('without anybody to tell, it is thrown', async () => {
  expect(() => soon(fail, String)).toThrow('broken')
  await expect(soon(failLater, String)).rejects.toThrow('broken')
})
