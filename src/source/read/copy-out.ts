// Owns COPY … TO STDOUT on a connection of pg, which makes an object of each row: its bytes are taken before pg reads them.
// Knows nothing of what the rows mean.
import type { Duplex } from 'node:stream'
import type pg from 'pg'
import { CopiedRows } from './copy-decoder.ts'
import type { RawQuery } from './raw-rows.ts'

/** Yields the rows of a query: one batch for each chunk of bytes in which rows end. */
export async function* copiedRows(client: pg.Client, { sql, fields }: RawQuery): AsyncGenerator<CopiedRows> {
  const copy = copyOut(`COPY (${sql}) TO STDOUT (FORMAT binary)`)
  client.query(copy)
  const rows = new CopiedRows(fields)
  for (let rest: Buffer | null = null; rest === null;) {
    rest = rows.next(await copy.next())
    if (rows.count > 0) yield rows
    if (rest !== null) await copy.end(rest)
  }
  if (!rows.isEnded) throw new Error('the server ended a COPY in the middle of its rows')
  // Much less time may be left than when the rows began; this tells the server to wait no longer than that for the next query.
  await client.query('')
}

type Listener = (chunk: Buffer) => void

/** A query as pg takes it. From its beginning to its end the connection reads only while somebody waits for bytes. */
function copyOut(text: string) {
  let stream: Duplex | null = null
  /** That of pg. */
  let listener: Listener = () => {}
  let waiting: { readonly resolve: Listener; readonly reject: (error: Error) => void } | null = null
  let failure: Error | null = null
  const take: Listener = (chunk) => {
    stream?.pause()
    waiting?.resolve(chunk)
  }
  const wait = (begin: () => void): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      waiting = { resolve, reject }
      if (failure === null) begin()
      else reject(failure)
    })
  return {
    submit(connection: pg.Connection): void {
      stream = connection.stream
      listener = stream.listeners('data')[0] as Listener
      stream.off('data', listener).on('data', take)
      connection.query(text)
    },
    handleError(error: Error): void {
      failure = error
      waiting?.reject(error)
    },
    handleCommandComplete(): void {},
    handleReadyForQuery: (): void => waiting?.resolve(Buffer.alloc(0)),
    /** The next chunk of bytes. It also rejects when the connection ends, because pg then calls handleError(). */
    next: () => wait(() => stream?.resume()),
    /** Gives pg what follows the rows, and waits until it is ready for the next query. */
    end(rest: Buffer) {
      stream?.off('data', take).on('data', listener)
      return wait(() => {
        listener(rest)
        stream?.resume()
      })
    },
  }
}
