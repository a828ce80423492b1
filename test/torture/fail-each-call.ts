// Owns failing each file operation of a build with each error that it may have, and letting each write take only a part:
// what must be logged, and what may be left. Counts nothing itself.
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { listReleases } from '../../src/release/reading/release-list.ts'
import { failureOf, logOf, type Ran } from '../builder/build-program.ts'
import type { Call, FaultKind, NumberedCall } from './faults.ts'
import { NOTE } from './kills.ts'
import { meetFault } from './met-fault.ts'
import type { Attempt } from './tally.ts'
import { expectWhole } from './whole-releases.ts'
import { expectToRecover, leftovers, type Workshop } from './workshop.ts'
import { releasePaths } from '../../src/release/format/paths.ts'

type ErrorName = 'EIO' | 'ENOSPC' | 'EDQUOT' | 'EMFILE' | 'EROFS'

/** As the manual page of each call lists them. */
const ERRORS: Readonly<Record<FaultKind, readonly ErrorName[]>> = {
  create: ['EIO', 'ENOSPC', 'EDQUOT', 'EMFILE', 'EROFS'],
  write: ['EIO', 'ENOSPC', 'EDQUOT'],
  fsync: ['EIO', 'ENOSPC', 'EDQUOT'],
  mkdir: ['EIO', 'ENOSPC', 'EDQUOT', 'EROFS'],
  rename: ['EIO', 'ENOSPC', 'EDQUOT', 'EROFS'],
  link: ['EIO', 'ENOSPC', 'EDQUOT', 'EROFS'],
  symlink: ['EIO', 'ENOSPC', 'EDQUOT', 'EROFS'],
  unlink: ['EIO', 'EROFS'],
  rmdir: ['EIO', 'EROFS'],
  utimens: ['EIO', 'EROFS'],
  truncate: ['EIO', 'EROFS'],
  chmod: ['EIO', 'EROFS'],
  open: ['EIO', 'EMFILE'],
  list: ['EIO', 'EMFILE'],
  read: ['EIO'],
  readlink: ['EIO'],
  stat: ['EIO'],
  close: ['EIO', 'ENOSPC', 'EDQUOT'],
}

/**
 * One error at each call, in turn.
 * @param thorough every error at the first two and the last of a kind
 */
export function failuresAt(workshop: Workshop, calls: readonly NumberedCall[], thorough: boolean): Attempt[] {
  return calls.flatMap(({ kind, nth, of }) => {
    const errors = ERRORS[kind]
    const chosen = thorough && (nth <= 2 || nth === of) ? errors : errors.filter((_, i) => i === nth % errors.length)
    return chosen.map((error) => ({
      what: `${error} at ${kind} ${nth} of ${of}`,
      run: () => failOnce(workshop, kind, nth, error),
    }))
  })
}

async function failOnce(workshop: Workshop, kind: FaultKind, nth: number, error: ErrorName): Promise<string> {
  const fault = { kind, nth, action: constants.errno[error] }
  return meetFault(workshop, fault, {}, async ({ snapshots, ran, hit }) => {
    const now = await expectWhole(snapshots, workshop.found)
    if (ran.code === 0) {
      if (now === workshop.id) throw new Error(`at ${hit.path}: exit 0, and the old release is current`)
      await expectToRecover(workshop, snapshots)
      return expectHarmless(ran, hit, error)
    }
    expectSaid(ran, hit, error)
    if (now !== workshop.id) throw new Error(`at ${hit.path}: exit ${ran.code}, and current is the new release`)
    const added = (await listReleases(releasePaths(snapshots))).filter((id) => !workshop.published.includes(id))
    const left = [...(await leftovers(snapshots)), ...added]
    if (left.length > 0) throw new Error(`at ${hit.path}: left ${left.join(', ')}`)
    return 'refused, and nothing left'
  })
}

