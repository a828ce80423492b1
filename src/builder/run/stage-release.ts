// Owns making a candidate: connect, one consistent read, every document, a sealed staging. Publishes nothing.
import { TIME_ZONE_DATABASE, UTC } from '../../contract/time-zone.ts'
import { VERSION } from '../../contract/kinds/shape.ts'
import { publishSkipped } from '../../analytics/people.ts'
import { TOP_CATEGORIES } from '../../analytics/overview.ts'
import { programVersion, thisProgram } from '../../process/package-root.ts'
import { DEMO_MAPPING, type SitePart } from '../../release/format/manifest.ts'
import { linesOfDays, withDay } from '../../release/format/day-log.ts'
import { endedDay, readLogged } from '../../release/past/day-log.ts'
import { newestMonths } from '../../release/reading/release-list.ts'
import { archiveMonths } from '../../release/past/archive.ts'
import type { ManifestAbout, Staging } from '../../release/writing/staging.ts'
import { connect } from '../../source/database/connect.ts'
import { beginConsistentRead, type ConsistentRead } from '../../source/read/consistent-read.ts'
import type { Candidate } from '../past/gate.ts'
import { makeRoom } from './closing.ts'
import type { BuildContext, BuildRequest } from './context.ts'
import { changedCategories, type Base } from '../past/current.ts'
import { earlierAssets } from '../past/earlier-assets.ts'
import { earlierHistory } from '../past/earlier-history.ts'
import { haveSameMonths, revisionsSince } from '../past/revision.ts'
import { earlierRevisions, withRevisions } from '../past/revision-rows.ts'
import type { RevisionRow } from '../../contract/kinds/revisions.ts'
import type { CountedPast } from '../../model/rows-by-month.ts'
import { writeSite } from '../site/write-site.ts'
import { warnOfLaterDays, warnOfNames, warnOfRows, warnOfSource } from './warnings.ts'
import { writeDocuments, type AboutRelease, type WrittenDocuments } from '../documents/write-documents.ts'

/** However it ends, no connection stays open. */
export async function stageRelease(build: BuildContext, staging: Staging, base: Base): Promise<Candidate> {
  const { request, signal, leftMs, log, progress, nowMs } = build
  progress.show(`connecting to ${request.target.shown}`)
  const connection = await connect(request.target, signal, leftMs)
  try {
    const options = { ...request, earlierCutMs: base.kept?.past.own.beforeMs ?? null }
    const source = await beginConsistentRead(connection.client, request.mapping, options)
    warnOfSource(source, request.rowSecurity, log)
    const { closed } = source
    const forgotten = closed === null ? [] : await makeRoom(build, staging.folder)
    const generatedAt = new Date(nowMs()).toISOString()
    const { carriedFrom, ...earlier } = await historyFor(build, base, source)
    const about = { generatedAt, ...earlier, isSite: request.site !== null }
    const written = await writeDocuments(source, staging, request, about, {
      signal,
      progress,
      before: base.current?.rows ?? null,
    })
    // The demo brings a database of its own, which nobody updates.
    const zoneFault = closed !== null || request.mapping.name === DEMO_MAPPING ? null : await source.zoneFault()
    const suspects = await source.suspects()
    await source.end()
    if (zoneFault !== null) log.warn({}, zoneFault)
    warnOfRows(source.faults(), suspects, written.droppedUrls, log)
    warnOfNames(written.categories, log)
    const { months, needed } = closed === null ? await monthsFor(build, base, source) : { months: [], needed: [] }
    const past = closed === null ? written.past : null
    const categoryChanges = changedCategories(base, past, written.categories)
    const changes = categoryChanges.map(({ kind, into }) => ({ kind, into }))
    const changed = changes.length === 0 ? {} : { categoryChanges: changes }
    const made = manifestHead(request, source, written, generatedAt, months)
    const head = { ...made, ...previousOf(base, source), ...changed }
    const site = await writeSiteOf(build, base, written, head, staging)
    progress.show('verifying')
    const manifest = await staging.seal({ ...head, ...(site === null ? {} : { site }) })
    const { reported } = written
    return { manifest, reported, past, suspects, closed, categoryChanges, forgotten, carriedFrom, needed }
  } catch (error) {
    // The error of a cut connection says less than the reason why it was cut.
    signal.throwIfAborted()
    throw error
  } finally {
    await connection.close()
  }
}

