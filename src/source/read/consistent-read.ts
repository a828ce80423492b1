// Owns one consistent read of a source: the sections of a mapping at one point in time. Knows no documents.
import type pg from 'pg'
import type { IdeaFacts, UserFacts } from '../../model/facts.ts'
import { peopleTime, type PeopleMode } from '../../contract/people.ts'
import { cutOf } from '../../model/rows-by-month.ts'
import { DaySlices, LATEST_CLOCK_MS } from '../../model/day-slices.ts'
import { EARLIEST_DATE_MS, FUTURE, monthStartOf, UNDATED } from '../../contract/windows.ts'
import { countIdeas } from './bad-rows.ts'
import { readCatalog, type CatalogTable } from '../database/catalog.ts'
import { readClosed, type Closed } from './closed.ts'
import { readCategories } from './listed-categories.ts'
import { readColumnTypes, keyTypes, type ColumnTypes } from './column-types.ts'
import { SkippedRowTally, type SkippedRows } from './skipped-rows.ts'
import type { Mapping } from '../mapping/mapping.ts'
import type { TemplateParameters } from '../sql/template.ts'
import { earlier, readFacts, type FactsTotals } from './idea-aggregates.ts'
import { noUsers, userFacts, readAccounts, readActivity, type Accounts, type ReadTimes } from './active-users.ts'
import { NO_ACCOUNT_MONTHS, readAccountMonths, type AccountMonths, type Cuts } from './account-months.ts'
import { ideaAggregatesSql } from './idea-aggregates-sql.ts'
import { isError, type Finding } from '../mapping/finding.ts'
import { meantIn } from './meant.ts'
import { whyNothing } from './params.ts'
import { fitting } from '../mapping/alternatives.ts'
import { checkColumns } from '../mapping/relations.ts'
import { findMissing, findNeither, inOneLine, requiredTables } from '../mapping/requirements.ts'
import { explain, SourceError } from '../database/source-error.ts'
import { beginRead, type Begun, type ReadOptions } from '../database/transaction.ts'

export interface ConsistentReadOptions extends ReadOptions {
  /** The point in time to describe, epoch ms; null = now by the server's clock; other values rebuild the past. */
  readonly asOfMs: number | null
  /** How people are to be published: of which instant they are counted; the facts are exact. */
  readonly people?: PeopleMode
  /** The cut of the release that this one is compared with, epoch ms; null = none. */
  readonly earlierCutMs?: number | null
}

interface CutTimes extends ReadTimes {
  readonly cuts: Cuts
}

/** One open read-only transaction on one session: everything read through it describes the same point in time. */
export interface ConsistentRead {
  readonly asOfMs: number
  readonly standby: boolean
  /** How far a standby lags behind its primary; null on a primary, and where it is unknown. */
  readonly replayLagMs: number | null
  /** The site is closed to visitors: nothing was read, and everything below is empty; null = it is open. */
  readonly closed: Closed | null
  readonly warnings: readonly string[]
  /** How many ideas the mapping returns: a few may not count. */
  readonly ideas: number
  /** Published names that the mapping lists by themselves, in name order. */
  readonly listedCategories: readonly string[]
  /** The time slices of votes and comments; one begins at each cut. */
  readonly slices: DaySlices
  readonly cuts: Cuts
  /** The ideas, newest first, in batches. Read once, to the end, before users(). */
  facts(): AsyncGenerator<IdeaFacts[]>
  /** @param counted told how many people are counted so far */
  users(counted?: (people: number) => void): Promise<UserFacts>
  /** After facts(): the month in which the timelines begin, epoch ms; null = nothing has a date. */
  firstMonthMs(): Promise<number | null>
  accountMonths(): Promise<AccountMonths>
  skippedRows(): SkippedRows[]
  /** Of these, the rows that break a rule of their relation. */
  faults(): SkippedRows[]
  /** Ends the transaction. */
  end(): Promise<void>
}

