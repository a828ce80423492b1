// Owns what reading releases is, wherever they are kept: the one interface of the folder reader and the address reader.
// Types only, and the check that both make.
import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Coding } from '../format/coding.ts'
import type { FileBytes, Manifest, ManifestFile } from '../format/manifest.ts'
import { ReleaseError } from '../format/release-error.ts'

/** Bytes of its compressed siblings, where those can be read, with '' as their hash, which no list has. */
export interface StoredManifest extends Pick<ManifestFile, Coding> {
  readonly manifest: Manifest
  /** The length of its text. */
  readonly bytes: number
  /** Changes when the file changes; undefined = unknown. */
  readonly tag: string | undefined
  /** The headers of the answer that say how long it is good for. */
  readonly cached?: { readonly cacheControl: string | undefined; readonly age: string | undefined }
}

export type FileLength = Pick<FileBytes, 'path' | 'bytes'>

/** The first and the last byte of a part, counted from 0. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/** A release is named by its id; a rejected candidate by its folder. */
export interface ReleaseReader {
  /** Whether the compressed siblings of a file can be read: a server may compress as it likes. */
  readonly siblings: boolean
  /**
   * The manifest of the current release.
   * @param known the last answer; it comes back unless it changed
   * @throws ReleaseError `absent` = nothing is published
   */
  current(known: StoredManifest | null): Promise<StoredManifest>
  /**
   * The manifest of a release, whether current or not. Reads few at a time.
   * @param known the last answer; it comes back unless it changed
   * @throws ReleaseError `absent` = there is no such release
   */
  manifest(name: string, known: StoredManifest | null): Promise<StoredManifest>
  /** A whole file, its bytes checked against the manifest. @throws ReleaseError */
  read(name: string, file: FileBytes): Promise<Buffer>
  /** A file as a stream of exactly `file.bytes` bytes, for what is too large to keep. @throws ReleaseError */
  stream(name: string, file: FileLength): Promise<Readable>
  /** Some bytes of a file, as a stream. Null = its server gives whole files only. @throws ReleaseError */
  part(name: string, file: FileLength, range: ByteRange): Promise<Readable | null>
  /** The log of days, beside the releases. @throws ReleaseError `absent` = there is none */
  log(): Promise<string>
  /** Describes the manifest as a file, with '' as the hash of its siblings. Only readers of folders can. */
  manifestFile?(name: string): Promise<ManifestFile>
  /** Every file that is there, relative to the release. Only readers of folders can tell. */
  paths?(name: string): Promise<readonly string[]>
  close(): Promise<void>
}

export interface FoundRelease {
  readonly reader: ReleaseReader
  readonly name: string
  readonly manifest: Manifest
}

/** @throws ReleaseError (damaged) */
export function checkBytes(bytes: Buffer, file: FileBytes): void {
  const sha256 = hash('sha256', bytes)
  if (sha256 !== file.sha256)
    throw new ReleaseError('damaged', `${file.path} has sha256 ${sha256}, the manifest says ${file.sha256}`)
}
