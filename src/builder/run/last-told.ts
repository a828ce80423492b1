// Owns the note of what became of the command of --after-publish: its shape, whether it is due again, reading and writing it.
import type { Log } from '../../process/log.ts'
import type { ReleasePaths } from '../../release/format/paths.ts'
import { StateFile } from '../../release/writing/state.ts'

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

/** What the command does with a release may not have been done with the one that is current. */
export function isDue(told: LastTold | string, current: string | null): boolean {
  return typeof told === 'string' || told.failed !== null || (current !== null && told.id !== current)
}

const LAST_TOLD = new StateFile('lastTold', 0o600, (value): LastTold | 'no note' => {
  const { id, startedAt } = (value ?? {}) as Partial<LastTold>
  return typeof id === 'string' && Number.isFinite(Date.parse(startedAt ?? '')) ? (value as LastTold) : 'no note'
})

/** Null = none was ever run, or this user may not know; a string = why it cannot be read. */
export async function readLastTold(paths: ReleasePaths): Promise<LastTold | string | null> {
  try {
    const told = await LAST_TOLD.read(paths)
    return told === 'no note' ? `${paths.lastTold} is no note` : told
  } catch (error) {
    const { message, cause } = error as Error
    return (cause as NodeJS.ErrnoException | undefined)?.code === 'EACCES' ? null : message
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
    await LAST_TOLD.note(paths, told).catch((error: Error) =>
      log.warn({}, `status will not know whether --after-publish succeeded: ${error.message}`),
    )
  }
  await note(NOT_ENDED)
  return note
}
