// Somebody who keeps every release and compares each with the one before: 120 releases of a site whose people are known.
// With --people rounded and off nothing that happens on a UTC day moves a number of people on it; what else moves them does so in steps of 5.
// long test: builds and serves for each case
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { changePercent } from '../../src/analytics/ratio.ts'
import { buildMetricsText } from '../../src/builder/report/metrics-text.ts'
import { runBuild } from '../../src/builder/run/run-build.ts'
import type { PeopleMode } from '../../src/contract/people.ts'
import { IDEAS_WORKBOOK, TABLES_WORKBOOK } from '../../src/contract/snapshot-paths.ts'
import { siteKindOf } from '../../src/contract/site-paths.ts'
import { contentHashOf, type Manifest } from '../../src/release/format/manifest.ts'
import { createNativeTables } from '../oracle/random-database.ts'
import { effectsAt, requestOf } from '../support/library-build.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { SITE } from '../support/site.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { sheetsIn } from '../support/workbook.ts'

const MINUTE_MS = 60_000
/** Two hours before a midnight; the month ends on the second day. Rows have whole seconds, so 2 ms later no window has moved. */
const BEGIN_MS = Date.parse('2024-02-28T22:10:00.007Z')
const STEP_MS = 30 * MINUTE_MS

type Json = Record<string, unknown>
/** What a release says of people, by where it says it; and a text of all that it says, without its times. */
interface Seen {
  readonly day: string
  readonly people: ReadonlyMap<string, string>
  readonly everything: ReadonlyMap<string, string>
}

class Site {
  readonly #client: Client
  #last = 1000

  constructor(client: Client) {
    this.#client = client
  }

