// Owns which rows a document over time must have: a bucket for each hour, day or month of its window, a cohort for each month.
// Pure.
import { LATEST_CLOCK_MS } from '../../model/day-slices.ts'
import { found } from '../../model/found.ts'
import type { Span } from '../../model/time-cells.ts'
import { UTC, type TimeZone } from '../../contract/time-zone.ts'
import { bucketsOf, EARLIEST_DATE_MS } from '../../contract/windows.ts'
import { count } from '../../process/printable.ts'
import { Fault, shown, type Members } from './numbers.ts'

export type Buckets = NonNullable<ReturnType<typeof bucketsFrom>>

/** The files of 20,000 categories have the same buckets, whose names are made once. */
export class Calendar {
  readonly zone: TimeZone
  readonly #known = new Map<string, Buckets | null>()

  constructor(zone: TimeZone = UTC) {
    this.zone = zone
  }

  expectZone(where: string, { timeZone }: Members): void {
    if (timeZone !== this.zone.named.timeZone)
      throw new Fault(`${where}: its timeZone is ${shown(timeZone)}, not ${this.zone.name}`)
  }

  /**
   * The buckets of rows, which must be of these.
   * @param to where the window ends; the buckets of `all` also follow from where they begin
   */
  bucketsOf(where: string, rows: readonly Members[], column: string, span: Span, to: unknown): Buckets {
    const buckets = this.#since(where, column, span, to, span.period === 'all' ? rows[0]?.[column] : undefined)
    const { labels } = buckets
    if (rows.length !== labels.length)
      throw new Fault(`${where}: ${count(rows.length)} ${column}s, its window has ${count(labels.length)}`)
    const wrong = rows.findIndex((row, i) => row[column] !== labels[i])
    if (wrong < 0) return buckets
    throw new Fault(`${where}: ${column} ${count(wrong + 1)} is ${shown(rows[wrong]?.[column])}, not ${labels[wrong]}`)
  }

  /** The buckets that rows may be of where some are left out: those of `all` are since 1990. */
  window(where: string, column: string, span: Span, to: unknown): Buckets {
    const earliest = this.zone.label('month', this.zone.startOf('month', EARLIEST_DATE_MS))
    return this.#since(where, column, span, to, span.period === 'all' ? earliest : undefined)
  }

  #since(where: string, column: string, span: Span, to: unknown, first: unknown): Buckets {
    const key = `${span.period} ${span.interval} ${shown(to)} ${shown(first)}`
    const buckets = found(this.#known, key, () => bucketsFrom(this.zone, span, Date.parse(shown(to)), first))
    if (buckets !== null) return buckets
    throw new Fault(
      `${where}: its first ${column} is ${shown(first)}, where no month since 1990 begins, or it ends at ${shown(to)}`,
    )
  }
}

function bucketsFrom(zone: TimeZone, { period, interval }: Span, toMs: number, first: unknown) {
  if (!(toMs > EARLIEST_DATE_MS && toMs < LATEST_CLOCK_MS)) return null
  const firstMs = first === undefined ? null : zone.startOfLabel(shown(first))
  if (
    firstMs !== null &&
    !(firstMs >= zone.startOf('month', EARLIEST_DATE_MS) && zone.startOf('month', firstMs) === firstMs)
  )
    return null
  const buckets = bucketsOf(period, toMs, firstMs, interval, zone)
  const labels = buckets.map(({ startMs }) => zone.label(interval, startMs))
  const isCut = buckets.some(({ startMs, fromMs }) => fromMs > startMs)
  return {
    /** As documents name them, ascending. */
    labels,
    /** The same but for the first where the window begins inside it: no other window has that part. */
    names: isCut ? labels.map((label, i) => (i === 0 ? `${label} of ${period}` : label)) : labels,
  }
}
