// What a test has for itself: a proxy, or a server; it ends with the test.
import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { startProxy, type ProxySpec, type TestProxy } from '../support/proxy.ts'

export async function ownProxy(spec: ProxySpec): Promise<TestProxy> {
  const proxy = await startProxy(spec)
  onTestFinished(() => proxy.stop())
  return proxy
}

/** @param sockets has those that are open @returns its port */
export async function ownServer(server: Server, sockets: Set<Socket> = new Set()): Promise<number> {
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}
