// Owns the first step of a build, making a candidate: connect, one consistent read, every document, a sealed staging. Publishes nothing.
import { TIME_ZONE_DATABASE, UTC } from '../../contract/time-zone.ts'
import { VERSION } from '../../contract/kinds/shape.ts'
import { publishSkipped } from '../../analytics/people.ts'
import { TOP_CATEGORIES } from '../../analytics/overview.ts'
import { thisProgram } from '../../process/package-root.ts'
import { isDemo, type SitePart } from '../../release/format/manifest.ts'
import { linesOfDays, withDay } from '../../release/format/day-log.ts'
import { endedDay, readLogged } from '../../release/past/day-log.ts'
import { newestMonths } from '../../release/reading/release-list.ts'
import { archiveMonths } from '../../release/past/archive.ts'
import type { ManifestAbout, Staging } from '../../release/writing/staging.ts'
import type { Client } from 'pg'
import { beginConsistentRead, type ConsistentRead } from '../../source/read/consistent-read.ts'
import { makeRoom } from './closing.ts'
import type { BuildContext, BuildRequest } from './context.ts'
import type { CategoryChange } from '../past/category-changes.ts'
import { changedCategories, type Base } from '../past/current.ts'
import { earlierAssets } from '../past/earlier-assets.ts'
import { earlierHistory } from '../past/earlier-history.ts'
import { haveSameMonths, type Revision, revisionsSince } from '../past/revision.ts'
import { earlierRevisions, withRevisions } from '../past/revision-rows.ts'
import { withSession } from './session.ts'
import { writeSite } from '../site/write-site.ts'
import { warnOfLaterDays, warnOfNames, warnOfRows, warnOfSource } from './warnings.ts'
import { countRelease, writeDocuments, type WrittenDocuments } from '../documents/write-documents.ts'

export function stageCandidate(build: BuildContext, staging: Staging, base: Base): Promise<Candidate> {
  const { signal, progress, request } = build
  progress.show(`connecting to ${request.target.shown}`)
  const make = async (client: Client): Promise<Candidate> =>
    sealWith(build, staging, base, await readAndWrite(build, staging, base, client))
  return withSession(request.target, signal, make, build)
}

/** One consistent read, and every document made of it. */
async function readAndWrite(build: BuildContext, staging: Staging, base: Base, client: Client) {
  const { request, signal, log, progress, nowMs } = build
  const kept = base.kept?.past.own
  const options = { ...request, earlierCutMs: kept?.beforeMs ?? null }
  const source = await beginConsistentRead(client, request.mapping, options)
  warnOfSource(source, request.rowSecurity, log)
  /** Releases that are removed already, because the site is closed. */
  const forgotten = source.closed === null ? [] : await makeRoom(build, staging.folder)
  const about = { generatedAt: new Date(nowMs()).toISOString(), isSite: request.site !== null }
  const { carriedFrom, history, earlier } = await carriedOn(build, base, source)
  const effects = { signal, progress, before: base.current?.rows ?? null }
  const counted = await countRelease(source, staging, request, about, effects)
  /** Null for a closed site. */
  const past = source.closed === null ? counted.past : null
  /** What changed before the cut of the current release; null = the past was not compared. */
  const revisions: readonly Revision[] | null = revisionsSince(kept, past, source.zone)
  /** Whether past numbers are compared with those of the release whose history goes on: those of a demo are invented anew. */
  const isCompared = carriedFrom !== null && !isDemo(request)
  const isByMonth = !isCompared || haveSameMonths(kept, past?.earlier)
  const how = { date: source.zone.dayOf(source.asOfMs), accepted: request.acceptRevision, isByMonth }
  const rows = withRevisions(earlier, isCompared ? revisions : [], how, request.people)
  const documents = await writeDocuments(counted, staging, { history, revisions: rows }, effects)
  // The demo brings a database of its own, which nobody updates.
  const zoneFault = source.closed !== null || isDemo(request) ? null : await source.zoneFault()
  /** Rows that may be lost to a mistake of the mapping. */
  const suspects = await source.suspects()
  await source.end()
  if (zoneFault !== null) log.warn({}, zoneFault)
  warnOfRows(source.skippedRows(['fault']), suspects, counted.droppedUrls, log)
  warnOfNames(documents.categories, log)
  const { generatedAt } = about
  const { reported } = counted
  return { source, documents, reported, past, revisions, suspects, forgotten, generatedAt, carriedFrom, isCompared }
}

type ReadAndWritten = Awaited<ReturnType<typeof readAndWrite>>

export type Candidate = Awaited<ReturnType<typeof sealWith>>

