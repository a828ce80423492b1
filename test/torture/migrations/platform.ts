// Owns the platform that changes: its session with the database, how long it holds a transaction open and rests after it, and
// its ledger. Knows no kind of change and no build.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError, escapeIdentifier } from 'pg'
import { packagePath } from '../../../src/process/package-root.ts'
import type { Postgres } from '../../support/postgres.ts'
import {
  FIRST,
  GRANT_VIEWS,
  grantOn,
  insertRows,
  ROLE,
  rowChanges,
  TABLE_NAMES,
  type Contents,
  type Table,
} from './contents.ts'
import { CLOCK_MS, Ledger, type Harm } from './ledger.ts'

/** Where the tables are that the mapping reads. */
export const SITE = 'site'
const TABLES_SQL = readFileSync(packagePath('test', 'torture', 'migrations', 'platform.sql'), 'utf8')

/** How long it waits, in ms. */
export interface Pace {
  /** With a transaction open, before the commit. */
  readonly hold: () => number
  /** Between two changes. */
  readonly rest: () => number
}

/** No build meets it. */
const SETTLING = 'the site closes or opens between two builds'
/** So that a build that begins then does not seem to have met it: more than the clocks may differ by. */
const SETTLED_MS = 2 * CLOCK_MS + 1

const STILL: Pace = { hold: () => 0, rest: () => 0 }

/** Everything of a state in a new schema, of which nobody but the owner has heard. */
export function newSchema(name: string, contents: Contents): string[] {
  return [
    `CREATE SCHEMA ${name}`,
    `GRANT USAGE ON SCHEMA ${name} TO ${ROLE}`,
    `SET LOCAL search_path = ${name}`,
    TABLES_SQL,
    ...TABLE_NAMES.map((table) => insertRows(table, contents)),
    'REFRESH MATERIALIZED VIEW vote_archive',
    ...TABLE_NAMES.flatMap(grantOn),
    `GRANT SELECT (idea_id, user_id, created_at) ON vote_archive TO ${ROLE}`,
    GRANT_VIEWS,
    `SET LOCAL search_path = ${SITE}`,
  ]
}

export class Platform {
  readonly ledger: Ledger = new Ledger(FIRST)
  /** In [0, 1). */
  readonly random: () => number
  readonly url: string
  readonly #client: Client
  #pace: Pace = STILL
  #kind = SETTLING
  #harm: Harm = 'none'
  #stop: AbortController = new AbortController()
  /** Transactions that were begun again. */
  deadlocks = 0

  private constructor(client: Client, url: string, random: () => number) {
    this.#client = client
    this.url = url
    this.random = random
  }

  static async open(postgres: Postgres, random: () => number): Promise<Platform> {
    const url = await postgres.createDatabase()
    const name = new URL(url).pathname.slice(1)
    const roles = `DO $$ BEGIN CREATE ROLE ${ROLE} LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$`
    await postgres.psql(
      `${roles}; ALTER DATABASE ${escapeIdentifier(name)} SET search_path = ${SITE}; CREATE SCHEMA attic; CREATE SCHEMA waiting`,
      name,
    )
    const client = new Client({ connectionString: url, application_name: 'platform' })
    client.on('error', () => undefined)
    await client.connect()
    const platform = new Platform(client, url.replace('postgres@', `${ROLE}@`), random)
    await platform.prepare(newSchema(SITE, FIRST))
    return platform
  }

  get contents(): Contents {
    return this.ledger.now
  }

