// Owns the clients that have used their window up, until its end. Knows nothing of limits, or of the other clients.
import type { ClientKey } from './client-key.ts'

/** Removing more than one a call lets a backlog (a quiet night) shrink; removing all would stop the process for it. */
const FORGET_PER_CALL = 4

/**
 * Clients that used their window up, until its end; when full, the one whose window ends first goes. They arrive in
 * the order of their last request, not of their windows, so a binary heap by end keeps that one on top: O(log n), and
 * only once per `limit` requests of a client. A window's end never changes while it is here, so nothing ever moves in
 * the heap but through add and the removal of the top. An lru-cache's recency order would be of no use.
 */
export class ExhaustedClients {
  readonly #capacity: number
  readonly #endMsByKey = new Map<ClientKey, number>()
  // The heap, as two parallel arrays. An ended client that comes back before it was removed leaves its old place
  // behind, recognised by its end. The heap has at most one place more than capacity, because while it has any ended
  // one each call removes up to FORGET_PER_CALL and adds at most one.
  readonly #endsMs: number[] = []
  readonly #keys: ClientKey[] = []

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get size(): number {
    return this.#endMsByKey.size
  }

  /** 0 for a client that is not here; a past end for one that is not yet removed */
  endMs(key: ClientKey): number {
    return this.#endMsByKey.get(key) ?? 0
  }

  add(key: ClientKey, endMs: number): void {
    this.#endMsByKey.set(key, endMs)
    let place = this.#endsMs.length
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (this.#endAt(parent) <= endMs) break
      this.#move(parent, place)
      place = parent
    }
    this.#endsMs[place] = endMs
    this.#keys[place] = key
    while (this.#endMsByKey.size > this.#capacity) this.#removeTop()
  }

  /** Removes a few of the clients whose window has ended. */
  forget(nowMs: number): void {
    for (let i = 0; i < FORGET_PER_CALL && this.#endAt(0) <= nowMs; i++) this.#removeTop()
  }

  #removeTop(): void {
    const key = this.#keys[0]
    if (key !== undefined && this.#endMsByKey.get(key) === this.#endsMs[0]) this.#endMsByKey.delete(key)
    const endMs = this.#endsMs.pop()
    const last = this.#keys.pop()
    const length = this.#endsMs.length
    if (endMs === undefined || last === undefined || length === 0) return
    let place = 0
    for (;;) {
      let child = 2 * place + 1
      if (child + 1 < length && this.#endAt(child + 1) < this.#endAt(child)) child += 1
      if (child >= length || this.#endAt(child) >= endMs) break
      this.#move(child, place)
      place = child
    }
    this.#endsMs[place] = endMs
    this.#keys[place] = last
  }

  #endAt(place: number): number {
    return this.#endsMs[place] ?? Infinity
  }

  #move(from: number, to: number): void {
    const [endMs, key] = [this.#endsMs[from], this.#keys[from]]
    if (endMs === undefined || key === undefined) return
    this.#endsMs[to] = endMs
    this.#keys[to] = key
  }
}
