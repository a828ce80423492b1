// Owns the URL of a database as another role reaches it. Pure text; knows no connection.
import type { Target } from '../../source/database/parse-target.ts'

/** The same URL for another user; all that follows the user stays. */
export function asUser(url: string, user: string, password: string): string {
  const who = password === '' ? encodeURIComponent(user) : `${encodeURIComponent(user)}:${encodeURIComponent(password)}`
  return url.replace(/^(\s*\w+:\/\/)(?:[^/?#]*@)?/, (_, scheme: string) => `${scheme}${who}@`)
}

/** The user that a URL names; null = none. */
export function userOf(url: string): string | null {
  const found = /^\s*\w+:\/\/([^:/?#@]+)(?::[^/?#]*)?@/.exec(url)?.[1]
  return found === undefined ? null : decodeURIComponent(found)
}

export function hasPassword(url: string): boolean {
  return /^\s*\w+:\/\/[^:/?#@]*:[^/?#]+@/.test(url)
}

/** A URL for what PGHOST and the like say. */
export function urlOfTarget({ config, sslMode }: Target, rootCertificate: string | undefined): string {
  const { host = 'localhost', port = 5432, user = '', database = '' } = config
  const password = typeof config.password === 'string' ? config.password : ''
  const isSocket = host.startsWith('/')
  const options = new URLSearchParams()
  if (isSocket) options.set('host', host)
  else options.set('sslmode', sslMode)
  if (rootCertificate && !isSocket) options.set('sslrootcert', rootCertificate)
  // A URL that has a user must have a host.
  const where = isSocket ? 'localhost' : host.includes(':') ? `[${host}]` : host
  const url = `postgresql://${where}:${port}/${encodeURIComponent(database)}?${options.toString()}`
  return user === '' ? url : asUser(url, user, password)
}
