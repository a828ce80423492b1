// Owns a real ext4 on a loop device whose power can be cut: what was not synced is lost, and the journal is replayed when
// it is mounted again. Needs root. Knows no release.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asRoot } from '../support/as-root.ts'

/** What the journal delays: `ordered` is the default, `writeback` lets names reach the disk before their data. */
export type JournalMode = 'ordered' | 'writeback'

export interface Ext4Disk {
  /** Where it is mounted. */
  readonly folder: string
  /** As a power cut: nothing more reaches the disk, not even the journal. */
  cut(): void
  /** Mounts it again, after a cut. */
  restore(): void
  remove(): void
}

/** Sparse: only what is written takes room. */
const DISK_BYTES = 512 * 2 ** 20

/** EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH (linux/fs/ext4/ext4.h); Perl is on every Debian. */
const SHUTDOWN =
  'open(D, "<", $ARGV[0]) or die $!; my $flags = pack("L", 2); ioctl(D, 0x8004587D, $flags) or die "EXT4_IOC_SHUTDOWN: $!"'

/** @param home where the image and the mount point are made */
export function createExt4Disk(home: string, mode: JournalMode): Ext4Disk {
  const place = mkdtempSync(join(home, `ext4-${mode}-`))
  const [image, folder] = [join(place, 'image'), join(place, 'disk')]
  let mounted = false
  const mount = (): void => {
    asRoot('mount', '-t', 'ext4', '-o', `loop,data=${mode}`, image, folder)
    mounted = true
  }
  const unmount = (): void => {
    asRoot('umount', folder)
    mounted = false
  }
  const remove = (): void => {
    // Lazy: also when a failed test has left a file open there. The loop device goes with it.
    if (mounted) asRoot('umount', '-l', folder)
    mounted = false
    rmSync(place, { recursive: true, force: true })
  }
  try {
    mkdirSync(folder)
    writeFileSync(image, '')
    truncateSync(image, DISK_BYTES)
    const owner = `root_owner=${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`
    execFileSync('mkfs.ext4', ['-q', '-F', '-E', owner, image], {
      env: { PATH: `${process.env['PATH']}:/usr/sbin:/sbin` },
    })
    mount()
    const disk = {
      folder,
      cut: () => asRoot('perl', '-e', SHUTDOWN, folder),
      restore: () => {
        unmount()
        // To another file: a mount namespace that began meanwhile (a container, a service) still has the file system mounted,
        // and mounting the same one would give it again, shut down as it is.
        execFileSync('cp', ['--sparse=always', image, `${image}.next`])
        renameSync(`${image}.next`, image)
        mount()
      },
      remove,
    }
    expectToLose(disk)
    return disk
  } catch (error) {
    remove()
    throw error
  }
}

/** A disk that loses nothing proves nothing. */
function expectToLose(disk: Ext4Disk): void {
  const file = join(disk.folder, 'not-synced')
  writeFileSync(file, 'x')
  disk.cut()
  disk.restore()
  if (existsSync(file) && statSync(file).size > 0) throw new Error(`${file} survived a power cut without an fsync`)
  rmSync(file, { force: true })
}

/** Why there can be no such disk here; null = there can. */
export function whyNoExt4Disk(home: string): string | null {
  try {
    createExt4Disk(home, 'ordered').remove()
    return null
  } catch (error) {
    return `no ext4 on a loop device (mkfs.ext4 of e2fsprogs, and mount as root or by sudo -n): ${(error as Error).message.trim()}`
  }
}
