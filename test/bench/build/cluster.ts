// Owns the server and the data that builds are measured on: one throw-away cluster, one database a size.
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { readFile } from 'node:fs/promises'
import { packagePath } from '../../../src/process/package-root.ts'
import { startPostgres, type Postgres } from '../../support/postgres.ts'
import { startRelay } from '../../support/relay.ts'
import { inSession } from '../../support/session.ts'
import { generateCategories, generateDataset, SIZE_1X, type DatasetSize } from '../generate.ts'
import type { Settings } from '../settings.ts'
import { childSeconds } from '../measurements.ts'

/** A small dedicated server, as a platform of this size would have; the rest is PostgreSQL's default. */
export const SERVER: Readonly<Record<string, string>> = {
  shared_buffers: '1GB',
  work_mem: '64MB',
  max_parallel_workers_per_gather: '2',
  max_wal_size: '8GB',
}

export interface Dataset {
  readonly name: string
  readonly url: string
  readonly size: DatasetSize
  /** What a release of it must count. */
  readonly rows: Readonly<Record<string, number>>
}

export interface Watched {
  readonly receivedMib: number
  readonly backendMib: number
}

export interface Bench {
  readonly settings: Settings
  readonly cluster: Cluster
  /** The platform at the scale of the settings, in 200 categories. */
  readonly base: Dataset
  /** An empty folder for releases. */
  readonly dir: string
}

export class Cluster {
  readonly postgres: Postgres
  /** All data lie before it. */
  readonly #asOf: Date = new Date()

  private constructor(postgres: Postgres) {
    this.postgres = postgres
  }

  static async start(): Promise<Cluster> {
    return new Cluster(await startPostgres(SERVER))
  }

  /** Fills a database and reads it once, so that whoever is measured first finds it in memory as the others do. */
  async create(name: string, { categories }: Settings, scale: number): Promise<Dataset> {
    const size = { ...SIZE_1X, categories, scale }
    const url = await this.postgres.createDatabase(name)
    await inSession(url, async (client) => {
      await client.query(await readFile(packagePath('src/source/mapping/built-in/native/schema.sql'), 'utf8'))
      await generateDataset(client, size, this.#asOf)
      await client.query('VACUUM ANALYZE')
    })
    return this.#describe(name, url, size)
  }

  /** The same users, ideas, votes and comments, in so many categories. */
  async recategorise(name: string, from: Dataset, categories: number): Promise<Dataset> {
    const size = { ...from.size, categories }
    await inSession(this.postgres.url(), (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${from.name}`))
    const url = this.postgres.url(name)
    await inSession(url, async (client) => {
      await client.query('TRUNCATE categories, idea_categories')
      await generateCategories(client, size)
      await client.query('VACUUM ANALYZE')
    })
    return this.#describe(name, url, size)
  }

  async drop(name: string): Promise<void> {
    await inSession(this.postgres.url(), (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`))
  }

  /** The processor time of its backends and parallel workers for some work, when they have ended. */
  async processorSeconds(work: () => Promise<unknown>): Promise<number> {
    const before = childSeconds(this.postgres.pid)
    await work()
    // A backend ends after its client has gone.
    await sleep(500)
    return childSeconds(this.postgres.pid) - before
  }

  /** What some work on a data set takes from the server: all bytes of the protocol, and what its backends keep at most together. */
  async watched(dataset: Dataset, work: (through: Dataset) => Promise<unknown>): Promise<Watched> {
    const through = new URL(dataset.url)
    const relay = await startRelay(Number(through.port))
    through.port = String(relay.port)
    let peakKib = 0
    const poll = setInterval(() => (peakKib = Math.max(peakKib, backendKib(this.postgres.pid))), 100)
    try {
      await work({ ...dataset, url: through.href })
    } finally {
      clearInterval(poll)
      await relay.close()
    }
    return { receivedMib: relay.sent.reduce((sum, bytes) => sum + bytes, 0) / 2 ** 20, backendMib: peakKib / 1024 }
  }

  async temporaryMib({ name }: Dataset): Promise<number> {
    return (
      Number(await this.postgres.psql(`SELECT temp_bytes FROM pg_stat_database WHERE datname = '${name}'`)) / 2 ** 20
    )
  }

  async version(): Promise<string> {
    return this.postgres.psql('SHOW server_version')
  }

  async #describe(name: string, url: string, size: DatasetSize): Promise<Dataset> {
    const { rows } = await inSession(url, (client) =>
      client.query<Record<string, number>>(`
        SELECT (SELECT count(*) FROM users)::int AS users, (SELECT count(*) FROM ideas)::int AS ideas,
               (SELECT count(*) FROM votes WHERE value > 0)::int AS votes,
               (SELECT count(*) FROM comments)::int AS comments,
               (SELECT count(*) FROM ideas WHERE launched)::int AS "launchedIdeas",
               (SELECT count(*) FROM categories)::int AS categories`),
    )
    return { name, url, size, rows: rows[0] ?? {} }
  }
}

/** The anonymous memory of all children: what is shared counts for none. */
function backendKib(pid: number): number {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .reduce((sum, child) => {
      const path = `/proc/${child}/status`
      return sum + Number(existsSync(path) ? (/^RssAnon:\s+(\d+)/m.exec(readFileSync(path, 'utf8'))?.[1] ?? 0) : 0)
    }, 0)
}
