// Owns a release with one answer of 20 MB: more than sockets buffer, so that it is under way for as long as its reader
// pauses; and such a reader.
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { dial } from './proxy.ts'
import type { ReleaseSpec } from './release.ts'

export const LARGE_RELEASE: ReleaseSpec = { ideas: 2500, titleChars: 8000, ageMs: 100 * 86_400_000 }
export const LARGE_TARGET = '/api/analytics/export?type=ideas&period=all&format=csv'

/** Connected, with its answer begun and stuck. */
export async function stalledReader(port: number): Promise<{ socket: Socket; received: () => Buffer }> {
  const { socket, received } = await dial(port)
  socket.pause()
  socket.write(`GET ${LARGE_TARGET} HTTP/1.1\r\nHost: a\r\n\r\n`)
  await sleep(200)
  return { socket, received }
}