  /** Does `change` as of a kind. */
  async as(kind: string, harm: Harm, change: () => Promise<void>): Promise<void> {
    const [outerKind, outerHarm] = [this.#kind, this.#harm]
    this.#kind = kind
    this.#harm = harm
    try {
      await change()
    } catch (error) {
      throw new Error(`the platform cannot do: ${kind}: ${(error as Error).message}`, { cause: error })
    } finally {
      this.#kind = outerKind
      this.#harm = outerHarm
    }
  }

  /** One transaction that makes `next` of the state true; commits at the end, whatever is held open meanwhile. */
  async transaction(
    statements: readonly string[],
    next: Partial<Contents> = {},
    harm: Harm = this.#harm,
  ): Promise<void> {
    const change = this.ledger.begin(this.#kind, harm)
    // At the end most of it is changed, and hidden from others; elsewhere a part of it is.
    const last = statements.length - 1
    const heldAfter = this.random() < 0.5 ? last : Math.floor(this.random() * statements.length)
    try {
      await this.#untilDone(async () => {
        for (const [i, sql] of statements.entries()) {
          await this.#client.query(sql)
          if (i === heldAfter) await this.#wait(this.#pace.hold())
        }
        await this.#become(next, 'COMMIT')
      })
    } finally {
      change.toMs = Date.now()
    }
  }

  /** Begins again where the server ends a transaction because it and a build wait for each other. */
  async #untilDone(work: () => Promise<unknown>): Promise<void> {
    for (;;)
      try {
        await this.#client.query('BEGIN')
        await work()
        return
      } catch (error) {
        await this.#client.query('ROLLBACK')
        if (!(error instanceof DatabaseError) || error.code !== '40P01') throw error
        this.deadlocks += 1
      }
  }

  /** A statement that must not be in a transaction. */
  async alone(sql: string, next: Partial<Contents> = {}): Promise<void> {
    const change = this.ledger.begin(this.#kind, this.#harm)
    try {
      await this.#become(next, sql)
    } finally {
      change.toMs = Date.now()
    }
  }

  async #become(next: Partial<Contents>, sql: string): Promise<void> {
    const commit = (): Promise<unknown> => this.#client.query(sql)
    if (Object.keys(next).length === 0) await commit()
    else await this.ledger.enter({ ...this.contents, ...next }, commit)
  }

  /** What no reader notices, such as loading a table that nobody reads yet: committed, and no change. */
  async prepare(statements: readonly string[]): Promise<void> {
    await this.#untilDone(() => this.#client.query([...statements, 'COMMIT'].join(';\n')))
  }

  /** One text value. */
  async ask(sql: string): Promise<string> {
    const { rows } = await this.#client.query<{ answer: string }>(`SELECT (${sql})::text AS answer`)
    return rows[0]?.answer ?? ''
  }

  /** Between two transactions of one change, too. */
  rest(): Promise<void> {
    return this.#wait(this.#pace.rest())
  }

  /** Changes all the time, until the returned function is called: it waits for the end of the change that goes on. */
  start(pace: Pace, nextChange: () => Promise<void>): () => Promise<void> {
    this.#pace = pace
    this.#stop = new AbortController()
    const { signal } = this.#stop
    const ended = (async () => {
      for (; !signal.aborted; await this.rest()) await nextChange()
    })()
    // It is thrown by what waits for the end.
    ended.catch(() => undefined)
    return async () => {
      this.#stop.abort()
      await ended
      this.#pace = STILL
    }
  }

  /** While nobody builds: the site is closed, or open, and what the next change needs is there. */
  async settle(closed: boolean, ready: (platform: Platform) => Promise<void> = () => Promise.resolve()): Promise<void> {
    const next = { ...this.contents, closed }
    if (next.closed !== this.contents.closed)
      await this.as(SETTLING, 'none', () => this.transaction(rowChanges(next), { closed }))
    await ready(this)
    await sleep(SETTLED_MS)
  }

  async close(): Promise<void> {
    await this.#client.end()
  }

  async #wait(ms: number): Promise<void> {
    if (ms > 0) await sleep(ms, undefined, { signal: this.#stop.signal }).catch(() => undefined)
  }

  choose<T>(from: readonly T[]): T {
    const chosen = from[Math.floor(this.random() * from.length)]
    if (chosen === undefined) throw new RangeError('nothing to choose from')
    return chosen
  }
}

/** With the rows of a table that is made anew, those of all others may change, too: before or after it. */
export function withRows(
  platform: Platform,
  next: Contents,
  statements: readonly string[],
  made: readonly Table[],
): string[] {
  if (next.step === platform.contents.step) return [...statements]
  const others = rowChanges(next, made)
  return platform.random() < 0.5 ? [...others, ...statements] : [...statements, ...others]
}
