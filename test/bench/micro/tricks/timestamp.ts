// Writing a time from remembered days and minutes, against Date: of a row of the ideas export, which has up to two.
import { formatTimestamp } from '../../../../src/contract/timestamp.ts'
import type { Comparison } from '../compare.ts'

const NOW_MS = Date.UTC(2026, 10, 22, 12)
/** Rows of three years, newest first. */
const timeOf = (i: number): number => NOW_MS - (i % 200_000) * 473_041

export const COMPARISONS: readonly Comparison[] = [
  {
    name: 'the times of an idea',
    times: 2,
    trick: (i) => `{"createdAt":"${formatTimestamp(timeOf(i))}"}`,
    plain: (i) => `{"createdAt":"${new Date(timeOf(i)).toISOString()}"}`,
  },
]
