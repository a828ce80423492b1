// Where the tests keep their files. real test: it starts a script there.
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { memoryFolder } from './memory-folder.ts'

test.skipIf(!existsSync('/dev/shm'))('is memory that has the room', () => {
  expect(memoryFolder('/dev/shm', 0)).toBe('/dev/shm')
  expect(memoryFolder('/dev/shm', 2 ** 60)).toBeNull()
})

test('is no disk, and nothing that is not there', () => {
  expect(memoryFolder('/proc', 0)).toBeNull()
  expect(memoryFolder('/nowhere', 0)).toBeNull()
})
