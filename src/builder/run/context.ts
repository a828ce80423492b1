// Owns what one build is asked for, what the builder is given of the world, and what its functions take of that. Does nothing.
import type { AnalyticsOptions } from '../../analytics/options.ts'
import type { CommandLineEffects } from '../../process/command-line.ts'
import type { Log } from '../../process/log.ts'
import type { Progress } from '../../process/progress.ts'
import type { Stoppable } from '../../process/stop-signal.ts'
import type { ReleasePaths } from '../../release/format/paths.ts'
import type { Lock } from '../../release/writing/lock.ts'
import type { Target } from '../../source/database/parse-target.ts'
import type { ReadOptions } from '../../source/database/transaction.ts'
import type { Mapping } from '../../source/mapping/mapping.ts'
import type { Values } from '../options/build-options.ts'
import type { SiteRequest } from '../site/write-site.ts'

/** The options that a build takes as they are given: a percentage, a time in ms. */
type Given = Pick<
  Values<'build'>,
  | ('siblings' | 'keep' | 'keepMonths' | 'maxRevision' | 'acceptRevision' | 'deadline')
  | ('publish' | 'acceptSite' | 'afterPublish')
>

export interface BuildRequest extends AnalyticsOptions, ReadOptions, Given {
  readonly target: Target
  readonly mapping: Mapping
  /** Null = data only. */
  readonly site: SiteRequest | null
  readonly paths: ReleasePaths
  readonly everyMs: number
  /** Epoch ms, instead of the database's now; null = now. */
  readonly asOfMs: number | null
}

/** Made once, by main(). */
export interface BuilderContext extends CommandLineEffects {
  readonly env: Readonly<NodeJS.ProcessEnv>
  /** For the commands of others that it starts. */
  readonly umask: number
  readonly nowMs: () => number
  /** Waits; returns early when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly log: Log
  readonly progress: Progress
  /** Somebody sees the log as it comes. */
  readonly isWatched: boolean
  /** Aborts on Ctrl-C: nothing half done is left. */
  readonly signal: AbortSignal
  /** For commands that change something; a signal ends the others at once. */
  readonly stop: Stoppable
  /** Ends the process if it hangs after its time; gives what stops that. */
  readonly endWhenHung: (leftMs: () => number) => () => void
  /** Why what was printed is not complete; null = it is. */
  readonly lostOutput: () => Error | null
}

export type BuildEffects = Pick<
  BuilderContext,
  'umask' | 'nowMs' | 'sleep' | 'log' | 'progress' | 'signal' | 'endWhenHung'
>

/** One build, for as long as it has the lock. */
export interface BuildContext extends BuildEffects {
  readonly request: BuildRequest
  readonly lock: Lock
  /** Of its deadline. */
  readonly leftMs: () => number
}
