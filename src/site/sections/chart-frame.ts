// Owns the frame of a chart of counts over time: its grid, and the labels of both axes in a language. Pure.
import type { Frame } from '../charts/plot.ts'
import { countScale, timeTicks } from '../charts/scales.ts'
import type { Interval } from '../../contract/windows.ts'
import type { Page } from '../page.ts'
import { html } from '../html.ts'

interface Shown extends Pick<Frame, 'id' | 'title' | 'height'> {
  readonly values: readonly (number | null)[]
  /** Where the bucket of each value begins. */
  readonly starts: readonly string[]
  readonly interval: Interval
  /** The table with these values, and the numbers of their columns: `table/1,4`. */
  readonly from: string
}

/** A low chart has half as many labels. */
export function frameOf({ t }: Page, { id, title, height, values, starts, interval, from }: Shown): Frame {
  const [lines, labels] = height > 100 ? [4, 6] : [2, 3]
  const { top, ticks } = countScale(values, lines)
  // As the clock shows them: labels are in local time.
  const times = starts.map((start) => Date.parse(`${start.slice(0, 'YYYY-MM-DDTHH:mm:ss.sss'.length)}Z`))
  return {
    id,
    title,
    height,
    top,
    y: [0, ...ticks].map((value) => ({ value, text: t.short(value) })),
    x: timeTicks(times, interval, labels).map(({ index, unit }) => ({
      at: (index + 0.5) / values.length,
      text: t.tick(starts[index] ?? '', unit),
    })),
    hook: html`data-chart="${from}" data-points="${values.length}"`,
  }
}
