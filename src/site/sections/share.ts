// Owns how a share is said: in percent, or as the few that it is of. Pure.
import { ENOUGH_FOR_PERCENT } from '../claims.ts'
import type { Page } from '../page.ts'

export function shareText(t: Page['t'], part: number, whole: number): string {
  return whole >= ENOUGH_FOR_PERCENT ? t.percent(part, whole) : t.say(t.w.table.part, { part, all: whole })
}
