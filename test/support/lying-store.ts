// A store of the S3 protocol that lies: an honest one in memory behind a real server, and what it makes of its answers.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { BUCKET, memoryS3 } from './memory-s3.ts'
import { served, type Served } from './liar.ts'

export interface Asked {
  /** Such as `LIST`, `PUT snapshots/current/manifest.json`. */
  readonly what: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly socket: Socket
  /** The honest answer; of a listing its text may be changed. */
  readonly honest: () => Promise<{ status: number; headers: Record<string, string>; body: Buffer }>
}

/** Answers, or does not; false = the honest answer is given. */
export type StoreLie = (asked: Asked) => Promise<boolean> | boolean

export async function startLyingStore(lie: StoreLie): Promise<Served> {
  const s3 = memoryS3()
  s3.pageSize = 1000
  s3.nowMs = Date.now()
  const server = createServer((request, response) => {
    const { socket } = request
    // What the client leaves is no fault.
    for (const one of [request, response]) one.on('error', () => {})
    const url = `${new URL(BUCKET.url).origin}${request.url}`
    const honest = async () => {
      const how = { method: request.method, headers: request.headers, body: request, signal: NEVER }
      const got = (await s3.send(url, how as never)) as unknown as Got
      return { status: got.statusCode, headers: got.headers, body: await buffer(got.body) }
    }
    const key = new URL(url).pathname.replace(/^\/statistics\/(?:town\/)?/, '')
    const what = request.url?.includes('list-type') ? 'LIST' : `${request.method} ${key}`
    const answer = async (): Promise<void> => {
      if (await lie({ what, request, response, socket, honest })) return
      const { status, headers, body } = await honest()
      response.writeHead(status, headers).end(body)
    }
    answer().catch(() => socket.destroy())
  })
  return served(server)
}

interface Got {
  readonly statusCode: number
  readonly headers: Record<string, string>
  readonly body: NodeJS.ReadableStream
}

const NEVER = new AbortController().signal
