// Owns the commands that look at and move releases: status, verify, diff, rollback, resume, prune. Reads no database.
import type { Stoppable } from '../process/stop-signal.ts'
import { showSize } from '../process/value-syntax.ts'
import { CliError } from '../process/cli-error.ts'
import { option, type CommandSpec, type OptionTableOf } from '../process/command-line.ts'
import { finishClosing, keepCurrentOnly } from '../release/writing/forget.ts'
import { STAGING_PREFIX } from '../release/format/paths.ts'
import { takeLock } from '../release/writing/lock.ts'
import { prune, readPin, resume, rollback, type Pruned } from '../release/writing/promote.ts'
import { removeLeftovers } from '../release/writing/staging.ts'
import { verifyRelease, type Verification } from '../release/checks/verify.ts'
import { DEMO_OPTIONS, jsonOption, quietOption, snapshotsOption, yes } from './build-options.ts'
import { diffText } from './diff-report.ts'
import { diff, readSide, type Side } from './diff.ts'
import { oneScreen } from './report.ts'
import { status } from './status.ts'
import { releaseNamed } from './which-release.ts'

export interface CommandEffects {
  readonly out: (text: string) => void
  readonly nowMs: () => number
  /** For what changes something; the others may be ended at any moment, and are. */
  readonly stop: Stoppable
}

interface ReleaseValues {
  readonly snapshots: string
  readonly json: boolean | null
}

const RELEASE_OPTIONS: OptionTableOf<ReleaseValues> = { snapshots: snapshotsOption, json: jsonOption }

interface QuietValues extends ReleaseValues {
  readonly quiet: boolean | null
}

const QUIET_OPTIONS: OptionTableOf<QuietValues> = { ...RELEASE_OPTIONS, quiet: quietOption }

interface PruneValues extends QuietValues {
  readonly keep: number
  readonly allButCurrent: boolean | null
}

export const PRUNE_OPTIONS: OptionTableOf<PruneValues> = {
  ...QUIET_OPTIONS,
  keep: DEMO_OPTIONS.keep,
  // No variable: it is for one time, by hand.
  allButCurrent: option(
    '--all-but-current',
    null,
    null,
    'Output',
    'prune: forget all others at once, however young; --keep is ignored',
    yes,
    { variable: null },
  ),
}

