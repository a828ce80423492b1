// Owns "one build at a time": a lock file with its holder, kept alive, taken over from the dead. Knows no build.
import { randomUUID } from 'node:crypto'
import { link, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { layoutOf } from './layout.ts'
import { onDisk } from './release-error.ts'

const TOUCH_MS = 5_000
const STALE_MS = 30_000
/** Drafts and locks set aside; never the lock itself. */
const ASIDE_PREFIX = '.lock-'

export interface Holder {
  readonly host: string
  readonly pid: number
  readonly startedAt: string
  readonly token: string
}

export interface Lock {
  /** Whether the file is still ours; asked once more just before the switch. */
  owned(): Promise<boolean>
  release(): Promise<void>
}

/**
 * Takes the lock, or says who holds it. Node has no flock, so the file is created whole and exclusively (link(2) fails
 * when it exists), touched every 5 s, and taken over when untouched for 30 s or when its process on this host is dead
 * (pids of other hosts and containers say nothing, hence both rules).
 */
export async function takeLock(snapshotsDir: string): Promise<Lock | Holder> {
  const { root, lock: path } = layoutOf(snapshotsDir)
  await onDisk('create', root, () => mkdir(root, { recursive: true }))
  const mine: Holder = { host: hostname(), pid: process.pid, startedAt: new Date().toISOString(), token: randomUUID() }
  const draft = join(root, `${ASIDE_PREFIX}${mine.token}`)
  await onDisk('write', draft, () => writeFile(draft, `${JSON.stringify(mine)}\n`, { flag: 'wx' }))
  try {
    for (;;) {
      if (await linked(draft, path)) {
        await removeOldAsides(root)
        return keep(path, mine)
      }
      const seen = await look(path)
      if (seen === null) continue
      if (!seen.dead) return seen.holder
      await removeDead(root, path, seen.holder)
    }
  } finally {
    await rm(draft, { force: true })
  }
}

async function linked(draft: string, path: string): Promise<boolean> {
  return onDisk('create', path, async () => {
    try {
      await link(draft, path)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    }
  })
}

async function look(path: string): Promise<{ holder: Holder; dead: boolean } | null> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)])
    const holder = readHolder(text)
    const untouched = Date.now() - mtimeMs > STALE_MS
    return { holder, dead: untouched || (holder.host === hostname() && !isAlive(holder.pid)) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

function readHolder(text: string): Holder {
  try {
    return JSON.parse(text) as Holder
  } catch {
    // Power was lost before the text reached the disk: nobody's, judged by its age alone.
    return { host: 'unknown', pid: 0, startedAt: 'an unknown time', token: '' }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

// Two takers may judge the same lock dead. Whoever renames second would carry away the first one's new lock: it sees
// so by the token, and puts it back.
async function removeDead(root: string, path: string, judged: Holder): Promise<void> {
  const aside = join(root, `${ASIDE_PREFIX}${randomUUID()}`)
  try {
    await rename(path, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  const taken = readHolder(await readFile(aside, 'utf8'))
  if (taken.token !== judged.token) await linked(aside, path)
  await rm(aside, { force: true })
}

// What takers that were killed left behind.
async function removeOldAsides(root: string): Promise<void> {
  const names = (await readdir(root)).filter((name) => name.startsWith(ASIDE_PREFIX))
  for (const name of names) {
    const path = join(root, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > STALE_MS) await rm(path, { force: true })
  }
}

function keep(path: string, mine: Holder): Lock {
  const owned = async (): Promise<boolean> => {
    const text = await readFile(path, 'utf8').catch(() => '')
    return readHolder(text).token === mine.token
  }
  const touch = setInterval(() => {
    const now = new Date()
    // A failed touch shows as a stale lock, and owned() is asked before the switch.
    utimes(path, now, now).catch(() => {})
  }, TOUCH_MS)
  touch.unref()
  return {
    owned,
    async release() {
      clearInterval(touch)
      if (await owned()) await rm(path, { force: true })
    },
  }
}
