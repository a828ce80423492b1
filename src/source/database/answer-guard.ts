// Owns the limits of what a server may send: messages of a possible length, only rows that were announced, nothing that
// was not asked for, and so many bytes in one answer. Knows no query.
import type { Duplex } from 'node:stream'
import type pg from 'pg'

/** The most bytes of a message, and of an answer that is kept whole. Rows to be counted come by COPY, which keeps none. */
const MAX_BYTES = 64 << 20
/** Counted for each message besides its bytes, because the object that it becomes takes more memory than a short message. */
const OBJECT_BYTES = 256
/** A message begins with a code, and the length of what follows including itself. */
const HEAD_BYTES = 5
/** A log-in takes at most four messages of its kind; each may cost a tenth of a second of hashing. */
const MAX_LOGINS = 8
/**
 * A message with two empty texts, like a setting that nobody reads. Where a text has no end within its message, pg looks for one beyond it,
 * and where nothing follows it never stops or answers: five bytes do that. Behind a chunk, this message gives it an end to find.
 */
const WALL = Buffer.from('S\0\0\0\x06\0\0')

/** The error for what PostgreSQL never sends. @param what completes `the server sent …` */
export function lie(what: string, cause?: unknown): Error {
  return Object.assign(new Error(`the server sent ${what}`, { cause }), { code: 'EPROTO' })
}

/** @throws Error of `lie` */
export function checkLength(bytes: number): void {
  if (bytes < HEAD_BYTES - 1 || bytes > MAX_BYTES)
    throw lie(`a message of ${bytes >>> 0} bytes, allowed: ${HEAD_BYTES - 1} to ${MAX_BYTES}`)
}

/** Must be called before the connection is made. What breaks a limit, or what pg fails at, ends the connection with an error. */
export function guardAnswers(connection: pg.Connection): void {
  // pg calls this once the bytes are those of messages: after the handshake of TLS.
  const guarded = connection as pg.Connection & { attachListeners: (stream: Duplex & { bytesWritten: number }) => void }
  const attach = guarded.attachListeners.bind(connection)
  guarded.attachListeners = (stream) => {
    attach(stream)
    const parse = stream.listeners('data')[0] as (chunk: Buffer) => void
    const wholeIn = reassembled(checker(() => stream.bytesWritten))
    stream.off('data', parse).on('data', (chunk: Buffer) => {
      try {
        const whole = wholeIn(chunk)
        if (whole !== null) parse(whole)
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        stream.destroy(code === 'EPROTO' ? (error as Error) : lie(`what cannot be read (${message})`, error))
      }
    })
  }
}

/** Returns the messages that end in a chunk, followed by WALL; null = no message ends in it. */
function reassembled(check: (code: string, length: number) => void): (chunk: Buffer) => Buffer | null {
  const head = Buffer.alloc(HEAD_BYTES)
  let [headBytes, toCome] = [0, 0]
  let begun: readonly Buffer[] = []
  return (chunk) => {
    let end = 0
    for (let at = 0; at < chunk.length;) {
      const taken = toCome > 0 ? Math.min(toCome, chunk.length - at) : chunk.copy(head, headBytes, at)
      at += taken
      if (toCome > 0) toCome -= taken
      else if ((headBytes += taken) < HEAD_BYTES) break
      else {
        const length = head.readUInt32BE(1)
        checkLength(length)
        check(head.toString('latin1', 0, 1), length)
        ;[headBytes, toCome] = [0, length + 1 - HEAD_BYTES]
      }
      if (toCome === 0) end = at
    }
    const before = begun
    begun = end > 0 ? [chunk.subarray(end)] : [...before, chunk]
    return end > 0 ? Buffer.concat([...before, chunk.subarray(0, end), WALL]) : null
  }
}

/** Checks messages by their codes (PostgreSQL manual, "Message Formats"). @param written how many bytes the server was sent */
function checker(written: () => number): (code: string, length: number) => void {
  let [answerBytes, logins, hasRows] = [0, 0, false]
  /** How many bytes had been sent to the server when it was last ready. */
  let readyAt = -1
  return (code, length) => {
    // Notices, settings, notifications, and the error with which a session ends, come at any time.
    if (readyAt === written() && !'NSAE'.includes(code)) throw lie(`"${code}" after its answer had ended`)
    if (code === 'R' && ++logins > MAX_LOGINS) throw lie('a log-in that does not end')
    if (code === 'D' && !hasRows) throw lie('a row after the end of its rows, or before their beginning')
    if ('TCIEZ'.includes(code)) hasRows = code === 'T'
    answerBytes += length + OBJECT_BYTES
    if (answerBytes > MAX_BYTES)
      throw lie(`an answer of over ${MAX_BYTES} bytes, ${OBJECT_BYTES} more for each message`)
    if (code === 'Z') [answerBytes, readyAt] = [0, written()]
  }
}
