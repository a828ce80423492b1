import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FileReading } from '../../../src/release/verify/file-reading.ts'

const TEXT = Buffer.from('0123456789')
const FILE = { path: 'public/stats.json', bytes: 10, sha256: createHash('sha256').update(TEXT).digest('hex') }

/** A source that counts its pieces. */
class Source {
  given = 0
  readonly pieces: AsyncIterable<Buffer>

  constructor(piece: Buffer, most: number, onPiece: () => void = () => {}) {
    this.pieces = this.#give(piece, most, onPiece)
  }

  async *#give(piece: Buffer, most: number, onPiece: () => void): AsyncGenerator<Buffer> {
    while (this.given < most) {
      this.given += 1
      onPiece()
      yield piece
    }
  }
}

describe('reading a file', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => void vi.useRealTimers())

  it('finds nothing wrong with the bytes of the manifest', async () => {
    expect(await new FileReading(FILE, new Source(TEXT, 1).pieces).faults()).toEqual([])
  })

  it('stops at the first piece that is too much', async () => {
    const endless = new Source(TEXT, Infinity)
    const faults = await new FileReading(FILE, endless.pieces).faults()
    expect(faults[0]).toBe('public/stats.json: 20 bytes, the manifest says 10')
    expect(endless.given).toBe(2)
  })

  it('gives up a source that drips, however regularly', async () => {
    const file = { ...FILE, bytes: 1_000_000 }
    const dripping = new Source(Buffer.from('x'), Infinity, () => vi.advanceTimersByTime(1_000))
    await expect(new FileReading(file, dripping.pieces).faults()).rejects.toMatchObject({
      code: 'unreadable',
      message: 'public/stats.json: 92 of 1000000 bytes came in 92 s; try again later',
    })
  })

  it('does not count the time between two reads', async () => {
    const reading = new FileReading(FILE, new Source(Buffer.from('01'), 5).pieces)
    for (let piece = await reading.next(); piece !== null; piece = await reading.next()) vi.advanceTimersByTime(100_000)
    expect(reading.failure).toBe(null)
  })

  it('takes an error with a code for an unreadable file, and throws any other one', async () => {
    const failing = (error: Error): FileReading =>
      new FileReading(
        FILE,
        new Source(TEXT, 1, () => {
          throw error
        }).pieces,
      )
    const reset = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
    await expect(failing(reset).faults()).rejects.toMatchObject({
      code: 'unreadable',
      message: 'public/stats.json was cut off: socket hang up',
    })
    await expect(failing(new TypeError('a bug')).faults()).rejects.toThrow(TypeError)
  })
})
