// Owns switching releases under a proxy that is asked all the time: one after the other and in bursts, pruned at once,
// with readers that are slower than that. Checks no ordinary answer itself.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '../../src/release/format/manifest.ts'
import { prune } from '../../src/release/writing/prune.ts'
import { LARGE_RELEASE } from '../support/large-release.ts'
import { dial, startProgram, until } from '../support/proxy.ts'
import { AS_OF_MS, publishRelease, snapshotsFolder } from '../support/release.ts'
import { startSwitchLoad, type SwitchLoad } from './switch-load.ts'
import type { Tally } from './tally.ts'
import { releasePaths } from '../../src/release/format/paths.ts'

/** docs/operations.md: every later release is picked up within a second; the rest is this machine's. */
const PICK_UP_MS = 5_000
/** Past the 15 minutes for which a replaced release is kept: here it goes at once, but for the one before the current. */
const GRACE_MS = 16 * 60_000
/** Never reached. */
const UNLIMITED = ['--rate-limit', '100000', '--rate-window', '1s']

const SMALL = { categories: ['Design', 'Product'], ideas: 30 }
/** Its ideas are older than every other window. */
const LARGE = { ...LARGE_RELEASE, categories: ['Design', 'Product'] }
const LARGE_EXPORT = 'analytics/export/ideas/all.csv'
/** One release in so many is large, and read slowly. */
const LARGE_EVERY = 50
/** Switches that follow on each other at once, now and then. */
const BURST = 2

/** @param minPerSecond fewer requests are a loss; 0 = however many there are */
export async function switchReleases(times: number, minPerSecond: number, signal: AbortSignal): Promise<Tally> {
  const folder = snapshotsFolder()
  const { dir } = folder
  try {
    const first = await publishRelease(dir, SMALL)
    const proxy = await startProgram(['--snapshots', dir, ...UNLIMITED])
    const load = startSwitchLoad(proxy.base)
    try {
      load.published(join(dir, 'releases', first.id), first)
      return await switchUnder(load, { dir, port: proxy.port, times, minPerSecond, signal })
    } finally {
      await load.stop()
      await proxy.kill()
    }
  } finally {
    folder.remove()
  }
}

interface Switching {
  readonly dir: string
  readonly port: number
  readonly times: number
  readonly minPerSecond: number
  readonly signal: AbortSignal
}

async function switchUnder(load: SwitchLoad, { dir, port, times, minPerSecond, signal }: Switching): Promise<Tally> {
  const startMs = performance.now()
  const readers: Promise<void>[] = []
  const counted = { tried: 0, met: 0 }
  const publish = async (): Promise<Manifest> => {
    counted.tried += 1
    const { tried } = counted
    const size = isLarge(tried) ? LARGE : SMALL
    const release = await publishRelease(dir, { ...size, asOfMs: AS_OF_MS + tried * 1000, revision: tried })
    load.published(join(dir, 'releases', release.id), release)
    await prune(releasePaths(dir), 1, Date.now() + GRACE_MS)
    return release
  }
  const publishAndSee = async (): Promise<Manifest> => {
    const release = await publish()
    await until(() => load.seen === release.id, PICK_UP_MS, `release ${release.id} is served`)
    counted.met += 1
    return release
  }
  const losses: string[] = []
  try {
    while (counted.tried < times && !signal.aborted) {
      // At times the proxy finds several switches behind it, and the release that it serves gone.
      for (let i = 0; i < BURST && counted.met % 2 === 1 && !isLarge(counted.tried + 1); i++) await publish()
      const release = await publishAndSee()
      if (isLarge(counted.tried)) readers.push(readSlowly(port, dir, release))
    }
    // The last slow readers wait for their release to be pruned.
    for (let i = 0; i < 3; i++) await publishAndSee()
  } catch (error) {
    losses.push((error as Error).message)
  }
  for (const read of await Promise.allSettled(readers)) if (read.status === 'rejected') losses.push(String(read.reason))
  const perSecond = Math.round(load.requests / ((performance.now() - startMs) / 1000))
  if (perSecond < minPerSecond) losses.push(`only ${perSecond} requests a second`)
  const words = new Map([
    ['requests', load.requests],
    ['requests a second', perSecond],
    ['slow readers', readers.length],
    ['releases served', counted.met],
  ])
  return { tried: counted.tried, losses: [...losses, ...load.problems.slice(0, 20)], words }
}

function isLarge(nth: number): boolean {
  return nth % LARGE_EVERY === 5
}

/** Begins to read a large export, waits until its release is gone from the disk, and reads on to its end. */
async function readSlowly(port: number, dir: string, { id, files }: Manifest): Promise<void> {
  const file = files.find(({ path }) => path === LARGE_EXPORT)
  const { socket, received } = await dial(port)
  try {
    socket.write(
      `GET /api/analytics/export?type=ideas&period=all&format=csv HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    )
    await until(() => socket.bytesRead > 0, PICK_UP_MS, 'the answer begins')
    socket.pause()
    await until(() => !existsSync(join(dir, 'releases', id)), 30_000, `${id} is pruned`)
    if (socket.bytesRead > (file?.bytes ?? 0) / 2) throw new Error(`${id}: had been read before it was pruned`)
    const ended = new Promise((resolve) => socket.once('close', resolve))
    socket.resume()
    await ended
    const bytes = received()
    const head = bytes.indexOf('\r\n\r\n')
    const sha256 = createHash('sha256')
      .update(bytes.subarray(head + 4))
      .digest('hex')
    if (!bytes.subarray(0, head).toString('latin1').includes(id)) throw new Error(`${id}: an answer of another release`)
    if (sha256 !== file?.sha256) throw new Error(`${id}: ${bytes.length - head - 4} of ${file?.bytes} bytes, torn`)
  } finally {
    socket.destroy()
  }
}
