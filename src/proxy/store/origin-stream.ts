// Owns passing a large file from an origin to a client by http-proxy: no header and no body of the client travels, no
// header of the origin comes back. Knows no release.
import type { Agent } from 'node:http'
import { Readable } from 'node:stream'
import { createProxyServer } from 'http-proxy'
import { cannotFetch, HEAD, okBody, REQUEST_HEADERS, within } from '../../release/reading/http-fetch.ts'
import type { Exchange } from '../answer/answer.ts'

/**
 * @param headMs how long it may take until the head of an answer is there
 * @param stalledMs how long no byte may come from then on: the reader may pause, and then nothing comes from the origin either
 */
export function largeFiles(headMs: number, stalledMs: number, agent: Agent) {
  const options = {
    agent,
    // The status, the length and the coding are checked first, and no header is passed on.
    selfHandleResponse: true,
    changeOrigin: true,
    ignorePath: true,
    method: 'GET',
    xfwd: false,
    proxyTimeout: stalledMs,
  }

  /** @throws ReleaseError */
  return (url: string, bytes: number, { response }: Exchange): Promise<Readable> => {
    const { req } = response
    // This bounds the whole head, connecting included: a time-out of the socket begins anew with each byte.
    return within({ withinMs: headMs }, url, HEAD, (late) => {
      return new Promise((resolve, reject) => {
        const failed = (error: Error): void => {
          // The client has left, which is no fault of the origin. http-proxy has ended the request to it.
          if (response.destroyed || req.errored !== null) resolve(new Readable().destroy())
          else reject(cannotFetch(url, error))
        }
        // It listens to nothing but this request, and is gone with it.
        const proxy = createProxyServer(options)
        proxy.on('proxyReq', (made) => late.addEventListener('abort', () => made.destroy()))
        proxy.on('proxyRes', (answer) => {
          try {
            resolve(okBody(url, answer, bytes))
          } catch (error) {
            reject(error)
          }
        })
        // With some resets of a client http-proxy calls this, with others the callback of web().
        proxy.on('econnreset', failed)
        // The allow-list: none of the client's headers travels, and neither does a body.
        req.headers = { ...REQUEST_HEADERS }
        proxy.web(req, response, { target: url, buffer: Readable.from([]) }, failed)
      })
    })
  }
}
