// Owns standard output whose reader leaves: the program goes on. Knows no program.

/**
 * A reader that left (EPIPE: head, or a logger that was restarted) or a closed terminal (EIO) is no reason to end; Node ends
 * a program when nothing listens for these errors.
 */
export function outliveReaders({ stdout, stderr }: Pick<NodeJS.Process, 'stdout' | 'stderr'> = process) {
  let lost: Error | null = null
  const failed = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EPIPE' && !stdout.isTTY) lost ??= error
  }
  stdout.on('error', failed)
  stderr.on('error', () => {})
  return {
    /** Never fails: see `lost`. */
    print: (text: string): void => {
      try {
        stdout.write(text)
      } catch (error) {
        // A write to a file is done at once, so its errors are thrown here.
        failed(error as NodeJS.ErrnoException)
      }
    },
    /** Why the output may be cut off, such as a full disk; null = it is complete, or its reader left. */
    lost: (): Error | null => lost,
  }
}
