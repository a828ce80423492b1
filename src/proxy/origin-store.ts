// Owns reading releases from an origin (nginx, a CDN, object storage) over HTTP. Serves nothing itself.
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { createProxyServer, type ProxyServer } from 'http-proxy'
import { Agent, request as fetchUrl, type Dispatcher } from 'undici'
import { LRUCache } from 'lru-cache'
import { checkBytes, MANIFEST_NAME, manifestOf, MAX_MANIFEST_BYTES, ReleaseError, Slots } from '../release/open.ts'
import type { FileLength, SnapshotStore, StoredManifest } from './snapshot-store.ts'

const TIMEOUT_MS = 10_000
/** Once a large file is on its way: its reader may pause, and then nothing comes from the origin either. */
const STALLED_MS = 60_000
/** JSON is fetched and checked whole up to this size; larger files pass through. */
const WHOLE_BYTES = 1 << 20
/** Older manifests that are fetched at once, on connections of their own. */
const OLDER_AT_ONCE = 2
/** How long an older manifest is believed: the origin says for an hour. */
const BELIEVED_MS = 60_000
/** Ids that were current here: only those are asked for. */
const SEEN = 100
const ACCEPT = { accept: 'application/json, text/csv' }

/** @param base where `current/` and `releases/` are served; no slash at its end */
export function originStore(base: string): SnapshotStore {
  const agentOf = (connections: number): Agent =>
    new Agent({ connections, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS, connectTimeout: TIMEOUT_MS })
  const agent = agentOf(16)
  const older = agentOf(OLDER_AT_ONCE)
  const slots = new Slots(OLDER_AT_ONCE)
  const seen = new LRUCache<string, true>({ max: SEEN })
  const proxy = createProxyServer({
    selfHandleResponse: true,
    changeOrigin: true,
    ignorePath: true,
    xfwd: false,
    proxyTimeout: TIMEOUT_MS,
  })
  const waiting: Waiting = new WeakMap()
  proxy.on('proxyRes', (response, request) => waiting.get(request)?.(response))
  let known: StoredManifest | null = null

  const send = (
    url: string,
    headers: Readonly<Record<string, string>>,
    dispatcher: Agent = agent,
  ): Promise<Dispatcher.ResponseData> =>
    fetchUrl(url, { dispatcher, headers }).catch((error: Error) => {
      throw new ReleaseError('damaged', `cannot fetch ${url}: ${error.message}`, error)
    })

  const failed = async (url: string, { statusCode, body }: Dispatcher.ResponseData): Promise<never> => {
    await body.dump()
    throw new ReleaseError(statusCode === 404 ? 'absent' : 'damaged', `${url} answered ${statusCode}, expected 200`)
  }

  const whole = async (url: string, response: Dispatcher.ResponseData): Promise<Buffer> =>
    response.statusCode === 200 ? collect(response.body, url) : failed(url, response)

  const manifestAt = async (url: string, response: Dispatcher.ResponseData): Promise<StoredManifest> => {
    const bytes = await whole(url, response)
    const { etag } = response.headers
    return {
      manifest: await manifestOf(bytes.toString('utf8'), url),
      bytes: bytes.length,
      tag: typeof etag === 'string' ? etag : undefined,
    }
  }

  /** @param before comes back when the origin says that it is still the same */
  const manifestSince = async (
    url: string,
    before: StoredManifest | null,
    dispatcher: Agent,
  ): Promise<StoredManifest> => {
    const tag = before?.tag
    const response = await send(url, tag === undefined ? ACCEPT : { ...ACCEPT, 'if-none-match': tag }, dispatcher)
    if (before === null || tag === undefined || response.statusCode !== 304) return manifestAt(url, response)
    await response.body.dump()
    return before
  }

  const urlOf = (id: string, path: string): string => `${base}/releases/${id}/${path}`

  return {
    // An origin may code as it likes: what it sends is asked for as it stands, and coded here.
    siblings: false,
    believedMs: BELIEVED_MS,
    async current() {
      try {
        const now = await manifestSince(`${base}/current/${MANIFEST_NAME}`, known, agent)
        // The same release again keeps its identity: nothing that was prepared from it is prepared anew.
        known = now.manifest.id === known?.manifest.id ? { ...now, manifest: known.manifest } : now
        seen.set(known.manifest.id, true)
        return known.manifest
      } catch (error) {
        if (error instanceof ReleaseError && error.code === 'absent' && known === null) return null
        throw error
      }
    },
    mayHave: (id) => seen.has(id),
    async manifest(id, before) {
      const url = urlOf(id, MANIFEST_NAME)
      try {
        return await slots.run(() => manifestSince(url, before, older))
      } catch (error) {
        if (!(error instanceof ReleaseError)) throw error
        if (error.code === 'absent') seen.delete(id)
        // An origin that is away has not lost what it had.
        else if (before !== null) return before
        throw error
      }
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
      await Promise.all([agent.destroy(), older.destroy()])
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
  file: FileLength,
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
function throughProxy(proxy: ProxyServer, waiting: Waiting, url: string, file: FileLength): Promise<Readable> {
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
