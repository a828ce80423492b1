// An origin, such as a CDN or nginx: serves a folder of releases, records the requests, and misbehaves where a test wants it.
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline, type Readable } from 'node:stream'

export interface Fetched {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The reader left before the end. */
  aborted: boolean
}

/** Serves a snapshots folder as nginx would, and records each request. */
export class Origin {
  readonly fetched: Fetched[] = []
  /** By the end of the path: what to do instead. */
  readonly instead = new Map<string, (response: ServerResponse, file: string) => unknown>()
  /** Whether it gives parts of files; it may always give the whole. */
  ranges = false
  readonly #dir: string
  #server: Server | undefined
  port = 0

  constructor(dir: string) {
    this.#dir = dir
  }

  get base(): string {
    return `http://127.0.0.1:${this.port}/files`
  }

  async start(): Promise<void> {
    this.#server = createServer((request, response) => {
      const path = (request.url ?? '').replace(/^\/files\//, '')
      const fetched: Fetched = { path, headers: request.headers, aborted: false }
      this.fetched.push(fetched)
      response.once('close', () => (fetched.aborted = !response.writableFinished))
      const instead = [...this.instead].find(([end]) => path.endsWith(end))?.[1]
      const done =
        instead === undefined ? serve(response, join(this.#dir, path), request.headers, this.ranges) : undefined
      Promise.resolve(done ?? instead?.(response, join(this.#dir, path))).catch(() => response.destroy())
    })
    this.#server.listen(this.port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.port = (this.#server.address() as AddressInfo).port
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections()
    if (this.#server?.listening) await new Promise((resolve) => this.#server?.close(resolve))
  }

  /** Of those that are open. */
  connections(): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.#server === undefined) resolve(0)
      else this.#server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
    })
  }

  of(end: string): Fetched[] {
    return this.fetched.filter(({ path }) => path.endsWith(end))
  }
}

async function serve(
  response: ServerResponse,
  file: string,
  headers: IncomingHttpHeaders,
  ranges: boolean,
): Promise<void> {
  const about = await stat(file).catch(() => null)
  if (about === null) return void response.writeHead(404).end('nothing here')
  const etag = `"${about.mtimeMs}-${about.size}"`
  response.setHeader('Cache-Control', 'max-age=1')
  if (headers['if-none-match'] === etag) return void response.writeHead(304, { ETag: etag }).end()
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(ranges ? (headers.range ?? '') : '') ?? []
  if (first !== undefined) {
    const [start, end] = [Number(first), Number(last)]
    const about206 = { 'Content-Range': `bytes ${start}-${end}/${about.size}`, 'Content-Length': end - start + 1 }
    response.writeHead(206, { ETag: etag, ...about206 })
    return send(createReadStream(file, { start, end }), response)
  }
  response.writeHead(200, { ETag: etag, 'Content-Length': about.size, 'Content-Type': 'application/octet-stream' })
  send(createReadStream(file), response)
}

/** With `pipe` alone the file stays open when the client leaves. */
function send(file: Readable, response: ServerResponse): void {
  pipeline(file, response, () => {})
}
