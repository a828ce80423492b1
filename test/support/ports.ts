// Owns TCP ports of this machine for a test: one that is free, and whether somebody listens on one.
import { connect, createServer } from 'node:net'

/** Free for IPv4 and, where there is IPv6, for that, too. */
export function freePort(): Promise<number> {
  return new Promise((done, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, () => {
      const address = server.address()
      server.close(() => {
        if (typeof address === 'object' && address !== null) done(address.port)
        else reject(new Error('no TCP port'))
      })
    })
  })
}

export function listens(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => (socket.destroy(), done(true)))
    socket.once('error', () => done(false))
  })
}
