// Owns charts of bars: one bar for each bucket, in one path. A bar that is not whole is outlined. Pure; knows no language.
import { html, type Markup } from '../page/html.ts'
import { heightOf, noteAbove, percentOf, plot, type Frame, type Plot } from './plot.ts'

export function barChart(frame: Frame): Plot {
  const { values, partial } = frame
  const whole = values.map((value, i) => (partial.includes(i) ? 0 : value))
  const broken = values.map((value, i) => (partial.includes(i) ? value : 0))
  const outline = barsPath(broken, frame, 0.12)
  const marks = html`<path class="bar" d="${barsPath(whole, frame, 0.1)}"/>${outline !== '' && html`<path class="partial" d="${outline}"/>`}`
  return plot(frame, values.length, marks, noteAbove(frame))
}

/** A bar is one bucket wide but for a margin on each side. */
export function barsPath(values: Frame['values'], frame: Pick<Frame, 'height' | 'top'>, margin: number): string {
  const width = Math.round((1 - 2 * margin) * 100) / 100
  return values
    .map((value, i) => {
      const height = heightOf(value ?? 0, frame)
      return height === 0 ? '' : `M${i + margin} ${frame.height}v${-height}h${width}v${height}z`
    })
    .join('')
}

/** A bar beside or below a name: a share of the longest. */
export function inlineBar(share: number): Markup {
  return html`<svg class="inline-bar" width="100%" height="6" aria-hidden="true"><rect class="rail" width="100%" height="6" rx="3"/><rect width="${percentOf(share)}" height="6" rx="3"/></svg>`
}
