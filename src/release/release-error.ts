// Owns the one error of working with releases on disk: what was done, to which path, and why it failed.

/**
 * `write` = could not write or publish; `damaged` = a manifest or snapshot is missing or not what it should be;
 * `absent` = no such release.
 */
export type ReleaseErrorCode = 'write' | 'damaged' | 'absent'

export class ReleaseError extends Error {
  override readonly name = 'ReleaseError'
  readonly code: ReleaseErrorCode

  constructor(code: ReleaseErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

const NEXT: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free space, or lower --keep',
  EDQUOT: 'the disk quota is used up; free space, or lower --keep',
  EROFS: 'the file system is read-only; give --snapshots another folder',
  EACCES: 'permission denied; let this user write there, or give --snapshots another folder',
  EPERM: 'not permitted; let this user write there, or give --snapshots another folder',
  EMFILE: 'too many open files; raise ulimit -n',
  EIO: 'the disk reports an error; check it',
  ENOTDIR: 'a part of the path is not a folder',
}

/** Runs one step on the file system; a failure becomes a sentence with the path, the cause and what to do. */
export async function onDisk<T>(doing: string, path: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    throw diskError(doing, path, error)
  }
}

/** What `onDisk` throws, for a step that is no promise. */
export function diskError(doing: string, path: string, error: unknown): ReleaseError {
  if (error instanceof ReleaseError) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  const next = NEXT[code]
  return new ReleaseError(
    'write',
    `cannot ${doing} ${path}: ${next === undefined ? message : `${code}, ${next}`}`,
    error,
  )
}

/** What a step gives where there is no such file: for its catch(). */
export function absent<T>(value: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT') return value
    throw error
  }
}
