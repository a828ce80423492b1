// Owns a throw-away PostgreSQL inside this process, for the demo: PGlite (PostgreSQL as WebAssembly, all in memory),
// spoken to over the wire like any other server. Knows the native schema; not how it is read, nor what is built.
import { readFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { stringify } from 'csv-stringify/sync'
import { packagePath } from '../process/package-root.ts'

type Field = string | number | boolean | Date | null
/** Rows of tables of the native schema; all rows of a table have the same columns. */
type Tables = Readonly<Record<string, readonly Readonly<Record<string, Field>>[]>>

/**
 * initdb writes these into postgresql.conf. Together they lower the peak of memory and the time to start: 16 MiB of shared
 * buffers (the default is 128) are enough for the demo, and WAL that is never replayed stays small.
 */
const INITDB = [
  '--wal-segsize=1',
  ...['shared_buffers=16MB', 'min_wal_size=2MB', 'max_wal_size=8MB'].flatMap((setting) => ['--set', setting]),
]

/** NULL is nothing, an empty text a pair of quotes. */
const AS_CSV = { quoted_string: true, cast: { boolean: String, date: (date: Date) => date.toISOString() } }

export async function startEmbeddedPostgres() {
  const db = await PGlite.create({ initDbStartParams: INITDB })
  // There are two connections, not one: a client that lost its own in a query connects again before the server notices.
  const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0, maxConnections: 2 })
  await server.start()
  let stopped: Promise<void> | undefined
  return {
    /**
     * It is for one reader at a time: a second one waits for the transaction of the first. Cancel requests and the parameters
     * of the start-up message (application_name, options) are ignored, session settings outlive the connection, and
     * statement_timeout is accepted but never fires: PostgreSQL runs on this process's own thread, without timers. So SET
     * LOCAL is needed, and no long query may run.
     */
    url: `postgresql://postgres@${server.getServerConn()}/postgres?sslmode=disable`,
    /**
     * Creates the native schema and fills it, once and before anybody connects: PGlite has a single session. COPY is faster
     * than json_populate_recordset and needs less memory.
     */
    async seed(tables: Tables): Promise<void> {
      await db.exec(await readFile(packagePath('src/source/mapping/built-in/native/schema.sql'), 'utf8'))
      for (const [table, rows] of Object.entries(tables)) {
        const columns = Object.keys(rows[0] ?? {}).join(', ')
        const blob = new Blob([stringify([...rows], AS_CSV)])
        await db.query(`COPY ${table} (${columns}) FROM '/dev/blob' (FORMAT csv)`, [], { blob })
      }
    },
    /** Ends the connections, forgets the data; nothing keeps the process alive afterwards. May be called twice. */
    close: (): Promise<void> => (stopped ??= server.stop().then(() => db.close())),
  }
}
