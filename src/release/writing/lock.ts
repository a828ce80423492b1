// Owns the lock of a snapshots folder, which build, rollback, resume and prune take: a file that names its holder, is
// touched while that works, and taken over from a dead one.
import { randomUUID } from 'node:crypto'
import { fstatSync, openSync, readFileSync, rmSync } from 'node:fs'
import { link, lstat, readdir, realpath, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { usageError } from '../../process/cli-error.ts'
import { ensureFolder, FILE_MODE } from './fsync-folder.ts'
import { releasePaths, type ReleasePaths } from '../format/paths.ts'
import { isKnownDead, thisProcess, type ProcessIdentity } from './process-identity.ts'
import { RELEASE_ID } from '../format/manifest.ts'
import { absent, onCode, onDisk, reading } from '../format/release-error.ts'
import * as json from '../format/json-check.ts'
import { ofOwn, OWN_FILE, readOwn } from '../reading/bounded-text.ts'
import { currentId } from '../reading/release-list.ts'

const TOUCH_MS = 5_000
const STALE_MS = 30_000
/** Pause while another process replaces a dead lock, which takes well under a millisecond. */
const LOOK_AGAIN_MS = 20
/** New locks and claims; never the lock itself. */
const NEW_LOCK_PREFIX = '.lock-'

export interface Holder extends ProcessIdentity {
  readonly startedAt: string
  readonly token: string
}

export type Lock = ReturnType<typeof heldLock>

/**
 * Takes the lock, or returns its holder. Node has no flock, so the file is created whole and exclusively (link(2) fails
 * when it exists), touched every 5 s, and taken over when untouched for 30 s, or at once when its process is known to be
 * dead: same boot, same pid namespace. Of other processes nothing is known: only the 30 s count.
 */
export async function takeLock(paths: ReleasePaths): Promise<Lock | Holder> {
  const { root, lock: path } = paths
  await ensureFolder(root)
  const mine: Holder = { ...thisProcess(), startedAt: new Date().toISOString(), token: randomUUID() }
  const newLock = join(root, `${NEW_LOCK_PREFIX}${mine.token}`)
  try {
    const held = await onDisk('write', newLock, async () => {
      const isMine = await writeNew(newLock, mine)
      await touch(newLock)
      return (): Lock => heldLock(path, isMine)
    })
    for (;;) {
      await removeDeadNewLocks(root)
      if (await tryLink(newLock, path)) return held()
      const seen = await holderOf(path)
      if (seen === null) continue
      if (!seen.dead) return seen.holder
      if (await takeOver(root, path, newLock, seen.holder)) return held()
      await delay(LOOK_AGAIN_MS)
    }
  } finally {
    await rm(newLock, { force: true }).catch(() => {})
  }
}

/** What is in a snapshots folder, and which folder that is. */
const INSIDE = /^(.*)\/(?:current|releases(?:\/[^/]+)?)$/s

/**
 * Before all else, also a note: what root makes in the folder of another user stops the builds of that user, who can neither read
 * nor remove it; and what is written into a release damages it.
 * @returns whether the folder is there
 */
export async function refuseForeign({ root }: ReleasePaths): Promise<boolean> {
  const real = await realpath(root).catch(() => resolve(root))
  const [, above] = INSIDE.exec(real) ?? []
  // Other programs have a folder of releases and a link to one, too.
  if (above !== undefined && RELEASE_ID.test((await currentId(releasePaths(above)).catch(() => null)) ?? ''))
    throw usageError(`--snapshots: ${root} is a part of a snapshots folder; did you mean ${above}?`)
  if (real === '/') throw usageError('--snapshots: "/" is all of the disk; give a folder of its own')
  const found = await onDisk('write in', root, () => stat(root).catch(absent(null)))
  const uid = found?.uid ?? 0
  if (uid !== 0 && process.geteuid?.() === 0)
    throw usageError(
      `${root} belongs to the user with id ${uid}, who could not read what root makes there; run this as that user (sudo -u '#${uid}' …), or give the folder to root`,
    )
  return found !== null
}

/** Tells whether the lock with this text and this inode is the one that was written. */
type IsMine = (text: string, inode: number) => boolean

/** A full disk has room for an empty file, and prune must take the lock to make more: such a lock is known by its inode. */
async function writeNew(path: string, mine: Holder): Promise<IsMine> {
  try {
    await writeFile(path, `${JSON.stringify(mine)}\n`, { flag: 'wx', mode: FILE_MODE })
    return (text) => readHolder(text).token === mine.token
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error
    const { ino, size } = await stat(path).catch(() => {
      throw error
    })
    if (size > 0) throw error
    return (text, inode) => text === '' && inode === ino
  }
}

async function tryLink(newLock: string, path: string): Promise<boolean> {
  const linked = async (): Promise<boolean> => link(newLock, path).then(() => true)
  return onDisk('create', path, () => linked().catch(onCode(false, 'EEXIST')))
}

/** The holder of a lock; null = there is none. One that is dead did not end what it began, and nothing has been begun since. */
export async function holderOf(path: string): Promise<{ holder: Holder; dead: boolean } | null> {
  // A link or a pipe that somebody planted at the name is the lock of nobody.
  const look = ofOwn(path, { holder: NOBODY, dead: true }, async (handle) => {
    // Text and age by one handle: of the same lock, even when it is replaced meanwhile.
    const holder = readHolder(await handle.readFile('utf8'))
    const untouched = Date.now() - (await handle.stat()).mtimeMs > STALE_MS
    return { holder, dead: untouched || isKnownDead(holder) }
  })
  return reading('read', path, () => look.catch(absent(null)))
}

const NOBODY: Holder = {
  host: 'unknown',
  pid: 0,
  bootId: null,
  pidNamespace: null,
  startedAt: 'an unknown time',
  token: '',
}
const isHolder = json.fields({
  token: json.matching(/^[0-9a-f-]{36}$/),
  pid: json.such(json.isCount, (pid) => pid > 0),
})

/** The time is that of this machine, by which all ages are measured: the clock of a file server may differ. */
async function touch(path: string): Promise<void> {
  const now = new Date()
  await utimes(path, now, now)
}

function readHolder(text: string): Holder {
  const holder = json.jsonOf(text)
  // Power was lost before the text reached the disk: judged by its age alone.
  return isHolder(holder) ? (holder as Holder) : NOBODY
}

/**
 * Replaces a dead lock by ours. Several processes may judge the same lock dead, and rename(2) replaces whatever is there:
 * a slow one would replace the new lock of a fast one. Therefore each first creates a claim, a file named by the token of
 * the dead lock, which only one can create at a time; it then looks again, and renames only over the lock it had judged.
 */
async function takeOver(root: string, path: string, newLock: string, judged: Holder): Promise<boolean> {
  const claim = join(root, `${NEW_LOCK_PREFIX}after-${judged.token}`)
  if (!(await tryLink(newLock, claim))) return false
  try {
    const seen = await holderOf(path)
    if (seen === null || !seen.dead || seen.holder.token !== judged.token) return false
    await onDisk('replace', path, () => rename(newLock, path))
    return true
  } finally {
    await rm(claim, { force: true }).catch(() => {})
  }
}

/** Removes what killed processes left: their claim would keep all others from replacing that lock. */
async function removeDeadNewLocks(root: string): Promise<void> {
  const names = await reading('list', root, () => readdir(root))
  for (const name of names.filter((one) => one.startsWith(NEW_LOCK_PREFIX))) {
    const path = join(root, name)
    const seen = await holderOf(path).catch(() => null)
    if (seen?.dead === true) await rm(path, { force: true }).catch(() => {})
  }
}

function heldLock(path: string, isMine: IsMine) {
  const owned = async (): Promise<boolean> =>
    reading('read', path, async () => {
      const there = await lstat(path).catch(absent(null))
      return there !== null && isMine(await readOwn(path).catch(absent('')), there.ino)
    })
  const touchOurs = async (): Promise<void> => {
    // After a take-over it is another's: touching it would keep it alive after its holder's death.
    if (await owned()) await touch(path)
  }
  const heartbeat = setInterval(() => {
    // A failed touch shows as a stale lock, and owned() is asked before the switch.
    touchOurs().catch(() => {})
  }, TOUCH_MS)
  heartbeat.unref()
  // A process that exits in the middle of its work gives it back; the lock of one that is killed is dead with it.
  const giveBack = (): void => {
    try {
      const handle = openSync(path, OWN_FILE)
      if (isMine(readFileSync(handle, 'utf8'), fstatSync(handle).ino)) rmSync(path)
    } catch {
      // As with release().
    }
  }
  process.once('exit', giveBack)
  return {
    /** Whether the file is still ours; asked once more just before the switch. */
    owned,
    /** Never fails: a lock that cannot be removed is dead with its process. */
    async release(): Promise<void> {
      clearInterval(heartbeat)
      process.off('exit', giveBack)
      if (await owned().catch(() => false)) await rm(path, { force: true }).catch(() => {})
    },
  }
}
