// What is let through to pg, however its bytes are cut. What becomes of lies: lying-databases.test.ts.
import { PassThrough } from 'node:stream'
import type pg from 'pg'
import { describe, expect, test } from 'vitest'
import { guardAnswers } from '../../../src/source/database/answer-guard.ts'

function message(code: string, body = ''): Buffer {
  const head = Buffer.from(`${code}\0\0\0\0`, 'latin1')
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, Buffer.from(body, 'latin1')])
}

/** A setting without name and value, which pg passes over. */
const WALL = message('S', '\0\0')
const LOGIN = [message('R', '\0\0\0\0'), message('K', '12345678'), message('Z', 'I')]
const ANSWER = [
  message('T', '\0\x01a'),
  message('D', '\0\x01\0\0\0\x01x'),
  message('C', 'SELECT 1\0'),
  message('Z', 'I'),
]

/** What pg gets of these pieces, a query being asked before each of them that is a string; or why the connection ends. */
function passed(pieces: readonly (Buffer | 'asked')[]): Buffer | string {
  const got: Buffer[] = []
  let failed: Error | undefined
  const stream = Object.assign(new PassThrough(), { bytesWritten: 1 })
  stream.destroy = (error) => {
    failed = error
    return stream
  }
  const attachListeners = (to: PassThrough): void => void to.on('data', (chunk: Buffer) => got.push(chunk))
  const connection = { attachListeners }
  guardAnswers(connection as unknown as pg.Connection)
  connection.attachListeners(stream)
  for (const piece of pieces) {
    if (piece === 'asked') stream.bytesWritten += 1
    else if (failed === undefined) stream.emit('data', piece)
  }
  return failed?.message ?? Buffer.concat(got)
}

const without = (wall: Buffer, bytes: Buffer | string): string =>
  bytes.toString('latin1').replaceAll(wall.toString('latin1'), '')

describe('a log-in and an answer', () => {
  const whole = Buffer.concat([...LOGIN, ...ANSWER])
  const login = Buffer.concat(LOGIN)

  test('pass whole, wherever they are cut, and each piece ends with a message that nobody reads', () => {
    const answer = Buffer.concat(ANSWER)
    for (let at = 0; at <= answer.length; at++) {
      const got = passed([login, 'asked', answer.subarray(0, at), answer.subarray(at)]) as Buffer
      expect(without(WALL, got)).toBe(whole.toString('latin1'))
      expect(got.subarray(-WALL.length)).toEqual(WALL)
    }
  })

  test('pass byte by byte', () => {
    const bytes = Array.from(Buffer.concat(ANSWER), (byte) => Buffer.from([byte]))
    expect(without(WALL, passed([login, 'asked', ...bytes]))).toBe(whole.toString('latin1'))
  })

  test('are followed by nothing but notices, settings, notifications and an error', () => {
    const unasked = ['N', 'S', 'A', 'E'].map((code) => message(code, '\0\0'))
    expect(passed([login, ...unasked])).toBeInstanceOf(Buffer)
    expect(passed([login, ...unasked, ...ANSWER])).toBe('the server sent "T" after its answer had ended')
  })

  test('have rows between their description and their end', () => {
    const [description, row, end, ready] = ANSWER as [Buffer, Buffer, Buffer, Buffer]
    const lie = 'the server sent a row after the end of its rows, or before their beginning'
    expect(passed([login, 'asked', row])).toBe(lie)
    expect(passed([login, 'asked', description, row, end, row])).toBe(lie)
    expect(passed([login, 'asked', description, row, end, description, row, end, ready])).toBeInstanceOf(Buffer)
  })

  test('have no more bytes than are kept, each query anew', () => {
    const [description, , end, ready] = ANSWER as [Buffer, Buffer, Buffer, Buffer]
    const large = message('D', 'x'.repeat(33 << 20))
    const query = ['asked', description, large, end, ready] as const
    expect(passed([login, ...query, ...query])).toBeInstanceOf(Buffer)
    expect(passed([login, 'asked', description, large, large])).toBe(
      'the server sent an answer of over 67108864 bytes, 256 more for each message',
    )
  })
})
