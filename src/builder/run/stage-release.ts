// Owns making a candidate: connect, one consistent read, every document, a sealed staging. Publishes nothing.
import type { TimeZone } from '../../contract/time-zone.ts'
import { VERSION } from '../../contract/kinds/shape.ts'
import type { Log } from '../../process/log.ts'
import { publishSkipped } from '../../analytics/people.ts'
import { TOP_CATEGORIES } from '../../analytics/stats.ts'
import { programVersion } from '../../process/package-root.ts'
import { DEMO_MAPPING, type SitePart } from '../../release/format/manifest.ts'
import type { ManifestAbout, Staging } from '../../release/writing/staging.ts'
import { connect } from '../../source/database/connect.ts'
import { beginConsistentRead, type ConsistentRead } from '../../source/read/consistent-read.ts'
import type { Candidate } from '../past/gate.ts'
import { makeRoom } from './closing.ts'
import type { BuildContext, BuildRequest } from './context.ts'
import type { CarriedAsset } from '../past/earlier-assets.ts'
import type { EarlierHistory } from '../past/earlier-history.ts'
import { writeSite } from '../site/write-site.ts'
import { warnOfLaterDays, warnOfNames, warnOfRows, warnOfSource } from './warnings.ts'
import { writeDocuments, type AboutRelease, type Written } from '../documents/write-documents.ts'

/** What a candidate has from the releases before it. */
export interface Earlier {
  /** The cut of the past that it is compared with; null = with none. */
  readonly cutMs: number | null
  readonly history: () => Promise<EarlierHistory>
  /** The months that have an archive, after those that have ended got theirs; the newest first. */
  readonly months: (zone: TimeZone, asOfMs: number) => Promise<readonly string[]>
  /** Assets that pages of earlier releases use. */
  readonly assets: (own: ReadonlySet<string>) => Promise<readonly CarriedAsset[]>
}

/** However it ends, no connection stays open. */
export async function stageRelease(build: BuildContext, staging: Staging, earlier: Earlier): Promise<Candidate> {
  const { request, signal, log, progress, nowMs } = build
  progress.show(`connecting to ${request.target.shown}`)
  const connection = await connect(request.target, signal)
  try {
    const { people, timeZone } = request.analytics
    const options = { ...request, people, timeZone, earlierCutMs: earlier.cutMs }
    const source = await beginConsistentRead(connection.client, request.mapping, options)
    warnOfSource(source, request.rowSecurity, log)
    const { closed } = source
    const forgotten = closed === null ? [] : await makeRoom(build, staging.folder)
    const generatedAt = new Date(nowMs()).toISOString()
    const { history, carriedFrom } = await historyFor(source, request, earlier.history, log)
    const about = { generatedAt, history, isSite: request.site !== null }
    const written = await writeDocuments(source, staging, request.analytics, about, { signal, progress })
    await source.end()
    warnOfRows(source.faults(), written.droppedUrls, log)
    warnOfNames(written.categories, log)
    const months = closed === null ? await earlier.months(source.zone, source.asOfMs) : []
    const head = manifestHead(request, source, written, generatedAt, months)
    const site = await writeSiteOf(request, written, head, staging, earlier)
    progress.show('verifying')
    const manifest = await staging.seal({ ...head, ...(site === null ? {} : { site }) })
    const exact = written.exact === null ? null : { ...written.exact, ignored: source.skippedRows() }
    const past = closed === null ? written.past : null
    return { manifest, reported: written.reported, exact, past, closed, forgotten, carriedFrom }
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
  source: ConsistentRead,
  { mapping }: BuildRequest,
  earlierHistory: () => Promise<EarlierHistory>,
  log: Log,
): Promise<Pick<AboutRelease, 'history'> & Pick<Candidate, 'carriedFrom'>> {
  if (source.closed !== null) return { history: null, carriedFrom: null }
  const { rows, carriedFrom } = await earlierHistory()
  warnOfLaterDays(rows, source, log)
  return { history: { earlier: rows, mappingSha256: mapping.sha256 }, carriedFrom }
}

/** The website that the release is, from the same documents; null = data only. */
async function writeSiteOf(
  { site, mapping, analytics: { siteUrl, people, timeZone } }: BuildRequest,
  { siteDocuments: documents }: Written,
  { dataAsOf, nextUpdateAt, closed = false, categories, months = [] }: ManifestAbout,
  staging: Staging,
  earlier: Earlier,
): Promise<SitePart | null> {
  if (site === null || documents === null) return null
  const demo = mapping.name === DEMO_MAPPING
  const about = { siteUrl, people, timeZone, dataAsOf, nextUpdateAt, closed, categories, months, demo, documents }
  return writeSite(staging, site, { ...about, programVersion: programVersion() }, earlier.assets)
}

/** The manifest without what the staging knows: id and files. */
function manifestHead(
  request: BuildRequest,
  source: ConsistentRead,
  written: Written,
  generatedAt: string,
  months: readonly string[],
): ManifestAbout {
  const { analytics, site } = request
  const { siteUrl, people, timeZone: _, ...weights } = analytics
  return {
    dataAsOf: new Date(source.asOfMs).toISOString(),
    generatedAt,
    nextUpdateAt: new Date(source.asOfMs + request.everyMs).toISOString(),
    version: VERSION,
    programVersion: programVersion(),
    options: {
      ...weights,
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
    ignored: publishSkipped(source.skippedRows(), request.analytics.people),
    categories: written.categories,
  }
}
