// Owns the calendar of a time zone: the instants at which its hours, days, months and years begin, and how an instant is
// written in it. Knows no clock; the rules of the zones are those of Node.js.
import { DAY_MS, formatTimestamp } from './timestamp.ts'

/** `2026-05-01` of a day, a month or a year, which are those of a time zone; of an hour `2026-05-01T22:00:00.000Z`. */
export type Label = string
const DAY = /^\d{4}-\d\d-\d\d$/

export type CalendarUnit = 'hour' | 'day' | 'month' | 'year'

const MINUTE_MS = 60_000
export const HOUR_MS: number = 60 * MINUTE_MS
/** No day, month or year takes longer, and two of them always do. */
const LONGEST_MS = { day: DAY_MS, month: 31 * DAY_MS, year: 366 * DAY_MS } as const
/** Nothing older counts as dated, and since then every offset has been of whole minutes. */
const FIRST_MS = Date.UTC(1989, 10)

/** Version of the IANA Time Zone Database whose rules this Node.js has, `2025c`; undefined = it does not say (a foreign ICU). */
export const TIME_ZONE_DATABASE: string | undefined = process.versions['tz'] || undefined

/** One offset, and since when it holds. */
export interface Rule {
  readonly fromMs: number
  /** How far the clocks of the zone are ahead of UTC. */
  readonly offsetMs: number
}

/**
 * A unit begins at the first instant from which on clocks show nothing earlier: a day whose midnight is missing begins later, one
 * whose midnight comes twice begins at the first unless clocks show the day before again, and a day that is skipped has no
 * instant. An hour begins with every full hour on the clock, and where the offset changes. So units follow each other without a
 * gap, and agree with PostgreSQL's `date_trunc(unit, instant AT TIME ZONE name)` except where clocks go back over midnight.
 */
export class TimeZone {
  readonly name: string
  /** null = UTC, which has one rule for all time. */
  readonly #format: Intl.DateTimeFormat | null
  readonly #rules: Rule[]
  #found = 0
  /** Until when the rules are known. */
  #untilMs = FIRST_MS

  /** @throws RangeError for a name that this Node.js does not know */
  constructor(name: string) {
    this.name = name
    this.#format = name === 'UTC' ? null : new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' })
    this.#rules = [{ fromMs: Number.NEGATIVE_INFINITY, offsetMs: this.#read(FIRST_MS) }]
  }

  /** What a document says about the zone: nothing about UTC. */
  get named(): { readonly timeZone?: string } {
    return this.#format === null ? {} : { timeZone: this.name }
  }

