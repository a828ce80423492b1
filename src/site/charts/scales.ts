// Owns the scales of charts: the values of the grid, and where the times of an axis are labelled. Everything else of a chart
// knows no d3. Pure.
import { max } from 'd3-array'
import { scaleLinear, scaleUtc } from 'd3-scale'
import type { Interval } from '../../contract/windows.ts'

/** Of counts: from 0 to a round number, with a line at each of `ticks`. */
export interface CountScale {
  readonly top: number
  readonly ticks: readonly number[]
}

export function countScale(values: readonly (number | null)[], lines: number): CountScale {
  const highest = Math.max(1, max(values, (value) => value ?? 0) ?? 0)
  const scale = scaleLinear().domain([0, highest]).nice(lines)
  // Half an idea is none.
  const ticks = scale.ticks(lines).filter((tick) => tick > 0 && Number.isInteger(tick))
  return { top: scale.domain()[1] ?? highest, ticks }
}

export interface TimeTick {
  readonly timeMs: number
  /** The place of the bucket: its number. */
  readonly index: number
  /** How its label is written. */
  readonly unit: Interval | 'year'
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** @param starts of the buckets, ascending */
export function timeTicks(starts: readonly number[], interval: Interval, wanted: number): TimeTick[] {
  const [first] = starts
  const last = starts.at(-1)
  if (first === undefined || last === undefined) return []
  const index = new Map(starts.map((start, i) => [start, i]))
  if (first === last) return [{ timeMs: first, index: 0, unit: interval }]
  const times = scaleUtc().domain([first, last]).ticks(Math.min(wanted, starts.length)).map(Number)
  const step = (times[1] ?? 0) - (times[0] ?? 0)
  const unit = step >= 360 * DAY_MS ? 'year' : interval
  // An axis by month can have ticks between months where it is short.
  return times.flatMap((timeMs) => {
    const at = index.get(timeMs)
    return at === undefined ? [] : [{ timeMs, index: at, unit }]
  })
}