/** A site that is closed shows none. So nothing is read that could keep it from closing. */
async function historyFor(
  { request, log }: BuildContext,
  base: Base,
  source: ConsistentRead,
): Promise<Pick<AboutRelease, 'history' | 'revisionsWith'> & Pick<Candidate, 'carriedFrom'>> {
  if (source.closed !== null) return { history: null, revisionsWith: () => [], carriedFrom: null }
  const { paths, mapping, acceptRevision, people } = request
  const { current, past: known, unreadable } = base
  if (unreadable !== undefined) throw unreadable
  const { rows, carriedFrom } = await earlierHistory(paths, known, current, mapping.name === DEMO_MAPPING, log)
  warnOfLaterDays(rows, source, log)
  const revised = await earlierRevisions(paths, known, carriedFrom, log)
  const day = { date: source.zone.dayOf(source.asOfMs), accepted: acceptRevision }
  const isComparable = carriedFrom !== null && mapping.name !== DEMO_MAPPING
  const revisionsWith = (past: CountedPast): readonly RevisionRow[] => {
    const revisions = isComparable ? revisionsSince(base.kept?.past.own, past, source.zone) : []
    const how = { ...day, isByMonth: !isComparable || haveSameMonths(base.kept?.past.own, past.earlier) }
    return withRevisions(revised, revisions, how, people)
  }
  return { history: { earlier: rows, mappingSha256: mapping.sha256 }, revisionsWith, carriedFrom }
}

/** The months that have an archive, after those that have ended got theirs; the newest first. */
async function monthsFor(
  { request: { paths, keepMonths, people }, nowMs, signal, log }: BuildContext,
  { past }: Base,
  { zone, asOfMs }: ConsistentRead,
): Promise<Pick<Candidate, 'needed'> & { readonly months: readonly string[] }> {
  // No month has ended as long as one of the two clocks says that it goes on.
  const options = { zone, nowMs: Math.min(asOfMs, nowMs()), keepMonths, people, signal }
  const needed = await archiveMonths(paths, past.lineage, options, ({ message }) =>
    log.warn({}, `the archive of a month is not made; the next build tries again: ${message}`),
  )
  return { needed, months: await newestMonths(paths, keepMonths) }
}

/** The website that the release is, from the same documents; null = data only. */
async function writeSiteOf(
  { request: { site, mapping, paths, siteUrl, people, timeZone }, log }: BuildContext,
  { current }: Base,
  { siteDocuments: documents }: WrittenDocuments,
  { dataAsOf, nextUpdateAt, closed = false, months = [] }: ManifestAbout,
  staging: Staging,
): Promise<SitePart | null> {
  if (site === null || documents === null) return null
  const demo = mapping.name === DEMO_MAPPING
  const ended = endedDay(current, Date.parse(dataAsOf))
  const [, ...lines] = closed ? [] : linesOfDays(withDay((await readLogged(paths)).past.days, ended))
  const about = { siteUrl, people, timeZone, dataAsOf, nextUpdateAt, closed, months, demo, documents }
  const shown = { ...about, logged: lines.at(-1) ?? null, programVersion: programVersion() }
  return writeSite(staging, site, shown, (own) => earlierAssets(paths, current, own, log))
}

/** The same instant may be the same release again. */
function previousOf({ current }: Base, { closed, asOfMs }: ConsistentRead): Pick<ManifestAbout, 'previous'> {
  if (closed !== null || current === null || Date.parse(current.dataAsOf) === asOfMs) return {}
  const { id, bytes, sha256 } = current
  return { previous: { id, bytes, sha256 } }
}

/** The manifest without what the staging knows: id and files. */
function manifestHead(
  request: BuildRequest,
  source: ConsistentRead,
  written: WrittenDocuments,
  generatedAt: string,
  months: readonly string[],
): ManifestAbout {
  const { voteWeight, commentWeight, siteUrl, people, site } = request
  return {
    dataAsOf: new Date(source.asOfMs).toISOString(),
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
    ...(source.closed === null ? {} : { closed: true }),
    ...(months.length === 0 ? {} : { months }),
    rows: written.totals,
    ignored: publishSkipped(source.skippedRows(), people),
    categories: written.categories,
  }
}
