// Owns reading the address of a Redis or Valkey: what may be in one, and what of it must not be shown. Pure.

/** `shown` is without user and password, for the log. No line of a log may hold one of `secrets`. */
export type RedisAddress = Readonly<NonNullable<ReturnType<typeof parseRedisAddress>>>

export const REDIS_ADDRESS =
  'redis://[[user]:password@]host[:port][/database] (rediss:// for TLS; a database is a number)'

/** Reads an address; null = it is none. The client would ignore a query, and throw at a path or an encoding that it does not know. */
export function parseRedisAddress(text: string) {
  if (!/^rediss?:\/\//.test(text) || !URL.canParse(text)) return null
  const { protocol, host, pathname, username, password, search, hash } = new URL(text)
  if (host === '' || !/^(?:\/\d{0,5})?$/.test(pathname) || search !== '' || hash !== '') return null
  try {
    decodeURIComponent(username)
    // As it is in the address, and decoded.
    const secrets = [password, decodeURIComponent(password)].filter((secret) => secret !== '')
    return { url: text, shown: `${protocol}//${host}${pathname}`, secrets }
  } catch {
    return null
  }
}
