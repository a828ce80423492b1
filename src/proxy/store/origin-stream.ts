// Owns passing a large file from an origin to a client by http-proxy: no header and no body of the client travels, no
// header of the origin comes back. Knows no release.
import type { Agent, ClientRequest, IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { createProxyServer } from 'http-proxy'
import { cannotFetch, okBody, REQUEST_HEADERS, tooLate } from '../../release/reading/http-fetch.ts'
import type { Exchange } from '../answer/answer.ts'

/** What becomes of a request that http-proxy passes on: one listener for all, however many are under way. */
interface Awaited {
  readonly sent: (request: ClientRequest) => void
  readonly answered: (response: IncomingMessage) => void
  readonly failed: (error: Error) => void
}

/**
 * @param headMs how long it may take until the head of an answer is there
 * @param stalledMs how long no byte may come from then on: the reader may pause, and then nothing comes from the origin either
 */
export function largeFiles(headMs: number, stalledMs: number, agent?: Agent) {
  const proxy = createProxyServer({
    agent,
    // The status, the length and the coding are checked first, and no header is passed on.
    selfHandleResponse: true,
    changeOrigin: true,
    ignorePath: true,
    method: 'GET',
    xfwd: false,
    proxyTimeout: stalledMs,
  })
  const awaited = new WeakMap<IncomingMessage, Awaited>()
  proxy.on('proxyReq', (sent, request) => awaited.get(request)?.sent(sent))
  proxy.on('proxyRes', (response, request) => awaited.get(request)?.answered(response))
  // With some resets of a client http-proxy calls this, with others the callback of web().
  proxy.on('econnreset', (error, request) => awaited.get(request)?.failed(error))

  /** @throws ReleaseError */
  return (url: string, bytes: number, { request, response }: Exchange): Promise<Readable> =>
    new Promise((resolve, reject) => {
      let outgoing: ClientRequest | undefined
      // This bounds the whole head, connecting included: a time-out of the socket begins anew with each byte.
      const timer = setTimeout(() => {
        reject(tooLate(url, headMs))
        outgoing?.destroy()
      }, headMs)
      const failed = (error: Error): void => {
        clearTimeout(timer)
        // The client has left, which is no fault of the origin. http-proxy has ended the request to it.
        if (response.destroyed || request.errored !== null) resolve(new Readable().destroy())
        else reject(cannotFetch(url, error))
      }
      awaited.set(request, {
        sent: (made) => (outgoing = made),
        answered(answer) {
          clearTimeout(timer)
          try {
            const { statusCode = 0, headers } = answer
            const body = okBody(url, { statusCode, headers, body: answer }, bytes)
            resolve(body)
          } catch (error) {
            reject(error)
          }
        },
        failed,
      })
      // The allow-list: none of the client's headers travels, and neither does a body.
      request.headers = { ...REQUEST_HEADERS }
      proxy.web(request, response, { target: url, buffer: Readable.from([]) }, failed)
    })
}