/** The commands, in the order of the help. */
export function releaseCommands(effects: CommandEffects): CommandSpec[] {
  const command = <V extends ReleaseValues>(
    spec: Omit<CommandSpec, 'run' | 'options'> & { readonly options?: OptionTableOf<V> },
    run: (values: V, argument: string | null, second: string | null) => Promise<number>,
  ): CommandSpec => ({
    ...spec,
    options: spec.options ?? RELEASE_OPTIONS,
    run: (values, args) => run(values as unknown as V, args[0] ?? null, args[1] ?? null),
  })
  return [
    command(
      { name: 'status', summary: 'list the releases: age, size, files', example: '$0 --snapshots /srv/snapshots' },
      ({ snapshots, json }) => status(snapshots, json === true, effects),
    ),
    command<QuietValues>(
      {
        name: 'verify',
        options: QUIET_OPTIONS,
        argument: '[ID|URL]',
        summary: 're-hash, parse and cross-check a release',
        example: '$0 https://ideas.example.org',
      },
      (values, which) => verify(values, which, effects),
    ),
    command(
      {
        name: 'diff',
        argument: '<A> <B>',
        summary: 'compare two releases, each an ID, URL or the word current: totals, ranks, files',
        example: '$0 current https://ideas.example.org',
      },
      async ({ snapshots, json }, a, b) => {
        const sides = [await sideOf(snapshots, a), await sideOf(snapshots, b)] as const
        const found = diff(...sides)
        effects.out(json === true ? `${JSON.stringify(found)}\n` : diffText(found))
        return 0
      },
    ),
    command(
      {
        name: 'rollback',
        argument: '[ID]',
        summary: 'make an older release current and hold it',
        example: '$0 --snapshots /srv/snapshots',
      },
      ({ snapshots, json }, id) =>
        withLock(snapshots, effects.stop, async () => {
          const hold = await rollback(snapshots, id, effects.nowMs())
          const text = `current is ${hold.id}; builds do not publish until: analytics-build resume\n`
          effects.out(json === true ? `${JSON.stringify(hold)}\n` : text)
          return 0
        }),
    ),
    command(
      {
        name: 'resume',
        summary: 'let builds publish again after a rollback',
        example: '$0 --snapshots /srv/snapshots',
      },
      async ({ snapshots, json }) => {
        const say = (held: boolean): number => {
          effects.out(
            json === true ? `${JSON.stringify({ held })}\n` : held ? 'builds publish again\n' : 'nothing was held\n',
          )
          return 0
        }
        // Where nothing is held there is nothing to wait for, and no folder to make.
        if ((await readPin(snapshots)) === null) return say(false)
        return withLock(snapshots, effects.stop, async () => say(await resume(snapshots)))
      },
    ),
    command<PruneValues>(
      { name: 'prune', summary: 'remove old releases', options: PRUNE_OPTIONS, example: '$0 --keep 2' },
      ({ snapshots, json, quiet, keep, allButCurrent }) =>
        withLock(snapshots, effects.stop, async () => {
          await removeLeftovers(snapshots, STAGING_PREFIX)
          const { signal } = effects.stop
          const pruned: Pruned =
            allButCurrent === true
              ? { removed: await keepCurrentOnly(snapshots, signal), young: [] }
              : await prune(snapshots, keep, effects.nowMs(), signal)
          signal.throwIfAborted()
          if (quiet !== true) effects.out(json === true ? `${JSON.stringify(pruned)}\n` : prunedText(pruned))
          return 0
        }),
    ),
  ]
}

function prunedText({ removed, young }: Pruned): string {
  const lines = removed.map((id) => `removed ${id}\n`)
  if (young.length > 0)
    lines.push(
      `not removed, as they were made or replaced less than 15 minutes ago and may still be read: ${young.join(', ')}; prune again later\n`,
    )
  return lines.join('') || 'nothing to remove\n'
}

/** Told to stop, it gives the lock back first; work that has begun to change something says itself how far it goes. */
function withLock(snapshotsDir: string, stop: Stoppable, work: () => Promise<number>): Promise<number> {
  return stop.during(async () => {
    const lock = await takeLock(snapshotsDir)
    if (!('release' in lock))
      throw new CliError(
        5,
        `a build holds the lock: pid ${lock.pid} on ${lock.host}, started ${lock.startedAt}; try again when it is done`,
      )
    try {
      stop.signal.throwIfAborted()
      await finishClosing(snapshotsDir, stop.signal)
      return await work()
    } finally {
      await lock.release()
    }
  })
}

async function verify(
  { snapshots, json, quiet }: QuietValues,
  which: string | null,
  { out }: CommandEffects,
): Promise<number> {
  const result = await verifyRelease(await releaseNamed(snapshots, which ?? 'current'))
  const code = result.faults.length > 0 ? 1 : result.unread.length > 0 ? 7 : 0
  if (quiet !== true || code !== 0) out(json === true ? `${JSON.stringify(result)}\n` : verificationText(result))
  return code
}

async function sideOf(snapshotsDir: string, which: string | null): Promise<Side> {
  return readSide(await releaseNamed(snapshotsDir, which ?? 'current'))
}

function verificationText({ id, files, bytes, closed, faults, unread }: Verification): string {
  const left =
    unread.length === 0
      ? ''
      : `${unread.length} of its files could not be read, of which nothing is known:\n${oneScreen(unread)}`
  if (faults.length > 0) return `${id} is damaged:\n${oneScreen(faults)}${left}`
  return left === ''
    ? `${id} is whole: ${files} files, ${showSize(bytes)}${closed ? '; the site is closed to visitors, and it shows nothing' : ''}\n`
    : `${id} is not known to be whole: ${left}`
}
