// Owns what an operator is told where there is no release to serve: what is there instead, and what to give. Serves nothing.
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const GIVE = 'give --snapshots the folder that analytics-build writes to, which has current and releases/'
const NAMED_AT_MOST = 5

/** Of a folder without a release: what it is, or where the release is. */
export function insteadOfRelease(snapshots: string): string {
  const folder = resolve(snapshots)
  if (!existsSync(folder)) return `there is no folder ${folder}: ${GIVE}`
  const names = namesIn(folder)
  // Above it is where it is current/, releases/ or a release; in it where it is the folder of several sites.
  const near = [dirname(folder), dirname(dirname(folder)), ...names.map((name) => join(folder, name))]
  const right = near.find((one) => existsSync(join(one, 'current', 'manifest.json')))
  if (right !== undefined) return `there is one in ${right}: give --snapshots that folder`
  const shown = names.slice(0, NAMED_AT_MOST).join(', ') + (names.length > NAMED_AT_MOST ? ', …' : '')
  return `it ${names.length === 0 ? 'is empty' : `has ${shown}`}: ${GIVE}`
}

/** None where they may not be read. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}
