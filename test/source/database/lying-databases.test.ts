// A database that lies, one row a lie: a build ends by its --deadline or sooner, or when SIGTERM comes, with little memory, and says
// what was wrong. With LIES=FILE a table is written there: `LIES=/tmp/lies npx vitest run test/source/database/lying-databases.test.ts`
// and, for another program, PROGRAM=…/bin/analytics-build.js.
// long test: starts the program for each lie
import { appendFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { beforeAll, describe, expect, it } from 'vitest'
import { createSmallPlatform } from '../../builder/small-platform.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { drip, flood, row, sent, toldTo } from '../../support/liar.ts'
import { int16, int32, message, startLyingDatabase, type DatabaseLie, type When } from '../../support/lying-database.ts'
import { describeWithPostgres } from '../../support/postgres.ts'

const DEADLINE_S = 20
const STOP_MS = 4000
/** A message of 64 MiB is there as bytes, as the text of these, and as the text of the error. */
const MOST_MEBIBYTES = 600
/** What a platform of so many rows would take: as many as come within the deadline. */
const MOST_OF_ROWS = 3000

const ROWS = 'rows of a COPY without end'
const CONNECTED = ''
/** The message that starts a session, with the name of the user. */
const LOGIN = /user\0/
/** The first of a read: its answer is one of a list. */
const QUERY = /BEGIN ISOLATION/
const COPY = /COPY \(/
/** The end of the request for TLS, which is a number. */
const TLS = /Ò.\/$/s

const sends =
  (...pieces: readonly Buffer[]): DatabaseLie =>
  (socket) =>
    void socket.write(Buffer.concat(pieces))
/** Many of it at a time, so that what is slow is the program. */
const endless =
  (piece: Buffer, ...before: readonly Buffer[]): DatabaseLie =>
  (socket: Socket) => {
    socket.write(Buffer.concat(before))
    return flood(
      socket,
      Buffer.concat(Array.from({ length: Math.max(1, Math.ceil(65_536 / piece.length)) }, () => piece)),
    )
  }

const READY = message('Z', 'T')
const DONE = message('C', 'SELECT 1\0')
const NOTICE = message('N', 'SNOTICE\0C00000\0Mso it is\0\0')
const described = (...names: readonly string[]): Buffer =>
  message(
    'T',
    Buffer.concat([
      int16(names.length),
      ...names.map((name) =>
        Buffer.concat([Buffer.from(`${name}\0`), int32(0), int16(0), int32(25), int16(0xffff), int32(-1), int16(0)]),
      ),
    ]),
  )
const values = (...all: readonly string[]): Buffer =>
  message('D', Buffer.concat([int16(all.length), ...all.flatMap((value) => [int32(value.length), Buffer.from(value)])]))
const error = (text: string): Buffer => message('E', `SERROR\0CXX000\0M${text}\0\0`)
const COPY_BEGINS = message('H', Buffer.concat([Buffer.from([1]), int16(1), int16(1)]))
const SIGNATURE = message('d', Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), int32(0), int32(0)]))
const END = message('d', int16(0xffff))
const copied = (...fields: readonly Buffer[]): Buffer =>
  message('d', Buffer.concat([int16(fields.length), ...fields.flatMap((field) => [int32(field.length), field])]))
const authentication = (kind: number, more = ''): Buffer =>
  message('R', Buffer.concat([int32(kind), Buffer.from(more, 'latin1')]))
/** The client has asked for SCRAM, and its nonce is in what it sent. */
const scram =
  (iterations: string, times = 1): DatabaseLie =>
  (socket) => {
    socket.write(authentication(10, 'SCRAM-SHA-256\0\0'))
    socket.once('data', (bytes) => {
      const nonce = /r=(.*)$/s.exec(bytes.toString('latin1'))?.[1] ?? ''
      const answer = authentication(11, `r=${nonce}more,s=AAAA,i=${iterations}`)
      for (let i = 0; i < times; i++) socket.write(answer)
    })
  }

/** Ideas without end, each another one. */
const ideas: DatabaseLie = async (socket) => {
  const time = Buffer.concat([int32(0x2f000), int32(0)])
  const one = copied(Buffer.alloc(8), time, time, Buffer.alloc(1), Buffer.alloc(8))
  const many = Array.from({ length: 5000 }, () => one)
  const [bytes, keyAt] = [Buffer.concat(many), 5 + 2 + 4]
  socket.write(Buffer.concat([COPY_BEGINS, SIGNATURE]))
  for (let id = 1; !socket.destroyed;) {
    const rows = Buffer.from(bytes)
    for (let at = keyAt; at < rows.length; at += one.length) rows.writeBigInt64BE(BigInt(id++), at)
    await sent(socket, rows)
  }
}

/** How it ends, and what it says; without `deadline` or `SIGTERM` it must end by itself. */
type Lie = readonly [what: string, when: When, lie: DatabaseLie, says: RegExp, ends?: 'deadline' | 'SIGTERM']
const OVER = /^the build took longer than --deadline 20s/

