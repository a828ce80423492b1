// Owns the proof that what a transaction read is of one instant and one server. Knows neither a mapping nor what is read.
//
// A snapshot is not enough: the first SELECT takes it, tables are locked by later statements, and one that was truncated or
// rewritten in between appears empty (PostgreSQL manual, "Caveats" of "Concurrency Control"); renamed, replaced or attached ones
// show rows of another instant. LOCK TABLE first would need more than the right to read columns, and takes no materialized view.
import { randomInt } from 'node:crypto'
import { escapeLiteral } from 'pg'
import type pg from 'pg'
import { asTable, fillTemplate } from '../sql/template.ts'
import { wordsIn } from '../sql/tokens.ts'
import { SourceError } from './source-error.ts'

/** What messages say for each `what` in a row of one-instant.sql. */
const SEEN = {
  table: 'was emptied, rewritten or replaced',
  partitions: 'had partitions or child tables attached or detached',
  column: 'was added, renamed or removed',
  definition: 'was replaced or removed',
} as const

interface Difference {
  readonly what: keyof typeof SEEN | 'server'
  readonly name: string
}

export class OneInstant {
  readonly client: pg.Client
  /** Whether policies apply: they may name any column, also one that no section names. */
  readonly #policies: boolean
  /** The words of the sections, which name all that they read. */
  readonly #words = new Set<string>()
  /** The first key of the advisory locks of this read. */
  readonly #read = randomInt(1, 2 ** 31)
  #traces = 0

  constructor(client: pg.Client, rowSecurity: 'off' | 'apply') {
    this.client = client
    this.#policies = rowSecurity === 'apply'
  }

  /** Notes the words of a section that will be read, for a proof before that. */
  names(section: string): void {
    for (const word of wordsIn(section)) this.#words.add(word)
  }

  /**
   * Writes a SELECT of columns of a section that leaves a trace; all that is published is read by such SELECTs. The
   * trace is in an OFFSET, because every plan evaluates that, but a WHERE only where there is a row for it.
   * @param rest what follows in the SELECT, such as GROUP BY or LIMIT
   */
  select(columns: string, section: string, rest = ''): string {
    this.names(`${columns} ${section}`)
    return `SELECT ${columns} FROM ${asTable(section)} ${rest} OFFSET ${this.trace()}::int - 1`
  }

  /**
   * A condition that is true, and leaves a lock on the server that runs the statement, until the transaction ends: behind a pooler
   * that spreads the statements of a transaction over servers, no server has the locks of all. An advisory lock is
   * allowed in a read-only transaction and on a standby, and to every role.
   */
  trace(): string {
    this.#traces += 1
    return `(SELECT pg_catalog.pg_try_advisory_xact_lock_shared(${this.#read}, ${this.#traces}))`
  }

  /**
   * Must be called once everything is locked, and after the last read again: locked tables stay as they are, but partitions come and go.
   * @throws SourceError (to be retried) naming what differs
   */
  async prove(): Promise<void> {
    const values = {
      read: String(this.#read),
      traces: String(this.#traces),
      words: `ARRAY[${[...this.#words].map(escapeLiteral).join(', ')}]`,
      // A natural join takes each column that two tables share.
      anyColumn: String(this.#policies || this.#words.has('natural')),
    }
    const { rows } = await this.client.query<Difference>(fillTemplate('database/one-instant', { values }))
    const [first] = rows.sort((a, b) => Number(b.what === 'server') - Number(a.what === 'server'))
    if (first !== undefined) throw new SourceError(sentence(first), true)
  }
}

function sentence({ what, name }: Difference): string {
  if (what === 'server')
    return 'the queries of one transaction were answered by several servers, so that they show several instants; a pooler before them (pgpool?) spreads what is read: let --database-url name one server, or switch its load balancing off for this role'
  return `${name} ${SEEN[what]} while the build read, so that what it read is of no single instant; is the platform being upgraded, loaded or refreshed? Build again when that is done`
}
