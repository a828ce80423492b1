// Owns a build in this process: a request as the program makes it of no options, and effects of a clock that the test sets.
import type { BuildEffects, BuildRequest } from '../../src/builder/run/context.ts'
import { runBuild, type BuildOutcome } from '../../src/builder/run/run-build.ts'
import { SILENT } from '../../src/process/log.ts'
import { NO_PROGRESS } from '../../src/process/progress.ts'
import { releasePaths } from '../../src/release/format/paths.ts'
import { parseDatabaseUrl } from '../../src/source/database/parse-target.ts'
import { loadMapping } from '../../src/source/mapping/mapping.ts'
import { SITE } from './site.ts'

export function requestOf(url: string, snapshots: string, change: Partial<BuildRequest> = {}): BuildRequest {
  return {
    target: parseDatabaseUrl(url),
    mapping: loadMapping('native', {}),
    voteWeight: 5,
    commentWeight: 3,
    siteUrl: null,
    people: 'exact',
    timeZone: 'UTC',
    site: SITE,
    paths: releasePaths(snapshots),
    siblings: true,
    everyMs: 3_600_000,
    keep: 5,
    keepMonths: 24,
    maxRevision: 10,
    acceptRevision: false,
    statementTimeoutMs: 60_000,
    lockTimeoutMs: 5_000,
    deadline: 120_000,
    rowSecurity: 'off',
    asOfMs: null,
    publish: null,
    acceptSite: false,
    afterPublish: null,
    ...change,
  }
}

export function effectsAt(nowMs: () => number): BuildEffects {
  const { signal } = new AbortController()
  return {
    umask: 0o022,
    nowMs,
    sleep: () => Promise.resolve(),
    log: SILENT,
    progress: NO_PROGRESS,
    signal,
    endWhenHung: () => () => {},
  }
}

/** A build whose clock stands where its numbers end. */
export function buildAt(
  asOfMs: number,
  url: string,
  snapshots: string,
  change: Partial<BuildRequest> = {},
): Promise<BuildOutcome> {
  return runBuild(
    requestOf(url, snapshots, { asOfMs, ...change }),
    effectsAt(() => asOfMs),
  )
}