/** What may fail without a word: it is done again by the next build, or not needed any more. */
const NEEDLESS: readonly (readonly [kinds: RegExp, path: RegExp])[] = [
  // The lock of a process that has ended is taken over, its draft removed.
  [/^(open|read|stat|close|unlink)$/, /\/\.lock(-[0-9a-f-]{36})?$/],
  // On a full disk it has no text, and holds all the same.
  [/^write$/, /\/\.lock-[0-9a-f-]{36}$/],
  // It is touched again some seconds later.
  [/^utimens$/, /\/\.lock$/],
  // A release that was replaced is pruned by its own age, if this cannot say that it was replaced now.
  [/^utimens$/, /\/releases\/[^./]+$/],
  [/./, NOTE],
  // Where a line cannot be added to the journal, it is written anew.
  [/^(open|stat|write|fsync|close)$/, /\/\.journal$/],
  // Node's mkdir looks whether the folder is there, whatever the answer but for a full disk.
  [/^mkdir$/, /\/\.state$/],
]

const LEFT_UNDONE =
  /^(?:old releases are not pruned|cannot remove what a killed build left|log\.csv does not show the last days yet|it is not known whether --(?:after-)?publish was run before|status will not know how this build ended): /

/** After the switch a build succeeds whatever fails, and a warning says what was left undone. */
function expectHarmless(ran: Ran, hit: Call, error: ErrorName): string {
  // Node's rm asks what a thing is, and removes it whatever the answer.
  if (hit.kind === 'stat' && !existsSync(hit.path)) return 'published: removed all the same'
  if (NEEDLESS.some(([kinds, path]) => kinds.test(hit.kind) && path.test(hit.path))) return 'published: not needed'
  const warned = logOf(ran).some(
    ({ level, message }) => level === 'warn' && LEFT_UNDONE.test(message) && message.includes(error),
  )
  if (!warned) throw new Error(`at ${hit.path}: exit 0, and no word of it`)
  return 'published, with a warning of what is left'
}

const READING: ReadonlySet<FaultKind> = new Set(['open', 'list', 'read', 'readlink', 'stat', 'close'])

/** One line that names a path below the folder and the cause. */
function expectSaid(ran: Ran, hit: Call, error: ErrorName): void {
  const said = failureOf(ran)
  // What others rely on could not be read (7), or something could not be made and published (6).
  const expected = READING.has(hit.kind) && /^cannot (?:read(?! back)|list|look at|open) /.test(said) ? 7 : 6
  if (ran.code !== expected)
    throw new Error(`at ${hit.path}: exit ${ran.code}, expected ${expected}: ${ran.stderr.slice(0, 300)}`)
  // What `current` is made by has a random name; the operator knows the result.
  const names = [
    hit.path.replace(/\.next$/, ''),
    ...(hit.kind === 'symlink' ? [join(dirname(dirname(hit.path)), 'current')] : []),
  ]
  if (!said.includes(error)) throw new Error(`at ${hit.path}: does not name the cause: ${said}`)
  if (!names.some((name) => said.includes(name))) throw new Error(`at ${hit.path}: does not name it: ${said}`)
}

/** The disk takes half of a write, of one or of every one: the rest is written after it. */
export function partialWrites(workshop: Workshop, calls: readonly NumberedCall[]): Attempt[] {
  const writes = calls.filter(({ kind }) => kind === 'write')
  return [{ nth: 0, of: writes.length }, ...writes].map(({ nth, of }) => ({
    what: nth === 0 ? `each of ${of} writes is partial` : `partial write ${nth} of ${of}`,
    run: () =>
      meetFault(workshop, { kind: 'write', nth, action: 'part' }, {}, async ({ snapshots, ran }) => {
        if (ran.code !== 0) throw new Error(`exit ${ran.code}: ${ran.stderr.slice(0, 300)}`)
        if ((await expectWhole(snapshots, workshop.found)) === workshop.id) throw new Error('not published')
        return 'published'
      }),
  }))
}
