// A proxy as networks of offices have one: it passes on connections (CONNECT) to names that nobody else can find.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'

export interface ConnectProxy {
  readonly port: number
  /** `host:port` of each connection that it was asked for. */
  readonly asked: string[]
  /** What it answers in place of passing on; null = it does; 0 = nothing. */
  refuses: number | null
  readonly stop: () => Promise<void>
}

/** @param login `user:password` that it wants; null = none @param to the port here that a name stands for */
export async function startConnectProxy(login: string | null, to: (host: string) => number): Promise<ConnectProxy> {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((_, response) => response.writeHead(400).end())
  server.on('connection', (socket) => void sockets.add(socket.on('error', () => {})))
  server.on('connect', ({ url = '', headers }, socket: Socket, head) => {
    asked.push(url)
    const given = headers['proxy-authorization']
    const isKnown = login === null || given === `Basic ${Buffer.from(login).toString('base64')}`
    const status = proxy.refuses ?? (isKnown ? 200 : 407)
    if (status === 0) return
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`)
    const upstream = connect(to(url.replace(/:\d+$/, '')), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.write(head)
      upstream.pipe(socket).pipe(upstream)
    })
    upstream.on('error', () => socket.destroy())
    sockets.add(upstream)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: ConnectProxy = {
    port: (server.address() as AddressInfo).port,
    asked,
    refuses: null,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}
