// What is new, and what changed, as builds of a real database publish it: the ideas of the last seven days against SQL, and the
// feed of changes from the first release over a changed past and another mapping to a closed site and back.
import { readFileSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { BuildRequest } from '../../src/builder/run/context.ts'
import { packagePath } from '../../src/process/package-root.ts'
import { loadMapping } from '../../src/source/mapping/mapping.ts'
import { createNativeTables } from '../oracle/random-database.ts'
import { buildAt } from '../support/library-build.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { siteOf } from '../support/site.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const DAY_MS = 86_400_000
const PUBLIC_URL = 'https://stats.example.org'
const site = siteOf({ publicUrl: PUBLIC_URL })

describeWithPostgres('what builds publish of what is new', (postgres) => {
  async function platform(name: string): Promise<{ url: string; client: Client; snapshots: string }> {
    const url = await postgres().createDatabase(name)
    const client = new Client({ connectionString: url })
    await client.connect()
    onTestFinished(() => client.end())
    await createNativeTables(client)
    return { url, client, snapshots: join(temporaryFolder(onTestFinished), 'snapshots') }
  }

  async function published(snapshots: string, atMs: number, url: string, change: Partial<BuildRequest> = {}) {
    const outcome = await buildAt(atMs, url, snapshots, { site, ...change })
    expect(outcome, JSON.stringify(outcome).slice(0, 500)).toMatchObject({ kind: 'published' })
    return (path: string): Promise<string> => readFile(join(snapshots, 'current', path), 'utf8')
  }

  describe('the ideas of the last seven days', () => {
    // In New York clocks went back in this week; in Kiritimati it is a day later.
    const AS_OF_MS = Date.parse('2026-11-03T04:30:00.000Z')

    test.each(['America/New_York', 'Pacific/Kiritimati', 'UTC'])(
      'are those that SQL finds, in %s',
      async (timeZone) => {
        const { url, client, snapshots } = await platform(`news_${timeZone.toLowerCase().replace('/', '_')}`)
        const at = `timestamptz '${new Date(AS_OF_MS).toISOString()}'`
        await client.query(`
        INSERT INTO ideas (id, title, created_at) SELECT i, 'every ' || i, ${at} - i * interval '11 hours 7 seconds' FROM generate_series(1, 30) i;
        INSERT INTO ideas (id, title, created_at) VALUES
          (101, 'at the edge', ${at} - interval '168 hours'), (102, 'just before it', ${at} - interval '168 hours 1 microsecond'),
          (103, 'just after it', ${at} - interval '168 hours' + interval '1 microsecond'), (104, 'last', ${at} - interval '1 millisecond'),
          (105, 'to come', ${at}), (106, 'without a date', NULL), (107, 'of no date', '1970-01-01'), (108, 'last, too', ${at} - interval '1 millisecond');
        INSERT INTO votes SELECT 104, i, 1, ${at} - interval '1 hour' * i FROM generate_series(1, 12) i`)
        const { rows } = await client.query<{ id: string; day: string }>(
          `SELECT id::text, to_char(created_at AT TIME ZONE $1, 'FMDD FMMonth YYYY') AS day FROM ideas
         WHERE created_at >= ${at} - interval '168 hours' AND created_at < ${at} ORDER BY date_trunc('milliseconds', created_at) DESC, id::text`,
          [timeZone],
        )
        expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(['101', '103', '104', '108']))
        const read = await published(snapshots, AS_OF_MS, url, { timeZone })
        const feed = await read('feeds/new.atom')
        const entries = [...feed.matchAll(/<id>[^<]*\/feeds\/new#(\d+)<[^]*?Submitted on ([^<]*)\.</g)]
        expect(entries.map(([, id, day]) => ({ id, day }))).toEqual(rows)
        const page = await read('index.html')
        const [section = ''] = /<section id="new"[^]*?<\/section>/.exec(page) ?? []
        const shown = [...section.matchAll(/<time [^>]*>([^<]*)<\/time>/g)].map(([, day]) => day)
        expect(shown).toEqual(rows.slice(0, 10).map(({ day }) => day))
        expect(section).toContain(`<p>${rows.length} since `)
        expect(section).toContain(`More in the CSV file: ${rows.length - 10}.`)
        expect(section).toContain('12 votes')
        expect((await read('analytics/export/ideas/7d.csv')).trim().split('\r\n')).toHaveLength(rows.length + 1)
      },
    )
  })

  test('the feed of changes follows a site from its first release to its closing and back', async () => {
    const { url, client, snapshots } = await platform('news_changes')
    const BEGIN_MS = Date.parse('2026-10-30T12:00:00.000Z')
    await client.query(`
      CREATE TABLE site (private boolean); INSERT INTO site VALUES (false);
      INSERT INTO users SELECT i, '2026-08-01' FROM generate_series(1, 60) i;
      INSERT INTO ideas (id, title, created_at) SELECT i, 'one ' || i, '2026-08-02' FROM generate_series(1, 20) i;
      INSERT INTO votes SELECT i % 20 + 1, i, 1, '2026-09-03' FROM generate_series(1, 50) i`)
    const file = join(snapshots, '..', 'closing.sql')
    const native = readFileSync(packagePath('src', 'source', 'mapping', 'built-in', 'native', 'mapping.sql'), 'utf8')
    writeFileSync(file, `${native}\n-- section closed\nSELECT private AS closed FROM site\n`)
    const first = loadMapping(file, {})
    const entriesAt = async (atMs: number, mapping = first): Promise<readonly string[]> => {
      const change = { mapping, acceptRevision: true, people: 'rounded' as const }
      const text = await (await published(snapshots, atMs, url, change))('feeds/changes.atom')
      return [...text.matchAll(/<entry>\n<id>[^#]*#([^<]*)<[^]*?<updated>([^<]*)</g)].map(
        ([, id, time]) => `${id} ${time}`,
      )
    }
    expect(await entriesAt(BEGIN_MS)).toEqual(['begin-2026-10-30 2026-10-30T12:00:00.000Z'])
    await client.query('DELETE FROM votes WHERE user_id = 7; DELETE FROM users WHERE id = 7')
    const begun = 'begin-2026-10-30 2026-10-31T00:00:00.000Z'
    expect(await entriesAt(BEGIN_MS + DAY_MS)).toEqual(['numbers-2026-10-31 2026-10-31T12:00:00.000Z', begun])
    // Again on that day, with nothing new; then on the next, when the month is over.
    expect(await entriesAt(BEGIN_MS + DAY_MS + 60_000)).toEqual(['numbers-2026-10-31 2026-10-31T12:01:00.000Z', begun])
    const kept = ['numbers-2026-10-31 2026-11-01T00:00:00.000Z', 'month-2026-10-01 2026-11-01T00:00:00.000Z', begun]
    expect(await entriesAt(BEGIN_MS + 2 * DAY_MS)).toEqual(kept)
    expect(await entriesAt(BEGIN_MS + 2 * DAY_MS + 60_000)).toEqual(kept)
    const other = { ...first, sha256: 'f'.repeat(64) }
    expect(await entriesAt(BEGIN_MS + 3 * DAY_MS, other)).toEqual([
      'mapping-2026-11-02 2026-11-02T12:00:00.000Z',
      ...kept,
    ])
    await client.query('UPDATE site SET private = true')
    const closed = ['closed-2026-11-03T12:00:00.000Z 2026-11-03T12:00:00.000Z']
    for (const days of [4, 5]) expect(await entriesAt(BEGIN_MS + days * DAY_MS)).toEqual(closed)
    await client.query('UPDATE site SET private = false')
    expect(await entriesAt(BEGIN_MS + 6 * DAY_MS)).toEqual(['begin-2026-11-05 2026-11-05T12:00:00.000Z'])
    await client.query('UPDATE site SET private = true')
    expect(await entriesAt(BEGIN_MS + 7 * DAY_MS)).toEqual(['closed-2026-11-06T12:00:00.000Z 2026-11-06T12:00:00.000Z'])
  })
})
