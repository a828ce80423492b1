// Owns the URL of a database as another role reaches it. Pure text; knows no connection.
import { nullIfThrown } from '../../process/null-if-thrown.ts'
import { parseDatabaseUrl, type Target } from '../../source/database/parse-target.ts'

/** The same URL for another user; all that follows the user stays, and `database` is added where none was named. */
export function asUser(url: string, user: string, password: string, database = ''): string {
  const who = password === '' ? encodeURIComponent(user) : `${encodeURIComponent(user)}:${encodeURIComponent(password)}`
  const path = database === '' || configOf(url)?.database ? '$3' : `/${encodeURIComponent(database)}`
  return withoutUserOptions(url).replace(/^(\s*\w+:\/\/)(?:[^/?#]*@)?([^/?#]*)(\/?)/, `$1${who}@$2${path}`)
}

const URL_USER = /^(?:user|password)=/

/** Without the options that name a user: they win over what stands before the host, and nothing of the first user may stay. */
function withoutUserOptions(url: string): string {
  const [before = '', options] = url.split(/\?(.*)/s)
  const kept = options?.split('&').filter((option) => !URL_USER.test(new URLSearchParams(option).toString())) ?? []
  return kept.length === 0 ? before : `${before}?${kept.join('&')}`
}

const NAME = 'analytics_reader'
/** PostgreSQL cuts a longer name off. */
const NAME_BYTES = 63

/** The name of the role that reads one database: roles belong to the whole server, which may have other databases that are read. */
export function readerOf({ config: { database, user } }: Target): string {
  const name = Array.from(`${NAME}_${database || user || ''}`.replaceAll(/\p{Cc}/gu, '_'))
  while (Buffer.byteLength(name.join('')) > NAME_BYTES) name.pop()
  return name.join('')
}

/** The parts of a URL; null = it cannot be read. */
export const configOf = (url: string): Target['config'] | null => nullIfThrown(() => parseDatabaseUrl(url).config)
