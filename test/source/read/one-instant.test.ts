// A read beside a platform that migrates, reloads, swaps, refreshes or attaches: true or refused.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, test, describe } from 'vitest'
import { SourceError } from '../../../src/source/database/source-error.ts'
import type { Mapping } from '../../../src/source/mapping/mapping.ts'
import { beginConsistentRead } from '../../../src/source/read/consistent-read.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
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
): Promise<Shown | string> {
  try {
    return await withConnection(url, async ({ client }) => {
      const options = {
        ...OPTIONS,
        rowSecurity: scene.rowSecurity ?? ('off' as const),
        searchPath: ['first', 'public'],
      }
      const source = await beginConsistentRead(client, mappingFor(scene), options)
      const { users } = await source.counted(report)
      const shown = { titles: [] as string[], votes: 0, comments: 0, categories: new Set(source.listedCategories) }
      for await (const batch of source.facts())
        for (const { title, votes, comments, categories } of batch) {
          shown.titles.push(title)
          shown.votes += votes.total
          shown.comments += comments.total
          for (const category of categories) shown.categories.add(category)
        }
      await source.end()
      const closed = source.closed !== null
      return {
        ...shown,
        closed,
        titles: shown.titles.sort(),
        users: users.accounts.total,
        categories: [...shown.categories].sort(),
      }
    })
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return `${error.retryable ? '' : 'not to be retried: '}${error.message}`
  }
}

describeWithPostgres('a read beside a platform that changes its tables', (postgres) => {
  let number = 0
  /** Runs `work` in a database of its own, with the URL of a role that may only read, and a session of the owner. */
  async function onPlatform<T>(before: string, work: (url: string, owner: Client) => Promise<T>): Promise<T> {
    const name = `town_${++number}`
    const url = await postgres().createDatabase(name)
    const owner = new Client({ connectionString: url })
    await owner.connect()
    await owner.query("SET statement_timeout = '10s'")
    try {
      await owner.query(`DO $$ BEGIN CREATE ROLE guest LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$`)
      // Also on what the platform makes later.
      for (const right of ['SELECT ON TABLES', 'USAGE ON SCHEMAS'])
        await owner.query(`ALTER DEFAULT PRIVILEGES GRANT ${right} TO guest`)
      await owner.query(`${PLATFORM}; ${before}`)
      return await work(url.replace('postgres@', 'guest@'), owner)
    } finally {
      await owner.end()
      await postgres().dropDatabase(name)
    }
  }

  /** Runs `event` when the read has its snapshot and none of the locks. */
  async function between<T>(
    url: string,
    owner: Client,
    read: () => Promise<T>,
    event: () => Promise<void>,
  ): Promise<T> {
    const holder = new Client({ connectionString: url.replace('guest@', 'postgres@') })
    await holder.connect()
    try {
      await holder.query('BEGIN; LOCK TABLE door.gate')
      const reading = read()
      const waits = `SELECT FROM pg_stat_activity WHERE usename = 'guest' AND wait_event_type = 'Lock' AND datname = current_database()`
      await expect.poll(async () => (await owner.query(waits)).rowCount, { timeout: 10_000, interval: 5 }).toBe(1)
      await event()
      await holder.query('COMMIT')
      return await reading
    } finally {
      await holder.end()
    }
  }

  describe.for(SCENES.map((scene) => [scene.name, scene] as const))('%s', ([, scene]) => {
    test(scene.seen === null ? 'is of the instant before' : 'is refused, then true', async () => {
      await onPlatform(scene.before ?? '', async (url, owner) => {
        const right = await shownBy(url, scene)
        expect(right).toMatchObject({ titles: expect.not.arrayContaining(['PRIVATE']) })
        const events = [scene.event].flat()
        let got: Shown | string
        if (scene.at === undefined)
          got = await between(
            url,
            owner,
            () => shownBy(url, scene),
            async () => {
              for (const event of events) await owner.query(event)
            },
          )
        else
          got = await shownBy(url, scene, (relation, rows) => {
            if (relation !== scene.at || rows > 0) return
            const arguments_ = ['-v', 'ON_ERROR_STOP=1', '-qc', String(scene.event), url.replace('guest@', 'postgres@')]
            execFileSync(join(postgres().bin, 'psql'), arguments_)
          })
        if (scene.seen === null) expect(got).toEqual(right)
        else {
          expect(got).toMatch(/ while the build read, so that what it read is of no single instant; /)
          expect(String(got).slice(0, scene.seen.length)).toBe(scene.seen)
        }
        const then = await shownBy(url, scene)
        expect(then).toMatchObject({ closed: (right as Shown).closed, users: expect.any(Number) })
      })
    })
  })
})
