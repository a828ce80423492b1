// Owns what has changed, and since when: since CHANGED_SINCE, the newest commit before this one that CI has passed, or a day before.
import { execFileSync } from 'node:child_process'

const DAY_SECONDS = 86_400
/** CI writes it onto a commit of which all tests have passed. */
const PASSED = 'ci-passed/*'

export interface Change {
  /** Undefined where the clone has no history: anything may have changed. */
  readonly since: string | undefined
  readonly files: readonly string[]
  /** Of these, those that are not there any more. */
  readonly gone: ReadonlySet<string>
}

/** In the working tree of `root`, also what is not committed yet. */
export function changeIn(root: string, given = process.env['CHANGED_SINCE']): Change {
  const git = (...args: readonly string[]): string[] =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: Infinity, stdio: ['ignore', 'pipe', 'pipe'] })
      .split(/[\n\0]/)
      .filter((one) => one !== '')
  const since = given || passed(git) || dayBefore(git)
  if (since === undefined) return { since, files: [], gone: new Set() }
  const diff = (...more: readonly string[]): string[] =>
    git('diff', '--name-only', '--no-renames', '-z', ...more, since)
  const untracked = git('ls-files', '-z', '--others', '--exclude-standard')
  return { since, files: [...diff(), ...untracked], gone: new Set(diff('--diff-filter=D')) }
}

type Git = (...args: readonly string[]) => string[]

/** The nearest one that HEAD comes after. */
function passed(git: Git): string | undefined {
  const tags = git('tag', '--list', PASSED, '--merged', 'HEAD')
  return tags.length === 0 ? undefined : git('describe', '--tags', '--abbrev=0', '--match', PASSED, 'HEAD')[0]
}

function dayBefore(git: Git): string | undefined {
  const before = Number(git('log', '-1', '--format=%ct')[0]) - DAY_SECONDS
  return git('rev-list', '-1', `--before=${before}`, 'HEAD')[0]
}

/** Of a commit: who runs its tests again draws the same. */
export function seedOf(root: string): number {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' })
  return Number.parseInt(commit.slice(0, 7), 16)
}
