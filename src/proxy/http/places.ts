// Owns how many connections there may be, in all and of one client, and which ends when there is no place for another.
// Knows no request.
import type { Socket } from 'node:net'

/** What tells one client from another. */
type ClientKey = number | string

const BOUNDS = {
  /** Of one client: as nginx.conf. Ten browsers behind one address, with six connections each. */
  client: 64,
  /** Of all clients: as the connections of an nginx worker. */
  total: 4096,
}
export type PlaceBounds = Readonly<typeof BOUNDS>

/** So long a new connection keeps its place without being owed anything: its first request may still be on its way. */
const NEW_MS = 1_000

/** The connections of a client, oldest first, and when each came. */
type Held = Map<Socket, number>

interface Asked {
  /** None: a trusted proxy, whose connections are those of many clients and are not counted. */
  readonly clientOf: (socket: Socket) => ClientKey | null
  /** Whether a request of it is being answered. */
  readonly isBusy: (socket: Socket) => boolean
  /** Is told of each connection that is ended for another. */
  readonly onCut: () => void
}

/**
 * What waits for a client is bounded for each connection, so somebody with a thousand of them could take the time and the
 * memory of all. Who only holds places loses them: a new connection replaces the oldest one that is idle.
 */
export class Places {
  readonly #asked: Asked
  readonly #bounds: PlaceBounds
  readonly #nowMs: () => number
  readonly #clients = new Map<ClientKey, Held>()
  #total = 0

  constructor(asked: Asked, bounds: PlaceBounds = BOUNDS, nowMs: () => number = () => performance.now()) {
    this.#asked = asked
    this.#bounds = bounds
    this.#nowMs = nowMs
  }

  /** @returns whether there is a place for a new connection; one is made, where that is fair */
  take(socket: Socket): boolean {
    const client = this.#asked.clientOf(socket)
    if (client === null) return true
    const own = this.#clients.get(client)
    if (own !== undefined && own.size >= this.#bounds.client) {
      const idle = this.#idle(own)
      if (idle === undefined) return false
      this.#cut(idle, client)
    } else if (this.#total >= this.#bounds.total) this.#cutOfMost()
    this.#add(socket, client)
    return true
  }

  #add(socket: Socket, client: ClientKey): void {
    // Not the one from before: its last connection may have been cut.
    const held = this.#clients.get(client) ?? (new Map() as Held)
    this.#clients.set(client, held.set(socket, this.#nowMs()))
    this.#total += 1
    socket.once('close', () => this.#free(socket, client))
  }

  #free(socket: Socket, client: ClientKey): void {
    const held = this.#clients.get(client)
    if (held?.delete(socket) !== true) return
    this.#total -= 1
    if (held.size === 0) this.#clients.delete(client)
  }

  #cut(socket: Socket, client: ClientKey): void {
    this.#free(socket, client)
    socket.destroy()
    this.#asked.onCut()
  }

  /** Of the client that has the most: so whoever has few connections, such as a health check, always finds a place. */
  #cutOfMost(): void {
    let most: readonly [ClientKey, Held] | undefined
    for (const entry of this.#clients) if (most === undefined || entry[1].size > most[1].size) most = entry
    if (most === undefined) return
    const [client, held] = most
    const [oldest] = held.keys()
    const cut = this.#idle(held) ?? oldest
    if (cut !== undefined) this.#cut(cut, client)
  }

  #idle(held: Held): Socket | undefined {
    const newMs = this.#nowMs() - NEW_MS
    for (const [socket, cameMs] of held) {
      if (cameMs > newMs) return undefined
      if (!this.#asked.isBusy(socket)) return socket
    }
    return undefined
  }
}
