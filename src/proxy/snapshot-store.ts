// Owns what the proxy asks of wherever releases are kept. Knows neither folders nor origins: types only.
import type { Readable } from 'node:stream'
import type { FileBytes, Manifest } from '../release/open.ts'

export interface SnapshotStore {
  /** Whether the compressed siblings of a snapshot can be read, too. */
  readonly siblings: boolean
  /** The current manifest, null when nothing is published; the same object while nothing changed. */
  current(): Promise<Manifest | null>
  /** The manifest of a release, whether current or not. @throws ReleaseError */
  manifest(id: string): Promise<Manifest>
  /** A whole snapshot, its bytes checked against the manifest. @throws ReleaseError */
  read(id: string, file: FileBytes): Promise<Buffer>
  /** A snapshot as a stream of exactly `file.bytes` bytes, for what is too large to hold. @throws ReleaseError */
  stream(id: string, file: FileBytes): Promise<Readable>
  close(): Promise<void>
}
