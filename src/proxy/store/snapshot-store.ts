// Owns what the proxy asks of wherever releases are kept. Knows neither folders nor origins: types only.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { Failure } from '../../contract/problems.ts'
import type { Coding, FileBytes, Manifest, ReleaseError } from '../../release/reading/open.ts'

/** A manifest of a release that need not be current, as it was read. */
export interface StoredManifest {
  readonly manifest: Manifest
  /** Of its text. */
  readonly bytes: number
  /** Bytes of its compressed siblings, where those can be read. */
  readonly siblings?: Readonly<Record<Coding, number | null>>
  /** Says whether it is still the same; undefined = nothing does. */
  readonly tag: string | undefined
}

export interface SnapshotStore {
  /** Whether the compressed siblings of a snapshot can be read, too. */
  readonly siblings: boolean
  /** When current() is worth asking again, from its last answer on. */
  readonly lookAgainMs: number
  /** How long a manifest of manifest(id) is believed before it is asked for again. */
  readonly believedMs: number
  /** The current manifest, null when nothing is published; the same object while nothing changed. */
  current(): Promise<Manifest | null>
  /** Whether there may be such a release. Made-up ids cost nothing, however many they are. @throws ReleaseError */
  mayHave(id: string): boolean | Promise<boolean>
  /**
   * The manifest of a release, whether current or not. Reads few at a time.
   * @param known what it was before; it comes back as it is unless it changed
   * @throws ReleaseError `absent` = there is no such release
   */
  manifest(id: string, known: StoredManifest | null): Promise<StoredManifest>
  /** A whole snapshot, its bytes checked against the manifest. @throws ReleaseError */
  read(id: string, file: FileBytes): Promise<Buffer>
  /** A snapshot, or the manifest, as a stream of exactly `file.bytes` bytes, for what is too large to keep. @throws ReleaseError */
  stream(id: string, file: FileLength, exchange: Exchange): Promise<Readable>
  close(): Promise<void>
}

/** The client's own, for a store that passes an origin's answer on as a proxy does: it ends when the client leaves. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

export type FileLength = Pick<FileBytes, 'path' | 'bytes'>

/** What the public is told of a snapshot that could not be had. */
export function failureOf({ code }: ReleaseError): Failure {
  return code === 'unreadable' ? 'unreadable' : 'damaged'
}
