// Owns which texts are valid as Host, and between `//` and the path of an absolute target. Knows no request. Pure.

// uri-host [ ":" port ] (RFC 9110 section 7.2): an address in brackets, or a name of what RFC 3986 section 3.2.2 lets
// into one. User information is no part of it: it is there to mislead (RFC 9110 section 4.2.4).
const AUTHORITY = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i

/** Empty is valid: a client without a name for the server sends it (RFC 9112 section 3.2). */
export function isAuthority(text: string): boolean {
  return AUTHORITY.test(text)
}

/** An http address without a host must be rejected (RFC 9110 section 4.2.1). */
export function isAuthorityOfUrl(text: string): boolean {
  return isAuthority(text) && text !== '' && !text.startsWith(':')
}
