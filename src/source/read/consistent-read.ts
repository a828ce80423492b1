// Owns one consistent read of a source: the sections of a mapping at one point in time. Knows no documents.
import type pg from 'pg'
import type { Counted, IdeaFacts } from '../../model/facts.ts'
import { peopleTime, type PeopleMode } from '../../contract/people.ts'
import { cutOf } from '../../model/rows-by-month.ts'
import { DaySlices, LATEST_CLOCK_MS } from '../../model/day-slices.ts'
import { timeZoneOf } from '../../contract/time-zone.ts'
import { EARLIEST_DATE_MS, windowEdges } from '../../contract/windows.ts'
import { readCatalog } from '../database/catalog.ts'
import type { OneInstant } from '../database/one-instant.ts'
import { readClosed } from './closed.ts'
import { countEvents, factsOf, type Known, type ReadTimes, type Report } from './counting.ts'
import { rawRows } from './raw-rows.ts'
import { readCategories } from './category-names.ts'
import { readColumnTypes, keyTypes, type ColumnTypes } from './column-types.ts'
import { SkippedRowTally, suspectsOf, type NoteKind } from './skipped-rows.ts'
import { zoneFault } from './zone-rules.ts'
import type { Mapping } from '../mapping/mapping.ts'
import type { TemplateParameters } from '../sql/template.ts'
import { isError } from '../mapping/finding.ts'
import { fitting, type FittedMapping } from '../mapping/mapping-file.ts'
import { COLUMNS, RELATIONS } from '../mapping/relations.ts'
import { findMissing, inOneLine, requiredTables } from '../mapping/requirements.ts'
import { failedIn, SourceError } from '../database/source-error.ts'
import { beginRead, type Begun, type ReadOptions } from '../database/transaction.ts'

/** The time that a read describes, and how it is cut. */
export interface TimeOptions {
  /** The point in time to describe, epoch ms; null = now by the server's clock; other values rebuild the past. */
  readonly asOfMs: number | null
  /** How people are to be published: this decides as of which instant they are counted; the facts are exact. */
  readonly people?: PeopleMode
  /** The time zone (IANA) in which hours, days and months are cut. */
  readonly timeZone?: string
  /** The cut of the release that this one is compared with, epoch ms; null = none. */
  readonly earlierCutMs?: number | null
}

export type ConsistentReadOptions = ReadOptions & TimeOptions

/** One open read-only transaction on one session: everything read through it describes the same point in time. */
export type ConsistentRead = Awaited<ReturnType<typeof beginOnce>>

/**
 * What looks like a mistake of the mapping, or a missing right, may come from a table that was renamed or restored
 * since the snapshot: it is thrown only if a second transaction finds the same.
 * @throws SourceError
 */
export async function beginConsistentRead(
  client: pg.Client,
  mapping: Mapping,
  options: ConsistentReadOptions,
): Promise<ConsistentRead> {
  const begin = () => beginOnce(client, mapping, options).catch(failedIn(`mapping ${mapping.name}`))
  try {
    return await begin()
  } catch (error) {
    if (!(error instanceof SourceError) || error.retryable) throw error
    // If the server has ended the session, this query fails as well: the first error says why.
    await client.query('ROLLBACK').catch(() => Promise.reject(error))
    return begin()
  }
}

async function beginOnce(client: pg.Client, mapping: Mapping, options: ConsistentReadOptions) {
  const begun = await beginRead(client, options)
  const { name, requires, sourceName = name } = mapping
  const catalog = await readCatalog(client, requiredTables(requires))
  const fitted = fitting(mapping, catalog)
  // What it requires must exist and be readable, which is found out here because the server's errors tell less.
  const found = findMissing(sourceName, requires, { ...options, catalog, role: begun.role }).filter(isError)
  const missing = found.length === 0 ? null : new SourceError(`mapping ${name}: ${inOneLine(found)}`)
  // This is read before anything else: a site that closes must not stay public because another section has an error.
  const closed = await readClosed(begun.instant, fitted).catch((error: unknown) => {
    throw missing ?? error
  })
  if (closed === null && missing !== null) throw missing
  const { columnTypes, warnings } = closed === null ? await readColumnTypes(client, fitted) : NO_COLUMNS
  for (const sql of fitted.sections.values()) begun.instant.names(sql)
  // All that the sections name is locked by now, so that nearly each change that came between is seen before much is
  // read, and before anything is removed because the site is closed.
  await begun.instant.prove()
  const sections = closed === null ? fitted.sections : NO_SECTIONS
  return {
    ...(await openConsistentRead({ name, sections }, options, begun, columnTypes)),
    /** The site is closed to visitors: nothing is read; null = it is open. */
    closed,
    warnings,
  }
}

