// Owns when things happen on the demo platform: growth, weeks, nights, holidays, an outage. Knows no users and no ideas.
import { type Random, WeightedDraw } from './random.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS: number = 24 * HOUR_MS

/** Two and a half years: long enough for `all` to differ from `90d` and for two summers. */
const HISTORY_DAYS = 912

/** The platform was down for a day and a half: a chart over 90 days shows an empty day. */
const OUTAGE_DAYS_AGO = { from: 48.5, to: 47 }

/** Sunday first, as getUTCDay counts. */
const WEEKDAY = [0.8, 1, 1.05, 1.1, 1, 0.9, 0.65]

/** Havenport sleeps at 3, votes at lunch, and once more after dinner. One factor per hour of the day, UTC. */
const HOUR = [4, 2, 1, 1, 1, 2, 5, 9, 12, 12, 12, 14, 17, 14, 11, 11, 12, 14, 17, 20, 20, 17, 12, 7].map((h) => h / 20)

function season(date: Date): number {
  const monthAndDay = (date.getUTCMonth() + 1) * 100 + date.getUTCDate()
  if (monthAndDay >= 710 && monthAndDay <= 820) return 0.45
  return monthAndDay >= 1222 || monthAndDay <= 103 ? 0.5 : 1
}

export function isOutage(timeMs: number, nowMs: number): boolean {
  const daysAgo = (nowMs - timeMs) / DAY_MS
  return daysAgo <= OUTAGE_DAYS_AGO.from && daysAgo >= OUTAGE_DAYS_AGO.to
}

/** An S-curve from a few founders to a settled community, times the calendar. */
function liveliness(timeMs: number, nowMs: number): number {
  const elapsed = 1 - (nowMs - timeMs) / (HISTORY_DAYS * DAY_MS)
  const date = new Date(timeMs)
  return (season(date) * (WEEKDAY[date.getUTCDay()] ?? 1)) / (1 + Math.exp(-7 * (elapsed - 0.4)))
}

/**
 * Exactly `count` moments before `nowMs`, ascending.
 * @param campaign how many times livelier a day was than the calendar says
 */
export function momentsBefore(
  nowMs: number,
  count: number,
  random: Random,
  campaign: (daysAgo: number) => number = () => 1,
): number[] {
  const startMs = nowMs - HISTORY_DAYS * DAY_MS
  const days = new WeightedDraw(
    Array.from({ length: HISTORY_DAYS }, (_, day) => {
      return liveliness(startMs + (day + 0.5) * DAY_MS, nowMs) * campaign(HISTORY_DAYS - day - 1)
    }),
  )
  const moments: number[] = []
  while (moments.length < count) {
    const timeMs = Math.floor(startMs + (days.draw(random) + random()) * DAY_MS)
    const awake = HOUR[new Date(timeMs).getUTCHours()] ?? 1
    if (random() < awake && !isOutage(timeMs, nowMs)) moments.push(timeMs)
  }
  return moments.sort((a, b) => a - b)
}
