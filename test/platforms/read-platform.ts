// Reads a source through a mapping as a build does, at a known instant, into the words of an expectation.
import { EDGES_MS } from '../../src/contract/windows.ts'
import { readClosed, type Closed } from '../../src/source/read/closed.ts'
import { connect, type Connection } from '../../src/source/database/connect.ts'
import { OneInstant } from '../../src/source/database/one-instant.ts'
import { parseDatabaseUrl, type Target } from '../../src/source/database/parse-target.ts'
import { beginConsistentRead } from '../../src/source/read/consistent-read.ts'
import type { Mapping } from '../../src/source/mapping/mapping.ts'
import { fitting } from '../../src/source/mapping/mapping-file.ts'
import { KeptSessions } from '../support/kept-sessions.ts'
import { AS_OF, type ExpectedRead } from './platform.ts'

const DAY_MS = 86_400_000

/** What section `closed` says; null = open. */
export async function readClosedOf(url: string, mapping: Mapping): Promise<Closed | null> {
  const connection = await connect(parseDatabaseUrl(url), new AbortController().signal, () => 60_000)
  try {
    return await readClosed(new OneInstant(connection.client, 'off'), fitting(mapping, []))
  } finally {
    await connection.close()
  }
}

/** All that a release is made of, in the words of the expectation. */
export async function readPlatform(url: string, mapping: Mapping): Promise<ExpectedRead> {
  const target = parseDatabaseUrl(url)
  const connection = await connect(target, new AbortController().signal, () => 60_000)
  try {
    return await readBy(connection, target.searchPath, mapping)
  } finally {
    await connection.close()
  }
}

/** Reads by one session of each URL. */
export class PlatformReader {
  readonly #sessions = new KeptSessions()

  read(url: string, mapping: Mapping): Promise<ExpectedRead> {
    return this.#sessions.use(url, (connection) => readBy(connection, parseDatabaseUrl(url).searchPath, mapping))
  }

  /** What section `closed` says; null = open. */
  closed(url: string, mapping: Mapping): Promise<Closed | null> {
    return this.#sessions.use(url, ({ client }) => readClosed(new OneInstant(client, 'off'), fitting(mapping, [])))
  }

  /** Whether two SELECTs return the same rows: what is made of these is the same then. */
  sameRows(url: string, one: string, other: string): Promise<boolean> {
    const rows = [one, other].map((sql) => `SELECT it::text FROM (${sql}\n) AS it`)
    const differ = `(${rows.join(' EXCEPT ALL ')}) UNION ALL (${rows.reverse().join(' EXCEPT ALL ')}) LIMIT 1`
    return this.#sessions.use(url, async ({ client }) => (await client.query(differ)).rowCount === 0)
  }

  close(): Promise<void> {
    return this.#sessions.close()
  }
}

async function readBy(
  connection: Connection,
  searchPath: Target['searchPath'],
  mapping: Mapping,
): Promise<ExpectedRead> {
  const options = {
    searchPath,
    statementTimeoutMs: 20_000,
    lockTimeoutMs: 5000,
    rowSecurity: 'off',
    asOfMs: Date.parse(AS_OF),
  } as const
  const source = await beginConsistentRead(connection.client, mapping, options)
  const lastDay = (counts: { total: number; since: readonly number[] }): [number, number] => [
    counts.total,
    counts.since[EDGES_MS.indexOf(DAY_MS)] ?? Number.NaN,
  ]
  const ideas: ExpectedRead['ideas'][number][] = []
  for await (const batch of source.facts())
    for (const { id, title, createdAtMs, status, launched, launchedAtMs, url: path, categories, ...counts } of batch)
      ideas.push({
        id,
        title,
        createdAt: new Date(createdAtMs).toISOString(),
        status,
        launched: launchedAtMs === null ? launched : new Date(launchedAtMs).toISOString(),
        url: path,
        categories,
        votes: lastDay(counts.votes),
        comments: lastDay(counts.comments),
      })
  const { users } = await source.counted()
  await source.end()
  const sum = (of: (idea: (typeof ideas)[number]) => number): number => ideas.reduce((all, one) => all + of(one), 0)
  const months = (users.buckets.at(-1) ?? []).map(
    ({ startMs, newUsers, active, authors, voters, commenters }) =>
      [new Date(startMs).toISOString().slice(0, 7), { newUsers, active, authors, voters, commenters }] as const,
  )
  return {
    totals: {
      users: users.accounts.total,
      ideas: ideas.length,
      votes: sum(({ votes }) => votes[0]),
      comments: sum(({ comments }) => comments[0]),
      launched: sum(({ launched }) => (launched === false ? 0 : 1)),
    },
    ideas,
    months: Object.fromEntries(months.filter(([, counts]) => Object.values(counts).some((n) => n > 0))),
    active: users.active.all,
    listed: source.listedCategories,
    skipped: Object.fromEntries(
      source.skippedRows().map(({ relation, reason, rows }) => [`${relation}: ${reason}`, rows]),
    ),
  }
}
