// What the framework peers serve: the trending snapshots of a release in memory, cut to a limit, with a fresh time.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const RATE_LIMIT = 100_000
export const RATE_WINDOW_MS = 1000
export const PERIODS = ['24h', '7d', '30d', '90d']

/** What a careful author would send beside what the framework and its plugins do. */
export const HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'private, max-age=60',
}

export function loadTrending(release) {
  const read = (period) => JSON.parse(readFileSync(join(release, 'analytics/trending', period, 'all.json'), 'utf8'))
  return new Map(PERIODS.map((period) => [period, read(period)]))
}

export function cut(document, limit) {
  const ideas = document.ideas.slice(0, limit)
  return { ...document, limit, count: ideas.length, ideas, generatedAt: new Date().toISOString() }
}

/** null = not allowed */
export function limitOf(given = '20') {
  const limit = Number(given)
  return Number.isInteger(limit) && limit >= 1 && limit <= 100 ? limit : null
}
