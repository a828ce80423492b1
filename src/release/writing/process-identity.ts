// Owns whether a process that wrote its identity to a file is known to be dead.
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** A pid is unique only with its boot, its pid namespace and the start of its process. */
export interface ProcessIdentity {
  readonly host: string
  readonly pid: number
  /** null, or absent in files of earlier versions = unknown. */
  readonly bootId?: string | null
  readonly pidNamespace?: string | null
  /** When it started, in the kernel's ticks since the boot: pids are reused. */
  readonly startTicks?: number | null
}

export function thisProcess(): ProcessIdentity {
  return {
    host: hostname(),
    pid: process.pid,
    bootId: known(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    pidNamespace: known(() => readlinkSync('/proc/self/ns/pid')),
    startTicks: startTicksOf('self'),
  }
}

/**
 * Whether it is known to be dead. Host names say nothing (containers may share one), nor do pids of another boot or
 * another pid namespace: of such a process, and where there is no /proc, nothing is known.
 */
export function isKnownDead(other: ProcessIdentity): boolean {
  const { host, bootId, pidNamespace } = thisProcess()
  const same = other.host === host && other.bootId === bootId && other.pidNamespace === pidNamespace
  if (!same || bootId === null || pidNamespace === null) return false
  if (!isAlive(other.pid)) return true
  // A /proc of another pid namespace tells of another process with this pid.
  if (known(() => readlinkSync('/proc/self')) !== String(process.pid)) return false
  const ticks = startTicksOf(String(other.pid))
  return ticks !== null && other.startTicks != null && ticks !== other.startTicks
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** proc(5): field 22 of stat; the name in field 2 may hold anything, also spaces and parentheses. */
function startTicksOf(pid: string): number | null {
  const stat = known(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  const ticks = Number(stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19])
  return Number.isSafeInteger(ticks) ? ticks : null
}

function known<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
