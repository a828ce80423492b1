// Owns how a change against the time before is said. Pure.
import type { ExportRow } from '../../contract/kinds/tables.ts'
import { ENOUGH_FOR_PERCENT } from '../claims.ts'
import type { Page } from '../page.ts'

export function changeText({ t }: Page, row: ExportRow | undefined): string | null {
  const w = t.w.totals
  const { value, previousValue, changePercent } = row ?? {}
  if (typeof value !== 'number' || typeof previousValue !== 'number') return null
  if (previousValue === 0) return value === 0 ? w.noneAgain : w.noneBefore
  if (value === previousValue) return w.same
  const percent = typeof changePercent === 'number' ? t.percent(Math.abs(changePercent)) : ''
  const isSaid = previousValue >= ENOUGH_FOR_PERCENT && percent !== t.percent(0)
  const much = isSaid ? percent : t.number(Math.abs(value - previousValue))
  return t.say(value > previousValue ? w.more : w.less, { much })
}
