// Owns what an operator may choose about the numbers. Knows no command line.
import type { PeopleMode } from '../contract/people.ts'

export interface AnalyticsOptions {
  readonly voteWeight: number
  readonly commentWeight: number
  /** The address of the platform, without a slash at its end; null = paths stay paths. */
  readonly siteUrl: string | null
  readonly people: PeopleMode
  /** The time zone (IANA) in which hours, days, months and years begin. */
  readonly timeZone: string
}

/** A path that new URL() leaves as it is. Nearly every path is one, and that of an idea is asked for in each period. */
const PLAIN_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/

/**
 * A mapping's url as it is published: a path joined to the site or an http(s) address, both as new URL() writes them (no
 * line break, no dot segment, no backslash), and IRIs; null where it is not the same host for everybody, or where it names a user.
 */
export function publishedUrl(url: string | null, siteUrl: string | null): string | null {
  if (url === null) return null
  if (PLAIN_PATH.test(url)) return `${siteUrl ?? ''}${url}`
  // `//host` and `/\host` are other hosts to a browser, which drops tabs and line breaks first (WHATWG URL, section 4.4).
  if (/^\/(?![\t\n\r]*[/\\])/.test(url)) return siteUrl === null ? pathOf(url) : hrefOf(`${siteUrl}${url}`)
  return /^https?:\/\/[^/\\]/i.test(url) ? hrefOf(url) : null
}

/** What new URL() leaves, and RFC 3987 forbids (2.2): feeds and RDF have IRIs. Versions of Node.js differ in what they leave. */
const FORBIDDEN = /[\s<>"{}|\\^`[\]]|%(?![\da-f]{2})/gi

function iriOf(afterHost: string): string {
  const [path = '', ...fragment] = afterHost.replaceAll(FORBIDDEN, encodeURIComponent).split('#')
  return fragment.length === 0 ? path : `${path}#${fragment.join('%23')}`
}

function hrefOf(url: string): string | null {
  try {
    // URL.canParse() is not used: called often, that of Node.js 20 and 22 takes the letters of Latin-1 for broken UTF-8.
    const { origin, href, username, password } = new URL(url)
    return username === '' && password === '' ? origin + iriOf(href.slice(origin.length)) : null
  } catch {
    return null
  }
}

/** Null where it would be another host: without its dot segments, `/.//host` is `//host`. */
function pathOf(url: string): string | null {
  const { origin, href } = new URL(url, 'http://localhost')
  const path = iriOf(href.slice(origin.length))
  return path.startsWith('//') ? null : path
}
