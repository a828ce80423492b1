// Owns clients that send thousands of requests ahead and read few of the answers, or none. Measures nothing.
import { connect, type Socket } from 'node:net'

const STATS = '/api/public/stats'
const FILE = '/snapshots/current/public/stats.json'

/** What is asked for, as often as requests are sent, and of which release older than the current one. */
const TEXTS = {
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
export type Kind = keyof typeof TEXTS
export const KINDS = Object.keys(TEXTS) as Kind[]

/** Of answers, some 250 of them, after which a half-reader stops. */
const HALF_BYTES = 200_000
const MIDDLE_MS = 500

export interface Attack {
  readonly connections: number
  /** On each. */
  readonly requests: number
  /** The id of a release. */
  readonly older: string
}

export interface Pipelines {
  close(): void
}

function get(target: string, header = ''): string {
  return `GET ${target} HTTP/1.1\r\nHost: a\r\n${header}\r\n`
}

/** @returns when all are connected and have begun to send */
export async function openPipelines(port: number, attack: Attack, kind: Kind): Promise<Pipelines> {
  const text = TEXTS[kind](attack.older)
  const sent = Buffer.from(kind === 'unfinished head' ? text : text.repeat(attack.requests))
  const sockets = await Promise.all(Array.from({ length: attack.connections }, () => openPipeline(port, sent, kind)))
  return {
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

function openPipeline(port: number, sent: Buffer, kind: Kind): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    let bytes = 0
    if (kind === 'half-read')
      socket.on('data', (chunk) => {
        bytes += chunk.length
        if (bytes > HALF_BYTES) socket.pause()
      })
    else socket.pause()
    socket.once('connect', () => {
      socket.write(sent)
      if (kind === 'half-closed') socket.end()
      if (kind === 'closed in the middle') setTimeout(() => socket.resetAndDestroy(), MIDDLE_MS)
      resolve(socket)
    })
    // Cut by the proxy before the connection was reported here.
    socket.once('close', () => resolve(socket))
  })
}
