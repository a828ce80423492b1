// Owns the prepared bodies of the API: read and coded once per release and variant, kept within a size. Knows no HTTP.
import { documentText, STAMP_TAIL_BYTES } from '../../contract/document-text.ts'
import type { AnswerPart } from '../../contract/kinds/kind.ts'
import { encode, MIN_CODED_BYTES, type Coding } from '../../release/format/coding.ts'
import { siblingOf, type ManifestFile } from '../../release/format/manifest.ts'
import { ReleaseError } from '../../release/format/release-error.ts'
import { CODING_QUALITY, fixedBody, type PreparedBody } from '../answer/prepared-body.ts'
import { stamping } from '../answer/timestamp-splice.ts'
import { keptWork } from './kept-work.ts'
import type { SnapshotStore } from './snapshot-store.ts'

/** A snapshot that is answered as it is gets prepared up to this size; larger ones are streamed. */
export const PREPARED_BYTES: number = 1 << 20

/** An answer that is taken out of a snapshot that holds more, or that stands in for it. */
export type Excerpt = Required<AnswerPart>

/** A snapshot of a release, or an excerpt of it. */
export type Variant = Readonly<ReturnType<typeof variantOf>>

/** @param excerpt null = the snapshot as it is */
export function variantOf(id: string, file: ManifestFile, excerpt: Excerpt | null) {
  const key = `${id} ${file.path} ${excerpt?.key ?? ''}`
  // The keys by coding are made once, because making a key for each request costs more than the look-up.
  return { id, file, excerpt, keys: { identity: key, gzip: `${key} gzip`, br: `${key} br` } }
}

/** @param maxBytes of prepared bodies */
export function preparedBodies(store: SnapshotStore, maxBytes: number) {
  const kept = keptWork<PreparedBody>(maxBytes, ({ bytes }) => bytes)
  const stamped = stamping()
  let [hits, misses] = [0, 0]

  async function make({ id, file, excerpt }: Variant, coding: Coding | null): Promise<PreparedBody> {
    const isCsv = file.path.endsWith('.csv')
    const sibling = coding === null || excerpt !== null || !store.siblings ? null : siblingOf(file, coding)
    const bodyOf = (body: Buffer, inCoding: Coding | null): PreparedBody =>
      isCsv ? fixedBody(alone(body), inCoding) : stamped(alone(body), inCoding)
    if (sibling !== null) return bodyOf(await store.read(id, sibling), coding)
    const bytes = await store.read(id, file)
    const text = excerpt === null ? bytes : excerptText(bytes, excerpt)
    if (coding === null || text.length < MIN_CODED_BYTES) return bodyOf(text, null)
    return bodyOf(await encode(text, isCsv ? 0 : STAMP_TAIL_BYTES, coding, CODING_QUALITY[coding]), coding)
  }

  return {
    /** A miss reads the snapshot, or waits for another request that reads it. `bytes` is never more than `maxBytes`. */
    get cache() {
      return { hits, misses, bytes: kept.bytes, maxBytes }
    },

    /**
     * @param coding what the client would like best; a body that is too small stays as it is
     * @throws ReleaseError when the snapshot is missing or damaged
     */
    get(variant: Variant, coding: Coding | null): PreparedBody | Promise<PreparedBody> {
      const key = variant.keys[coding ?? 'identity']
      const known = kept.get(key)
      if (known === undefined) misses += 1
      else hits += 1
      return known ?? kept.do(key, () => make(variant, coding))
    },
  }
}

/**
 * Node cuts small Buffers out of shared blocks (Buffer.poolSize, 8 KiB or more), which stay for as long as any piece
 * does: measured, a cache full of bodies below 1 KB took 2.4 times what it counted, with their own memory 0.8 times.
 */
function alone(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}

/** @throws ReleaseError when the snapshot does not have it */
export function excerptText(snapshot: Buffer, excerpt: Excerpt): Buffer {
  const whole = JSON.parse(snapshot.toString('utf8')) as { generatedAt: string; version: string }
  const { generatedAt, version: _, ...document } = whole
  const part = excerpt.from(document)
  if (typeof part === 'string') throw new ReleaseError('damaged', part)
  return Buffer.from(documentText(part, generatedAt), 'utf8')
}
