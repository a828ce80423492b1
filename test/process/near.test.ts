import { expect, test } from 'vitest'
import { didYouMean, nearest } from '../../src/process/near.ts'

const NAMES = ['PEOPLE', 'KEEP', 'LOGO', 'KEEP_MONTHS']

test.each([
  ['PEPLE', 'PEOPLE'],
  ['POEPLE', 'PEOPLE'],
  ['PEOPLES', 'PEOPLE'],
  ['PEO_PLES', 'PEOPLE'],
  ['KEPE', 'KEEP'],
  ['KEEP', 'KEEP'],
  ['KEPMONTHS', 'KEEP_MONTHS'],
  // As many letters would be others as stay.
  ['KE', null],
  ['FOO', null],
  ['KEY', null],
  ['PPLE', null],
  ['PEOPLES_OF', null],
  ['', null],
] as const)('of %s it is %s', (given, name) => {
  expect(nearest(given, NAMES)).toBe(name)
})

test('the nearest of several', () => {
  expect(nearest('KEEPS', ['KEPTS', 'KEEP', 'KEEPERS'])).toBe('KEEP')
  expect([didYouMean(null), didYouMean('KEEP')]).toEqual(['', '; did you mean KEEP?'])
})
