// Owns whole tables as JSON or CSV: one answer, of any table of the register.
import type { Timestamp } from '../timestamp.ts'
import { ownInterval, PERIODS, spanName } from '../windows.ts'
import type { DocumentKind } from './kind.ts'
import { anyPeriod, choiceParameter, INTERVAL_RULE, intervalParameter, type QueryOf } from './parameter.ts'
import * as is from './shape.ts'
import { EXPORT_TYPES, TABLES, type ExportRow, type ExportType } from './tables.ts'

export const EXPORT_FORMATS = ['json', 'csv'] as const

export type ExportDocument = is.TypeOf<ReturnType<typeof exportShape>>

function exportShape(type: ExportType) {
  const ofType: is.Shape<ExportType> = { json: { const: type }, description: 'Which table it is.' }
  return is.answer({
    type: ofType,
    period: is.oneOf(PERIODS, is.PERIOD),
    from: is.orNull(is.FROM),
    to: is.TO,
    timeZone: is.TIME_ZONE,
    data: is.listOf('The rows: the same as in the CSV.', is.object('', TABLES[type].columns) as is.Shape<ExportRow>),
    rowCount: is.whole('How many rows there are.'),
    dataAsOf: is.AS_OF,
  })
}

/** `ExportTimelineByCategory` of `timeline-by-category`. */
export function exportSchemaName(type: ExportType): string {
  return `Export${type.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`
}

const INTERVALS_OF_TYPE = Object.fromEntries(
  EXPORT_TYPES.flatMap((type) => (TABLES[type].intervals === undefined ? [] : [[type, TABLES[type].intervals]])),
)
const WITH_DAYS = EXPORT_TYPES.filter((type) => TABLES[type].intervals === 'any')

const parameters = [
  choiceParameter('format', EXPORT_FORMATS, 'json', 'JSON or CSV (RFC 4180).'),
  choiceParameter('type', EXPORT_TYPES, 'overview', 'Which table.'),
  anyPeriod,
  intervalParameter(
    `Of the types ${Object.keys(INTERVALS_OF_TYPE).join(' and ')} only, ignored with any other. ${INTERVAL_RULE} By category, all is by month only.`,
    INTERVALS_OF_TYPE,
  ),
] as const

/** `day` = the days of `all`, for types that have them; without an interval the period's own buckets. */
type ExportQuery = Omit<QueryOf<'export', typeof parameters>, 'interval'> & { readonly interval?: 'day' }

export const exports: DocumentKind<ExportQuery, ExportQuery> = {
  endpoint: {
    path: '/api/analytics/export',
    summary: 'Whole tables as JSON or CSV',
    parameters,
    operationId: 'exportData',
    hasCsv: true,
    example: {
      query: '?type=overview&period=30d',
      of: { endpoint: 'export', type: 'overview', period: '30d', format: 'json' },
    },
  },
  shapes: Object.fromEntries(EXPORT_TYPES.map((type) => [exportSchemaName(type), exportShape(type)])),
  list: 'data',
  files: [['analytics/export/<type>/<period>.csv', 'the tables; also as .json']],
  *combinations() {
    for (const type of EXPORT_TYPES)
      for (const period of PERIODS)
        for (const format of EXPORT_FORMATS) yield { endpoint: 'export', type, period, format }
    for (const type of WITH_DAYS)
      for (const format of EXPORT_FORMATS) yield { endpoint: 'export', type, period: 'all', interval: 'day', format }
  },
  lists: ({ type }) => TABLES[type].lists,
  path: (one) => `analytics/export/${one.type}/${spanOf(one)}.${one.format}`,
}

function spanOf({ period, interval }: Pick<ExportQuery, 'period' | 'interval'>): string {
  return spanName(period, interval ?? ownInterval(period))
}

/** `analytics-<type>-<period>-<YYYYMMDD>T<HHMMSS>Z.csv`; of all by day `analytics-timeline-all-by-day-…` */
export function csvFileName(query: Pick<ExportQuery, 'type' | 'period' | 'interval'>, dataAsOf: Timestamp): string {
  return `analytics-${query.type}-${spanOf(query)}-${dataAsOf.slice(0, 19).replaceAll(/[-:]/g, '')}Z.csv`
}
