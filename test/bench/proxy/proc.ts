// Owns what the kernel knows of a process and all that it started: processor time and memory, read from /proc.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

interface Stat {
  readonly parent: number
  readonly ticks: number
}

/** utime, stime, and the same of children that have ended and were waited for (proc_pid_stat(5): fields 14 to 17). */
function statOf(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in brackets, may hold anything.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0)
    return { parent: fields[1] ?? 0, ticks }
  } catch {
    return null // it has just ended
  }
}

/** Processor seconds of a process and its descendants so far. */
export function cpuSeconds(root: number): number {
  const stats = new Map<number, Stat>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : null
    if (stat !== null) stats.set(Number(name), stat)
  }
  const below = (pid: number): boolean => pid === root || (pid > 1 && below(stats.get(pid)?.parent ?? 0))
  let ticks = 0
  for (const [pid, stat] of stats) if (below(pid)) ticks += stat.ticks
  return ticks / TICKS_PER_SECOND
}

export function rssBytes(pid: number): number {
  return memory(pid, 'VmRSS')
}

/** The most it ever was, or since resetPeak. */
export function peakRssBytes(pid: number): number {
  return memory(pid, 'VmHWM')
}

export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

function memory(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024
}
