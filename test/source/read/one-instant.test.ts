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

const mappingFor = ({ sections = {} }: Pick<Scene, 'sections'>): Mapping => mappingOf({ ...SECTIONS, ...sections })

type Session = <T>(use: (client: Client) => Promise<T>) => Promise<T>

/** A session of its own for each read, as a build has it. */
const fresh =
  (url: string): Session =>
  (use) =>
    withConnection(url, ({ client }) => use(client))

async function shownBy(
  session: Session,
  scene: Pick<Scene, 'sections' | 'rowSecurity'>,
  report: (relation: string, rows: number) => void = () => {},
  through: (client: Client) => Client = (client) => client,
): Promise<Shown | string> {
  try {
    return await session(async (client) => {
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

const AWAY = `DO $$ DECLARE one name; BEGIN
  FOR one IN SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_|^information_schema$' LOOP
    EXECUTE format('DROP SCHEMA %I CASCADE', one);
  END LOOP;
END $$`

/** A session that has the role of the reader waits for a lock. */
const WAITS = `SELECT FROM pg_stat_activity WHERE usename = 'guest' AND wait_event_type = 'Lock' AND datname = current_database()`
const LOCKED = `SELECT FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted AND relation = to_regclass('door.gate')`

describeWithPostgres('a read beside a platform that changes its tables', (postgres) => {
  const TOWN = 'town'
  let owner: Client
  let holder: Client
  let observer: Client
  let reader: Client
  beforeAll(async () => {
    const url = await postgres().createDatabase(TOWN)
    const opened = async (connectionString: string): Promise<Client> => {
      const client = new Client({ connectionString, statement_timeout: 10_000 })
      await client.connect()
      return client
    }
    owner = await opened(url)
    holder = await opened(url)
    observer = await opened(url)
    await owner.query('CREATE ROLE guest LOGIN')
    reader = await opened(guestUrl())
    // Also on what the platform makes later.
    for (const right of ['SELECT ON TABLES', 'USAGE ON SCHEMAS'])
      await owner.query(`ALTER DEFAULT PRIVILEGES GRANT ${right} TO guest`)
  })
  afterAll(() => Promise.all([owner, holder, observer, reader].map((client) => client?.end())))

  /** The platform as it is at first, and what the last scene has left is gone. */
  async function begin(before: string): Promise<void> {
    await owner.query('DISCARD ALL')
    // A scene may have let it bypass them.
    await owner.query(`ALTER ROLE guest NOBYPASSRLS; ${AWAY}; CREATE SCHEMA public; ${PLATFORM}; ${before}`)
  }

  const guestUrl = (): string => postgres().url(TOWN).replace('postgres@', 'guest@')

  /**
   * Runs `event` when the read has its snapshot and none of the locks.
   * @param watched a session of the superuser on the server that is read
   */
  async function between<T>(watched: Client, read: () => Promise<T>, { event }: Pick<Scene, 'event'>): Promise<T> {
    await holder.query('BEGIN; LOCK TABLE door.gate')
    try {
      const sees = (sql: string) =>
        expect.poll(async () => (await watched.query(sql)).rowCount, { timeout: 15_000, interval: 5 }).toBe(1)
      if (watched !== observer) {
        // A standby hears of the lock when the WAL is written.
        await holder.query('SELECT pg_switch_wal()')
        await sees(LOCKED)
      }
      const reading = read()
      await sees(WAITS)
      for (const statement of [event].flat()) await owner.query(statement)
      await holder.query('COMMIT')
      return await reading
    } finally {
      await holder.query('ROLLBACK')
    }
  }

  /** While nothing happens one session does for all reads. */
  const atRest: Session = async (use) => {
    try {
      return await use(reader)
    } finally {
      await reader.query('ROLLBACK')
    }
  }
  /** Of scenes that begin with the same, what is shown then. */
  const rights = new Map<string, Shown | string>()

  /** What is shown before the event, by the read that it meets, and by the next one. */
  async function met(scene: Scene): Promise<readonly (Shown | string)[]> {
    await begin(scene.before ?? '')
    const { before, sections, rowSecurity } = scene
    const state = JSON.stringify([before, sections, rowSecurity])
    const right = rights.get(state) ?? (await shownBy(atRest, scene))
    rights.set(state, right)
    const atPass = (relation: string, rows: number): void => {
      if (relation === scene.at && rows === 0)
        execFileSync(join(postgres().bin, 'psql'), ['-qc', String(scene.event), postgres().url(TOWN)])
    }
    const read = (): Promise<Shown | string> => shownBy(fresh(guestUrl()), scene, atPass)
    const got = scene.at === undefined ? await between(observer, read, scene) : await read()
    return [right, got, await shownBy(atRest, scene)]
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
      await begin(scene.before ?? '')
      const { written } = (await owner.query<{ written: string }>('SELECT pg_switch_wal() AS written')).rows[0]!
      await inSession(standby?.url('postgres', TOWN) ?? '', async (watched) => {
        const there = async () => (await watched.query('SELECT pg_last_wal_replay_lsn() >= $1 AS is', [written])).rows
        await expect.poll(there, { timeout: 20_000, interval: 10 }).toEqual([{ is: true }])
        const read = (): Promise<Shown | string> => shownBy(fresh(standby?.url('guest', TOWN) ?? ''), scene)
        const right = await read()
        expect(right).toMatchObject({ titles: expect.any(Array) })
        const got = await between(watched, read, scene)
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

    beforeAll(() => begin(''))
    const through = (nth: number): Promise<Shown | string> =>
      inSession(guestUrl(), (other) =>
        shownBy(fresh(guestUrl()), {}, undefined, (client) => spread(client, other, nth)),
      )

    test.each([...ASKED.entries()])('of query %i, %s, is refused', async (nth) => {
      expect(await through(nth)).toMatch(/^the queries of one transaction were answered by several servers, /)
    })

    test('that does so with none is not', async () => {
      expect(await through(ASKED.length)).toMatchObject({ users: 5, votes: 4 })
    })
  })

  describe('a section that gives other rows the second time', () => {
    const others =
      'mapping test, section ideas: read twice, the section returned other ideas or dates of the same rows; '
    beforeAll(() => begin(''))
    test.each([
      ['dates', 'created_at', `created_at - random() * interval '1 day' AS created_at`],
      ['ideas', 'i.id', `CASE WHEN i.id = 1 THEN 1000 + (random() * 1e8)::int ELSE i.id END AS id`],
      ['launches', 'NULL::timestamptz AS launched_at', `clock_timestamp() - interval '1 day' AS launched_at`],
    ])('%s', async (_, column, instead) => {
      const ideas = (SECTIONS['ideas'] ?? '').replace('false AS launched', 'true AS launched').replace(column, instead)
      expect(await shownBy(atRest, { sections: { ideas } })).toMatch(new RegExp(`^${others}`))
    })
  })
})
