// Owns which database a set-up is about: what is given, or what is asked until it can be reached. Effects are given.
import { CliError } from '../../process/cli-error.ts'
import { parseDatabaseUrl, type Target } from '../../source/database/parse-target.ts'
import { SourceError } from '../../source/database/source-error.ts'
import type { Ask } from './ask.ts'
import { asUser, configOf } from './database-url.ts'

/** The user that the server takes us for, and what was sent to a pooler before it. */
export type Session = Readonly<Record<'user' | 'database' | 'sentUser' | 'sentDatabase', string>>
/** The database that was reached. */
export type Connected = Readonly<{ url: string; target: Target; session: Session }>

const FLAG = '--database-url URL'

/**
 * @param known the URL that is given; null = it is asked
 * @param reach fails with a SourceError where the database cannot be reached
 */
export async function askDatabase(
  ask: Ask,
  known: string | null,
  reach: (target: Target) => Promise<Session>,
): Promise<Connected> {
  let url = known ?? (await askUrl(ask, null))
  for (;;) {
    try {
      const target = parseDatabaseUrl(url)
      return { url, target, session: await reach(target) }
    } catch (error) {
      const isTold = error instanceof SourceError || error instanceof CliError
      if (!isTold || !ask.again) throw error
      // If there is no password, that may be the only fault.
      const { user, password } = configOf(url) ?? {}
      const withPassword = password || !user ? null : await askPassword(ask, url, user, error)
      if (withPassword === null) {
        ask.warn(error.message)
        url = await askUrl(ask, url)
      } else url = withPassword
    }
  }
}

function askUrl(ask: Ask, before: string | null): Promise<string> {
  const user = before === null ? undefined : configOf(before)?.user
  return ask.text({
    message: 'Which database does the platform have?',
    flag: FLAG,
    hint: 'postgresql://user@host:5432/database; its password is asked next, and not shown',
    // In a URL that cannot be read, nobody knows where the password ends.
    ...(before !== null && user ? { suggested: asUser(before, user, '') } : {}),
    fault(given) {
      try {
        parseDatabaseUrl(given)
        return null
      } catch (error) {
        return (error as Error).message.replace('--database-url: ', '')
      }
    },
  })
}

/** Asks for the password; null = the fault is another one, or there is no password to give. */
async function askPassword(ask: Ask, url: string, user: string, error: Error): Promise<string | null> {
  if (!/password|authentication|SASL/i.test(error.message)) return null
  const password = await ask.secret({ message: `Password of ${user}?`, flag: FLAG })
  return password === '' ? null : asUser(url, user, password)
}
