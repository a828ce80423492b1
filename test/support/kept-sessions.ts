// Sessions of the program that are used again, one of each URL: a server that knows its tables already answers in a third of
// the time. What is of a new session, such as settings of a role, needs one of its own.
import { connect, type Connection } from '../../src/source/database/connect.ts'
import { parseDatabaseUrl } from '../../src/source/database/parse-target.ts'

export class KeptSessions {
  readonly #sessions = new Map<string, Promise<Connection>>()

  async use<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
    const session =
      this.#sessions.get(url) ?? connect(parseDatabaseUrl(url), new AbortController().signal, () => 60_000)
    this.#sessions.set(url, session)
    try {
      return await work(await session)
    } catch (error) {
      // What an error leaves of a session is nobody's to read by.
      this.#sessions.delete(url)
      await session.then((connection) => connection.close()).catch(() => {})
      throw error
    }
  }

  async close(): Promise<void> {
    for (const session of this.#sessions.values()) await (await session).close()
  }
}
