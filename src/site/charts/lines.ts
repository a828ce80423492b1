// Owns charts of lines: a line with the area below it, gaps where a value is not published, and the small line of a tile. Pure;
// knows no language.
import { area, line } from 'd3-shape'
import { html, type Markup } from '../html.ts'
import { countScale } from './scales.ts'
import { anchorAt, heightOf, percentOf, plot, type Frame, type Plot, type PointLabel } from './plot.ts'

/** The width of the drawing in its own unit: it is stretched to its place. */
const WIDTH = 1000

/** @param values one for each bucket, in its middle; null = not published. The last bucket is not over: its part is dashed */
export function lineChart(frame: Frame, values: readonly (number | null)[], label: PointLabel | null): Plot {
  const at = (i: number): number => (i + 0.5) / values.length
  const { below } = paths(values, at, frame.height, frame.top)
  const { shape } = paths(values.slice(0, -1), at, frame.height, frame.top)
  const open = paths(values.slice(-2), (i) => at(values.length - 2 + i), frame.height, frame.top).shape
  // A value between two gaps has no line.
  const alone = values.flatMap((value, i) =>
    value !== null && (values[i - 1] ?? null) === null && (values[i + 1] ?? null) === null
      ? [html`<circle class="dot" cx="${percentOf(at(i))}" cy="${frame.height - heightOf(value, frame)}" r="3"/>`]
      : [],
  )
  const note =
    label === null
      ? null
      : html`<circle class="dot" cx="${percentOf(at(label.index))}" cy="${frame.height - heightOf(values[label.index] ?? 0, frame)}" r="4"/><text class="note" x="${percentOf(at(label.index))}" y="${frame.height - heightOf(values[label.index] ?? 0, frame) - 8}" text-anchor="${anchorAt(at(label.index))}">${label.text}</text>`
  return plot(
    frame,
    WIDTH,
    html`<path class="area" d="${below}"/><path class="line" d="${shape}"/><path class="line open" d="${open}"/>`,
    html`${alone}${note}`,
  )
}

const SPARK_HEIGHT = 32

/** For the eye only: who hears the page has the sentence beside it. */
export function sparkLine(values: readonly number[]): Markup {
  const { top } = countScale(values, 2)
  const at = (i: number): number => (values.length === 1 ? 1 : i / (values.length - 1))
  const { shape, below } = paths(values, at, SPARK_HEIGHT, top)
  const last = SPARK_HEIGHT - heightOf(values.at(-1) ?? 0, { height: SPARK_HEIGHT, top })
  return html`<svg class="spark" width="100%" height="${SPARK_HEIGHT + 6}" aria-hidden="true"><svg y="3" width="100%" height="${SPARK_HEIGHT}" viewBox="0 0 ${WIDTH} ${SPARK_HEIGHT}" preserveAspectRatio="none"><path class="area" d="${below}"/><path class="line" d="${shape}"/></svg><circle class="dot" cx="100%" cy="${last + 3}" r="3"/></svg>`
}

function paths(
  values: readonly (number | null)[],
  at: (i: number) => number,
  height: number,
  top: number,
): { readonly shape: string; readonly below: string } {
  const x = (_: unknown, i: number): number => Math.round(at(i) * WIDTH)
  const y = (value: number | null): number => height - heightOf(value ?? 0, { height, top })
  const isKnown = (value: number | null): boolean => value !== null
  const shape = line<number | null>(x, y).defined(isKnown).digits(1)(values)
  const below = area<number | null>(x, height, y).defined(isKnown).digits(1)(values)
  return { shape: shape ?? '', below: below ?? '' }
}