function timesOf(
  { asOfMs, people: mode = 'exact', timeZone, earlierCutMs = null }: TimeOptions,
  begun: Begun,
): ReadTimes {
  const dataAsOfMs = asOfMs ?? begun.asOfMs
  rejectClock(dataAsOfMs)
  const zone = timeZoneOf({ timeZone })
  const people = peopleTime(mode, dataAsOfMs, zone)
  const cutsMs = [cutOf(dataAsOfMs, begun), ...(earlierCutMs === null ? [] : [earlierCutMs])]
  // The edges for people may be no midnights where days have other lengths.
  const edges = [people.asOfMs, ...windowEdges(people.asOfMs), ...cutsMs]
  return { slices: new DaySlices(dataAsOfMs, edges, zone), people, cutsMs }
}

/** Nothing is read of a site that is closed: these SELECTs, which return no row, stand in place of its sections. */
const NO_SECTIONS = new Map(
  RELATIONS.map((relation) => {
    const columns = Object.entries(COLUMNS[relation]).map(
      ([name, type]) => `NULL::${type === 'id' ? 'text' : type} AS ${name}`,
    )
    return [relation, `SELECT ${columns.join(', ')} WHERE false`] as const
  }),
)

const NO_COLUMNS: Awaited<ReturnType<typeof readColumnTypes>> = { columnTypes: new Map(), warnings: [] }

/** Opens the read in a transaction that has begun, of sections whose columns are known. */
export async function openConsistentRead(
  mapping: Pick<FittedMapping, 'name' | 'sections'>,
  options: TimeOptions,
  begun: Begun,
  columnTypes: ColumnTypes,
) {
  const { instant, standby, replayLagMs } = begun
  const times = timesOf(options, begun)
  const parameters: TemplateParameters = { sections: mapping.sections, keys: keyTypes(columnTypes) }
  const skipped = new SkippedRowTally()
  const listedCategories: readonly string[] = await readCategories(instant, mapping, skipped)
  const raw = rawRows(parameters, times.people.mode !== 'off', (...asked) => instant.select(...asked))
  const reading = { instant, mapping: mapping.name, raw, times, skipped }
  let known: Known | null = null
  let counting: Promise<Counted> | null = null
  /** Reads every relation once, row by row, and counts; each later call gives the same result. */
  const counted = (report?: Report): Promise<Counted> =>
    (counting ??= countEvents(reading, report).then((made) => {
      known = made.known
      return made.counted
    }))
  return {
    asOfMs: times.slices.asOfMs,
    zone: times.slices.zone,
    standby,
    replayLagMs,
    /** Published names that the mapping lists by themselves, in name order. */
    listedCategories,
    /** The instants before which rows are counted for the gate: the read's own, then that of the current release, if there is one. */
    cutsMs: times.cutsMs,
    counted,
    /** After counting, reads the ideas that count once more, newest first, in batches between which the consumer can wait. */
    async *facts(): AsyncGenerator<IdeaFacts[]> {
      await counted()
      if (known === null) throw new Error('the facts are read once')
      const ofIdeas = known
      known = null
      yield* factsOf(reading, ofIdeas)
    },
    skippedRows: (kinds?: readonly NoteKind[]) => skipped.list(kinds),
    /** Why the rules of the zone may be out of date: they differ from the database's, or could not be compared; null = they agree. */
    zoneFault: async () => zoneFault(instant.client, times.slices, (await counted()).firstMonthMs),
    /** The skipped rows that are so many of their relation that the mapping may be wrong. Asked after the facts, before the end. */
    suspects: () => suspectsOf(instant.client, skipped, parameters),
    end: () => endRead(instant).catch(failedIn(`mapping ${mapping.name}, ending the read`)),
  }
}

/**
 * Ends the transaction.
 * @throws SourceError where what was read is not of one instant: nothing of it may be used
 */
async function endRead(instant: OneInstant): Promise<void> {
  await instant.prove()
  // Whatever a function of a section may have written is not kept.
  await instant.client.query('ROLLBACK')
}

/** The range of clocks that keeps every window after the earliest date, and the number of slices bounded. */
const CLOCK_MS = [EARLIEST_DATE_MS + 366 * 86_400_000, LATEST_CLOCK_MS] as const

function rejectClock(asOfMs: number): void {
  if (asOfMs >= CLOCK_MS[0] && asOfMs < CLOCK_MS[1]) return
  const [from, to] = CLOCK_MS.map((ms) => new Date(ms).getUTCFullYear())
  throw new SourceError(
    `the clock of the database is at ${new Date(asOfMs).toISOString()}; allowed: from ${from} to before ${to}; set the server's clock`,
  )
}
