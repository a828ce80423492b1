// Object storage for a test: the part of the S3 protocol that rclone uses, in memory, without looking at signatures. Everybody may
// read an object at /BUCKET/KEY, with the headers that it was put with.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface StoredObject {
  readonly bytes: Buffer
  readonly headers: Readonly<Record<string, string>>
}

export interface ObjectStorage {
  readonly port: number
  /** By key. */
  readonly objects: Map<string, StoredObject>
  readonly stop: () => Promise<void>
}

const KEPT = /^(?:content-type|content-encoding|cache-control|x-amz-meta-.*)$/

/** @param changed is called after each object that came or went */
export async function startObjectStorage(bucket: string, changed: () => void): Promise<ObjectStorage> {
  const objects = new Map<string, StoredObject>()
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://storage')
    const key = decodeURIComponent(pathname).slice(`/${bucket}/`.length)
    const body = await buffer(request)
    if (key === '') {
      response.setHeader('Content-Type', 'application/xml')
      response.end(request.method === 'GET' ? listing(searchParams, objects) : '')
    } else if (request.method === 'PUT') {
      const kept = Object.entries(request.headers).filter(([name]) => KEPT.test(name)) as [string, string][]
      const etag = `"${createHash('md5').update(body).digest('hex')}"`
      const headers = { ...Object.fromEntries(kept), etag, 'last-modified': new Date().toUTCString() }
      objects.set(key, { bytes: body, headers })
      changed()
      response.setHeader('ETag', etag).end()
    } else if (request.method === 'DELETE') {
      objects.delete(key)
      changed()
      response.writeHead(204).end()
    } else {
      const found = objects.get(key)
      if (found === undefined) response.writeHead(404).end()
      else if (request.headers['if-none-match'] === found.headers['etag']) response.writeHead(304, found.headers).end()
      else {
        response.writeHead(200, { ...found.headers, 'content-length': found.bytes.length })
        response.end(request.method === 'HEAD' ? '' : found.bytes)
      }
    }
  }
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    objects,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** ListObjectsV2, all on one page. */
function listing(asked: URLSearchParams, objects: ReadonlyMap<string, StoredObject>): string {
  const prefix = asked.get('prefix') ?? ''
  const below = [...objects].filter(([key]) => key.startsWith(prefix))
  const isDeep = (key: string): boolean => asked.get('delimiter') === '/' && key.slice(prefix.length).includes('/')
  const folders = new Set(
    below.filter(([key]) => isDeep(key)).map(([key]) => key.slice(0, key.indexOf('/', prefix.length) + 1)),
  )
  const files = below.filter(([key]) => !isDeep(key))
  const rows = files.map(
    ([key, { bytes, headers }]) =>
      `<Contents><Key>${key}</Key><LastModified>${new Date(headers['last-modified'] ?? '').toISOString()}</LastModified>` +
      `<ETag>${headers['etag']}</ETag><Size>${bytes.length}</Size></Contents>`,
  )
  const prefixes = [...folders].map((one) => `<CommonPrefixes><Prefix>${one}</Prefix></CommonPrefixes>`)
  return `<ListBucketResult><IsTruncated>false</IsTruncated>${rows.join('')}${prefixes.join('')}</ListBucketResult>`
}
