// unit test: what a torture says of its losses.
import { expect, test } from 'vitest'
import { lossKinds } from './tally.ts'

test('losses that differ in numbers and files only are one kind, of which the first is shown', () => {
  const [first, alike, other] = [
    'EIO at stat 54 of 780: at /tmp/t-a/5-stat-54-55/releases/.tmp-18821-9ae2123e/.history.xml: exit 0, and no word of it',
    'EIO at stat 56 of 780: at /tmp/t-a/5-stat-56-57/releases/.tmp-18898-6cdc3314/.history.xml: exit 0, and no word of it',
    'EIO at stat 17 of 780: at /tmp/t-a/5-stat-17-18: exit 6, expected 7',
  ]
  expect([...lossKinds([first, other, alike, first])]).toEqual([
    [first, 3],
    [other, 1],
  ])
})
