// Owns preconditions: whether a client's copy is current, and the dates of HTTP. RFC 9110 sections 13 and 5.6.7. Pure.
import type { Fields } from './head.ts'

export interface Validators {
  /** The tag with its `W/` and quotes. */
  readonly etag: string
  /** IMF-fixdate; null = none. */
  readonly lastModified: string | null
}

/**
 * The status in the place of a 200, in the order of section 13.2.2: 412, 304, or null = 200. A date that cannot be read
 * is ignored (13.1.3, 13.1.4); a list of tags that cannot be read has none.
 */
export function precondition(validators: Validators, conditions: Fields): 412 | 304 | null {
  const { 'if-match': ifMatch, 'if-unmodified-since': ifUnmodifiedSince } = conditions
  const { 'if-none-match': ifNoneMatch, 'if-modified-since': ifModifiedSince } = conditions
  const { etag, lastModified } = validators
  if (ifMatch !== undefined) {
    // Section 13.1.1: a weak tag never matches, on neither side.
    if (!isAmong(etag, ifMatch, (tag) => (tag.startsWith('W/') ? null : tag))) return 412
  } else if (ifUnmodifiedSince !== undefined && lastModified !== null) {
    const nowMs = Date.parse(lastModified)
    if ((parseHttpDate(ifUnmodifiedSince, nowMs) ?? Infinity) < nowMs) return 412
  }
  // Honest clients send the one tag that they received.
  if (ifNoneMatch !== undefined) return ifNoneMatch === etag || matchesWeakly(ifNoneMatch, etag) ? 304 : null
  if (ifModifiedSince === undefined || lastModified === null) return null
  // Only when equal, not when later, so that a rollback to older data is seen.
  const atMs = Date.parse(lastModified)
  return ifModifiedSince === lastModified || parseHttpDate(ifModifiedSince, atMs) === atMs ? 304 : null
}

/**
 * Section 13.1.5: whether a range fits what the client has of the file; true without If-Range. Only a strong validator says
 * so: a tag that is not weak, or a date of at least a second ago (section 8.8.2.2).
 */
export function rangeFits(ifRange: string | undefined, { etag, lastModified }: Validators, nowMs: number): boolean {
  if (ifRange === undefined) return true
  if (ifRange.endsWith('"')) return ifRange === etag && !etag.startsWith('W/')
  const atMs = lastModified === null ? Number.NaN : Date.parse(lastModified)
  return parseHttpDate(ifRange, atMs) === atMs && nowMs - atMs >= 1000
}

/**
 * The end of a tag where a server in front has compressed the answer: Apache, lighttpd and Caddy end it in `-gzip`,
 * Jetty in `--gzip`, others in `;gzip`, and most of them ask with that tag. Our own tags end otherwise.
 */
const COMPRESSED_IN_FRONT = /(?:--?|;)(?:gzip|br|zstd|deflate)"$/

/** Section 13.1.2: `W/` does not matter, on either side. */
function matchesWeakly(list: string, etag: string): boolean {
  return isAmong(etag, list, (tag) => tag.replace(/^W\//, '').replace(COMPRESSED_IN_FRONT, '"'))
}

function isAmong(etag: string, list: string, comparable: (tag: string) => string | null): boolean {
  const tags = entityTags(list)
  const own = comparable(etag)
  return tags === '*' || (own !== null && tags.some((tag) => comparable(tag) === own))
}

// entity-tag = [ "W/" ] DQUOTE *etagc DQUOTE (section 8.8.3), in a list, which may have empty elements (section 5.6.1.2).
const TAG = /(?:W\/)?"[\u0021\u0023-\u007E\u0080-\u00FF]*"/g
const LIST = new RegExp(String.raw`^[, \t]*(?:${TAG.source}[ \t]*(?:,[, \t]*|$))*$`)

/** The tags of a list; none when it is not one. */
function entityTags(list: string): readonly string[] | '*' {
  if (/^[ \t]*\*[ \t]*$/.test(list)) return '*'
  return LIST.test(list) ? (list.match(TAG) ?? []) : []
}

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
 * A date of HTTP in epoch ms; null = it is none. Date.parse would also take `2026`, other zones and most of what people write.
 * @param nowMs two digits of a year mean the one that is at most 50 years ahead
 */
export function parseHttpDate(text: string, nowMs: number): number | null {
  let [, , day = '', month = '', year = '', time = ''] = IMF_FIXDATE.exec(text) ?? RFC850.exec(text) ?? []
  if (year === '') [, , month = '', day = '', time = '', year = ''] = ASCTIME.exec(text) ?? []
  const last = new Date(nowMs).getUTCFullYear() + 50
  const whole = year.length === 2 ? String(last - ((last - Number(year)) % 100)) : year
  // A leap second counts as the second after it.
  const [regular, more] = time.endsWith(':60') ? [`${time.slice(0, -2)}59`, 1000] : [time, 0]
  const at = `${whole}-${String(1 + MONTHS.indexOf(month)).padStart(2, '0')}-${day.replace(' ', '0')}T${regular}Z`
  const ms = Date.parse(at)
  // A day or an hour that does not exist is no date.
  return new Date(ms).getUTCDate() === Number(day) ? ms + more : null
}
