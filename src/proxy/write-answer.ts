// Owns performing an answer on a response: the one place of the proxy that writes. Decides nothing.
import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { bodyBytes, type Answer } from './answer.ts'
import { stampStream } from './fresh-timestamp.ts'

/** Resolves when the answer is written, or its connection is gone: a reader who leaves is not an error. */
export async function writeAnswer(
  answer: Answer,
  response: ServerResponse,
  isHead: boolean,
  nowMs: number,
): Promise<void> {
  const { status, body } = answer
  const headers = [...answer.headers]
  if (status !== 304 && status !== 204) headers.push('Content-Length', String(bodyBytes(body)))
  if (answer.close === true) headers.push('Connection', 'close')
  response.writeHead(status, headers)
  if (body.kind === 'stream') {
    if (isHead) {
      body.stream.destroy()
      response.end()
    } else if (body.json) await pipeline(body.stream, stampStream(body.bytes, nowMs), response).catch(() => {})
    else await pipeline(body.stream, response).catch(() => {})
  } else if (isHead || body.kind === 'none') response.end()
  else response.end(body.kind === 'bytes' ? body.bytes : body.body.at(nowMs))
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
