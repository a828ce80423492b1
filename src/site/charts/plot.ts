// Owns the frame of a chart: grid, labels of both axes, and a plot that is as wide as its place while its text keeps its size.
// Horizontal places are in percent or in buckets, vertical ones in pixels. Pure; knows no language.
import { html, type Content, type Markup } from '../page/html.ts'

export interface Frame {
  /** Unique in the page. */
  readonly id: string
  /** What a reader should see in the chart. */
  readonly title: string
  /** The height of the plot, without the labels around it, in pixels. */
  readonly height: number
  readonly top: number
  readonly y: readonly { readonly value: number; readonly text: string }[]
  /** `at`: 0 = left edge, 1 = right edge. */
  readonly x: readonly { readonly at: number; readonly text: string }[]
  /** One for each bucket, in its middle; null = not published. */
  readonly values: readonly (number | null)[]
  /** Numbers of the buckets that are not whole: a line has such ones at its ends only. */
  readonly partial: readonly number[]
  /** The text above one value, by its number. */
  readonly label: { readonly index: number; readonly text: string } | null
  /** Tells the client which columns of which table the chart shows. */
  readonly hook: Markup
}

/** The text above the value that has one. */
export function noteAbove({ values, height, top, label }: Frame): Content {
  if (label === null) return null
  const { index, text } = label
  const at = (index + 0.5) / values.length
  const y = height - heightOf(values[index] ?? 0, { height, top }) - 8
  return html`<text class="note" x="${percentOf(at)}" y="${y}" text-anchor="${anchorAt(at)}">${text}</text>`
}

const ABOVE = 18
const BELOW = 24
const CHARACTER = 7.5
/** The widths of the narrowest plots, in pixels: a low chart is one of three in a line. */
const NARROW = { low: 165, high: 230 }
const LOW = 100

/** How high a value is in the plot: pixels above its lower edge. */
export function heightOf(value: number, { height, top }: Pick<Frame, 'height' | 'top'>): number {
  return toTenth((value / top) * height)
}

export function toTenth(pixels: number): number {
  return Math.round(pixels * 10) / 10
}

export function percentOf(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`
}

/** A chart that is drawn. */
export type Plot = Readonly<ReturnType<typeof plot>>

/** @param marks shapes, in an area of `width` times the plot's height; @param notes text and dots, in percent and pixels */
export function plot(frame: Frame, width: number, marks: Content, notes: Content) {
  const { id, title, height, hook } = frame
  const labelWidth = Math.ceil(Math.max(1, ...frame.y.map(({ text }) => text.length)) * CHARACTER) + 8
  const whole = ABOVE + height + BELOW
  const isLeft = leftWhereNarrow(frame)
  const yOf = ({ value }: Frame['y'][number]): number => ABOVE + height - heightOf(value, frame)
  const labels = frame.y.map((label) => html`<text x="${labelWidth - 8}" y="${yOf(label) + 4}">${label.text}</text>`)
  const area = html`${frame.y
    .filter(({ value }) => value > 0)
    .map(
      (label) => html`<line class="grid" x2="100%" y1="${yOf(label)}" y2="${yOf(label)}"/>`,
    )}<svg x="0" y="${ABOVE}" width="100%" height="${height}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">${marks}</svg><line class="base" x2="100%" y1="${ABOVE + height}" y2="${ABOVE + height}"/>${frame.x.map(
    ({ at, text }, i) =>
      html`<text class="x${isLeft(i) ? '' : ' minor'}" x="${percentOf(at)}" y="${whole - 6}" text-anchor="${anchorAt(at)}">${text}</text>`,
  )}<g transform="translate(0 ${ABOVE})">${notes}</g>`
  return {
    /** With the labels of the other axis, in pixels. */
    height: whole,
    /** As wide as its place. */
    inPage: html`<div class="chart"><svg class="y" width="${labelWidth}" height="${whole}" aria-hidden="true">${labels}</svg><svg class="plot" width="100%" height="${whole}" role="img" aria-labelledby="${id}-title" ${hook}><title id="${id}-title">${title}</title>${area}</svg></div>`,
    inFile: (room: number): Markup =>
      html`<g class="y">${labels}</g><svg x="${labelWidth}" width="${room - labelWidth}" height="${whole}">${area}</svg>`,
  }
}

/** Which labels, by their number, have room where the plot is narrow: every one, or every second or fourth, the years among them. */
function leftWhereNarrow({ x: labels, height }: Frame): (i: number) => boolean {
  const room = NARROW[height < LOW ? 'low' : 'high']
  const widest = (Math.max(...labels.map(({ text }) => text.length)) + 1) * CHARACTER
  const step = [1, 2].find((n) => Math.ceil(labels.length / n) * widest <= room) ?? 4
  const year = labels.findIndex(({ text }) => /^\d{4}$/.test(text))
  return (i) => (i - Math.max(0, year)) % step === 0
}

/** Where text is anchored, so that at an edge it stays inside. */
function anchorAt(at: number): 'start' | 'middle' | 'end' {
  if (at < 0.06) return 'start'
  return at > 0.94 ? 'end' : 'middle'
}
