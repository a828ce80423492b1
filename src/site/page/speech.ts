// Owns the words of all languages, and how numbers, times and texts are written in each. Pure: never the time zone or the locale
// of the machine; the same Node.js gives the same text (another version may have newer data of Unicode).
import type { Language } from '../../contract/site-paths.ts'
import type { Label } from '../../contract/time-zone.ts'
import type { Timestamp } from '../../contract/timestamp.ts'
import type { Interval, Period } from '../../contract/windows.ts'
import type { Content } from './html.ts'
import { remembering } from '../../process/remembering.ts'
import { de } from '../words/de.ts'
import { deDictionary } from '../words/dictionary/de.ts'
import { enDictionary, type Dictionary } from '../words/dictionary/en.ts'
import { esDictionary } from '../words/dictionary/es.ts'
import { frDictionary } from '../words/dictionary/fr.ts'
import { en, type Catalogue } from '../words/en.ts'
import { es } from '../words/es.ts'
import { fr } from '../words/fr.ts'

/** English as most of the world writes it: the day before the month. */
const LOCALES: { readonly [L in Language]: `${L}-${string}` } = { en: 'en-GB', de: 'de-DE', fr: 'fr-FR', es: 'es-ES' }

export const CATALOGUES: Readonly<Record<Language, Catalogue>> = { en, de, fr, es }
export const DICTIONARIES: Readonly<Record<Language, Dictionary>> = {
  en: enDictionary,
  de: deDictionary,
  fr: frDictionary,
  es: esDictionary,
}

type Values = Readonly<Record<string, string | number>>
/** A text for one, and for any other number; `{n}` is the number. */
type Plural = Readonly<Record<'one' | 'other', string>>
export type Speech = ReturnType<typeof speechWith>

const speechesIn = remembering((timeZone: string) =>
  remembering((language: Language) => speechWith(language, timeZone)),
)

/** @param timeZone in which times are written (IANA) */
export function speechOf(language: Language, timeZone = 'UTC'): Speech {
  return speechesIn(timeZone)(language)
}

function speechWith(language: Language, timeZone: string) {
  const locale = LOCALES[language]
  const numbers = numbersIn(locale)
  const times = timesIn(locale, timeZone)
  const plurals = new Intl.PluralRules(locale)
  const formOf = remembering((n: number) => (plurals.select(n) === 'one' ? 'one' : 'other'))
  const textOf = (value: string | number): string => (typeof value === 'number' ? numbers.number(value) : value)
  const always: Values = { zone: timeZone }
  const say = (message: string, values: Values = {}): string =>
    partsOf(message).reduce(
      (text, part, i) => text + ((i & 1) === 0 ? part : textOf(values[part] ?? always[part] ?? '')),
    )
  return {
    language,
    /** BCP 47, with a region. */
    locale,
    w: CATALOGUES[language],
    dictionary: DICTIONARIES[language],
    ...numbers,
    ...times,
    /** `{zone}` is the time zone. */
    say,
    /** The same with values that are markup, to be put into a template. */
    put: (message: string, values: Readonly<Record<string, Content>>): Content =>
      partsOf(message).map((part, i): Content => ((i & 1) === 0 ? part : (values[part] ?? ''))),
    count: (plural: Plural, n: number, values: Values = {}): string => say(plural[formOf(n)], { ...values, n }),
    /** The span of a period, as a part of a sentence. */
    span: (period: Period): string => {
      const { days, ...others } = CATALOGUES[language].activity.spans
      return period === '24h' || period === 'all' ? others[period] : say(days, { n: parseInt(period) })
    },
  }
}

/** The texts of a message and, in between, the names of its values. */
const partsOf = remembering((message: string): readonly string[] => message.split(/\{(\w+)\}/))

function numbersIn(locale: string) {
  const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, useGrouping: 'always' })
  const signed = new Intl.NumberFormat(locale, { signDisplay: 'exceptZero', useGrouping: 'always' })
  const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })
  // These format a percentage, not its hundredth: 13.95 / 100 is less than 0.1395 and would be rounded down.
  const percents = new Intl.NumberFormat(locale, { style: 'unit', unit: 'percent', maximumFractionDigits: 1 })
  const unit = (name: string, unitDisplay: 'long' | 'short' = 'short'): Intl.NumberFormat =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay, maximumFractionDigits: 1 })
  const units = ['kilobyte', 'megabyte', 'gigabyte'].map((name) => unit(name))
  const days = unit('day', 'long')
  return {
    number: remembering((n: number) => plain.format(n)),
    /** A number for axes: 12K. */
    short: (n: number): string => (Math.abs(n) < 10_000 ? plain.format(n) : short.format(n)),
    /**
     * A percentage, rounded once, from the counts: a published one is rounded already.
     * @param rounded of tenths: down where it is said that it is at least so much
     */
    percent: (part: number, whole: number, rounded: (tenths: number) => number = Math.round): string =>
      percents.format(rounded((1_000 * part) / whole) / 10),
    /** The sign is a part of the text: a colour alone says nothing to many. */
    signed: (n: number): string => signed.format(n).replace('-', '\u2212'),
    days: (n: number): string => days.format(n),
    bytes(n: number): string {
      const i = n < 1e6 ? 0 : n < 1e9 ? 1 : 2
      return units[i]?.format(n / 1000 ** (i + 1)) ?? ''
    },
  }
}

const MONTH = { month: 'long', year: 'numeric' } as const
const LONG = { day: 'numeric', ...MONTH } as const

function timesIn(locale: string, timeZone: string) {
  // A time is said in the time zone of the site. A day, or a month as `2026-10`, is one there already.
  const format = (options: Intl.DateTimeFormatOptions): ((time: Label) => string) => {
    const shared = { ...options, calendar: 'gregory', numberingSystem: 'latn' }
    const [ofTimes, ofDays] = [timeZone, 'UTC'].map(
      (zone) => new Intl.DateTimeFormat(locale, { ...shared, timeZone: zone }),
    )
    // In French, only the first day of a month has an ordinal number, which Intl does not write.
    const written = (text = ''): string => (locale === LOCALES.fr ? text.replace(/^1 (?=\p{L})/u, '1er ') : text)
    return remembering((time) => written((time.includes('T') ? ofTimes : ofDays)?.format(new Date(time))))
  }
  const long = format(LONG)
  const month = format(MONTH)
  const day = format({ day: 'numeric', month: 'long' })
  const shortDay = format({ day: 'numeric', month: 'short' })
  const shortMonth = format({ month: 'short' })
  const year = format({ year: 'numeric' })
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const [hour, hourInZone] = [format(clock), format({ ...clock, timeZoneName: 'short' })]
  return {
    date: long,
    dateTime: (time: Timestamp): string => `${long(time)}, ${hourInZone(time)}`,
    month,
    /** A day, for where the year is clear. */
    day,
    /** A time as narrow as the labels of an axis; a January is called by its year. */
    tick(label: Label, interval: Interval): string {
      if (interval === 'hour') return hour(label)
      if (interval === 'day') return shortDay(label)
      return label.startsWith('-01-', 'YYYY'.length) ? year(label) : shortMonth(label)
    },
    /** What a bucket is called in a table. */
    bucket(label: Label, interval: Interval): string {
      if (interval === 'month') return month(label)
      return interval === 'day' ? long(label) : `${shortDay(label)}, ${hour(label)}`
    },
  }
}
