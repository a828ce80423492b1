// Owns reading releases from an origin (nginx, a CDN, object storage) over HTTP. Serves nothing itself.
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { createProxyServer, type ProxyServer } from 'http-proxy'
import { Agent, request as fetchUrl } from 'undici'
import {
  checkBytes,
  MANIFEST_NAME,
  parseManifest,
  ReleaseError,
  type Manifest,
  type ManifestFile,
} from '../release/open.ts'
import type { SnapshotStore } from './snapshot-store.ts'

const TIMEOUT_MS = 10_000
/** Once a large file is on its way: its reader may pause, and then nothing comes from the origin either. */
const STALLED_MS = 60_000
/** JSON is fetched and checked whole up to this size; larger files pass through. */
const WHOLE_BYTES = 1 << 20
const MAX_MANIFEST_BYTES = 64 << 20

/** @param base where `current/` and `releases/` are served; no slash at its end */
export function originStore(base: string): SnapshotStore {
  const agent = new Agent({
    connections: 16,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    connectTimeout: TIMEOUT_MS,
  })
  const proxy = createProxyServer({
    selfHandleResponse: true,
    changeOrigin: true,
    ignorePath: true,
    xfwd: false,
    proxyTimeout: TIMEOUT_MS,
  })
  const waiting: Waiting = new WeakMap()
  proxy.on('proxyRes', (response, request) => waiting.get(request)?.(response))
  let known: { readonly manifest: Manifest; readonly etag: string | undefined } | null = null

  const fetched = async (url: string, etag?: string): Promise<{ bytes: Buffer; etag: string | undefined } | 304> => {
    const headers = { accept: 'application/json, text/csv', ...(etag === undefined ? {} : { 'if-none-match': etag }) }
    const response = await fetchUrl(url, { dispatcher: agent, headers }).catch((error: Error) => {
      throw new ReleaseError('damaged', `cannot fetch ${url}: ${error.message}`, error)
    })
    if (response.statusCode !== 200) {
      await response.body.dump()
      if (response.statusCode === 304 && etag !== undefined) return 304
      throw new ReleaseError(
        response.statusCode === 404 ? 'absent' : 'damaged',
        `${url} answered ${response.statusCode}, expected 200`,
      )
    }
    const bytes = await collect(response.body, url)
    const given = response.headers['etag']
    return { bytes, etag: typeof given === 'string' ? given : undefined }
  }

  const manifestAt = (url: string, bytes: Buffer): Manifest => {
    const manifest = parseManifest(bytes.toString('utf8'))
    if (typeof manifest === 'string') throw new ReleaseError('damaged', `${url}: ${manifest}`)
    return manifest
  }
  const urlOf = (id: string, path: string): string => `${base}/releases/${id}/${path}`

  return {
    async current() {
      const url = `${base}/current/${MANIFEST_NAME}`
      try {
        const answer = await fetched(url, known?.etag)
        if (answer === 304) return known?.manifest ?? null
        const manifest = manifestAt(url, answer.bytes)
        // The same release again keeps its identity: nothing that was prepared from it is prepared anew.
        known = { manifest: manifest.id === known?.manifest.id ? known.manifest : manifest, etag: answer.etag }
        return known.manifest
      } catch (error) {
        if (error instanceof ReleaseError && error.code === 'absent' && known === null) return null
        throw error
      }
    },
    async manifest(id) {
      const url = urlOf(id, MANIFEST_NAME)
      const answer = await fetched(url)
      if (answer === 304) throw new ReleaseError('damaged', `${url} answered 304 to an unconditional request`)
      return manifestAt(url, answer.bytes)
    },
    async read(id, file) {
      const url = urlOf(id, file.path)
      const answer = await fetched(url)
      if (answer === 304) throw new ReleaseError('damaged', `${url} answered 304 to an unconditional request`)
      checkBytes(answer.bytes, file)
      return answer.bytes
    },
    async stream(id, file) {
      if (file.path.endsWith('.csv') && file.bytes > WHOLE_BYTES)
        return throughProxy(proxy, waiting, urlOf(id, file.path), file)
      const response = await fetchUrl(urlOf(id, file.path), { dispatcher: agent }).catch((error: Error) => {
        throw new ReleaseError('damaged', `cannot fetch ${urlOf(id, file.path)}: ${error.message}`, error)
      })
      await checkHead(urlOf(id, file.path), response.statusCode, response.headers['content-length'], file, () =>
        response.body.dump(),
      )
      return response.body
    },
    async close() {
      proxy.close()
      await agent.destroy()
    },
  }
}

async function collect(body: AsyncIterable<Buffer>, url: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > MAX_MANIFEST_BYTES) throw new ReleaseError('damaged', `${url} is over ${MAX_MANIFEST_BYTES} bytes`)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof ReleaseError) throw error
    throw new ReleaseError('damaged', `${url} was cut off: ${(error as Error).message}`, error)
  }
  return Buffer.concat(chunks, bytes)
}

async function checkHead(
  url: string,
  status: number,
  length: unknown,
  file: ManifestFile,
  drop: () => unknown,
): Promise<void> {
  if (status === 200 && (length === undefined || Number(length) === file.bytes)) return
  await drop()
  throw new ReleaseError(
    'damaged',
    `${url} answered ${status} with ${String(length)} bytes, expected 200 with ${file.bytes}`,
  )
}

/** Who takes the answer to a request that http-proxy forwards: one listener for all, however many are under way. */
type Waiting = WeakMap<IncomingMessage, (response: IncomingMessage) => void>

/**
 * Streams a large file by http-proxy. The request it forwards is made here: no header of a client ever travels, so there
 * is nothing to forge and nothing (Trailer, Expect, Connection) to trip over.
 */
function throughProxy(proxy: ProxyServer, waiting: Waiting, url: string, file: ManifestFile): Promise<Readable> {
  return new Promise((resolve, reject) => {
    const forwarded = new IncomingMessage(new Socket())
    forwarded.method = 'GET'
    forwarded.url = '/'
    forwarded.headers = { accept: 'text/csv', 'accept-encoding': 'identity' }
    forwarded.push(null)
    // Else it counts as aborted by its client, and http-proxy says nothing of an origin that hangs up.
    forwarded.complete = true
    const unused = new ServerResponse(forwarded)
    waiting.set(forwarded, (response) => {
      response.setTimeout(STALLED_MS)
      const { statusCode = 0, headers } = response
      checkHead(url, statusCode, headers['content-length'], file, () => response.destroy()).then(
        () => resolve(response),
        reject,
      )
    })
    proxy.web(forwarded, unused, { target: url }, (error) => {
      reject(new ReleaseError('damaged', `cannot fetch ${url}: ${error.message}`, error))
    })
  })
}
