// Owns clients that send thousands of requests ahead and read few of the answers, or none, and clients that are slower than
// any honest one. Measures nothing.
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { LARGE_TARGET } from '../support/large-release.ts'

const STATS = '/api/public/stats'
const FILE = '/snapshots/current/public/stats.json'

/** What is asked for, as often as requests are sent, and of which release older than the current one. */
const AHEAD = {
  unread: () => get(STATS),
  'half-read': () => get(STATS),
  'closed in the middle': () => get(STATS),
  'half-closed': () => get(STATS),
  ranges: () => get(FILE, 'Range: bytes=0-99\r\n'),
  heads: () => get(FILE).replace('GET', 'HEAD'),
  'older release': (older: string) => get(`/snapshots/releases/${older}/manifest.json`),
  silent: () => '',
  'unfinished head': () => get(STATS).slice(0, -2),
}
const TEXTS = {
  ...AHEAD,
  /** A byte a second; who is disconnected comes back in any case. */
  'slow heads': () => `${get(STATS).slice(0, -2)}X: `,
  /** Each is another client, or most were refused: one may have few large answers. */
  'slow readers': (_: string, nth: number) =>
    get(LARGE_TARGET, `X-Forwarded-For: 10.${nth >> 16}.${(nth >> 8) & 255}.${nth & 255}\r\n`),
}
export type Kind = keyof typeof TEXTS
/** Of those that are not slow, but do not read. */
export const KINDS = Object.keys(AHEAD) as Kind[]

/** Of answers, some 250 of them, after which a half-reader stops. */
const HALF_BYTES = 200_000
const MIDDLE_MS = 500
const TRICKLE_MS = 1_000
/** Dialled at once; the rest follow. */
const BATCH = 100
const BATCH_MS = 20

export interface Attack {
  readonly connections: number
  /** On each. */
  readonly requests: number
  /** The id of a release. */
  readonly older: string
  /** Each is given up after a moment, or when it is disconnected, and comes back at once. */
  readonly returns?: boolean
}

export interface Pipelines {
  close(): void
}

function get(target: string, header = ''): string {
  return `GET ${target} HTTP/1.1\r\nHost: a\r\n${header}\r\n`
}

/** @returns when all are connected and have begun to send */
export async function openPipelines(port: number, attack: Attack, kind: Kind): Promise<Pipelines> {
  const sockets = new Set<Socket>()
  let isClosed = false
  const returns = attack.returns === true || kind === 'slow heads'
  const text = TEXTS[kind](attack.older, 0)
  const ahead = Buffer.from(text.endsWith('\r\n\r\n') ? text.repeat(attack.requests) : text)
  const open = (nth: number): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined)
      sockets.add(socket)
      let bytes = 0
      let trickle: NodeJS.Timeout | undefined
      if (kind === 'half-read')
        socket.on('data', (chunk) => {
          bytes += chunk.length
          if (bytes > HALF_BYTES) socket.pause()
        })
      else if (kind === 'slow heads') socket.resume()
      else socket.pause()
      socket.once('connect', () => {
        socket.write(kind === 'slow readers' ? TEXTS[kind]('', nth) : ahead)
        if (kind === 'half-closed') socket.end()
        // A socket that is not read does not learn that it was closed.
        if (kind === 'closed in the middle' || attack.returns === true)
          setTimeout(() => socket.resetAndDestroy(), MIDDLE_MS)
        if (kind === 'slow heads') trickle = setInterval(() => socket.write('x'), TRICKLE_MS)
        resolve()
      })
      socket.once('close', () => {
        clearInterval(trickle)
        sockets.delete(socket)
        if (returns && !isClosed) setTimeout(() => void open(nth), BATCH_MS)
        // Also when it was cut by the proxy before the connection was reported here.
        resolve()
      })
    })
  const coming: Promise<void>[] = []
  for (let nth = 0; nth < attack.connections; nth++) {
    coming.push(open(nth))
    if (nth % BATCH === BATCH - 1) await sleep(BATCH_MS)
  }
  await Promise.all(coming)
  return {
    close() {
      isClosed = true
      for (const socket of sockets) socket.destroy()
    },
  }
}
