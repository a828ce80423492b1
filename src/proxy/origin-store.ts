// Owns reading releases from an origin (nginx, a CDN, object storage) over HTTP. Serves nothing itself.
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { createProxyServer, type ProxyServer } from 'http-proxy'
import { Agent, request as fetchUrl, type Dispatcher } from 'undici'
import { checkBytes, MANIFEST_NAME, manifestOf, ReleaseError, type FileBytes, type Manifest } from '../release/open.ts'
import type { SnapshotStore } from './snapshot-store.ts'

const TIMEOUT_MS = 10_000
/** Once a large file is on its way: its reader may pause, and then nothing comes from the origin either. */
const STALLED_MS = 60_000
/** JSON is fetched and checked whole up to this size; larger files pass through. */
const WHOLE_BYTES = 1 << 20
const MAX_MANIFEST_BYTES = 64 << 20
const ACCEPT = { accept: 'application/json, text/csv' }

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

  const send = (url: string, headers: Readonly<Record<string, string>>): Promise<Dispatcher.ResponseData> =>
    fetchUrl(url, { dispatcher: agent, headers }).catch((error: Error) => {
      throw new ReleaseError('damaged', `cannot fetch ${url}: ${error.message}`, error)
    })

  const whole = async (url: string, { statusCode, body }: Dispatcher.ResponseData): Promise<Buffer> => {
    if (statusCode === 200) return collect(body, url)
    await body.dump()
    throw new ReleaseError(statusCode === 404 ? 'absent' : 'damaged', `${url} answered ${statusCode}, expected 200`)
  }

  const manifestAt = async (url: string, response: Dispatcher.ResponseData): Promise<Manifest> =>
    manifestOf((await whole(url, response)).toString('utf8'), url)
  const urlOf = (id: string, path: string): string => `${base}/releases/${id}/${path}`

  return {
    // An origin may code as it likes: what it sends is asked for as it stands, and coded here.
    siblings: false,
    async current() {
      const url = `${base}/current/${MANIFEST_NAME}`
      try {
        const response = await send(
          url,
          known?.etag === undefined ? ACCEPT : { ...ACCEPT, 'if-none-match': known.etag },
        )
        if (known?.etag !== undefined && response.statusCode === 304) {
          await response.body.dump()
          return known.manifest
        }
        const manifest = await manifestAt(url, response)
        const { etag } = response.headers
        // The same release again keeps its identity: nothing that was prepared from it is prepared anew.
        known = {
          manifest: manifest.id === known?.manifest.id ? known.manifest : manifest,
          etag: typeof etag === 'string' ? etag : undefined,
        }
        return known.manifest
      } catch (error) {
        if (error instanceof ReleaseError && error.code === 'absent' && known === null) return null
        throw error
      }
    },
    async manifest(id) {
      const url = urlOf(id, MANIFEST_NAME)
      return manifestAt(url, await send(url, ACCEPT))
    },
    async read(id, file) {
      const url = urlOf(id, file.path)
      const bytes = await whole(url, await send(url, ACCEPT))
      checkBytes(bytes, file)
      return bytes
    },
    async stream(id, file) {
      const url = urlOf(id, file.path)
      if (file.path.endsWith('.csv') && file.bytes > WHOLE_BYTES) return throughProxy(proxy, waiting, url, file)
      const { statusCode, headers, body } = await send(url, {})
      await checkHead(url, statusCode, headers['content-length'], file, () => body.dump())
      return body
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
  file: FileBytes,
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
function throughProxy(proxy: ProxyServer, waiting: Waiting, url: string, file: FileBytes): Promise<Readable> {
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
