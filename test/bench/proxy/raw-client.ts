// Owns a client without HTTP of its own: writes ready-made requests, many at a time, and counts the answers. For
// hundreds of thousands of different requests, which wrk cannot send.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

const SOCKETS = 8

/**
 * Sends `count` requests and waits for as many answers.
 * @param requestOf the whole head of the n-th
 * @param pipelined requests written at once on a connection
 * @throws when an answer has another status
 */
export async function askAll(
  port: number,
  count: number,
  status: number,
  requestOf: (n: number) => string,
  pipelined = 1,
): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: SOCKETS }, async () => {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      while (next < count) {
        const from = next
        next = Math.min(count, next + pipelined)
        let text = ''
        for (let n = from; n < next; n++) text += requestOf(n)
        const answered = answers(socket, next - from, status)
        socket.write(text)
        await answered
      }
      socket.destroy()
    }),
  )
}

const LINE = 'HTTP/1.1 '

function answers(socket: Socket, expected: number, status: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let seen = 0
    let rest = ''
    const done = (error?: Error): void => {
      socket.off('data', onData).off('close', onClose).off('error', done)
      if (error === undefined) resolve()
      else reject(error)
    }
    const onClose = (): void => done(new Error(`the connection ended after ${seen} of ${expected} answers`))
    const onData = (chunk: Buffer): void => {
      const text = rest + chunk.toString('latin1')
      let at = text.indexOf(LINE)
      let end = 0
      while (at !== -1 && at + LINE.length + 3 <= text.length) {
        end = at + LINE.length + 3
        const given = text.slice(end - 3, end)
        if (given !== String(status)) return done(new Error(`an answer was ${given}, not ${status}`))
        seen += 1
        at = text.indexOf(LINE, end)
      }
      // A status line may be cut in two.
      rest = text.slice(Math.max(end, text.length - LINE.length - 2))
      if (seen === expected && chunk.length > 0) done()
    }
    socket.on('data', onData).once('close', onClose).once('error', done)
  })
}
