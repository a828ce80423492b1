// Owns a text that stays as it is, in every coding: each made once, when it is first asked for. Knows no request.
import { createHash } from 'node:crypto'
import { encode, type Coding } from '../../release/format/coding.ts'
import { fixedBody, type PreparedBody } from './prepared-body.ts'

/**
 * Fast: a variant is coded once per release, off the main thread. Measured on trending, limit 20 (8 KiB): gzip 4 takes
 * 0.2 ms for 1.9 KiB, gzip 6 0.3 ms for 1.8; br 4 0.3 ms for 1.7.
 */
export const CODING_QUALITY: Readonly<Record<Coding, number>> = { gzip: 4, br: 4 }

export interface CodedBody {
  readonly body: PreparedBody
  /** Of its bytes, for a strong ETag: they differ from one zlib to another. */
  readonly hash: string
}

/** A text in a coding; null = in none. */
export type CodedText = (coding: Coding | null) => Promise<CodedBody>

export function codedText(text: string): CodedText {
  const plain = Buffer.from(text, 'utf8')
  const known = new Map<Coding | null, Promise<CodedBody>>()
  const make = async (coding: Coding | null): Promise<CodedBody> => {
    try {
      const bytes = coding === null ? plain : await encode(plain, 0, coding, CODING_QUALITY[coding])
      return { body: fixedBody(bytes, coding), hash: createHash('sha256').update(bytes).digest('hex') }
    } catch (error) {
      known.delete(coding)
      throw error
    }
  }
  return (coding) => {
    const made = known.get(coding) ?? make(coding)
    known.set(coding, made)
    return made
  }
}
