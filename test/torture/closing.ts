// Owns killing and failing the build that closes a site at each of its file operations, and what nobody may find after the
// next build, or the next command: a title. Counts nothing itself.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { packagePath } from '../../src/process/package-root.ts'
import { listReleases } from '../../src/release/reading/release-list.ts'
import { readManifest } from '../../src/release/reading/folder-reader.ts'
import { run, type Ran } from '../builder/build-program.ts'
import type { Call, NumberedCall } from './faults.ts'
import { callsOfABuild } from './kills.ts'
import { killedAt, meetFault, type OddBuild } from './met-fault.ts'
import type { Attempt } from './tally.ts'
import { expectWhole } from './whole-releases.ts'
import { leftovers, type Workshop } from './workshop.ts'
import { releasePaths } from '../../src/release/format/paths.ts'

const NATIVE = readFileSync(packagePath('src', 'source', 'mapping', 'built-in', 'native', 'mapping.sql'), 'utf8')
/** Of every title of the workshop's platform, and of the refused candidate. */
const TITLE = /Idea \d|A very long title/

/** With what a refused build leaves for inspection; and variables with which a build finds the site closed. */
function closing(workshop: Workshop): Required<OddBuild> {
  const file = join(workshop.home, 'closing.sql')
  writeFileSync(file, `${NATIVE}\n-- section closed\nSELECT true AS closed\n`)
  return {
    env: { ANALYTICS_SOURCE: file },
    copy(name) {
      const snapshots = workshop.copy(`closing-${name}`)
      const refused = join(snapshots, 'releases', '.refused-20200101T000000000Z-00000000', 'public')
      mkdirSync(refused, { recursive: true })
      writeFileSync(join(refused, 'stats.json'), 'Idea 1')
      return snapshots
    },
  }
}

/** Every operation of a build that closes the site and that nothing goes wrong with. */
export function callsOfAClosing(workshop: Workshop): Promise<Call[]> {
  return callsOfABuild(workshop, closing(workshop), (snapshots) => expectClosed(workshop, snapshots))
}

export function closingsKilledAt(workshop: Workshop, calls: readonly NumberedCall[]): Attempt[] {
  const build = closing(workshop)
  return killedAt(workshop, calls, build, (snapshots, i) => judge(workshop, snapshots, build, { i, isDone: false }))
}

export function closingsFailedAt(workshop: Workshop, calls: readonly NumberedCall[]): Attempt[] {
  const build = closing(workshop)
  return calls.map(({ kind, nth, of }, i) => ({
    what: `EIO in a closing build at ${kind} ${nth} of ${of}`,
    run: () =>
      meetFault(workshop, { kind, nth, action: constants.errno.EIO }, build, ({ snapshots, ran }) =>
        judge(workshop, snapshots, build, { i, isDone: ran.code === 0 }),
      ),
  }))
}

async function judge(
  workshop: Workshop,
  snapshots: string,
  { env }: Required<OddBuild>,
  { i, isDone }: { readonly i: number; readonly isDone: boolean },
): Promise<string> {
  // What is current is whole, and so is everything else that has a release's name.
  const now = await expectWhole(snapshots, workshop.found)
  const switched = now !== workshop.id
  if (isDone) await expectNoTitle(snapshots)
  if (isDone && !switched) throw new Error('ended with 0, and the site is still public')
  await next(workshop, snapshots, env, switched, i)
  return `${switched ? 'after' : 'before'} the switch${isDone ? ', all the same done' : ''}`
}

/** Whatever runs next finishes it: a build, a command that takes the lock, or the build of a site that opened again. */
async function next(
  workshop: Workshop,
  snapshots: string,
  env: Readonly<Record<string, string>>,
  switched: boolean,
  i: number,
): Promise<void> {
  if (switched && i % 3 === 1) {
    expectCode(await run(['prune', '--snapshots', snapshots]), 0)
    // Of the note that a build leaves of itself: it has no title, and the next build writes it anew.
    rmSync(join(snapshots, '.last-build.next'), { force: true })
    return expectClosed(workshop, snapshots)
  }
  if (switched && i % 3 === 2) {
    expectCode(await workshop.build(snapshots), 0)
    const { closed } = await readManifest(releasePaths(snapshots), await expectWhole(snapshots, workshop.found))
    if (closed === true) throw new Error('it is open again, and is not published')
    if ((await listReleases(releasePaths(snapshots))).includes(workshop.id))
      throw new Error(`${workshop.id} of before is still there`)
  }
  expectCode(await workshop.build(snapshots, env), 0)
  await expectClosed(workshop, snapshots)
}

function expectCode({ code, stderr }: Ran, expected: number): void {
  if (code !== expected) throw new Error(`what ran next ended with ${code}: ${stderr.slice(0, 500)}`)
}

async function expectClosed(workshop: Workshop, snapshots: string): Promise<void> {
  const id = await expectWhole(snapshots, workshop.found)
  if ((await readManifest(releasePaths(snapshots), id)).closed !== true)
    throw new Error(`${id} is not of a closed site`)
  const all = await listReleases(releasePaths(snapshots))
  if (all.length !== 1) throw new Error(`${all.join(', ')} are there; only ${id} may be`)
  const left = await leftovers(snapshots)
  if (left.length > 0) throw new Error(`left behind: ${left.join(', ')}`)
  await expectNoTitle(snapshots)
}

const DECODE: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { gz: gunzipSync, br: brotliDecompressSync }

/** In no file that a web server could find. */
async function expectNoTitle(snapshots: string): Promise<void> {
  for (const id of await listReleases(releasePaths(snapshots))) {
    const root = join(snapshots, 'releases', id)
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const bytes = readFileSync(join(entry.parentPath, entry.name))
      const decode = DECODE[entry.name.slice(-2)]
      if (TITLE.test((decode?.(bytes) ?? bytes).toString('utf8'))) throw new Error(`${id} shows a title: ${entry.name}`)
    }
  }
}
