// Owns the scales of charts: the values of the grid, and where the times of an axis are labelled. The same as d3-scale, which
// would bring eight packages: a test compares them. Pure.
import { DAY_MS, HOUR_MS, YEAR_MS } from '../../contract/windows.ts'

/** The scale of counts: from 0 to a round number, `top`, with a line at each of `ticks`. */
export function countScale(values: readonly (number | null)[], lines: number) {
  const highest = values.reduce<number>((most, value) => Math.max(most, value ?? 0), 1)
  let top = highest
  let step = 0
  // A rounded top can have a wider step.
  for (let last = NaN; step !== last;) {
    last = step
    step = roundStep(top / lines)
    // A step below 1 is a power of ten, or half or a fifth of one: exact only as a divisor.
    top = step < 1 ? Math.ceil(top * Math.round(1 / step)) / Math.round(1 / step) : Math.ceil(top / step) * step
  }
  // There is no half of an idea: lines are at whole numbers.
  const whole = Math.max(1, step)
  return { top, ticks: Array.from({ length: Math.floor(top / whole) }, (_, i) => (i + 1) * whole) }
}

/** 1, 2, 5 or 10 times a power of ten: the nearest by ratio. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step))
  const rest = step / power
  return power * (rest >= Math.sqrt(50) ? 10 : rest >= Math.sqrt(10) ? 5 : rest >= Math.SQRT2 ? 2 : 1)
}

/** Steps of an axis, ascending, and which times are on them. */
const STEPS: readonly (readonly [lengthMs: number, isOn: (at: Date) => boolean])[] = [
  ...[1, 3, 6, 12].map((n) => [n * HOUR_MS, (at: Date) => at.getUTCHours() % n === 0] as const),
  [DAY_MS, isMidnight],
  [2 * DAY_MS, (at) => isMidnight(at) && at.getUTCDate() % 2 === 1],
  [7 * DAY_MS, (at) => isMidnight(at) && at.getUTCDay() === 0],
  [30 * DAY_MS, isMonthStart],
  [90 * DAY_MS, (at) => isMonthStart(at) && at.getUTCMonth() % 3 === 0],
  [YEAR_MS, isYearStart],
]

function isMidnight(at: Date): boolean {
  return at.getUTCHours() === 0
}

function isMonthStart(at: Date): boolean {
  return isMidnight(at) && at.getUTCDate() === 1
}

function isYearStart(at: Date): boolean {
  return isMonthStart(at) && at.getUTCMonth() === 0
}

/** The numbers of the buckets that are labelled. @param starts of the buckets, ascending */
export function timeTicks(starts: readonly number[], wanted: number): number[] {
  const [first = 0] = starts
  const lengthMs = ((starts.at(-1) ?? first) - first) / Math.min(wanted, starts.length)
  const [, isOn] = starts.length < 2 ? [0, () => true] : stepNear(lengthMs)
  return starts.flatMap((timeMs, index) => (isOn(new Date(timeMs)) ? [index] : []))
}

/** The nearest step by ratio; above a year a round number of years. */
function stepNear(lengthMs: number): (typeof STEPS)[number] {
  const above = STEPS.findIndex(([stepMs]) => stepMs > lengthMs)
  const [next, before] = [STEPS[above], STEPS[Math.max(0, above - 1)]]
  if (next === undefined || before === undefined) {
    const years = Math.max(1, roundStep(lengthMs / YEAR_MS))
    return [years * YEAR_MS, (at) => isYearStart(at) && at.getUTCFullYear() % years === 0]
  }
  return lengthMs / before[0] < next[0] / lengthMs ? before : next
}
