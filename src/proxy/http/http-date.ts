// Owns reading a date of HTTP: RFC 9110 section 5.6.7. Pure.

const MONTHS: readonly string[] = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const DAY = '(Mon|Tue|Wed|Thu|Fri|Sat|Sun)'
const TIME = String.raw`(\d\d:\d\d:\d\d)`
const IMF_FIXDATE = new RegExp(String.raw`^${DAY}, (\d\d) ([A-Z][a-z]{2}) (\d{4}) ${TIME} GMT$`)
// The two obsolete forms that a recipient must accept, too.
const RFC850 = new RegExp(
  String.raw`^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\d\d)-([A-Z][a-z]{2})-(\d\d) ${TIME} GMT$`,
)
const ASCTIME = new RegExp(String.raw`^${DAY} ([A-Z][a-z]{2}) ([ \d]\d) ${TIME} (\d{4})$`)

/**
 * Epoch ms; null when it is no date of HTTP. Date.parse would also take `2026`, other zones and most of what people write.
 * @param nowMs two digits of a year mean the one that is at most 50 years ahead
 */
export function parseHttpDate(text: string, nowMs: number): number | null {
  let [, , day = '', month = '', year = '', time = ''] = IMF_FIXDATE.exec(text) ?? RFC850.exec(text) ?? []
  if (year === '') [, , month = '', day = '', time = '', year = ''] = ASCTIME.exec(text) ?? []
  const last = new Date(nowMs).getUTCFullYear() + 50
  const whole = year.length === 2 ? String(last - ((last - Number(year)) % 100)) : year
  // A leap second is the one after it.
  const [regular, more] = time.endsWith(':60') ? [`${time.slice(0, -2)}59`, 1000] : [time, 0]
  const at = `${whole}-${String(1 + MONTHS.indexOf(month)).padStart(2, '0')}-${day.replace(' ', '0')}T${regular}Z`
  const ms = Date.parse(at)
  // A day or an hour that there is not is no date.
  return new Date(ms).getUTCDate() === Number(day) ? ms + more : null
}
