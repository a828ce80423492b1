// Owns taking bytes of a file that comes in pieces, as many as are wanted. Knows no content.

export class Pieces {
  taken = 0
  readonly #next: () => Promise<Buffer | null>
  #left: Buffer = Buffer.alloc(0)

  /** @param next the next piece of the file; null = its end */
  constructor(next: () => Promise<Buffer | null>) {
    this.#next = next
  }

  /** Fewer at the end. */
  async *upTo(bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0;) {
      if (this.#left.length === 0) this.#left = (await this.#next()) ?? this.#left
      if (this.#left.length === 0) return
      const piece = this.#left.subarray(0, left)
      this.#left = this.#left.subarray(piece.length)
      this.taken += piece.length
      left -= piece.length
      yield piece
    }
  }

  async take(bytes: number): Promise<Buffer> {
    const pieces: Buffer[] = []
    for await (const piece of this.upTo(bytes)) pieces.push(piece)
    return Buffer.concat(pieces)
  }

  putBack(bytes: Buffer): void {
    this.#left = Buffer.concat([bytes, this.#left])
    this.taken -= bytes.length
  }
}