/** @throws SourceError */
export async function beginConsistentRead(
  client: pg.Client,
  mapping: Mapping,
  options: ConsistentReadOptions,
): Promise<ConsistentRead> {
  try {
    const begun = await beginRead(client, options)
    const { fitted, missing, catalog } = await fitToDatabase(client, mapping, begun.role, options)
    // Before anything else is read: a site that closes must not stay public because another section has an error.
    const meant = missing === null ? meantIn(client, options) : undefined
    const why = (): Promise<string> => whyNothing(client, fitted, catalog)
    const closed = await readClosed(client, fitted, meant, why).catch((error: unknown) => {
      throw missing ?? error
    })
    if (closed !== null) return closedRead(client, closed, timesOf(options, begun), begun)
    if (missing !== null) throw missing
    const columnTypes = await readColumnTypes(client, fitted, meant)
    return await openConsistentRead(client, fitted, timesOf(options, begun), begun, columnTypes)
  } catch (error) {
    throw explain(error, `mapping ${mapping.name}`)
  }
}

export function timesOf(
  { asOfMs, people = 'exact', earlierCutMs = null }: Pick<ConsistentReadOptions, 'asOfMs' | 'people' | 'earlierCutMs'>,
  begun: Begun,
): CutTimes {
  const dataAsOfMs = asOfMs ?? begun.asOfMs
  const cuts = { ownMs: cutOf(dataAsOfMs, begun), earlierMs: earlierCutMs }
  return { asOfMs: dataAsOfMs, people: peopleTime(people, dataAsOfMs), cuts }
}

/**
 * The mapping with the sections that fit what the database has. What it requires must exist and be readable: checked first,
 * because the server's errors tell less.
 */
async function fitToDatabase(
  client: pg.Client,
  mapping: Mapping,
  role: string,
  { rowSecurity, searchPath = null }: Pick<ReadOptions, 'rowSecurity' | 'searchPath'>,
): Promise<{ fitted: Mapping; missing: SourceError | null; catalog: readonly CatalogTable[] }> {
  const { name, requires, from: { sourceName = name } = {} } = mapping
  if (requires.length === 0) return { fitted: mapping, missing: null, catalog: [] }
  const missingIn = (catalog: readonly CatalogTable[]): Finding[] => [
    ...findMissing(sourceName, requires, { catalog, role, rowSecurity, searchPath }).filter(isError),
    ...findNeither(sourceName, requires, mapping.alternatives, catalog),
  ]
  const catalog = await readCatalog(client, requiredTables(requires))
  const fitted = fitting(mapping, catalog)
  if (missingIn(catalog).length === 0) return { fitted, missing: null, catalog }
  // Other tables may say what was meant.
  const missing = missingIn(await readCatalog(client, null))
  return { fitted, missing: new SourceError('source', `mapping ${name}: ${inOneLine(missing)}`), catalog }
}

/** The read of a site that is closed: empty. */
function closedRead(
  client: pg.Client,
  closed: Closed,
  { asOfMs, people, cuts }: CutTimes,
  { standby, replayLagMs }: Begun,
): ConsistentRead {
  return {
    asOfMs,
    standby,
    replayLagMs,
    closed,
    warnings: [],
    ideas: 0,
    listedCategories: [],
    slices: new DaySlices(asOfMs),
    cuts,
    async *facts() {},
    users: () => Promise.resolve(noUsers(people)),
    firstMonthMs: () => Promise.resolve(null),
    accountMonths: () => Promise.resolve(NO_ACCOUNT_MONTHS),
    skippedRows: () => [],
    faults: () => [],
    async end() {
      await client.query('ROLLBACK')
    },
  }
}

