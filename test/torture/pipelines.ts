// Owns clients that send thousands of requests ahead and read few of the answers, or none. Measures nothing.
import { connect, type Socket } from 'node:net'

export const KINDS = ['unread', 'half-read', 'closed in the middle'] as const
export type Kind = (typeof KINDS)[number]

const REQUEST = 'GET /api/public/stats HTTP/1.1\r\nHost: a\r\n\r\n'
/** Of answers, some 250 of them, after which a half-reader stops. */
const HALF_BYTES = 200_000
const MIDDLE_MS = 500

export interface Pipelines {
  close(): void
}

/** @returns when all are connected and have begun to send */
export async function openPipelines(
  port: number,
  connections: number,
  requests: number,
  kind: Kind,
): Promise<Pipelines> {
  const sent = Buffer.from(REQUEST.repeat(requests))
  const sockets = await Promise.all(Array.from({ length: connections }, () => openPipeline(port, sent, kind)))
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
      if (kind === 'closed in the middle') setTimeout(() => socket.resetAndDestroy(), MIDDLE_MS)
      resolve(socket)
    })
    // Cut by the proxy before the connection was reported here.
    socket.once('close', () => resolve(socket))
  })
}
