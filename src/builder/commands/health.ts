// Owns whether all is well with a folder of releases, and which command is next if it is not. Pure; reads no file.
import { age } from '../../process/printable.ts'
import { shellWord } from '../../process/called-as.ts'
import { programText } from '../../process/package-root.ts'
import { FREE_SPACE } from '../../release/format/release-error.ts'
import type { LastBuild } from '../report/last-build.ts'
import { isDue, type LastTold } from '../run/after-publish.ts'
import type { Found, Reported } from './folder-state.ts'

export type Health = ReturnType<typeof healthOf>
export type HealthProblem = Health['problems'][number]

export function healthOf(found: Found) {
  const current = found.rows.find((row) => row.current) ?? null
  const command: Command = (name, snapshots = found.snapshots) =>
    `analytics-build ${name}${flag('--snapshots', snapshots === './snapshots' ? null : snapshots)}${flag('--env-file', found.envFile)}`
  const problems = Object.entries<Check>(CHECKS).flatMap(([kind, check]) => {
    const [problem, next] = check(found, current, command) ?? []
    return problem === undefined || next === undefined ? [] : [{ kind: kind as keyof typeof CHECKS, problem, next }]
  })
  const [first] = problems
  return {
    /** The first sentence about the folder. */
    summary: first === undefined ? wellText(found, current) : `not well: ${first.problem}`,
    /** None = all is well. The first one is to be solved first. */
    problems,
    /** What is well, but worth knowing. */
    notes: notesOf(found, current),
  }
}

const flag = (name: string, value: string | null): string => (value === null ? '' : ` ${name} ${shellWord(value)}`)

/** Writes a command with the flags of the folder, that of `status` or another one, and of the file of variables. */
type Command = (name: string, snapshots?: string) => string

/** What is wrong, as a sentence, and the next command, without the program's path; null = nothing is wrong. */
type Check = (
  found: Found,
  current: Reported | null,
  command: Command,
) => readonly [problem: string, next: string] | null

/** The checks in their order: what the first one finds is to be solved first. */
const CHECKS = {
  pinned({ hold }, _current, command) {
    if (hold === null) return null
    const text = `pinned since ${hold.since} at ${hold.id}: builds do not publish until analytics-build resume`
    return [text, command('resume')]
  },
  /** A build that died when its release was already current has done what mattered. */
  unfinished({ unfinished }, current, command) {
    if (unfinished === null || isLater(current, unfinished.startedAt)) return null
    const { startedAt, pid, host } = unfinished
    const text = `the build (or rollback, resume, prune) that was started at ${startedAt} (pid ${pid} on ${host}) did not end: it was killed (was memory short?), or its machine stopped`
    return [text, command('build')]
  },
  /** A release that was made later is the better news: another program, or an earlier version of this one, made it. */
  failed({ lastBuild, rejected, nowMs, envFile }, current, command) {
    if (lastBuild === null || lastBuild.failures === 0 || isLater(current, lastBuild.endedAt)) return null
    const { failures, failingSince, endedAt, exitCode, message } = lastBuild
    const ago = (time: string): string => `${age(Math.max(0, nowMs - Date.parse(time)))} ago`
    const which =
      failures === 1 || failingSince === null
        ? `the last build failed ${ago(endedAt)}`
        : `the last ${failures} builds failed, the first of them ${ago(failingSince)}, the last ${ago(endedAt)}`
    const text = `${which} (exit code ${exitCode}): ${message ?? 'no reason is known'}`
    const check = `analytics-build check${flag('--env-file', envFile)}`
    return [text, lastBuild.result === 'source' ? check : command(afterFailure(lastBuild, rejected))]
  },
  absent({ current, nothing, snapshots }, _current, command) {
    if (nothing !== null && nothing.meant !== null) return [nothing.text, command('status', nothing.meant)]
    if (nothing !== null)
      return [`${nothing.text}; build one: analytics-build, or analytics-build demo`, command('build')]
    if (current !== null) return null
    const text = `no release in ${snapshots} is current; build one, or choose one: analytics-build rollback ID`
    return [text, command('build')]
  },
  missing({ current: id, rows }, current, command) {
    if (id === null || current !== null) return null
    const latest = rows.findLast((row) => row.problem === null)
    const text = `current is ${id}, which does not exist; build, or choose one: analytics-build rollback ID`
    return [text, command(latest === undefined ? 'build' : `rollback ${latest.id}`)]
  },
  damaged: (_found, current, command) => (current?.isUnread === false ? notReadable(current, command) : null),
  unreadable: (_found, current, command) => (current?.isUnread === true ? notReadable(current, command) : null),
  /** While a build is under way, what it has not done yet is no fault. */
  publish({ bucket, current, busy }, _current, command) {
    if (bucket === null || busy) return null
    const { id, left, unread, stranger } = bucket
    // The next command only looks: one that replaces the site is not to be typed without a thought.
    if (stranger !== null) return [`--publish: ${stranger}`, command(`verify ${bucket.to}`)]
    if (unread === null && id === current && left === 0) return null
    const there =
      id === current ? `${left} objects are still to be written or to go` : `current there is ${id ?? 'none'}`
    const text = `what --publish has uploaded may be of an earlier release: ${unread ?? there}`
    return [text, command(`prune --publish ${bucket.to}`)]
  },
  afterPublish({ lastTold, current, hold, busy, snapshots }, _current, command) {
    const why = whyDue(lastTold, current)
    if (why === null || busy) return null
    const text = `what --after-publish has uploaded may be of an earlier release: ${why}; if nothing is to be uploaded any more, remove ${snapshots}/.after-publish`
    const next = hold === null ? 'build' : `rollback ${current ?? ''}`.trim()
    return [text, `${command(next)} --after-publish COMMAND`]
  },
  /** The limit is that of `/freshz` of the proxy: twice the cadence. The demo is built only once. */
  late(_found, current, command) {
    if (current === null || current.problem !== null || current.demo) return null
    if (current.everyMs <= 0 || current.ageMs <= 2 * current.everyMs) return null
    const text = `the data is ${age(current.ageMs)} old, and a release is expected every ${age(current.everyMs)}`
    return [text, command('build')]
  },
  /** Finds releases that a closed site must not show. */
  leftovers({ rows, rejected }, current, command) {
    const others = rows.filter((row) => !row.current).length + rejected.length
    if (current?.closed !== true || others === 0) return null
    const text = `the site is closed to visitors, but ${others} more than its empty release ${others === 1 ? 'is' : 'are'} there; remove them: analytics-build prune`
    return [text, command('prune')]
  },
} satisfies Readonly<Record<string, Check>>

