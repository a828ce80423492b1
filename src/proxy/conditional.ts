// Owns preconditions: whether a client's copy is still good. RFC 9110 section 13. Pure.

export interface Validators {
  /** With its `W/` and quotes. */
  readonly etag: string
  /** IMF-fixdate. */
  readonly lastModified: string
}

/**
 * Whether to answer 304. If-None-Match wins, by weak comparison (sections 13.1.2, 13.2.2); If-Modified-Since matches
 * only when equal to Last-Modified, not when later, so that a rollback to older data is seen.
 */
export function notModified(
  validators: Validators,
  ifNoneMatch: string | undefined,
  ifModifiedSince: string | undefined,
): boolean {
  // What honest clients send is the one tag that they were given.
  if (ifNoneMatch !== undefined) return ifNoneMatch === validators.etag || listMatches(ifNoneMatch, validators.etag)
  if (ifModifiedSince === undefined) return false
  return ifModifiedSince === validators.lastModified || sameSecond(ifModifiedSince, validators.lastModified)
}

// entity-tag = [ "W/" ] DQUOTE *etagc DQUOTE; a list of them, or "*" (sections 8.8.3 and 13.1.2).
const ENTITY_TAG = /^(?:W\/)?"([\u0021\u0023-\u007E\u0080-\u00FF]*)"/
const EMPTY_ELEMENTS = /^[,\s]+/

function listMatches(list: string, etag: string): boolean {
  const opaque = ENTITY_TAG.exec(etag)?.[1]
  if (list.trim() === '*') return true
  // A recipient ignores empty elements (section 5.6.1.2).
  let rest = list.replace(EMPTY_ELEMENTS, '')
  while (rest !== '') {
    const found = ENTITY_TAG.exec(rest)
    // Not a list of entity tags: a precondition that cannot be read is not met.
    if (found === null) return false
    if (found[1] === opaque) return true
    const after = rest.slice(found[0].length).trimStart()
    if (after !== '' && !after.startsWith(',')) return false
    rest = after.replace(EMPTY_ELEMENTS, '')
  }
  return false
}

// Recipients accept the two obsolete formats, too (section 5.6.7); only dates that say GMT, or asctime's, are UTC here.
function sameSecond(given: string, lastModified: string): boolean {
  const asctime = /^\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/.test(given)
  if (!asctime && !given.endsWith('GMT')) return false
  return Date.parse(asctime ? `${given} GMT` : given) === Date.parse(lastModified)
}
