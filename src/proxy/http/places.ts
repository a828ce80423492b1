// Owns how many connections there may be, in all and of one client, and which ends when there is no place for another.
// Knows no request.
import type { Socket } from 'node:net'

/** What tells one client from another. */
type ClientKey = number | string

const BOUNDS = {
  /** For one client, as in nginx.conf: ten browsers behind one address, with six connections each. */
  client: 64,
  /** For all clients: as many as the connections of an nginx worker. */
  total: 4096,
}

/** How long a new connection keeps its place without being owed anything: its first request may still be on its way. */
const NEW_MS = 1_000

/** The connections of a client, oldest first, and when each came. */
type Held = Map<Socket, number>

interface Asked {
  /** Null = a trusted proxy, whose connections are those of many clients and are not counted. */
  readonly clientOf: (socket: Socket) => ClientKey | null
  /** Whether a request of a connection is being answered. */
  readonly isBusy: (socket: Socket) => boolean
  /** Is told of each connection that is ended for another. */
  readonly onCut: () => void
}

/**
 * What waits for a client is bounded for each connection, so somebody with a thousand of them could take the time and the
 * memory of all. Somebody who only holds places loses them: a new connection replaces the oldest one that is idle.
 * @returns a function that takes a place for a new connection, making one where that is fair, and says whether there is one
 */
export function placeTaker({ clientOf, isBusy, onCut }: Asked, bounds = BOUNDS, nowMs = () => performance.now()) {
  const clients = new Map<ClientKey, Held>()
  let total = 0

  function add(socket: Socket, client: ClientKey): void {
    // What was held is looked up again: the client's last connection may have been cut, and its entry with it.
    const held: Held = clients.get(client) ?? new Map()
    clients.set(client, held.set(socket, nowMs()))
    total += 1
    socket.once('close', () => free(socket, client))
  }

  function free(socket: Socket, client: ClientKey): void {
    const held = clients.get(client)
    if (held?.delete(socket) !== true) return
    total -= 1
    if (held.size === 0) clients.delete(client)
  }

  function cut(socket: Socket, client: ClientKey): void {
    free(socket, client)
    socket.destroy()
    onCut()
  }

  /** Cuts one of the client that has the most: so whoever has few connections, such as a health check, always finds a place. */
  function cutOfMost(): void {
    let most: readonly [ClientKey, Held] | undefined
    for (const entry of clients) if (most === undefined || entry[1].size > most[1].size) most = entry
    if (most === undefined) return
    const [client, held] = most
    const [oldest] = held.keys()
    const socket = idle(held) ?? oldest
    if (socket !== undefined) cut(socket, client)
  }

  function idle(held: Held): Socket | undefined {
    const newMs = nowMs() - NEW_MS
    for (const [socket, cameMs] of held) {
      if (cameMs > newMs) return undefined
      if (!isBusy(socket)) return socket
    }
    return undefined
  }

  return (socket: Socket): boolean => {
    const client = clientOf(socket)
    if (client === null) return true
    const own = clients.get(client)
    if (own !== undefined && own.size >= bounds.client) {
      const replaced = idle(own)
      if (replaced === undefined) return false
      cut(replaced, client)
    } else if (total >= bounds.total) cutOfMost()
    add(socket, client)
    return true
  }
}
