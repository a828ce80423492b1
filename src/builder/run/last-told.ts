// Owns the note of what became of the command of --after-publish: its shape, whether it is due again, reading and writing it.
import type { Log } from '../../process/log.ts'
import type { ReleasePaths } from '../../release/format/paths.ts'
import { readBounded } from '../../release/reading/bounded-text.ts'
import { replaceFile } from '../../release/writing/replace-file.ts'

export interface LastTold {
  /** Of the release that it was last run for. */
  readonly id: string
  readonly startedAt: string
  /** Why it failed; null = it did not. */
  readonly failed: string | null
  /** When the first of the runs began that failed in a row, this one included. */
  readonly failingSince: string | null
}

/** Noted before it runs: who is killed notes nothing. */
export const NOT_ENDED = 'it did not end: it was killed, or its machine stopped'

const MAX_BYTES = 16 << 10

/** What the command does with a release may not have been done with the one that is current. */
export function isDue(told: LastTold | string, current: string | null): boolean {
  return typeof told === 'string' || told.failed !== null || (current !== null && told.id !== current)
}

/** Null = none was ever run, or this user may not know; a string = why it cannot be read. */
export async function readLastTold({ lastTold }: ReleasePaths): Promise<LastTold | string | null> {
  try {
    const note = JSON.parse(await readBounded(lastTold, MAX_BYTES, 'a note of --after-publish')) as LastTold | null
    return typeof note?.id === 'string' && Number.isFinite(Date.parse(note.startedAt)) ? note : `${lastTold} is no note`
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'EACCES' ? null : message
  }
}

/** Notes that it begins. Never fails. @returns what notes its end */
export async function noteTold(
  paths: ReleasePaths,
  id: string,
  nowMs: number,
  log: Log,
): Promise<(failed: string | null) => Promise<void>> {
  const before = await readLastTold(paths)
  const startedAt = new Date(nowMs).toISOString()
  const failingSince = (typeof before === 'string' ? null : before?.failingSince) ?? startedAt
  const note = async (failed: string | null): Promise<void> => {
    const told: LastTold = { id, startedAt, failed, failingSince: failed === null ? null : failingSince }
    const { lastTold } = paths
    await replaceFile(lastTold, `${lastTold}.next`, `${JSON.stringify(told)}\n`, 0o600).catch((error: Error) =>
      log.warn({}, `status will not know whether --after-publish succeeded: ${error.message}`),
    )
  }
  await note(NOT_ENDED)
  return note
}
