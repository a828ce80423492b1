// Owns performing an answer on a response: the one place of the proxy that writes. Decides nothing.
import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { bodyBytes, type Answer, type Body } from './answer.ts'
import { chunkOf } from './chunk.ts'
import { stampGzipStream, stampStream } from './fresh-timestamp.ts'

/** Writes an answer; what streams is a promise, which resolves when the last byte is on its way or the reader gone. */
export function writeAnswer(
  answer: Answer,
  response: ServerResponse,
  isHead: boolean,
  nowMs: number,
): void | Promise<void> {
  const { status, body } = answer
  const headers = [...answer.headers]
  if (status !== 304 && status !== 204) headers.push('Content-Length', String(bodyBytes(body)))
  if (answer.close === true) headers.push('Connection', 'close')
  response.writeHead(status, headers)
  if (body.kind === 'stream') return writeStream(body, response, isHead, nowMs)
  if (isHead || body.kind === 'none') response.end()
  else response.end(body.kind === 'bytes' ? chunkOf(body.bytes) : body.body.at(nowMs), 'latin1')
}

async function writeStream(
  body: Extract<Body, { kind: 'stream' }>,
  response: ServerResponse,
  isHead: boolean,
  nowMs: number,
): Promise<void> {
  if (isHead) {
    // Leaving early is an error to some streams, and one that nobody listens to ends the process.
    body.stream.on('error', () => {}).destroy()
    response.end()
    return
  }
  const stamped = body.stamped ? [body.coding === null ? stampStream(body.bytes, nowMs) : stampGzipStream(nowMs)] : []
  // Not every Node destroys the source when the reader was gone before the first byte: the file is given back here.
  await pipeline([body.stream, exactly(body.bytes), ...stamped, response])
    .catch(() => {})
    .finally(() => body.stream.destroy())
}

/** Fails unless the source has the promised length: the connection is cut, or its next answer would begin inside this. */
function exactly(bytes: number): Transform {
  let left = bytes
  const wrong = (): Error => new Error(`the source has not the ${bytes} bytes that were promised`)
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length
      if (left < 0) done(wrong())
      else done(null, chunk)
    },
    flush(done) {
      done(left === 0 ? null : wrong())
    },
  })
}

/** Writes to a socket for which node:http made no response (its head could not be read), and ends it. */
export function writeRaw(answer: Answer, socket: Socket, nowMs: number): void {
  if (!socket.writable || answer.body.kind !== 'bytes') return void socket.destroy()
  const headers = [
    ...answer.headers,
    'Content-Length',
    String(answer.body.bytes.length),
    'Date',
    new Date(nowMs).toUTCString(),
    'Connection',
    'close',
  ]
  let head = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? 'Error'}\r\n`
  for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`
  socket.end(Buffer.concat([Buffer.from(`${head}\r\n`, 'latin1'), answer.body.bytes]), () => socket.destroy())
}