  /** The offsets of a span: the first one holds since its beginning. */
  rulesWithin(fromMs: number, toMs: number): readonly Rule[] {
    this.#reach(toMs)
    const changes = this.#rules.filter((rule) => rule.fromMs > fromMs && rule.fromMs < toMs)
    return [{ ...this.#ruleAt(fromMs), fromMs }, ...changes]
  }

  /** When the unit began that contains an instant. */
  startOf(unit: CalendarUnit, ms: number): number {
    const { fromMs, offsetMs } = this.#ruleAt(ms)
    const wallMs = floorTo(unit, ms + offsetMs)
    if (unit === 'hour') return Math.max(fromMs, wallMs - offsetMs)
    const startMs = this.instantOf(wallMs)
    // Here clocks show the day before once more.
    return startMs <= ms ? startMs : this.startOf(unit, ms - HOUR_MS)
  }

  /** When the unit after that one begins. */
  after(unit: CalendarUnit, ms: number): number {
    const { offsetMs } = this.#ruleAt(ms)
    let wallMs = floorTo(unit, ms + offsetMs)
    if (unit === 'hour')
      return this.rulesWithin(ms, wallMs + HOUR_MS - offsetMs)[1]?.fromMs ?? wallMs + HOUR_MS - offsetMs
    let startMs = ms
    // The day after one that is skipped begins at the same instant, so the search goes on.
    while (startMs <= ms) startMs = this.instantOf((wallMs = floorTo(unit, wallMs + LONGEST_MS[unit])))
    return startMs
  }

  /** The first instant from which on clocks show nothing earlier. @param wallMs what they show, as if it were UTC */
  instantOf(wallMs: number): number {
    const { offsetMs } = this.#ruleAt(wallMs - 1, 1)
    return Math.min(wallMs - offsetMs, this.#rules[this.#found + 1]?.fromMs ?? Number.POSITIVE_INFINITY)
  }

  /** What clocks show at an instant, as if it were UTC, epoch ms; at any time, because rules that nobody needed are not looked for. */
  clockAt(ms: number): number {
    return ms + (ms >= FIRST_MS && ms < this.#untilMs ? this.#ruleAt(ms).offsetMs : this.#read(ms))
  }

  /** `YYYY-MM-DD` */
  dayOf(ms: number): string {
    return formatTimestamp(this.clockAt(ms)).slice(0, 'YYYY-MM-DD'.length)
  }

  /** `YYYY-MM` */
  monthOf(ms: number): string {
    return this.dayOf(ms).slice(0, 'YYYY-MM'.length)
  }

  /** What documents call a unit: an hour by the instant at which it begins, the others by their first day, which has no offset. */
  label(unit: CalendarUnit, startMs: number): Label {
    return unit === 'hour' ? formatTimestamp(startMs) : this.dayOf(startMs)
  }

  /** What clocks show when it begins, as if it were UTC. */
  clockOfLabel(label: Label): number {
    return DAY.test(label) ? Date.parse(label) : this.clockAt(Date.parse(label))
  }

  /** When what has this label begins; NaN for a text that is no label. The only place where a day becomes an instant. */
  startOfLabel(label: Label): number {
    const ms = Date.parse(label)
    return DAY.test(label) && !Number.isNaN(ms) ? this.instantOf(ms) : ms
  }

  /** The search begins at the rule found last: days follow each other. @param onClocks 1 = clocks show `ms`, as if it were UTC */
  #ruleAt(ms: number, onClocks: 0 | 1 = 0): Rule {
    this.#reach(ms + 2 * onClocks * DAY_MS)
    const isSince = (rule?: Rule): boolean => rule !== undefined && rule.fromMs + onClocks * rule.offsetMs <= ms
    while (isSince(this.#rules[this.#found + 1])) this.#found += 1
    while (!isSince(this.#rules[this.#found])) this.#found -= 1
    return this.#rules[this.#found] as Rule
  }

  /** Reads the rules up to an instant: no zone has changed its offset twice within a day since 1990. */
  #reach(ms: number): void {
    for (; this.#format !== null && this.#untilMs <= ms; this.#untilMs += DAY_MS) {
      const [before, offsetMs] = [this.#rules.at(-1)?.offsetMs, this.#read(this.#untilMs + DAY_MS)]
      if (offsetMs === before) continue
      let [low, high] = [this.#untilMs, this.#untilMs + DAY_MS]
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2)
        if (this.#read(middle) === before) low = middle
        else high = middle
      }
      this.#rules.push({ fromMs: high, offsetMs })
    }
  }

  /** `1/1/2026, GMT+05:30`; long ago also with seconds. */
  #read(ms: number): number {
    const [, sign, ...ahead] = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(this.#format?.format(ms) ?? '') ?? []
    const [hours, minutes, seconds] = [0, 1, 2].map((i) => Number(ahead[i] ?? 0)) as [number, number, number]
    return Number(`${sign ?? ''}1`) * (hours * HOUR_MS + minutes * MINUTE_MS + seconds * 1000)
  }
}

export const UTC: TimeZone = new TimeZone('UTC')

const known = new Map<string, TimeZone>([['UTC', UTC]])

/** Each zone is made once, because it reads its rules day by day. @throws RangeError as the constructor does */
export function timeZoneOf({ timeZone = 'UTC' }: { readonly timeZone?: string | undefined } = {}): TimeZone {
  const zone = known.get(timeZone) ?? new TimeZone(timeZone)
  known.set(timeZone, zone)
  return zone
}

/** Only names are taken: later versions of Node.js also take offsets. */
const NAME = /^[A-Z]\w*(?:[/+-]\w+)*$/i

/** A name as it is written on the list, `UTC` for every name of UTC; null = this Node.js knows no zone of that name. */
export function ianaName(given: string): string | null {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: NAME.test(given) ? given : '-' }).resolvedOptions()
    // The given name is kept where Node.js says another one of the same zone: which one depends on its version.
    return timeZone === 'UTC' || timeZone.toLowerCase() === given.toLowerCase() ? timeZone : given
  } catch {
    return null
  }
}

function floorTo(unit: CalendarUnit, wallMs: number): number {
  if (unit === 'hour') return Math.floor(wallMs / HOUR_MS) * HOUR_MS
  if (unit === 'day') return Math.floor(wallMs / DAY_MS) * DAY_MS
  const date = new Date(wallMs)
  // Date.UTC maps the years 0..99 to 1900..1999; setUTCFullYear does not.
  return new Date(0).setUTCFullYear(date.getUTCFullYear(), unit === 'month' ? date.getUTCMonth() : 0, 1)
}
