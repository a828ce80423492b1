// Owns whether a process that wrote its identity to a file is known to be dead.
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { nullIfThrown } from '../../process/null-if-thrown.ts'

/** A pid is unique only with its boot and its pid namespace. */
export type ProcessIdentity = Readonly<ReturnType<typeof thisProcess>>

export function thisProcess() {
  return {
    host: hostname(),
    pid: process.pid,
    // Null = unknown.
    bootId: nullIfThrown(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    pidNamespace: nullIfThrown(() => readlinkSync('/proc/self/ns/pid')),
  }
}

/**
 * Whether it is known to be dead. Host names say nothing (containers may share one), nor do pids of another boot or
 * another pid namespace: of such a process, and where there is no /proc, nothing is known.
 */
export function isKnownDead(other: ProcessIdentity): boolean {
  const { host, bootId, pidNamespace } = thisProcess()
  const same = other.host === host && other.bootId === bootId && other.pidNamespace === pidNamespace
  // Where another process has the pid by now, nothing is known.
  return same && bootId !== null && pidNamespace !== null && !isAlive(other.pid)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