function notReadable({ problem }: Reported, command: Command): ReturnType<Check> {
  return problem === null ? null : [`the current release cannot be read: ${problem}`, command('build')]
}

function isLater(current: Reported | null, time: string): boolean {
  return current !== null && Date.parse(current.generatedAt) > Date.parse(time)
}

/** @param there names of the candidates that were rejected */
function afterFailure({ result, rejected, message }: LastBuild, there: readonly string[]): string {
  if (result === 'unreadable') return 'verify'
  if (result === 'refused' && rejected !== null && there.includes(rejected)) return `diff current ${rejected}`
  return result === 'write' && message?.includes(FREE_SPACE) === true ? 'prune --keep 1' : 'build'
}

function whyDue(last: LastTold | string | null, current: string | null): string | null {
  if (last === null || !isDue(last, current)) return null
  if (typeof last === 'string') return last
  return last.failed === null ? `it was last done for ${last.id}` : `failed since ${last.failingSince}: ${last.failed}`
}

export function madeBy({ programVersion, programCommit }: Found | Reported): string {
  return programText({ programVersion: programVersion ?? 'unknown', programCommit })
}

function wellText(found: Found, current: Reported | null): string {
  if (current === null) return 'all is well'
  const { demo, ageMs, everyMs } = current
  const data = `the ${demo ? 'invented data of the demo' : 'data'} is ${age(ageMs)} old`
  const due = demo || everyMs <= 0 ? '' : `, and a release is expected every ${age(everyMs)}`
  const made = madeBy(current) === madeBy(found) ? `; made by this version, ${madeBy(found)}` : ''
  return `all is well: ${data}${due}${made}`
}

function notesOf(found: Found, current: Reported | null): string[] {
  const { rows } = found
  if (current === null || current.problem !== null) return []
  const notes = [
    current.closed &&
      rows.length === 1 &&
      'the site is closed to visitors; when it is open again, the next build publishes it',
    madeBy(current) !== madeBy(found) &&
      `version ${madeBy(current)} made the current release, and this program is ${madeBy(found)}, which makes the next one`,
    current.past === false &&
      !current.demo &&
      !current.closed &&
      'what was kept of the past of the current release is lost: the next build is rejected unless somebody accepts it',
    ...notesOfOthers(found),
  ]
  return notes.filter((note) => note !== false)
}

/** Notes on what is not in the folder, or not for every user. */
function notesOfOthers({ bucket, lastBuild, unread, isPrivate, snapshots }: Found): (string | false)[] {
  return [
    isPrivate &&
      `only its owner may read ${snapshots}: a proxy or nginx of another user has nothing to serve; chmod 755 lets it read`,
    unread !== null && `how the last build ended is not known: ${unread}`,
    bucket === null &&
      lastBuild?.publish != null &&
      `what ${lastBuild.publish} shows is not known here; ask with --publish`,
    // A cache may be a minute behind, so this is no problem yet.
    bucket?.publicId != null &&
      bucket.publicId !== bucket.id &&
      `${bucket.to} shows ${bucket.id}, but --public-url still ${bucket.publicId}`,
  ]
}
