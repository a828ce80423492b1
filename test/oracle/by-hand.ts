// Owns small databases for the tests of the oracle, whose numbers were worked out by hand: rows by hand, and a client of a
// database that holds them. Knows no document.
import { Client } from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { describeWithPostgres } from '../support/postgres.ts'
import { installOracle, type Row } from './documents.ts'
import {
  createNativeTables,
  emptyDatabase,
  loadDatabase,
  type NativeDatabase,
  type NativeIdea,
} from './random-database.ts'

export const AS_OF = '2024-05-17T12:30:00.000Z'
export const options = { asOf: AS_OF, siteUrl: null }

export const idea = (id: string, created_at: string, more: Partial<NativeIdea> = {}): NativeIdea => ({
  id,
  title: `Idea ${id}`,
  created_at,
  launched: false,
  launched_at: null,
  url: null,
  author_id: null,
  status: null,
  ...more,
})
export const vote = (idea_id: string, created_at: string | null, user_id: string | null = null, value = 1) => ({
  idea_id,
  user_id,
  value,
  created_at,
})
export const file = (category: string, ...ids: string[]) => ids.map((idea_id) => ({ idea_id, category }))
export const times = <T>(count: number, row: T): T[] => Array.from({ length: count }, () => row)
export const column = (rows: Record<string, unknown>[], key: string) => rows.map((row) => row[key])
export const overview = (rows: Row[]) =>
  Object.fromEntries(rows.map((row) => [row['metric'], [row['value'], row['previousValue'], row['changePercent']]]))

export interface OracleUnderTest {
  readonly client: () => Client
  /** These rows, and no others. */
  readonly given: (rows: Partial<NativeDatabase>) => Promise<void>
}

export function describeOracle(name: string, body: (oracle: OracleUnderTest) => void): void {
  describeWithPostgres(name, (postgres) => {
    let connected: Client | undefined
    const client = (): Client => {
      if (connected === undefined) throw new Error('the client is not connected yet')
      return connected
    }
    beforeAll(async () => {
      connected = new Client({ connectionString: await postgres().createDatabase() })
      await connected.connect()
      await createNativeTables(connected)
      await installOracle(connected)
    })
    afterAll(() => connected?.end())
    body({ client, given: (rows) => loadDatabase(client(), { ...emptyDatabase(AS_OF), ...rows }) })
  })
}
