// Owns which commit the sources of a folder are of.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** What changes the program. */
const SOURCES = ['package.json', 'package-lock.json', 'tsconfig.json', 'bin', 'src']

/**
 * The whole hash, with `-modified` where the sources are others than those of the commit; empty = it is not known.
 * @param options where `--commit HASH` is in them, it is taken out, and is the answer: an image is built without the history
 */
export function commitOf(root, options) {
  const at = options.indexOf('--commit')
  if (at >= 0) return options.splice(at, 2)[1] ?? ''
  // A copy without its history, which lies in a clone of another project, is of none of that one's commits.
  if (!existsSync(join(root, '.git'))) return ''
  const git = (...args) =>
    // Also where the clone is another user's, as in a container. It may be that git is not there.
    spawnSync('git', ['-c', `safe.directory=${root}`, ...args], { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? ''
  const hash = git('rev-parse', '--verify', '--quiet', 'HEAD')
  return hash !== '' && git('status', '--porcelain', '--', ...SOURCES) !== '' ? `${hash}-modified` : hash
}
