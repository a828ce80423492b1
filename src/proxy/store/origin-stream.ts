// Owns streaming a large file from an origin by http-proxy. Knows no release and no client.
import { IncomingMessage, ServerResponse, type ClientRequest } from 'node:http'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { createProxyServer } from 'http-proxy'
import { ASKED, cannotFetch, checkedBody, drop, lateHead, requireOk } from './origin-fetch.ts'

export interface LargeFiles {
  /** @throws ReleaseError */
  open(url: string, bytes: number): Promise<Readable>
  close(): void
}

/** What becomes of a request that http-proxy forwards: one listener for all, however many are under way. */
interface Forwarded {
  readonly sent: (request: ClientRequest) => void
  readonly answered: (response: IncomingMessage) => void
}

/**
 * @param headMs until the head of an answer is there
 * @param stalledMs without a byte from then on: its reader may pause, and then nothing comes from the origin either
 */
export function largeFiles(headMs: number, stalledMs: number): LargeFiles {
  const proxy = createProxyServer({
    selfHandleResponse: true,
    changeOrigin: true,
    ignorePath: true,
    xfwd: false,
    proxyTimeout: stalledMs,
  })
  const underWay = new Set<ClientRequest>()
  const waiting = new WeakMap<IncomingMessage, Forwarded>()
  proxy.on('proxyReq', (sent, request) => waiting.get(request)?.sent(sent))
  proxy.on('proxyRes', (response, request) => waiting.get(request)?.answered(response))

  return {
    open: (url, bytes) =>
      new Promise((resolve, reject) => {
        const request = forwarded()
        let outgoing: ClientRequest | undefined
        let isLate = false
        // Of the whole head, connecting included: a time-out of the socket begins anew with each byte.
        const timer = setTimeout(() => {
          isLate = true
          reject(lateHead(url, headMs))
          outgoing?.destroy()
        }, headMs)
        waiting.set(request, {
          sent(made) {
            outgoing = made
            underWay.add(made)
            made.once('close', () => underWay.delete(made))
            if (isLate) made.destroy()
          },
          answered(response) {
            clearTimeout(timer)
            if (isLate) return drop(response)
            try {
              requireOk(url, response.statusCode ?? 0, response.headers)
              resolve(checkedBody(url, response, response.headers, bytes))
            } catch (error) {
              drop(response)
              reject(error)
            }
          },
        })
        proxy.web(request, new ServerResponse(request), { target: url }, (error) => {
          clearTimeout(timer)
          reject(cannotFetch(url, error))
        })
      }),
    close() {
      proxy.close()
      for (const request of underWay) request.destroy()
    },
  }
}

/** Made here: no header of a client ever travels, so there is nothing to forge and nothing (Trailer, Expect) to trip over. */
function forwarded(): IncomingMessage {
  const request = new IncomingMessage(new Socket())
  request.method = 'GET'
  request.url = '/'
  request.headers = { ...ASKED }
  request.push(null)
  // Else it counts as aborted by its client, and http-proxy says nothing of an origin that hangs up.
  request.complete = true
  return request
}
