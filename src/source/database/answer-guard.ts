// Owns what a server may send, whatever it is: messages of a possible length, rows that were announced, nothing that was not asked
// for, and so many bytes of one answer. Knows no query.
import type { Duplex } from 'node:stream'
import type pg from 'pg'

/** At most: of a message, and of an answer that is kept whole. Rows that are counted come by COPY, which keeps none. */
export const MAX_MESSAGE_BYTES: number = 64 << 20
/** A message becomes an object, which takes more than the few bytes that the message may have. */
const OBJECT_BYTES = 256
/** A code, and the length of what follows with itself. */
const HEAD_BYTES = 5
/** A log-in has four at most; each may cost a tenth of a second of hashing. */
const MAX_LOGIN_MESSAGES = 8
/** Every code of an answer to a query, and of a log-in (PostgreSQL manual, "Message Formats"). What COPY sends does not come here. */
const CODES = new Set(Buffer.from('123ACDEIKNRSTZcnst'))
/** Notices, changed settings, notifications, and the error with which a session ends. */
const UNASKED = new Set(Buffer.from('NSAE'))
const [ROW, ROWS_BEGIN, LOGIN, READY] = Buffer.from('DTRZ') as unknown as readonly [number, number, number, number]
/**
 * Two empty texts, as of a setting that nobody reads. pg looks for the end of a text beyond the message where that has none, and where
 * nothing follows without end, deaf to all: five bytes are enough. Behind this it finds one.
 */
const WALL = Buffer.from('S\0\0\0\x06\0\0')
/** After each of them a row would belong to nothing. */
const ROWS_END = new Set(Buffer.from('CIEZ'))

/** What PostgreSQL never sends. @param what as in `the server sent …` */
export function lie(what: string, cause?: unknown): Error {
  return Object.assign(new Error(`the server sent ${what}`, { cause }), { code: 'EPROTO' })
}

/** @throws Error of `lie`: pg's own reader waits for ever for one that is too long, and never gets past one that is too short */
export function checkLength(bytes: number): void {
  if (bytes < HEAD_BYTES - 1 || bytes > MAX_MESSAGE_BYTES)
    throw lie(`a message of ${bytes >>> 0} bytes, allowed: ${HEAD_BYTES - 1} to ${MAX_MESSAGE_BYTES}`)
}

/**
 * From now on looks at all bytes before pg does; what is wrong, and what pg fails at, ends the connection with an error. To be
 * called before it connects.
 */
export function guardAnswers(connection: pg.Connection): void {
  // Called by pg once the bytes are those of messages: after the handshake of TLS.
  const guarded = connection as pg.Connection & { attachListeners: (stream: Duplex & { bytesWritten: number }) => void }
  const attach = guarded.attachListeners.bind(connection)
  guarded.attachListeners = (stream) => {
    attach(stream)
    const parse = stream.listeners('data')[0] as (chunk: Buffer) => void
    const answers = new Answers(() => stream.bytesWritten)
    stream.off('data', parse).on('data', (chunk: Buffer) => {
      try {
        const whole = answers.take(chunk)
        if (whole !== null) parse(whole)
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        stream.destroy(code === 'EPROTO' ? (error as Error) : lie(`what cannot be read (${message})`, error))
      }
    })
  }
}

class Answers {
  readonly #written: () => number
  readonly #head = Buffer.alloc(HEAD_BYTES)
  #headBytes = 0
  /** Of the message that has begun: what came, and how many bytes will. */
  #begun: readonly Buffer[] = []
  #toCome = 0
  #answerBytes = 0
  #logins = 0
  #hasRows = false
  /** Of these rows; null = not known. */
  #columns: number | null = null
  /** What had been written when the server was ready; null = it has not been yet. */
  #readyAt: number | null = null

  constructor(written: () => number) {
    this.#written = written
  }

  /** @returns the messages that end in it, and WALL; null = none does */
  take(chunk: Buffer): Buffer | null {
    let end = 0
    for (let at = 0; at < chunk.length;) {
      if (this.#toCome > 0) {
        const taken = Math.min(this.#toCome, chunk.length - at)
        this.#toCome -= taken
        at += taken
      } else {
        const taken = chunk.copy(this.#head, this.#headBytes, at)
        this.#headBytes += taken
        at += taken
        if (this.#headBytes < HEAD_BYTES) break
        this.#headBytes = 0
        const length = this.#head.readUInt32BE(1)
        checkLength(length)
        this.#begin(this.#head[0] ?? 0, length)
        // Where they are in the next chunk, which is rare, pg meets the wrong number itself, and says so less well.
        if (at + 2 <= chunk.length) this.#count(this.#head[0], chunk.readUInt16BE(at))
        this.#toCome = length + 1 - HEAD_BYTES
      }
      if (this.#toCome === 0) end = at
    }
    const before = this.#begun
    this.#begun = end > 0 ? [chunk.subarray(end)] : [...before, chunk]
    return end > 0 ? Buffer.concat([...before, chunk.subarray(0, end), WALL]) : null
  }

  #begin(code: number, length: number): void {
    if (!CODES.has(code)) throw lie(`a message of the unknown type ${shown(code)}`)
    if (this.#readyAt === this.#written() && !UNASKED.has(code))
      throw lie(`a message of type ${shown(code)} after its answer had ended`)
    if (code === LOGIN && ++this.#logins > MAX_LOGIN_MESSAGES) throw lie('a log-in that does not end')
    this.#answerBytes += length + OBJECT_BYTES
    if (this.#answerBytes > MAX_MESSAGE_BYTES)
      throw lie(`an answer without end: over ${MAX_MESSAGE_BYTES} bytes, ${OBJECT_BYTES} of them for each message`)
    if (code === ROW && !this.#hasRows) throw lie('a row after the end of its rows, or before their beginning')
    if (code === ROWS_BEGIN) [this.#hasRows, this.#columns] = [true, null]
    if (ROWS_END.has(code)) this.#hasRows = false
    if (code !== READY) return
    this.#answerBytes = 0
    this.#readyAt = this.#written()
  }

  #count(code: number | undefined, columns: number): void {
    if (code === ROWS_BEGIN) this.#columns = columns
    if (code === ROW && this.#columns !== null && columns !== this.#columns)
      throw lie(`a row of ${columns} columns where it announced ${this.#columns}`)
  }
}

function shown(code: number): string {
  return code > 32 && code < 127 ? `"${String.fromCodePoint(code)}"` : `0x${code.toString(16)}`
}
