// Owns `status`: says whether all is well with a folder of releases, and how the next command is started. Changes nothing.
import { access, constants, stat } from 'node:fs/promises'
import { calledAs } from '../../process/called-as.ts'
import { isOurVariable } from '../../process/env-file.ts'
import type { WithEnvFile } from '../../process/command-line.ts'
import type { BuilderContext } from '../run/context.ts'
import type { Values } from '../options/build-options.ts'
import { readFolder } from './folder-state.ts'
import { healthOf, type HealthProblem } from './health.ts'
import { statusText } from './status-report.ts'

export async function status(values: Values<'status'> & WithEnvFile, context: BuilderContext): Promise<number> {
  const { json } = values
  const found = await readFolder(values, context)
  const health = healthOf(found)
  const { problems, notes } = health
  const { current, hold, lastBuild, lastTold, bucket, unfinished, rejected, months } = found
  const releases = found.rows.map(({ generatedAt: _made, isUnread: _unread, ...row }) => row)
  const afterPublish = typeof lastTold === 'string' ? null : lastTold
  const { programVersion, programCommit } = found
  const about = { programVersion, programCommit, lastBuild, bucket, afterPublish, unfinished, rejected }
  const asJson = { ok: problems.length === 0, problems, notes, current, hold, releases, months, ...about }
  context.out(
    json
      ? `${JSON.stringify(asJson)}\n`
      : statusText(found, health, await commandPrefix(found.snapshots, problems[0]?.next)),
  )
  return exitCodeOf(problems)
}

function exitCodeOf(problems: readonly HealthProblem[]): number {
  const kinds = problems.map(({ kind }) => kind)
  // The exit code of a release that was published, but is not where others read it.
  if (kinds.includes('publish') || kinds.includes('afterPublish')) return 6
  if (kinds.includes('unreadable')) return 7
  return kinds.length === 0 ? 0 : 1
}

/** How the next command is started, as the user who owns the folder: that user could not change what others make there. */
async function commandPrefix(snapshots: string, next = ''): Promise<string> {
  const typed = calledAs('analytics-build')
  if (next.startsWith('analytics-build check')) return typed
  const [uid, owner] = [process.geteuid?.() ?? 0, await stat(snapshots).catch(() => null)]
  if (owner === null || owner.uid === uid) return typed
  // The variables that count go with the command: without them another release would be made, or none.
  if (uid === 0) return `setpriv --reuid=${owner.uid} --regid=${owner.gid} --clear-groups ${typed}`
  const fault = await access(snapshots, constants.W_OK).catch((error: unknown) => error)
  if (fault === undefined) return typed
  const kept = Object.keys(process.env).filter(isOurVariable).join()
  return `sudo -u '#${owner.uid}' ${kept && `--preserve-env=${kept} `}${typed}`
}
