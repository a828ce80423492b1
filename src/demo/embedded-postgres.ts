// Owns a throw-away PostgreSQL inside this process, for the demo: PGlite (PostgreSQL as WebAssembly, all in memory),
// spoken to over the wire like any other server. Knows the native schema; not how it is read, nor what is built.
import { readFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { packagePath } from '../process/package-root.ts'
import type { DemoPlatform } from './platform.ts'

export interface EmbeddedPostgres {
  /**
   * For one reader at a time: a second one waits for the transaction of the first. Cancel requests and the parameters
   * of the start-up message (application_name, options) are ignored, session settings outlive the connection, and
   * statement_timeout is accepted but never fires: PostgreSQL runs on this process's own thread, without timers. So SET
   * LOCAL, and no long query.
   */
  readonly url: string
  /** Creates the native schema and fills it. Once, and before anybody connects: PGlite has a single session. */
  seed(platform: DemoPlatform): Promise<void>
  /** Ends the connections, forgets the data; nothing keeps the process alive afterwards. May be called twice. */
  close(): Promise<void>
}

/**
 * initdb writes these into postgresql.conf. Together they lower the peak of memory and the time to start: 16 MiB of shared
 * buffers (the default is 128) are enough for the demo, and WAL that is never replayed stays small.
 */
const INITDB = [
  '--wal-segsize=1',
  ...['shared_buffers=16MB', 'min_wal_size=2MB', 'max_wal_size=8MB'].flatMap((setting) => ['--set', setting]),
]

export async function startEmbeddedPostgres(): Promise<EmbeddedPostgres> {
  const db = await PGlite.create({ initDbStartParams: INITDB })
  // Two, not one: a client that lost its connection in the middle of a query connects again before the server notices.
  const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0, maxConnections: 2 })
  const stop = async (): Promise<void> => {
    await server.stop()
    await db.close()
  }
  try {
    await server.start()
  } catch (error) {
    await stop()
    throw error
  }
  let stopped: Promise<void> | undefined
  return {
    url: `postgresql://postgres@${server.getServerConn()}/postgres?sslmode=disable`,
    seed: (platform) => seed(db, platform),
    close: () => (stopped ??= stop()),
  }
}

async function seed(db: PGlite, platform: DemoPlatform): Promise<void> {
  await db.exec(await readFile(packagePath('src/source/mapping/built-in/native/schema.sql'), 'utf8'))
  await copyIn(db, 'users', platform.users, (user) => [user.id, time(user.createdAtMs)])
  await copyIn(db, 'categories', platform.categories, (category) => [category.name])
  await copyIn(db, 'ideas', platform.ideas, (idea) => [
    idea.id,
    idea.title,
    time(idea.createdAtMs),
    idea.launched,
    time(idea.launchedAtMs),
    idea.url,
    idea.authorId,
    idea.status,
  ])
  await copyIn(db, 'idea_categories', platform.ideaCategories, (row) => [row.ideaId, row.category])
  await copyIn(db, 'votes', platform.votes, (vote) => [vote.ideaId, vote.userId, vote.value, time(vote.createdAtMs)])
  await copyIn(db, 'comments', platform.comments, (comment) => [
    comment.id,
    comment.ideaId,
    comment.userId,
    time(comment.createdAtMs),
  ])
}

type Field = string | number | boolean | null

const time = (timeMs: number | null): string | null => (timeMs === null ? null : new Date(timeMs).toISOString())

/** Fields in the order of schema.sql. COPY is faster than json_populate_recordset and needs less memory. */
async function copyIn<Row>(
  db: PGlite,
  table: string,
  rows: readonly Row[],
  fields: (row: Row) => readonly Field[],
): Promise<void> {
  const text = rows.map((row) => `${fields(row).map(copyText).join('\t')}\n`)
  await db.query(`COPY ${table} FROM '/dev/blob'`, [], { blob: new Blob(text) })
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** One field of COPY's text format (PostgreSQL manual, COPY, "Text Format"): NULL is \N, an empty string is nothing. */
function copyText(field: Field): string {
  return field === null ? '\\N' : String(field).replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character)
}
