// A read beside a platform that migrates, reloads, swaps, refreshes or attaches: true or refused.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SourceError } from '../../../src/source/database/source-error.ts'
import type { Mapping } from '../../../src/source/mapping/mapping.ts'
import { beginConsistentRead } from '../../../src/source/read/consistent-read.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { inSession } from '../../support/session.ts'
import { startStandby, type Standby } from '../../support/standby.ts'
import { mappingOf, OPTIONS, withConnection } from './reading.ts'
import { PLATFORM, SCENES, SECTIONS, type Scene } from './instant-scenes.ts'

/** What a reader sees of a release. */
interface Shown {
  readonly closed: boolean
  readonly titles: readonly string[]
  readonly votes: number
  readonly comments: number
  readonly users: number
  readonly categories: readonly string[]
}

const mappingFor = ({ sections = {} }: Pick<Scene, 'sections'>): Mapping => {
  const { closed = null, ...relations } = { ...SECTIONS, ...sections }
  return { ...mappingOf(relations), closed }
}

async function shownBy(
  url: string,
  scene: Pick<Scene, 'sections' | 'rowSecurity'>,
  report: (relation: string, rows: number) => void = () => {},
  through: (client: Client) => Client = (client) => client,
): Promise<Shown | string> {
  try {
    return await withConnection(url, async ({ client }) => {
      const options = {
        ...OPTIONS,
        rowSecurity: scene.rowSecurity ?? ('off' as const),
        searchPath: ['first', 'public'],
      }
      const source = await beginConsistentRead(through(client), mappingFor(scene), options)
      const { users } = await source.counted(report)
      const shown = { titles: [] as string[], votes: 0, comments: 0, categories: [...source.listedCategories] }
      for await (const batch of source.facts())
        for (const { title, votes, comments, categories } of batch) {
          shown.titles.push(title)
          shown.votes += votes.total
          shown.comments += comments.total
          shown.categories.push(...categories)
        }
      await source.end()
      const closed = source.closed !== null
      return {
        ...shown,
        closed,
        titles: shown.titles.sort(),
        users: users.accounts.total,
        categories: shown.categories.sort(),
      }
    })
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return `${error.retryable ? '' : 'not to be retried: '}${error.message}`
  }
}

/** A session that has the role of the reader waits for a lock. */
const WAITS = `SELECT FROM pg_stat_activity WHERE usename = 'guest' AND wait_event_type = 'Lock' AND datname = current_database()`

