// Owns the demo platform: who joined, which ideas they had, who voted and commented when. Pure: a clock and a seed in,
// the rows of the native schema out. Knows neither SQL nor snapshots.
import { pick, type Random, randomStream } from './random.ts'
import { CATEGORIES, EDGE_TITLES, wish } from './town.ts'

const SIZE = { accounts: 2_600, ideas: 1_850, votes: 68_000, comments: 11_200 } as const

const DAY_MS = 86_400_000
/** Two and a half years: long enough for `all` to differ from `90d` and for two summers. */
const HISTORY_DAYS = 912
/** How lively each day of the week is, Sunday first. */
const WEEKDAY = [0.7, 0.9, 0.95, 1, 0.9, 0.8, 0.6]
/** Twentieths for each hour of the day, UTC: Havenport sleeps at 3, votes at lunch, and once more after dinner. */
const HOUR = [4, 2, 1, 1, 1, 2, 5, 9, 12, 12, 12, 14, 17, 14, 11, 11, 12, 14, 17, 20, 20, 17, 12, 7]
/** The days ago on which ideas went viral. */
const BURST_DAYS_AGO = [0.7, 2.6, 5.4, 15, 25, 54, 76, 112, 170, 258, 333, 520]

/** Somebody who acts, or an idea that is seen. */
interface Present {
  readonly id: number
  readonly createdAtMs: number
  /** 0..1: how often it is chosen among others of its age. */
  readonly appeal: number
}

/** The rows have the columns of the native schema; everything is dated before the clock. */
export function demoPlatform(nowMs: number, seed = 1) {
  const random = randomStream(seed, 'deeds')
  const accounts = present(moments(nowMs, SIZE.accounts, random), random)
  const somebody = crowd(accounts, 800, random)
  const ideas = worded(present(moments(nowMs, SIZE.ideas, random, 5), random), randomStream(seed, 'words'))
  const voted = new Set<number>()
  return {
    // A closed account leaves its votes, comments and ideas behind.
    users: accounts
      .filter(({ id }) => id % 67 !== 0)
      .map(({ id, createdAtMs }) => ({ id, created_at: new Date(createdAtMs) })),
    categories: CATEGORIES.map((name) => ({ name })),
    ideas: ideas.map(({ id, title, createdAtMs, appeal }) => ({
      id,
      title,
      created_at: new Date(createdAtMs),
      ...outcome(nowMs, createdAtMs, appeal, random),
      url: random() < 0.02 ? null : `/ideas/${id}`,
      author_id: random() < 0.04 ? null : somebody(createdAtMs),
    })),
    idea_categories: ideas.flatMap(({ id, categories }) => categories.map((category) => ({ idea_id: id, category }))),
    votes: visits(nowMs, ideas, SIZE.votes, 1, random).map(({ timeMs, idea_id }) => {
      const id = random() < 0.05 ? null : somebody(timeMs)
      const ballot = (id ?? 0) * SIZE.ideas + idea_id
      // One vote per person and idea: the second time it is a friend's, who has no account.
      const user_id = voted.has(ballot) ? null : id
      voted.add(ballot)
      // Some votes were raised hands, recorded without a date.
      const created_at = random() < 0.003 ? null : new Date(timeMs)
      return { idea_id, user_id, value: random() < 0.04 ? pick(random, [-1, -1, 0, 2]) : 1, created_at }
    }),
    comments: visits(nowMs, ideas, SIZE.comments, 0.12, random).map(({ timeMs, idea_id }, i) => {
      return { id: i + 1, idea_id, user_id: random() < 0.02 ? null : somebody(timeMs), created_at: new Date(timeMs) }
    }),
  }
}

/** How lively it is, 0..1: an S-curve from a few founders to a settled community, with quiet summers, weeks and nights. */
function liveliness(timeMs: number, daysAgo: number): number {
  // The platform was down for a day and a half: a chart over 90 days shows an empty day.
  if (daysAgo > 47 && daysAgo < 48.5) return 0
  const day = Math.floor(timeMs / DAY_MS)
  const isSummer = day % 365.25 > 181 && day % 365.25 < 243
  // The first day of this count was a Thursday.
  const ofDay = ((WEEKDAY[(day + 4) % 7] ?? 1) * (HOUR[Math.floor((timeMs % DAY_MS) / 3_600_000)] ?? 20)) / 20
  return (ofDay * (isSummer ? 0.45 : 1)) / (1 + Math.exp(7 * (daysAgo / HISTORY_DAYS - 0.6)))
}

