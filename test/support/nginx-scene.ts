// Owns the scene of the tests of nginx.conf: two releases with files that must not be served, nginx, the proxy or a tiny
// upstream that remembers what reached it.
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect } from 'vitest'
import { startNginx, type Nginx, type NginxSpec } from './nginx.ts'
import { startProgram, type ProxyProgram } from './proxy.ts'
import { AS_OF_MS, publishRelease, snapshotsFolder } from './release.ts'

let people = 0
/** A client that nobody has been before. */
export function someone(): string {
  people += 1
  return `127.1.${people >> 8}.${people & 255}`
}

export interface Problem {
  readonly error: string
  readonly message: string
}

/** An error as docs/api.md has it, whoever made it; a `problem` from src/contract holds nginx to the same words. */
export function expectProblem(
  { status, headers, text }: { status: number; headers: IncomingHttpHeaders; text: string },
  expected: number,
  problem?: Problem,
): Problem {
  expect(status, text).toBe(expected)
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  const body = JSON.parse(text) as Problem
  expect(Object.keys(body)).toEqual(['error', 'message'])
  expect(body.message).toMatch(/\.$/)
  if (problem !== undefined) expect(body).toEqual({ error: problem.error, message: problem.message })
  return body
}

export interface Upstream {
  readonly port: number
  /** Targets as they came in. */
  readonly seen: { readonly target: string; readonly headers: IncomingHttpHeaders }[]
  connections(): number
  /** Bytes of the last /api/big that have left for nginx. */
  bigBytes(): number
  close(): Promise<void>
}

export const BIG_BYTES: number = 64 * 2 ** 20

/** Answers 200 and remembers; /api/late waits first, /api/hang never answers, /api/reset hangs up, /api/big is large. */
export async function startUpstream(): Promise<Upstream> {
  const seen: Upstream['seen'] = []
  let connections = 0
  let bigBytes = 0
  const chunk = Buffer.alloc(2 ** 16, 'x')
  const server = createServer((request, response) => {
    const target = request.url ?? ''
    seen.push({ target, headers: request.headers })
    if (target === '/api/hang') return
    if (target === '/api/late') return void setTimeout(() => response.end(target), 300)
    if (target === '/api/reset') return void request.socket.destroy()
    if (target !== '/api/big') return void response.end(target)
    response.writeHead(200, { 'Content-Length': BIG_BYTES })
    bigBytes = 0
    const more = (): void => {
      while (bigBytes < BIG_BYTES) {
        bigBytes += chunk.length
        if (!response.write(chunk)) return void response.once('drain', more)
      }
      response.end()
    }
    more()
  })
  server.on('connection', () => (connections += 1))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    connections: () => connections,
    bigBytes: () => bigBytes,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export const CURRENT = 'public, max-age=60, stale-while-revalidate=300, stale-if-error=86400'
export const IMMUTABLE = 'public, max-age=3600, immutable'
export const JSON_TYPE = 'application/json; charset=utf-8'

export const hasIpv6: boolean = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
)

export interface NginxScene {
  /** Ends with the tests, last one first. */
  readonly closeLater: <T>(value: T, close: (value: T) => Promise<unknown> | void) => T
  readonly start: (spec: Omit<NginxSpec, 'snapshots'>) => Promise<Nginx>
  readonly startProxy: () => Promise<ProxyProgram>
  /** Filled before the first test. */
  readonly published: { readonly snapshots: string; readonly id: string; readonly olderId: string }
}

/** Before the tests of this block and gone after them. */
export function nginxScene(): NginxScene {
  const closers: (() => Promise<unknown> | void)[] = []
  const closeLater = <T>(value: T, close: (value: T) => Promise<unknown> | void): T => {
    closers.unshift(() => close(value))
    return value
  }
  const start = async (spec: Omit<NginxSpec, 'snapshots'>): Promise<Nginx> =>
    closeLater(await startNginx({ snapshots: published.snapshots, ...spec }), (nginx) => nginx.stop())
  const startProxy = async (): Promise<ProxyProgram> =>
    closeLater(await startProgram(['--snapshots', published.snapshots]), (proxy) => proxy.kill())

  const published = { snapshots: '', id: '', olderId: '' }

  beforeAll(async () => {
    const folder = closeLater(snapshotsFolder(), (used) => used.remove())
    const snapshots = join(folder.dir, 'snapshots')
    mkdirSync(snapshots)
    // mkdtemp's 0700 would keep out the worker of an nginx that root starts.
    chmodSync(folder.dir, 0o755)
    const older = await publishRelease(snapshots, { asOfMs: AS_OF_MS - 3_600_000, revision: 1 })
    const olderId = older.id
    // nginx tells versions of a file apart by its second and its size, and builds are at least a minute apart.
    for (const { path } of [...older.files, { path: 'manifest.json' }])
      utimesSync(join(snapshots, 'releases', olderId, path), new Date(AS_OF_MS), new Date(AS_OF_MS))
    const { id } = await publishRelease(snapshots)
    Object.assign(published, { snapshots, id, olderId })

    const release = join(snapshots, 'releases', id)
    for (const file of [
      join(folder.dir, 'secret.json'),
      ...['.lock', '.journal', '.hidden.json', 'README.md', 'loose.json'].map((name) => join(snapshots, name)),
      join(snapshots, `.state/${id}.json`),
      join(snapshots, 'releases/.tmp-1-abc/manifest.json'),
      join(snapshots, `releases/.refused-${id}/manifest.json`),
      ...['.hidden.json', '.hidden/x.json', 'notes.txt', 'public/stats.json.gz'].map((name) => join(release, name)),
    ]) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, 'not to be served')
    }
    writeFileSync(
      join(release, 'public/stats.json.gz'),
      gzipSync(readFileSync(join(release, 'public/stats.json'), 'utf8')),
    )
  })
  afterAll(async () => {
    for (const close of closers) await close()
  })
  return { closeLater, start, startProxy, published }
}
