// Owns COPY … TO STDOUT on a connection of pg, which makes an object of each row: its bytes are taken before pg reads them.
// Knows nothing of what the rows mean.
import type { Duplex } from 'node:stream'
import type pg from 'pg'
import { CopiedRows } from './copy-decoder.ts'
import type { RawQuery } from './raw-rows.ts'

/** Yields the rows of a query: one batch for each chunk of bytes in which rows end. */
export async function* copiedRows(client: pg.Client, { sql, fields }: RawQuery): AsyncGenerator<CopiedRows> {
  const copy = new CopyOut(`COPY (${sql}) TO STDOUT (FORMAT binary)`)
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
class CopyOut implements pg.Submittable {
  readonly #text: string
  #stream: Duplex | null = null
  /** The listener of pg. */
  #listener: Listener | undefined
  #waiting: { readonly resolve: Listener; readonly reject: (error: Error) => void } | null = null
  #error: Error | null = null

  constructor(text: string) {
    this.#text = text
  }

  submit(connection: pg.Connection): void {
    const { stream } = connection
    this.#stream = stream
    this.#listener = stream.listeners('data')[0] as Listener
    stream.off('data', this.#listener).on('data', this.#take)
    connection.query(this.#text)
  }

  readonly #take = (chunk: Buffer): void => {
    this.#stream?.pause()
    this.#waiting?.resolve(chunk)
  }

  /** The next chunk of bytes. It also rejects when the connection ends, because pg then calls handleError(). */
  next(): Promise<Buffer> {
    return this.#wait(() => this.#stream?.resume())
  }

  /** Gives pg what follows the rows, and waits until it is ready for the next query. */
  async end(rest: Buffer): Promise<void> {
    this.#stream?.off('data', this.#take).on('data', this.#listener ?? this.#take)
    await this.#wait(() => {
      this.#listener?.(rest)
      this.#stream?.resume()
    })
  }

  #wait(begin: () => void): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      if (this.#error === null) begin()
      else reject(this.#error)
    })
  }

  handleError(error: Error): void {
    this.#error = error
    this.#waiting?.reject(error)
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#waiting?.resolve(Buffer.alloc(0))
  }
}
