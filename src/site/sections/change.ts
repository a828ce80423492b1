// Owns how a change against the time before is said. Pure.
import type { ExportRow } from '../../contract/kinds/tables.ts'
import type { Drawing } from '../drawing.ts'

export function changeText({ t }: Drawing, row: ExportRow | undefined): string | null {
  const w = t.w.totals
  const { value, previousValue, changePercent } = row ?? {}
  if (typeof value !== 'number' || typeof previousValue !== 'number') return null
  if (previousValue === 0) return value === 0 ? w.noneAgain : w.noneBefore
  if (typeof changePercent !== 'number') return null
  if (changePercent === 0) return w.same
  return t.say(changePercent > 0 ? w.more : w.less, { percent: t.percent(Math.abs(changePercent)) })
}
