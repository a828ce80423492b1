// Owns reading a date of HTTP: RFC 9110 section 5.6.7. Pure.

const MONTHS: readonly string[] = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const MONTH = MONTHS.join('|')
const TIME = String.raw`(\d\d):(\d\d):(\d\d)`

// IMF-fixdate, and the two obsolete forms that a recipient must accept, too.
const IMF_FIXDATE = new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\\d\\d) (${MONTH}) (\\d{4}) ${TIME} GMT$`)
const RFC850 = new RegExp(
  `^(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday), (\\d\\d)-(${MONTH})-(\\d\\d) ${TIME} GMT$`,
)
const ASCTIME = new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (${MONTH}) ([ \\d]\\d) ${TIME} (\\d{4})$`)

/**
 * Epoch ms; null when it is no date of HTTP. Date.parse would also take `2026`, other zones and most of what people write.
 * @param nowMs two digits of a year mean the one that is at most 50 years ahead
 */
export function parseHttpDate(text: string, nowMs: number): number | null {
  const fixed = IMF_FIXDATE.exec(text)
  if (fixed !== null) return dateOf(Number(fixed[3]), fixed[2], fixed[1], fixed.slice(4))
  const old = RFC850.exec(text)
  if (old !== null) return dateOf(yearOf(Number(old[3]), nowMs), old[2], old[1], old.slice(4))
  const oldest = ASCTIME.exec(text)
  return oldest === null ? null : dateOf(Number(oldest[6]), oldest[1], oldest[2], oldest.slice(3, 6))
}

function yearOf(twoDigits: number, nowMs: number): number {
  const last = new Date(nowMs).getUTCFullYear() + 50
  const year = last - (last % 100) + twoDigits
  return year > last ? year - 100 : year
}

/** A day or an hour that there is not is no date; a leap second is the one after it. */
function dateOf(year: number, month = '', day = '', [hours = '', minutes = '', seconds = '']: string[]): number | null {
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)]
  const date = new Date(0)
  date.setUTCFullYear(year, MONTHS.indexOf(month), Number(day))
  if (date.getUTCDate() !== Number(day) || hour > 23 || minute > 59 || second > 60) return null
  return date.setUTCHours(hour, minute, second)
}
