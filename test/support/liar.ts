// What a program makes of somebody who lies to it: how long it takes, how much memory, how it ends and what it says.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { AddressInfo, Server, Socket } from 'node:net'
import { begin, logOf } from '../builder/build-program.ts'

export interface Served {
  readonly port: number
  readonly stop: () => Promise<void>
}

/** @returns what ends it, with every connection that it has by then */
export async function served(server: Server): Promise<Served> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export interface Told {
  readonly code: number
  readonly seconds: number
  /** The most that it had at once. */
  readonly mebibytes: number
  /** The last line that is a warning or an error. */
  readonly message: string
  readonly stderr: string
}

const LOOK_MS = 20

/**
 * @param stop a SIGTERM comes after so many milliseconds, or then; null = none
 * @param under a program that runs it
 */
export async function toldTo(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  stop: number | Promise<unknown> | null,
  under: readonly string[] = [],
): Promise<Told> {
  const running = begin(args, env, {}, under)
  let mebibytes = 0
  const watch = setInterval(() => (mebibytes = Math.max(mebibytes, peakOf(running.child.pid ?? 0))), LOOK_MS)
  const over = new AbortController()
  const when = typeof stop === 'number' ? delay(stop, undefined, { signal: over.signal }) : stop
  when?.then(() => running.child.kill('SIGTERM')).catch(() => {})
  const ran = await running.done
  clearInterval(watch)
  over.abort()
  const said = logOf(ran).filter(({ level }) => level !== 'info')
  return { code: ran.code, seconds: ran.ms / 1000, mebibytes, message: said.at(-1)?.message ?? '', stderr: ran.stderr }
}

/** As Linux counts it; 0 = the process is gone. */
function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

type Taker = Pick<Socket, 'write' | 'destroyed' | 'on' | 'off'>

/** Writes it, and waits until more may be written, or nobody takes it any more. */
export async function sent(socket: Taker, chunk: Buffer | string): Promise<void> {
  const goesOn = socket.write(chunk)
  await new Promise<void>((resolve) => {
    if (goesOn) return void setImmediate(resolve)
    const go = (): void => {
      socket.off('drain', go).off('close', go)
      resolve()
    }
    socket.on('drain', go).on('close', go)
  })
}

/** Writes it again and again, as fast as it is taken, until the other side has enough. */
export async function flood(socket: Taker, chunk: Buffer | string): Promise<void> {
  while (!socket.destroyed) await sent(socket, chunk)
}

/** A byte every tenth of a second. */
export async function drip(socket: Pick<Socket, 'write' | 'destroyed'>, byte = ' '): Promise<void> {
  for (; !socket.destroyed; await delay(100)) socket.write(byte)
}

/** A line of the table that LIES names a file for. */
export function row(what: string, { code, seconds, mebibytes, message }: Told): string {
  const columns = [
    what.padEnd(58),
    String(code).padStart(4),
    seconds.toFixed(1).padStart(6),
    mebibytes.toFixed(0).padStart(6),
  ]
  return `${columns.join(' ')}  ${message.replaceAll(/\d{8}T\d{9}Z-[0-9a-f]{8}/g, 'ID').slice(0, 330)}`
}