  async begin(): Promise<void> {
    await createNativeTables(this.#client)
    const before = `timestamptz '${new Date(BEGIN_MS).toISOString()}' - i * interval '5 hours 7 seconds'`
    await this.#client.query(`
      INSERT INTO users SELECT i, date_trunc('second', ${before}) FROM generate_series(1, 60) i;
      INSERT INTO ideas (id, title, created_at, author_id) SELECT i, 'one', date_trunc('second', ${before}), i FROM generate_series(1, 20) i;
      INSERT INTO votes SELECT i % 20 + 1, i, 1, date_trunc('second', ${before}) FROM generate_series(1, 50) i;
      INSERT INTO comments SELECT i, i % 20 + 1, i, date_trunc('second', ${before}) FROM generate_series(1, 20) i`)
  }

  /** @param at null = without a date */
  async addAccount(at: number | null): Promise<void> {
    await this.#client.query('INSERT INTO users VALUES ($1, $2)', [++this.#last, at === null ? null : new Date(at)])
  }

  async vote(person: number, at: number): Promise<void> {
    await this.#client.query('INSERT INTO votes VALUES ($1, $2, 1, $3)', [(person % 20) + 1, person, new Date(at)])
  }

  /** One person does something, or is no longer there, in one of the ways that a platform knows. */
  async change(i: number, nowMs: number): Promise<void> {
    const secondMs = nowMs - (nowMs % 1000)
    const dayMs = 86_400_000
    switch (i % 10) {
      case 0:
      case 4:
        return this.addAccount(secondMs)
      case 1:
        return this.vote(i % 60, secondMs)
      case 2: // Committed late: dated yesterday, and a week ago.
        await this.addAccount(secondMs - dayMs)
        return this.addAccount(secondMs - 7 * dayMs)
      case 3:
        return this.vote(2000 + i, secondMs - dayMs)
      case 5: // The oldest account is deleted; then one of yesterday.
        return this.remove('users', 'created_at')
      case 6:
        return this.remove('users', `abs(extract(epoch FROM created_at - timestamptz '${iso(secondMs - dayMs)}'))`)
      case 7: // Votes go with their idea: their people may have done nothing else.
        return this.remove('ideas', '-id')
      case 8:
        return this.addAccount(null)
      default: // An account with a date to come, and an idea.
        await this.addAccount(secondMs + 3 * dayMs)
        await this.#client.query('INSERT INTO ideas (id, title, created_at, author_id) VALUES ($1, $2, $3, $4)', [
          ++this.#last,
          'another',
          new Date(secondMs),
          i % 60,
        ])
    }
  }

  async remove(table: 'users' | 'ideas', order: string): Promise<void> {
    const { rows } = await this.#client.query<{ id: string }>(
      `SELECT id FROM ${table} WHERE created_at IS NOT NULL ORDER BY ${order} LIMIT 1`,
    )
    const id = rows[0]?.id
    if (table === 'ideas')
      for (const of of ['votes', 'comments']) await this.#client.query(`DELETE FROM ${of} WHERE idea_id = $1`, [id])
    await this.#client.query(`DELETE FROM ${table} WHERE id = $1`, [id])
  }
}

const iso = (ms: number): string => new Date(ms).toISOString()

async function publish(url: string, snapshots: string, people: PeopleMode, asOfMs: number): Promise<Seen> {
  const change = { people, site: SITE, everyMs: STEP_MS, keep: 2, acceptRevision: true, asOfMs }
  // An hour ahead of files: older releases are removed at once.
  const effects = effectsAt(() => Date.now() + 60 * MINUTE_MS)
  const outcome = await runBuild(requestOf(url, snapshots, { siblings: false, ...change }), effects)
  expect(outcome).toMatchObject({ kind: 'published' })
  return seenIn(join(snapshots, 'current'))
}

async function seenIn(folder: string): Promise<Seen> {
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest
  const people = new Map<string, string>()
  const everything = new Map<string, string>()
  const note = (where: string, value: unknown): void => void people.set(where, JSON.stringify(value))
  for (const file of manifest.files) {
    const { path, rows } = file
    if (path === TABLES_WORKBOOK) noteSheets(sheetsIn(await readFile(join(folder, path))), note, everything)
    // Pages are made of the rows that are compared here.
    if (siteKindOf(path) !== null && path !== IDEAS_WORKBOOK) continue
    everything.set(path, path.includes('/history/') ? await withoutTimes(join(folder, path)) : contentHashOf(file))
    if (path.includes('/users/')) note(`rows of ${path}`, rows)
    // What a CSV says is in its content hash, and is what its JSON says: verify compares them.
    if (path.endsWith('.json')) noteJson(path, JSON.parse(await readFile(join(folder, path), 'utf8')) as Json, note)
  }
  note('manifest', manifest.rows.users)
  for (const { relation, reason, rows } of manifest.ignored) if (relation === 'users') note(`ignored: ${reason}`, rows)
  everything.set('manifest', JSON.stringify([manifest.rows, manifest.ignored, manifest.options, manifest.categories]))
  const metrics = await metricsOf(manifest)
  for (const line of metrics.split('\n').filter((one) => one.includes('relation="users"')))
    note(line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' '))))
  return { day: manifest.dataAsOf.slice(0, 10), people, everything }
}

const PEOPLE_METRICS = ['newUsers', 'activeUsers', 'totalUsers']

function noteJson(path: string, document: Json, note: (where: string, value: unknown) => void): void {
  if (path === 'public/stats.json') return note(`${path} totalUsers`, (document['stats'] as Json)['totalUsers'])
  const rows = (document['data'] ?? []) as Json[]
  if (path.includes('/users/')) {
    for (const key of ['from', 'to']) note(`${path} ${key}`, document[key])
    for (const { bucket, ...cells } of rows)
      for (const [key, cell] of Object.entries(cells)) note(`${path} ${String(bucket)} ${key}`, cell)
  }
  if (path.includes('/overview/'))
    for (const { metric, ...cells } of rows.filter((row) => PEOPLE_METRICS.includes(String(row['metric']))))
      for (const [key, cell] of Object.entries(cells)) note(`${path} ${String(metric)} ${key}`, cell)
  if (path.includes('/history/')) for (const row of rows) note(`${path} ${String(row['date'])}`, row['totalUsers'])
}

/** Texts and empty cells are no numbers. */
function noteSheets(
  sheets: ReturnType<typeof sheetsIn>,
  note: (where: string, value: unknown) => void,
  everything: Map<string, string>,
): void {
  for (const [sheet, [header = [], ...rows]] of sheets) {
    for (const [first = '', ...cells] of rows) {
      if (sheet !== 'users' && sheet !== 'history' && !(sheet === 'overview' && PEOPLE_METRICS.includes(first)))
        continue
      for (const [i, cell] of cells.entries()) {
        const name = header[i + 1] ?? ''
        if (sheet !== 'history' || name === 'totalUsers')
          note(`${TABLES_WORKBOOK} ${sheet} ${first} ${name}`, cell === '' ? null : Number(cell))
      }
    }
    const isTime = (i: number): boolean => header[i]?.startsWith('dataAsOf') ?? false
    const lasting = rows.map((cells) => cells.filter((_, i) => !isTime(i)))
    everything.set(`${TABLES_WORKBOOK} ${sheet}`, JSON.stringify(lasting).replaceAll(TIME, ''))
  }
}

/** Its rows have the time of their release, which is in its content hash. */
async function withoutTimes(path: string): Promise<string> {
  return (await readFile(path, 'utf8')).replaceAll(TIME, '')
}

const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g

function metricsOf(current: Manifest): Promise<string> {
  const run = { result: 'published', exitCode: 0, startedMs: 0, endedMs: 0, report: null } as const
  return buildMetricsText({ run, before: '', current, due: null, held: false, newestDay: null, availableBytes: null })
}

const differences = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): string[] =>
  [...new Set([...a.keys(), ...b.keys()])]
    .filter((where) => a.get(where) !== b.get(where))
    .map((where) => `${where}: ${String(a.get(where))} → ${String(b.get(where))}`)

/** What happens on the day itself, of the changes that are made by turns. */
const OF_TODAY: ReadonlySet<number> = new Set([0, 1, 4, 9])

/** Numbers that are not 0 or a multiple of 5, and changes that do not follow from the two published values. */
function unrounded({ people }: Seen): string[] {
  return [...people].flatMap(([where, text]) => {
    const value = JSON.parse(text) as unknown
    if (where.startsWith('rows of') || typeof value !== 'number') return []
    if (!where.endsWith('changePercent')) return value % 5 === 0 ? [] : [`${where}: ${text}`]
    const at = (key: string): number | null =>
      JSON.parse(people.get(where.replace('changePercent', key)) ?? 'null') as number | null
    return changePercent(at('value'), at('previousValue')) === value ? [] : [`${where}: ${text}`]
  })
}

describeWithPostgres('somebody who compares each release with the one before', (postgres) => {
  const open = async (): Promise<{ site: Site; url: string; end: () => Promise<void> }> => {
    const url = await postgres().createDatabase()
    const client = new Client({ connectionString: url })
    await client.connect()
    const site = new Site(client)
    await site.begin()
    return { site, url, end: () => client.end() }
  }

  describe.each([
    ['rounded', 120],
    ['off', 20],
  ] as const)('of a site that publishes people %s, %d times', (mode, releases) => {
    test('finds nobody', { timeout: 240_000 }, async () => {
      const { site, url, end } = await open()
      const snapshots = temporaryFolder()
      const found = { releases: 1, accountsAlone: 0, late: 0, midnights: 0, steps: 0, nulls: 0, numbers: 0 }
      let nowMs = BEGIN_MS
      let last = await publish(url, snapshots, mode, nowMs)
      const within: string[] = []
      const across: string[] = []
      while (found.releases < releases) {
        // An account and nothing else: 2 ms later the release must be the same, wherever one looks.
        await site.addAccount(nowMs + 1)
        const alone = await publish(url, snapshots, mode, nowMs + 2)
        within.push(...differences(last.everything, alone.everything), ...differences(last.people, alone.people))
        found.accountsAlone += 1
        nowMs += STEP_MS
        await site.change(found.accountsAlone, nowMs - 1)
        const next = await publish(url, snapshots, mode, nowMs)
        found.releases += 2
        const changed = differences(alone.people, next.people)
        if (next.day === alone.day) {
          if (OF_TODAY.has(found.accountsAlone % 10)) within.push(...changed.map((what) => `${iso(nowMs)} ${what}`))
          else found.late += changed.length
        } else {
          found.midnights += 1
          found.steps += changed.length
        }
        across.push(...unrounded(next))
        const values = [...next.people.values()]
        found.nulls += values.filter((value) => value === 'null').length
        found.numbers += values.filter((value) => /^\d+$/.test(value) && value !== '0').length
        last = next
      }
      await end()
      expect(within).toEqual([])
      expect(across).toEqual([])
      // There was something to find.
      expect(found.midnights).toBeGreaterThanOrEqual(1)
      expect(found.nulls).toBeGreaterThan(0)
      if (mode === 'rounded') expect(Math.min(found.steps, found.numbers)).toBeGreaterThan(found.midnights)
    })
  })
})
