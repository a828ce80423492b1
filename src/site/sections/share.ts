// Owns how a share is said: in percent, or as the few that it is of. Pure.
import { ENOUGH_FOR_PERCENT } from '../claims.ts'
import type { Page } from '../page.ts'

/** @param percent of `whole`, to two decimals at least: of so few it gives back their number */
export function shareText(t: Page['t'], percent: number, whole: number): string {
  if (whole >= ENOUGH_FOR_PERCENT) return t.percent(percent)
  return t.say(t.w.table.part, { part: Math.round((percent * whole) / 100), all: whole })
}