/** The read of a transaction that has begun, of sections whose columns are known. */
export async function openConsistentRead(
  client: pg.Client,
  mapping: Pick<Mapping, 'name' | 'sections'>,
  times: CutTimes,
  begun: Begun,
  columnTypes: ColumnTypes,
): Promise<ConsistentRead> {
  const { asOfMs, cuts } = times
  rejectClock(asOfMs)
  const warnings = columnWarnings(mapping, columnTypes)
  const parameters: TemplateParameters = { sections: mapping.sections, keys: keyTypes(columnTypes) }
  const explained: Explained = async (what, run) => {
    try {
      return await run()
    } catch (error) {
      throw explain(error, `mapping ${mapping.name}, ${what}`)
    }
  }
  const ideas = await explained('section ideas', () => countIdeas(client, mapping.name, parameters))
  const skipped = new SkippedRowTally()
  const listedCategories = await explained('section categories', () => readCategories(client, mapping, skipped))
  const slices = new DaySlices(asOfMs, [cuts.ownMs, ...(cuts.earlierMs === null ? [] : [cuts.earlierMs])])
  const totals: FactsTotals = { earliestMs: null, earliestLaunchMs: null, eventsOfOtherIdeas: 0 }
  const people = readPeople(client, parameters, times, skipped, totals, explained)
  return {
    asOfMs,
    standby: begun.standby,
    replayLagMs: begun.replayLagMs,
    closed: null,
    warnings,
    ideas,
    listedCategories,
    slices,
    cuts,
    async *facts() {
      try {
        yield* readFacts(client, ideaAggregatesSql(parameters, slices), slices, skipped, totals)
      } catch (error) {
        throw explain(error, `mapping ${mapping.name}, reading ideas, votes and comments`)
      }
    },
    ...people,
    accountMonths: () =>
      explained('counting accounts by month', () => readAccountMonths(client, parameters, asOfMs, cuts)),
    skippedRows: () => skipped.list(),
    faults: () => skipped.faults(),
    end: () =>
      explained('ending the read', async () => {
        // Whatever a function of a section may have written is not kept.
        await client.query('ROLLBACK')
      }),
  }
}

type Explained = <T>(what: string, run: () => Promise<T>) => Promise<T>

/** Accounts are read once, by whoever asks first. */
function readPeople(
  client: pg.Client,
  parameters: TemplateParameters,
  times: ReadTimes,
  skipped: SkippedRowTally,
  totals: FactsTotals,
  explained: Explained,
): Pick<ConsistentRead, 'users' | 'firstMonthMs'> {
  let read: Promise<Accounts> | null = null
  const accountsOnce = (): Promise<Accounts> =>
    (read ??= explained('counting accounts', () => readAccounts(client, parameters, times)))
  return {
    firstMonthMs: async () => {
      const { earliestMs } = await accountsOnce()
      return monthOf(earlier(earlier(totals.earliestMs, totals.earliestLaunchMs), earliestMs))
    },
    users: async (counted) => {
      const accounts = await accountsOnce()
      skipped.add('users', FUTURE, accounts.future)
      skipped.add('users', UNDATED, accounts.undated, 'fault')
      skipped.add('users', 'id is NULL', accounts.withoutId, 'fault')
      // A launch makes nobody active: where the users export begins does not depend on it.
      const earliestMs = monthOf(earlier(totals.earliestMs, accounts.earliestMs))
      return explained('counting active users', async () =>
        userFacts(
          accounts,
          await readActivity(client, parameters, times, { ...totals, earliestMs }, counted),
          times.people,
        ),
      )
    },
  }
}

/** Keeps every window after the earliest date, and the number of columns of the query on active users bounded. */
const CLOCK_MS = [EARLIEST_DATE_MS + 366 * 86_400_000, LATEST_CLOCK_MS] as const

function rejectClock(asOfMs: number): void {
  if (asOfMs >= CLOCK_MS[0] && asOfMs < CLOCK_MS[1]) return
  const [from, to] = CLOCK_MS.map((ms) => new Date(ms).getUTCFullYear())
  throw new SourceError(
    'source',
    `the clock of the database is at ${new Date(asOfMs).toISOString()}; allowed: from ${from} to before ${to}; set the server's clock`,
  )
}

// Accounts are grouped by month, so the first month counts from its beginning.
function monthOf(timeMs: number | null): number | null {
  return timeMs === null ? null : monthStartOf(timeMs)
}

function columnWarnings(mapping: Pick<Mapping, 'name'>, columnTypes: ColumnTypes): string[] {
  const warnings: string[] = []
  for (const [relation, columns] of columnTypes) {
    const findings = checkColumns(relation, columns)
    if (findings.errors.length > 0)
      throw new SourceError('source', `mapping ${mapping.name}, section ${relation}: ${findings.errors.join('; ')}`)
    warnings.push(...findings.warnings.map((text) => `mapping ${mapping.name}, section ${relation}: ${text}`))
  }
  return warnings
}