describeWithPostgres('a read beside a platform that changes its tables', (postgres) => {
  let number = 0
  /** Runs `work` in a database of its own, with its name and a session of the owner. */
  async function onPlatform<T>(before: string, work: (name: string, owner: Client) => Promise<T>): Promise<T> {
    const name = `town_${++number}`
    const owner = new Client({ connectionString: await postgres().createDatabase(name), statement_timeout: 10_000 })
    await owner.connect()
    try {
      await owner.query(`DO $$ BEGIN CREATE ROLE guest LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$`)
      // A scene may have let it.
      await owner.query('ALTER ROLE guest NOBYPASSRLS')
      // Also on what the platform makes later.
      for (const right of ['SELECT ON TABLES', 'USAGE ON SCHEMAS'])
        await owner.query(`ALTER DEFAULT PRIVILEGES GRANT ${right} TO guest`)
      await owner.query(`${PLATFORM}; ${before}`)
      return await work(name, owner)
    } finally {
      await owner.end()
      await postgres().dropDatabase(name)
    }
  }

  const urlOf = (name: string): string => postgres().url(name).replace('postgres@', 'guest@')

  /**
   * Runs `event` when the read has its snapshot and none of the locks.
   * @param watched the server that is read, as its superuser
   */
  async function between<T>(
    name: string,
    watched: string,
    read: () => Promise<T>,
    event: () => Promise<unknown>,
  ): Promise<T> {
    return inSession(postgres().url(name), async (holder) => {
      await holder.query('BEGIN; LOCK TABLE door.gate')
      // A standby hears of the lock when the WAL is written.
      await holder.query('SELECT pg_switch_wal()')
      const locked = `SELECT FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted AND relation = to_regclass('door.gate')`
      return inSession(watched, async (observer) => {
        const sees = (sql: string) =>
          expect.poll(async () => (await observer.query(sql)).rowCount, { timeout: 15_000, interval: 5 }).toBe(1)
        await sees(locked)
        const reading = read()
        await sees(WAITS)
        await event()
        await holder.query('COMMIT')
        return reading
      })
    })
  }

  const eventsOf = async (scene: Scene, owner: Client): Promise<void> => {
    for (const event of [scene.event].flat()) await owner.query(event)
  }

  /** What is shown before the event, by the read that it meets, and by the next one. */
  async function met(scene: Scene): Promise<readonly (Shown | string)[]> {
    return onPlatform(scene.before ?? '', async (name, owner) => {
      const url = urlOf(name)
      const right = await shownBy(url, scene)
      const read = (): Promise<Shown | string> => shownBy(url, scene)
      const atPass = (relation: string, rows: number): void => {
        if (relation === scene.at && rows === 0)
          execFileSync(join(postgres().bin, 'psql'), ['-qc', String(scene.event), postgres().url(name)])
      }
      const got =
        scene.at === undefined
          ? await between(name, postgres().url(name), read, () => eventsOf(scene, owner))
          : await shownBy(url, scene, atPass)
      return [right, got, await read()]
    })
  }

  const REFUSED = / while the build read, so that what it read is of no single instant; /
  /** A server before PostgreSQL 14 cannot tell that a policy is gone. */
  const BEFORE_14 = /^mapping test: could not find tuple for policy \d+; /

  describe.each(SCENES.map((scene) => [scene.name, scene] as const))('%s', (_, scene) => {
    test(scene.seen === null ? 'is of the instant before' : 'is refused, and true the next time', async () => {
      const [right, got, then] = await met(scene)
      const isClosed = scene.before?.includes("value = 't'") === true
      expect(right).toMatchObject({ closed: isClosed, titles: isClosed ? [] : ['Idea 1', 'Idea 2'] })
      if (scene.seen === null) expect(got).toEqual(right)
      else {
        const said = typeof got === 'string' ? got : 'nothing'
        if (BEFORE_14.test(said)) return
        expect(said).toMatch(REFUSED)
        expect(said.slice(0, scene.seen.length)).toBe(scene.seen)
      }
      expect(then).toMatchObject({ closed: (right as Shown).closed, titles: expect.any(Array) })
    })
  })

  describe('on a standby', () => {
    let standby: Standby | undefined
    beforeAll(async () => {
      standby = await startStandby(postgres())
    })
    afterAll(() => standby?.stop())

    const names = [
      'votes: TRUNCATE and INSERT',
      'settings: rewritten, a private site by a row that is there',
      'a materialized view: refreshed with new votes',
      'a view: replaced with what its rows mean',
      'a partition: attached before the locks',
      'votes: DELETE and INSERT',
    ]
    test.each(names.map((name) => SCENES.find((scene) => scene.name === name)!))('$name', async (scene) => {
      await onPlatform(scene.before ?? '', async (name, owner) => {
        const url = (role: string): string => standby?.url(role, name) ?? ''
        const read = (): Promise<Shown | string> => shownBy(url('guest'), scene)
        await owner.query('CREATE TABLE is_there ()')
        const there = (): Promise<boolean> =>
          inSession(url('postgres'), (client) => client.query('TABLE is_there')).then(
            () => true,
            () => false,
          )
        await expect.poll(there, { timeout: 20_000, interval: 50 }).toBe(true)
        const right = await read()
        expect(right).toMatchObject({ titles: expect.any(Array) })
        const got = await between(name, url('postgres'), read, () => eventsOf(scene, owner))
        if (scene.seen === null) expect(got).toEqual(right)
        else expect(got).toMatch(REFUSED)
      })
    })
  })

  describe('a pooler that spreads the queries of one transaction over two servers', () => {
    const ASKED = [
      'its start',
      'closed',
      'categories',
      'ideas',
      'idea_categories',
      'votes',
      'comments',
      'users',
      'ideas again',
    ]

    /** As pgpool does it: what is no SELECT goes to both; of what reads the tables one is answered by the other server. */
    const spread = (client: Client, other: Client, nth: number): Client => {
      let asked = 0
      const query = (...args: unknown[]): unknown => {
        const [what] = args as [string | { text?: string }]
        const text = typeof what === 'string' ? what : (what.text ?? 'COPY')
        const both = /^(BEGIN|DO|ROLLBACK)/.test(text)
        const reads = /pg_try_advisory_xact_lock_shared|^COPY/.test(text)
        // Its session may end before the answer to the last one is there.
        if (both) void (other.query as (...all: unknown[]) => Promise<unknown>)(...args).catch(() => {})
        const to = reads && asked++ === nth ? other : client
        return (to.query as (...all: unknown[]) => unknown)(...args)
      }
      return new Proxy(client, {
        get: (target, name) => (name === 'query' ? query : (Reflect.get(target, name) as unknown)),
      })
    }

    test.each([...ASKED.entries()])('of query %i, %s, is refused', async (nth) => {
      await onPlatform('', (name) =>
        inSession(urlOf(name), async (other) => {
          const said = await shownBy(urlOf(name), {}, undefined, (client) => spread(client, other, nth))
          expect(said).toMatch(/^the queries of one transaction were answered by several servers, /)
        }),
      )
    })

    test('that does so with none is not', async () => {
      await onPlatform('', (name) =>
        inSession(urlOf(name), async (other) => {
          const said = await shownBy(urlOf(name), {}, undefined, (client) => spread(client, other, ASKED.length))
          expect(said).toMatchObject({ users: 5, votes: 4 })
        }),
      )
    })
  })

  describe('a section that gives other rows the second time', () => {
    const others =
      'mapping test, section ideas: read twice, the section returned other ideas or dates of the same rows; '
    test.each([
      ['dates', 'created_at', `created_at - random() * interval '1 day' AS created_at`],
      ['ideas', 'i.id', `CASE WHEN i.id = 1 THEN 1000 + (random() * 1e8)::int ELSE i.id END AS id`],
      ['launches', 'NULL::timestamptz AS launched_at', `clock_timestamp() - interval '1 day' AS launched_at`],
    ])('%s', async (_, column, instead) => {
      const ideas = (SECTIONS['ideas'] ?? '').replace('false AS launched', 'true AS launched').replace(column, instead)
      await onPlatform('', async (name) => {
        expect(await shownBy(urlOf(name), { sections: { ideas } })).toMatch(new RegExp(`^${others}`))
      })
    })
  })
})