const LIES: readonly Lie[] = [
  ['an error without a text (five bytes in all)', QUERY, (socket) => void socket.end(message('E')), /mapping native/],
  ['an error without a text, and silence', QUERY, sends(message('E')), OVER, 'deadline'],
  ['an error without a text, and SIGTERM', QUERY, sends(message('E')), /^terminated/, 'SIGTERM'],
  [
    'an error without a text in a COPY',
    COPY,
    (socket) => void socket.end(Buffer.concat([COPY_BEGINS, SIGNATURE, message('E')])),
    /section ideas: error/,
  ],
  ['an error without a text to who connects', CONNECTED, sends(message('E')), /cannot connect to/],
  ['an error whose text does not end', QUERY, (socket) => void socket.end(message('E', 'Mso')), /mapping native/],
  ['an end without a text', QUERY, (socket) => void socket.end(message('C')), /mapping native/],
  ['a setting without a text', QUERY, (socket) => void socket.end(message('S')), /mapping native/],
  ['a notification without a text', QUERY, (socket) => void socket.end(message('A', int32(1))), /mapping native/],
  ['65,535 columns in 2 bytes', QUERY, sends(message('T', int16(65_535))), /the server sent what cannot be read/],
  [
    'a row of 65,535 columns in 2 bytes',
    QUERY,
    sends(described('a'), message('D', int16(65_535))),
    /the server sent what cannot be read/,
  ],
  ['ways to log in without end', LOGIN, sends(authentication(10, 'SCRAM-SHA-256')), /cannot connect to/],
  [
    'a message of 0 bytes',
    QUERY,
    sends(message('Z', '', 0)),
    /a message of 0 bytes, allowed: 4 to 67108864; it does not speak as PostgreSQL/,
  ],
  ['the same, and SIGTERM', QUERY, sends(message('Z', '', 0)), /a message of 0 bytes|terminated/],
  ['a message of 3 bytes at the log-in', LOGIN, sends(message('R', '', 3)), /cannot connect to .*a message of 3 bytes/],
  ['a message of 0 bytes in a COPY', COPY, sends(COPY_BEGINS, message('d', '', 0)), /a message of 0 bytes/],
  [
    'a message of 4 GB',
    QUERY,
    endless(Buffer.alloc(1 << 20, 'x'), message('T', '', 0xffffffff)),
    /a message of 4294967295 bytes/,
  ],
  [
    'a row of 1 GB',
    QUERY,
    endless(Buffer.alloc(1 << 20, 'x'), described('a'), message('D', '', 1 << 30)),
    /a message of 1073741824 bytes/,
  ],
  [
    'a row of 1 GB in a COPY',
    COPY,
    endless(Buffer.alloc(1 << 20, 'x'), COPY_BEGINS, SIGNATURE, message('d', '', 1 << 30)),
    /a message of 1073741824 bytes/,
  ],
  [
    'a row of 60 MB that drips in a COPY',
    COPY,
    async (socket) => {
      socket.write(Buffer.concat([COPY_BEGINS, SIGNATURE, message('d', '', 60 << 20)]))
      await drip(socket)
    },
    OVER,
    'deadline',
  ],
  [
    'a row of 60 MB that drips, and SIGTERM',
    COPY,
    async (socket) => {
      socket.write(Buffer.concat([COPY_BEGINS, SIGNATURE, message('d', '', 60 << 20)]))
      await drip(socket)
    },
    /^terminated/,
    'SIGTERM',
  ],
  ['rows without end', QUERY, endless(values('one'), described('a')), /an answer of over 67108864 bytes/],
  ['rows of nothing without end', QUERY, endless(values(), described()), /an answer of over/],
  ['a row after the end', QUERY, sends(described('a'), DONE, values('one'), READY), /a row after the end of its rows/],
  [
    'a row that nobody asked for',
    QUERY,
    sends(values('one'), DONE, READY),
    /a row after the end of its rows, or before/,
  ],
  [
    'a row when its answer has ended',
    QUERY,
    sends(DONE, READY, described('a'), values('one'), DONE, READY),
    /"T" after its answer had ended/,
  ],
  [
    'more columns than described',
    QUERY,
    (socket) => void socket.end(Buffer.concat([described('a'), values('1', '2', '3'), DONE, READY])),
    /Cannot read properties/,
  ],
  [
    'rows after the end of a COPY',
    COPY,
    sends(COPY_BEGINS, SIGNATURE, END, copied(int32(1)), message('c'), DONE, READY),
    /a row after the end of its rows/,
  ],
  [
    'more fields than asked for in a COPY',
    COPY,
    sends(COPY_BEGINS, SIGNATURE, copied(...Array.from({ length: 50 }, () => int32(1)))),
    /a row of 50 fields, not/,
  ],
  [
    'a field of -7 bytes in a COPY',
    COPY,
    sends(COPY_BEGINS, SIGNATURE, message('d', Buffer.concat([int16(1), int32(-7)]))),
    /a row of 1 fields|a field of -7 bytes/,
  ],
  ['CopyData of no bytes without end', COPY, endless(message('d'), COPY_BEGINS), /the server sent/],
  [
    'CopyData of no bytes after the rows, without end',
    COPY,
    endless(message('d'), COPY_BEGINS, SIGNATURE, END),
    /a row after the end of its rows/,
  ],
  [
    'the end of a COPY without its end',
    COPY,
    sends(COPY_BEGINS, SIGNATURE, message('c'), DONE, READY),
    /ended a COPY in the middle/,
  ],
  [
    'ready in the middle of a COPY',
    COPY,
    sends(COPY_BEGINS, SIGNATURE, DONE, READY),
    /something else in the middle of a COPY/,
  ],
  [
    'something else at the end of a COPY',
    COPY,
    sends(COPY_BEGINS, SIGNATURE, END, message('c'), described('a'), values('one')),
    /the server sent what cannot be read/,
  ],
  // Each row is counted, and takes what one takes: no more is known of how many there may be.
  [ROWS, COPY, ideas, OVER, 'deadline'],
  ['a COPY without a row, for ever', COPY, sends(COPY_BEGINS, SIGNATURE), OVER, 'deadline'],
  ['notices without end', QUERY, endless(NOTICE), /an answer of over/],
  ['notices without end in a COPY', COPY, endless(NOTICE, COPY_BEGINS), OVER, 'deadline'],
  ['notices without end in a COPY, and SIGTERM', COPY, endless(NOTICE, COPY_BEGINS), /^terminated/, 'SIGTERM'],
  ['settings without end', LOGIN, endless(message('S', 'name\0value\0'), authentication(0)), /an answer of over/],
  ['ready, without end', QUERY, endless(READY), /"Z" after its answer had ended/],
  [
    'a message of an unknown type',
    QUERY,
    (socket) => void socket.end(message('y', 'what')),
    /received invalid response: 79/,
  ],
  ['NULs without end', QUERY, endless(Buffer.alloc(65_536)), /a message of 0 bytes/],
  [
    'NULs without end to who connects',
    CONNECTED,
    endless(Buffer.alloc(65_536)),
    /cannot connect to .*a message of 0 bytes/,
  ],
  [
    'HTTP to who connects',
    CONNECTED,
    sends(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')),
    /cannot connect to .*a message of 1414811695 bytes/,
  ],
  [
    'garbage where TLS begins',
    TLS,
    sends(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')),
    /cannot connect to .*error establishing an SSL connection/,
  ],
  ['a log-in that asks again and again', LOGIN, endless(authentication(3)), /a log-in that does not end/],
  ['a billion rounds of hashing', LOGIN, scram('1000000000'), /iteration count 1000000000 exceeds/],
  ['100,000 rounds of hashing, a thousand times', LOGIN, scram('100000', 1000), /a log-in that does not end/],
  [
    'a log-in that nobody knows',
    LOGIN,
    sends(authentication(99)),
    /cannot be read \(Unknown authenticationOk message type 99/,
  ],
  ['an error of 60 MB', QUERY, sends(error('x'.repeat(60 << 20)), READY), /^mapping native: x{1000}; /],
  ['errors without end', QUERY, endless(error('so')), /an answer of over|: so; the server met an error/],
  [
    'an error of 60 MB to who connects',
    CONNECTED,
    sends(error('x'.repeat(60 << 20))),
    /^cannot connect to .*: x{1000}; /,
  ],
  ['silence after a query', QUERY, () => {}, OVER, 'deadline'],
]

describeWithPostgres('a database that lies', (postgres) => {
  let real: URL
  const limit = pLimit(2)
  beforeAll(async () => {
    real = new URL(await createSmallPlatform(postgres(), 'lying_databases'))
  })

  describe.concurrent('says or gives', () => {
    it.for(LIES)('%s', { timeout: 600_000 }, async ([what, when, lie, says, ends], { onTestFinished: finished }) => {
      await limit(async () => {
        const { port, stop } = await startLyingDatabase(Number(real.port), when, lie)
        finished(stop)
        const url = new URL(real)
        url.port = String(port)
        url.host = `127.0.0.1:${port}`
        url.password = 'a-password'
        if (when === TLS) url.searchParams.set('sslmode', 'require')
        const deadline = ends === 'SIGTERM' ? '1h' : `${DEADLINE_S}s`
        const args = ['build', '--no-site', '--snapshots', join(temporaryFolder(finished), 'snapshots')]
        const told = await toldTo(
          [...args, '--deadline', deadline],
          { DATABASE_URL: String(url) },
          ends === 'SIGTERM' ? STOP_MS : null,
        )
        const { LIES: table } = process.env
        if (table !== undefined) appendFileSync(table, `${row(what, told)}\n`)
        expect(told).toMatchObject({ code: ends === 'SIGTERM' ? 143 : 3, message: expect.stringMatching(says) })
        expect(told.seconds).toBeLessThan(ends === 'SIGTERM' ? STOP_MS / 1000 + 6 : DEADLINE_S + 10)
        expect(told.mebibytes).toBeLessThan(what === ROWS ? MOST_OF_ROWS : MOST_MEBIBYTES)
      })
    })
  })
})
