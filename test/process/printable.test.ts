// Text that fits a line of a terminal.
import { expect, test } from 'vitest'
import { short } from '../../src/process/printable.ts'

test.each([
  ['short', 5, 'short'],
  ['longer', 5, 'long…'],
  ['👍🏽👍🏽 family', 4, '👍🏽👍🏽 …'],
])('%j is cut to %i characters as %j', (text, width, cut) => {
  expect(short(text, width)).toBe(cut)
})