/** Moments in order. @param calls how many times livelier it is while the town hall asks for ideas on every tram */
function moments(nowMs: number, count: number, random: Random, calls = 1): number[] {
  const found: number[] = []
  while (found.length < count) {
    const timeMs = nowMs - 1 - Math.floor(random() * HISTORY_DAYS * DAY_MS)
    const daysAgo = (nowMs - timeMs) / DAY_MS
    const isCall = daysAgo < 2 || (daysAgo > 95 && daysAgo < 102)
    if (random() * calls < liveliness(timeMs, daysAgo) * (isCall ? calls : 1)) found.push(timeMs)
  }
  return found.sort((a, b) => a - b)
}

/** Few are loved, most are not and some never; the first ones always find somebody. */
function present(times: readonly number[], random: Random): Present[] {
  const appeal = (i: number): number => (i < 5 ? 1 : Math.max(0, random() - 0.1) ** 3)
  return times.map((createdAtMs, i) => ({ id: i + 1, createdAtMs, appeal: appeal(i) }))
}

/** The words come from a stream of their own: another clock moves the dates but not the titles. */
function worded(ideas: readonly Present[], random: Random): (Present & ReturnType<typeof wish>)[] {
  const taken = new Set<string>()
  return ideas.map((idea) => {
    let one = wish(random)
    // People do ask for the same thing twice without searching first: one repetition in fifty is let through.
    while (taken.has(one.title) && random() > 0.02) one = wish(random)
    taken.add(one.title)
    // Every 23rd of the newest ideas has an edge title, so that each window from 30d on lists some.
    const fromLast = SIZE.ideas - 2 - idea.id
    const title = (fromLast % 23 === 0 ? EDGE_TITLES[fromLast / 23] : undefined) ?? one.title
    return { ...idea, ...one, title }
  })
}

/** Says who acts or what is seen, quickly where asked in order of time: new ones sooner, old ones now and then. */
function crowd(rows: readonly Present[], newest: number, random: Random): (timeMs: number) => number | null {
  let there = 0
  return (timeMs) => {
    while ((rows[there]?.createdAtMs ?? timeMs) < timeMs) there++
    while ((rows[there - 1]?.createdAtMs ?? 0) >= timeMs) there--
    if (there === 0) return null
    for (;;) {
      const fresh = there - 1 - Math.floor(-Math.log(1 - random()) * newest)
      const row = rows[random() < 0.1 || fresh < 0 ? Math.floor(random() * there) : fresh]
      if (row !== undefined && random() < row.appeal) return row.id
    }
  }
}

/** `count` ordinary visits, and `share` of each viral idea's crowd, in order of time. */
function visits(nowMs: number, ideas: ReturnType<typeof worded>, count: number, share: number, random: Random) {
  const found: [timeMs: number, to?: number | undefined][] = moments(nowMs, count, random).map((timeMs) => [timeMs])
  for (const daysAgo of BURST_DAYS_AGO) {
    const startMs = nowMs - daysAgo * DAY_MS
    const to = ideas.findLast(({ createdAtMs, title }) => createdAtMs < startMs && !EDGE_TITLES.includes(title))?.id
    // A crowd is the larger the longer ago it came, so that each window has a leader of its own.
    for (let left = (80 + 60 * Math.sqrt(daysAgo)) * share; left > 0; left--) {
      // The crowd comes at once and thins out: exponential, half of it within ten hours.
      const timeMs = Math.floor(startMs - Math.log(1 - random()) * 0.6 * DAY_MS)
      if (timeMs < nowMs) found.push([timeMs, to])
    }
  }
  const shelf = crowd(ideas, 80, random)
  return found
    .sort((a, b) => a[0] - b[0])
    .map(([timeMs, to]) => ({ timeMs, idea_id: to ?? shelf(timeMs) }))
    .filter((visit): visit is { timeMs: number; idea_id: number } => visit.idea_id !== null)
}

/** What the city makes of an idea: it launches what many want, and takes its time. */
function outcome(nowMs: number, createdAtMs: number, appeal: number, random: Random) {
  const chance = random()
  const undecided = { launched: false, launched_at: null }
  if (chance < 0.15 + 0.4 * appeal) {
    const launchedAtMs = Math.floor(createdAtMs + (20 + 300 * random() ** 2) * DAY_MS)
    if (launchedAtMs >= nowMs) return { ...undecided, status: chance < 0.1 ? 'in progress' : 'planned' }
    // Some dates were lost when the town hall moved from spreadsheets.
    return { launched: true, launched_at: random() < 0.08 ? null : new Date(launchedAtMs), status: 'launched' }
  }
  if (nowMs - createdAtMs > 90 * DAY_MS && chance > 0.85) return { ...undecided, status: 'declined' }
  return { ...undecided, status: chance > 0.82 ? null : 'open' }
}
