// Owns writing the timeline and outcomes exports, one set of ideas after the other. Knows no database.
import type { Categories } from '../../analytics/categories.ts'
import { outcomeRows, timelineRows } from '../../analytics/exports.ts'
import type { ExportRow } from '../../contract/documents.ts'
import { INTERVALS_OF, PERIODS } from '../../contract/windows.ts'
import type { ReportedTotals } from '../../release/checks/reported-totals.ts'
import type { Staging } from '../../release/writing/staging.ts'
import { writeParquet } from './other-formats.ts'
import { ExportStream, type StreamedExport } from './export-stream.ts'

interface Context {
  readonly asOfMs: number
  readonly generatedAt: string
  readonly categories: Categories
  readonly reported: ReportedTotals
  readonly firstMonthMs: number | null
  readonly signal: AbortSignal
}

/** @param isSite the timeline is written as Parquet, too */
export async function writeRowsOverTime(staging: Staging, context: Context, isSite: boolean): Promise<void> {
  const { categories, firstMonthMs, asOfMs } = context
  for (const period of PERIODS) {
    for (const interval of INTERVALS_OF[period]) {
      const byDay = period === 'all' && interval === 'day' ? { interval } : {}
      const rows = timelineRows({ period, interval }, categories, firstMonthMs)
      await write(staging, { endpoint: 'export', type: 'timeline', period, ...byDay }, rows, context)
    }
    await write(
      staging,
      { endpoint: 'export', type: 'outcomes', period },
      outcomeRows(period, categories, asOfMs),
      context,
    )
  }
  if (isSite) await writeParquet(staging, 'timeline', context.signal)
}

/** @param parts the rows of one set of ideas after the other */
async function write(
  staging: Staging,
  combination: StreamedExport,
  parts: Iterable<readonly ExportRow[]>,
  { asOfMs, generatedAt, reported, signal }: Context,
): Promise<void> {
  const stream = new ExportStream(staging, combination, asOfMs)
  for (const rows of parts) {
    signal.throwIfAborted()
    await stream.add(rows)
  }
  await stream.end(generatedAt, reported)
}
