// Owns that the server ends a session whose program has stopped (SIGSTOP, a frozen container, a suspended machine). Knows no query.
import type pg from 'pg'

const IDLE = 'idle_in_transaction_session_timeout'
const UNREAD = 'tcp_user_timeout'
/** Returns no row before PostgreSQL 12, and '0' on a Unix socket or where the server's system lacks the setting. */
const PROBE = `SELECT set_config(name, '1s', true) AS taken FROM pg_settings WHERE name = '${UNREAD}'`

/** The clients whose server waits without end for somebody who takes rows. */
const patient = new WeakSet<pg.Client>()
export const waitsForReader = (client: pg.Client): boolean => patient.has(client)

/**
 * From now on each query in a transaction is preceded, in the same message, by what sets the time that the program has left: so long
 * the server waits for the next query, or for somebody to take the rows of a COPY (no other time-out ends a write that waits: tried on
 * 15 and 17). A shorter time would cut off a program that reads slowly. It is set by SELECT, because pg_stat_statements keeps an entry
 * for each value of a SET; only BEGIN goes with SET, because it must not take the snapshot. An empty query says that no rows are
 * awaited: only then do keepalives count, which tell sooner that a machine is gone (tcp(7), TCP_USER_TIMEOUT).
 */
export async function endWithProgram(client: pg.Client, leftMs: () => number): Promise<void> {
  const { rows } = await client.query<{ taken: string }>(PROBE)
  if (rows.every(({ taken }) => taken === '0')) patient.add(client)
  // The server waits at least a second longer, so that a program that still runs ends first, and says why.
  const left = (): string => `${Math.max(0, Math.ceil(leftMs() / 1000)) + 1}s`
  const set = (name: string, value: string): string => `pg_catalog.set_config('${name}', '${value}', true)`
  const { connection } = client
  const send = connection.query.bind(connection)
  const ask = client.query.bind(client) as (...query: unknown[]) => Promise<unknown>
  connection.query = (text) => {
    const status = client.getTransactionStatus()
    const unread = patient.has(client) ? '' : `, ${set(UNREAD, text === '' ? '0' : left())}`
    const begins = status === 'I' && /^BEGIN\b/m.test(text)
    const more = begins ? `; SET LOCAL ${IDLE} = '${left()}'` : ''
    send(status === 'T' ? `SELECT ${set(IDLE, left())}${unread}; ${text}` : `${text}${more}`)
  }
  client.query = ((query: string | object, ...values: unknown[]) => {
    // A section is sent by the extended protocol, which takes one statement only: so what sets the time goes ahead by itself.
    if (values.length > 0 || (typeof query === 'object' && 'text' in query)) ask('').catch(() => {})
    const answer: unknown = ask(query, ...values)
    // pg gives a list where a message had several statements.
    return answer instanceof Promise ? answer.then((all) => (Array.isArray(all) ? all.at(-1) : all)) : answer
  }) as typeof client.query
}
