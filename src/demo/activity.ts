// Owns who is on the demo platform at a moment and which idea they look at: visits, viral bursts, popularity. Knows no
// votes, no comments, no SQL.
import { partition, pick, type Random, randomStream, WeightedDraw } from './random.ts'
import { DAY_MS, HOUR_MS, isOutage, momentsBefore } from './rhythm.ts'

export interface Account {
  readonly id: number
  readonly createdAtMs: number
  readonly zeal: number
}

/** An idea before anybody has seen it. */
export interface UnseenIdea {
  readonly id: number
  readonly createdAtMs: number
  readonly title: string
  readonly isEdge: boolean
  readonly authorId: number | null
  readonly categories: readonly string[]
  readonly appeal: number
}

export interface Visit {
  readonly timeMs: number
  /** Where a shared link leads; null = the visitor looks around. */
  readonly to: UnseenIdea | null
}

/** Ideas that went viral: how long ago, and what crowd came. Each window has a leader of its own. */
const BURSTS: readonly { readonly daysAgo: number; readonly visitors: number }[] = [
  { daysAgo: 0.7, visitors: 90 },
  { daysAgo: 2.6, visitors: 190 },
  { daysAgo: 5.4, visitors: 120 },
  { daysAgo: 15, visitors: 330 },
  { daysAgo: 25, visitors: 260 },
  { daysAgo: 54, visitors: 520 },
  { daysAgo: 76, visitors: 450 },
  { daysAgo: 112, visitors: 500 },
  { daysAgo: 170, visitors: 700 },
  { daysAgo: 258, visitors: 600 },
  { daysAgo: 333, visitors: 900 },
  { daysAgo: 410, visitors: 500 },
  { daysAgo: 520, visitors: 600 },
  { daysAgo: 640, visitors: 400 },
]

/** Few are loved and most are not: a Pareto tail, cut so that no single row owns the platform. */
export function pareto(random: Random, exponent: number, max: number): number {
  return Math.min(max, (1 - random()) ** -exponent)
}

/** `count` ordinary visits, and `share` of each burst's crowd behind a shared link, in order of time. */
export function visits(
  nowMs: number,
  seed: number,
  stream: string,
  size: { readonly count: number; readonly burstShare: number },
  unseenIdeas: readonly UnseenIdea[],
): Visit[] {
  const random = randomStream(seed, stream)
  const found: Visit[] = momentsBefore(nowMs, size.count, random).map((timeMs) => ({ timeMs, to: null }))
  const shared = randomStream(seed, 'shared links')
  for (const { daysAgo, visitors } of BURSTS) {
    const startMs = nowMs - daysAgo * DAY_MS
    const to = pick(shared, unseenIdeas.filter(({ createdAtMs, isEdge }) => createdAtMs < startMs && !isEdge).slice(-8))
    for (let i = 0; i < visitors * size.burstShare; i++) {
      // The crowd comes at once and thins out: exponential, half of it within ten hours.
      const timeMs = Math.floor(startMs - Math.log(1 - random()) * 14 * HOUR_MS)
      if (timeMs < nowMs && !isOutage(timeMs, nowMs)) found.push({ timeMs, to })
    }
  }
  return found.sort((a, b) => a.timeMs - b.timeMs)
}

/** What never fades: a fiftieth of the first attraction. */
const LASTING = 0.02

/**
 * Draws from the rows that exist at a time, new ones sooner: a row attracts `a × (LASTING + e^(-age / fade))`. Since
 * e^(-age) factors into e^(created) × e^(-now), two lists of sums made once serve every time.
 */
export class Crowd<Row extends { readonly createdAtMs: number }> {
  readonly #rows: readonly Row[]
  readonly #fadeMs: number
  readonly #startMs: number
  readonly #lasting: WeightedDraw
  readonly #fading: WeightedDraw

  /** @param rows by time, ascending */
  constructor(rows: readonly Row[], fadeDays: number, attraction: (row: Row) => number) {
    this.#rows = rows
    this.#fadeMs = fadeDays * DAY_MS
    this.#startMs = rows[0]?.createdAtMs ?? 0
    this.#lasting = new WeightedDraw(rows.map((row) => attraction(row) * LASTING))
    this.#fading = new WeightedDraw(rows.map((row) => attraction(row) * this.#grown(row.createdAtMs)))
  }

  #grown(timeMs: number): number {
    return Math.exp((timeMs - this.#startMs) / this.#fadeMs)
  }

  /** null while nothing there attracts. */
  oneAt(timeMs: number, random: Random): Row | null {
    const present = partition(this.#rows.length, (i) => (this.#rows[i]?.createdAtMs ?? timeMs) < timeMs)
    const lasting = this.#lasting.weightOf(present)
    const fading = this.#fading.weightOf(present) / this.#grown(timeMs)
    if (lasting + fading === 0) return null
    const draw = random() * (lasting + fading) < lasting ? this.#lasting : this.#fading
    return this.#rows[draw.draw(random, present)] ?? null
  }
}
