// Owns charts of lines: a line with the area below it, gaps where a value is not published, and the small line of a tile. Pure;
// knows no language.
import { html, type Markup } from '../page/html.ts'
import { countScale } from './scales.ts'
import { heightOf, noteAbove, percentOf, plot, toTenth, type Frame, type Plot } from './plot.ts'

/** The width of the drawing in its own unit: it is stretched to its place. */
const WIDTH = 1000

/** The line to a bucket that is not whole is dashed. */
export function lineChart(frame: Frame): Plot {
  const { values, partial, label } = frame
  const at = (i: number): number => (i + 0.5) / values.length
  const { below } = paths(values, at, frame)
  const shapeOf = (from: number, to: number): string => paths(values.slice(from, to), (i) => at(from + i), frame).shape
  const [begin, end] = [Number(partial.includes(0)), values.length - Number(partial.includes(values.length - 1))]
  const dashed = `${begin > 0 ? shapeOf(0, 2) : ''}${end < values.length ? shapeOf(end - 1, end + 1) : ''}`
  const dot = (i: number, r: number): Markup =>
    html`<circle class="dot" cx="${percentOf(at(i))}" cy="${frame.height - heightOf(values[i] ?? 0, frame)}" r="${r}"/>`
  const isThere = (i: number): boolean => (values[i] ?? null) !== null
  // A value between two gaps has no line.
  const alone = values.flatMap((_, i) => (isThere(i) && !isThere(i - 1) && !isThere(i + 1) ? [dot(i, 3)] : []))
  return plot(
    frame,
    WIDTH,
    html`<path class="area" d="${below}"/><path class="line" d="${shapeOf(begin, end)}"/>${dashed !== '' && html`<path class="line dashed" d="${dashed}"/>`}`,
    html`${alone}${label !== null && dot(label.index, 4)}${noteAbove(frame)}`,
  )
}

const SPARK_HEIGHT = 32

/** It is for the eye only: a reader who hears the page has the sentence beside it. */
export function sparkLine(values: readonly number[]): Markup {
  const frame = { height: SPARK_HEIGHT, top: countScale(values, 2).top }
  const at = (i: number): number => (values.length === 1 ? 1 : i / (values.length - 1))
  const { shape, below } = paths(values, at, frame)
  const last = SPARK_HEIGHT - heightOf(values.at(-1) ?? 0, frame)
  return html`<svg class="spark" width="100%" height="${SPARK_HEIGHT + 6}" aria-hidden="true"><svg y="3" width="100%" height="${SPARK_HEIGHT}" viewBox="0 0 ${WIDTH} ${SPARK_HEIGHT}" preserveAspectRatio="none"><path class="area" d="${below}"/><path class="line" d="${shape}"/></svg><circle class="dot" cx="100%" cy="${last + 3}" r="3"/></svg>`
}

/**
 * The path of a line with a gap where a value is not published, and that of the area below it: as of d3-shape, which would be two packages
 * for them. A test compares the two.
 */
function paths(values: Frame['values'], at: (i: number) => number, frame: Pick<Frame, 'height' | 'top'>) {
  const pieces: (readonly [x: number, y: number])[][] = [[]]
  for (const [i, value] of values.entries())
    if (value === null) pieces.push([])
    else pieces.at(-1)?.push([Math.round(at(i) * WIDTH), toTenth(frame.height - heightOf(value, frame))])
  const drawn = pieces.filter(({ length }) => length > 0)
  return {
    shape: drawn.map((piece) => `M${piece.join('L')}${piece.length === 1 ? 'Z' : ''}`).join(''),
    // Below a piece, the edge goes back under each of its points.
    below: drawn
      .map((piece) => `M${[...piece, ...piece.toReversed().map(([x]) => [x, frame.height])].join('L')}Z`)
      .join(''),
  }
}
