// Owns where the tests keep their files: in memory, where the machine has room for them there. Half of what they write is
// waited for until it is on a disk, which no test asks of the disk: those of a power cut bring their own.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** As statfs(2) calls tmpfs. */
const TMPFS = 0x01021994
/** All tests at once need a quarter of it. */
const ROOM_BYTES = 8 * 1024 ** 3

/** Where TMPDIR says nothing else; null = the machine's own folder is the best. */
export function memoryFolder(folder: string = MEMORY, roomBytes: number = ROOM_BYTES): string | null {
  try {
    const { type, bavail, bsize } = statfsSync(folder)
    return type === TMPFS && bavail * bsize >= roomBytes && mayStart(folder) ? folder : null
  } catch {
    return null
  }
}

/** Where it is mounted `noexec`, no script of a test would start. */
function mayStart(folder: string): boolean {
  const own = mkdtempSync(join(folder, 'may-start-'))
  try {
    const script = join(own, 'script')
    writeFileSync(script, '#!/bin/sh\n', { mode: 0o755 })
    return spawnSync(script).status === 0
  } finally {
    rmSync(own, { recursive: true })
  }
}
