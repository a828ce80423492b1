// Owns what the proxy adds to a reader of releases: when to look again, how long to believe. Asks nobody.
import type { Readable } from 'node:stream'
import type { Failure } from '../../contract/problems.ts'
import type { Manifest } from '../../release/format/manifest.ts'
import type { ReleaseError } from '../../release/format/release-error.ts'
import type { FileLength, ReleaseReader } from '../../release/reading/release-reader.ts'
import type { Exchange } from '../answer/answer.ts'

export interface SnapshotStore extends Pick<
  ReleaseReader,
  'siblings' | 'manifest' | 'read' | 'part' | 'log' | 'close'
> {
  /** How long after its last answer current() is worth asking again. */
  readonly lookAgainMs: number
  /** How long a manifest of manifest(id) is believed before it is asked for again. */
  readonly believedMs: number
  /** The current manifest, null when nothing is published; the same object while nothing changed. */
  current(): Promise<Manifest | null>
  /** The stream of the reader, for this client: it ends when the client leaves. @throws ReleaseError */
  stream(id: string, file: FileLength, exchange: Exchange): Promise<Readable>
}

/** What the public is told about a snapshot that could not be read. */
export function failureOf({ code }: ReleaseError): Failure {
  return code === 'unreadable' ? 'unreadable' : 'damaged'
}