/** The archives of months that have ended, the website, and the manifest. */
async function sealWith(build: BuildContext, staging: Staging, base: Base, made: ReadAndWritten) {
  const { source, documents, isCompared, ...known } = made
  const { closed } = source
  const { months, needed } = closed === null ? await monthsFor(build, base, source) : { months: [], needed: [] }
  const categoryChanges = changedCategories(base, known.past, documents.categories)
  const head = manifestHead(build.request, base, made, months, categoryChanges)
  const site = await writeSiteOf(build, base, documents, { ...head, isCompared }, staging)
  build.progress.show('verifying')
  const manifest = await staging.seal({ ...head, ...(site === null ? {} : { site }) })
  return {
    ...known,
    manifest,
    /** The site is closed to visitors, and why; null = it is open. */
    closed,
    categoryChanges,
    /** Releases of which the archive of a month could not be made yet. */
    needed,
  }
}

/**
 * What earlier releases published that this one goes on with: its history is that of `carriedFrom`; null = it begins. A site that is
 * closed shows none, so nothing is read that could keep it from closing.
 */
async function carriedOn({ request, log }: BuildContext, { current, past, unreadable }: Base, source: ConsistentRead) {
  if (source.closed !== null) return { carriedFrom: null, history: null, earlier: { current: [], taken: [] } }
  if (unreadable !== undefined) throw unreadable
  const { paths, mapping } = request
  const { rows, carriedFrom } = await earlierHistory(paths, past, current, isDemo(request), log)
  warnOfLaterDays(rows, source, log)
  const history = { earlier: rows, mappingSha256: mapping.sha256 }
  return { carriedFrom, history, earlier: await earlierRevisions(paths, past, carriedFrom, log) }
}

/** The months that have an archive, after those that have ended got theirs; the newest first. */
async function monthsFor(
  { request: { paths, keepMonths, people }, nowMs, signal, log }: BuildContext,
  { past }: Base,
  { zone, asOfMs }: ConsistentRead,
) {
  // No month has ended as long as one of the two clocks says that it goes on.
  const options = { zone, nowMs: Math.min(asOfMs, nowMs()), keepMonths, people, signal }
  const needed = await archiveMonths(paths, past.lineage, options, log)
  return { needed, months: await newestMonths(paths, keepMonths) }
}

/** The website that the release is, from the same documents; null = data only. */
async function writeSiteOf(
  { request, log }: BuildContext,
  { current }: Base,
  { siteDocuments: documents }: WrittenDocuments,
  head: ManifestAbout & { readonly isCompared: boolean },
  staging: Staging,
): Promise<SitePart | null> {
  const { site, paths, siteUrl, people, timeZone } = request
  if (site === null || documents === null) return null
  const { dataAsOf, closed = false, months = [], mapping } = head
  const ended = endedDay(current, Date.parse(dataAsOf))
  const [, ...lines] = closed ? [] : linesOfDays(withDay((await readLogged(paths)).past.days, ended))
  const about = { ...head, siteUrl, people, timeZone, closed, months, mappingName: mapping.name, documents }
  const shown = { ...about, demo: isDemo(request), logged: lines.at(-1) ?? null }
  return writeSite(staging, site, shown, (own) => earlierAssets(paths, current, own, log))
}

/** The same instant may be the same release again, which has no release before it. */
function previousOf({ current }: Base, { closed, asOfMs }: ConsistentRead): Pick<ManifestAbout, 'previous'> {
  if (closed !== null || current === null || Date.parse(current.dataAsOf) === asOfMs) return {}
  const { id, bytes, sha256 } = current
  return { previous: { id, bytes, sha256 } }
}

/** The manifest without the website, and without what the staging knows: id and files. */
function manifestHead(
  request: BuildRequest,
  base: Base,
  { source, documents, generatedAt }: ReadAndWritten,
  months: readonly string[],
  categoryChanges: readonly CategoryChange<string>[],
): ManifestAbout {
  const { voteWeight, commentWeight, siteUrl, people, site } = request
  const dataAsOf = new Date(source.asOfMs).toISOString()
  return {
    dataAsOf,
    generatedAt,
    nextUpdateAt: new Date(source.asOfMs + request.everyMs).toISOString(),
    version: VERSION,
    ...thisProgram(),
    timeZoneDatabase: source.zone === UTC ? undefined : TIME_ZONE_DATABASE,
    options: {
      voteWeight,
      commentWeight,
      topCategories: TOP_CATEGORIES,
      people,
      ...source.zone.named,
      ...(siteUrl === null ? {} : { siteUrl }),
      ...(site === null ? {} : { site: site.options }),
    },
    mapping: { name: request.mapping.name, sha256: request.mapping.sha256 },
    source: {
      replayLagMs: source.replayLagMs,
      rowSecurity: request.rowSecurity,
      ...(source.standby ? { standby: true } : {}),
    },
    ...(source.closed === null ? {} : { closed: true, closedSince: base.current?.closedSince ?? dataAsOf }),
    ...(months.length === 0 ? {} : { months }),
    rows: documents.totals,
    ignored: publishSkipped(source.skippedRows(), people),
    categories: documents.categories,
    ...previousOf(base, source),
    ...(categoryChanges.length === 0
      ? {}
      : { categoryChanges: categoryChanges.map(({ kind, into }) => ({ kind, into })) }),
  }
}
