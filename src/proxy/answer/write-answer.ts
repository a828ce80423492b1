// Owns performing an answer on a response: the one place of the proxy that writes. Decides nothing.
import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import type { HttpAnswer, ErrorAnswer, Headers, StreamedBody } from './answer.ts'
import { stampStream } from './timestamp-splice.ts'

/** How a stream ended: the last byte is on its way; its reader left; its source failed. */
export type StreamEnd = 'whole' | 'left' | 'failed'

/**
 * Writes an answer. For a stream it returns a promise, which resolves when the stream has ended.
 * @param common the headers of every answer of its plane
 * @param own the headers for this client only
 */
export function writeAnswer(
  answer: HttpAnswer,
  common: Headers,
  own: Headers,
  response: ServerResponse,
  nowMs: number,
): void | Promise<StreamEnd> {
  const { status, body } = answer
  const isHead = response.req.method === 'HEAD'
  response.writeHead(status, headersOf(answer, common, own))
  if (body !== null && 'stream' in body) return writeStream(body, response, isHead, nowMs)
  if (isHead || body === null) return void response.end()
  const data = body.at(nowMs)
  if (typeof data !== 'string') return void response.end(data)
  // `end` with a text would write it and an empty one after it as two parts.
  response.cork()
  response.write(data, 'latin1')
  response.uncork()
  response.end()
}

function headersOf({ headers, body }: HttpAnswer, common: Headers, own: Headers): string[] {
  const all = [...common, ...headers, ...own]
  if (body !== null) all.push('Content-Length', String(body.bytes))
  if (body?.coding) all.push('Content-Encoding', body.coding)
  return all
}

async function writeStream(
  body: StreamedBody,
  response: ServerResponse,
  isHead: boolean,
  nowMs: number,
): Promise<StreamEnd> {
  if (isHead) {
    // For some streams an early end is an error, and one without a listener ends the process.
    body.stream.on('error', () => {}).destroy()
    response.end()
    return 'whole'
  }
  // This holds while the source is waited for, too: a file, or a connection to the origin, is not kept for a reader who has left.
  response.once('close', () => body.stream.destroy())
  const { bytes, stamped, coding, stream } = body
  const fresh = stamped ? stampStream(stream, bytes, coding, nowMs) : stream
  const progress = { left: bytes }
  return pipeline(exactly(progress, fresh as AsyncIterable<Buffer>), response)
    .then(
      (): StreamEnd => 'whole',
      // When a connection ends, node:http reports only that the response was closed.
      (error: NodeJS.ErrnoException): StreamEnd => {
        if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') return 'failed'
        // A client may have it all and be gone before the end of the source is seen here.
        return progress.left === 0 ? 'whole' : 'left'
      },
    )
    .finally(() => body.stream.destroy())
}

/** Fails unless the source has the promised length: then the connection is cut, since its next answer would begin inside this one. */
async function* exactly(progress: { left: number }, source: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const wrong = (): Error => new Error('the source has not as many bytes as were promised')
  for await (const chunk of source) {
    progress.left -= chunk.length
    if (progress.left < 0) throw wrong()
    yield chunk
  }
  if (progress.left !== 0) throw wrong()
}

/**
 * Writes to a socket for which node:http made no response, and closes it: a new one still in this iteration of the
 * event loop, before any request is read.
 */
export function writeRaw(answer: ErrorAnswer, common: Headers, socket: Socket, nowMs: number): void {
  if (!socket.writable) return void socket.destroy()
  const headers = [...headersOf(answer, common, []), 'Connection', 'close', 'Date', new Date(nowMs).toUTCString()]
  let text = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? 'Error'}\r\n`
  for (let i = 0; i < headers.length; i += 2) text += `${headers[i]}: ${headers[i + 1]}\r\n`
  socket.write(`${text}\r\n${answer.body.at(nowMs).toString('latin1')}`, 'latin1', () => socket.destroy())
}
