// Owns what an operator may choose about the numbers. Knows no command line.

export interface AnalyticsOptions {
  readonly voteWeight: number
  readonly commentWeight: number
  readonly topCategories: number
  /** Without a slash at its end; null = paths stay paths. */
  readonly siteUrl: string | null
}

/** A mapping's url as it is published: a path joined to the site, an http(s) address as it is, anything else null. */
export function publishedUrl(url: string | null, siteUrl: string | null): string | null {
  if (url === null) return null
  // `//host` and `/\host` are other hosts to a browser, which drops tabs and line breaks first (WHATWG URL, section 4.4).
  if (/^\/(?![\t\n\r]*[/\\])/.test(url)) return `${siteUrl ?? ''}${url}`
  return /^https?:\/\/[^/\\]/i.test(url) && URL.canParse(url) ? url : null
}
