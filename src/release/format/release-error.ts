// Owns the one error of working with releases: what was done, to which path, and why it failed.
import { constants } from 'node:os'
import { ownerText } from './owner.ts'

/**
 * `write` = the folder could not be written, or must not be published; `publish` = a bucket could not be written, and the folder is all
 * right; `damaged` = a manifest or snapshot is missing or not what it should be; `absent` = there is no such release; `unreadable` = it
 * could not be read, so that nothing is known of it.
 */
type ReleaseErrorCode = 'write' | 'publish' | 'damaged' | 'absent' | 'unreadable'

export class ReleaseError extends Error {
  override readonly name = 'ReleaseError'
  readonly code: ReleaseErrorCode

  constructor(code: ReleaseErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** For a catch(): what is made of a ReleaseError, of any code or of one of these. Any other error is thrown again. */
export function onReleaseError<T>(make: (error: ReleaseError) => T, ...codes: ReleaseErrorCode[]) {
  return (error: unknown): T => {
    if (error instanceof ReleaseError && (codes.length === 0 || codes.includes(error.code))) return make(error)
    throw error
  }
}

/** For a catch(): null = there is no such release, or no log. */
export const nullIfAbsent: (error: unknown) => null = onReleaseError(() => null, 'absent')

/** What a message advises where there is no room. */
export const FREE_SPACE = 'free space, or lower --keep'

const NEXT: Readonly<Record<string, string>> = {
  ENOSPC: `the disk is full; ${FREE_SPACE}`,
  EDQUOT: `the disk quota is used up; ${FREE_SPACE}`,
  EROFS: 'the file system is read-only; give --snapshots another folder',
  EACCES: 'permission denied; let this user write there, or give --snapshots another folder',
  EPERM: 'not permitted; let this user write there, or give --snapshots another folder',
  EMFILE: 'too many open files; raise ulimit -n',
  EIO: 'the disk reports an error; check it',
  ENOTDIR: 'a part of the path is not a folder; give --snapshots a folder',
  EEXIST: 'it is there already, and is not a folder; give --snapshots a folder',
}

const NEXT_OF_READING: Readonly<Record<string, string>> = {
  ...NEXT,
  EACCES: 'permission denied; let this user read it',
  EPERM: 'not permitted; let this user read it',
  ENFILE: 'too many open files on this machine; raise fs.file-max',
  ENOMEM: 'not enough memory; free some, then try again',
  ESTALE: 'the file server no longer knows it; try again, or mount it anew',
  ETIMEDOUT: 'the file server does not answer; try again when it does',
}

type Failure = (doing: string, path: string, error: unknown) => ReleaseError
type Guard = <T>(doing: string, path: string, step: () => Promise<T>) => Promise<T>

function failing(as: ReleaseErrorCode, nexts: Readonly<Record<string, string>>): Failure {
  return (doing, path, error) => {
    if (error instanceof ReleaseError) return error
    const { code: named = '', errno, message } = error as NodeJS.ErrnoException
    // The one error of a disk that Node has no name for.
    const code = errno === -constants.errno.EDQUOT ? 'EDQUOT' : named
    const next = nexts[code]
    const whose = code === 'EACCES' || code === 'EPERM' ? ownerText(path, as === 'write') : ''
    const why = next === undefined ? message : `${code}, ${next}${whose}`
    return new ReleaseError(as, `cannot ${doing} ${path}: ${why}`, error)
  }
}

function guarded(failure: Failure): Guard {
  return async (doing, path, step) => {
    try {
      return await step()
    } catch (error) {
      throw failure(doing, path, error)
    }
  }
}

/** Makes the error that `onDisk` throws, for a step that is no promise. */
export const diskError: Failure = failing('write', NEXT)

/** Runs one step on the file system; a failure becomes a sentence with the path, the cause and what to do. */
export const onDisk: Guard = guarded(diskError)

/**
 * Runs one step that reads what others rely on. Whatever the error: a file that could not be read is known neither to be
 * damaged nor to be absent.
 */
export const reading: Guard = guarded(failing('unreadable', NEXT_OF_READING))

/** Reads a file that a release must have: where there is no such file, the release is damaged. Otherwise as `reading`. */
export async function readingOfRelease<T>(doing: string, path: string, step: () => Promise<T>): Promise<T> {
  return reading(doing, path, () =>
    step().catch((error: NodeJS.ErrnoException) => {
      if (!NO_SUCH_FILE.has(error.code ?? '')) throw error
      throw new ReleaseError('damaged', `cannot ${doing} ${path}: ${error.message}`, error)
    }),
  )
}

/** Codes that say that nothing is there, or no file. */
const NO_SUCH_FILE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENXIO', 'ENODEV'])

/** For a catch(): the value where the system says one of these codes. */
export function onCode<T>(value: T, ...codes: readonly string[]): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (codes.includes(error.code ?? '')) return value
    throw error
  }
}

/** The same where there is no such file. */
export const absent = <T>(value: T): ((error: NodeJS.ErrnoException) => T) => onCode(value, 'ENOENT')

/** For a catch(): why a look at the disk failed. */
export const onlyReleaseError: (error: unknown) => string = onReleaseError(({ message }) => message)
