// Owns taking an answer out of a snapshot that holds more, or of one that stands in for it. Reads no file; knows no HTTP.
import { documentText } from '../../contract/document-text.ts'
import type { Part } from '../../contract/kinds/kind.ts'
import { ReleaseError } from '../../release/format/release-error.ts'

export type Excerpt = Required<Part>

/** @throws ReleaseError when the snapshot does not have it */
export function excerptText(snapshot: Buffer, excerpt: Excerpt): Buffer {
  const whole = JSON.parse(snapshot.toString('utf8')) as { generatedAt: string; version: string }
  const { generatedAt, version: _, ...document } = whole
  const part = excerpt.from(document)
  if (typeof part === 'string') throw new ReleaseError('damaged', part)
  return Buffer.from(documentText(part, generatedAt), 'utf8')
}
