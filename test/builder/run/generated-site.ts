// Histories of invented sites, row by row: what was written when, dated when, deleted when. Pure; nothing of the gate.
import { randomStream, type Random } from '../../../src/demo/random.ts'
import { MONTH_STARTS } from '../../release/kept-sample.ts'
import { COUNTED_RELATIONS, type CountedRelation, type RowsByMonth } from '../../../src/model/rows-by-month.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

export interface Row {
  readonly relation: CountedRelation
  /** By the clock of the server that wrote it; null = it has no date. */
  readonly dateMs: number | null
  /** The idea that it is, or belongs to; -1 = an account. */
  readonly idea: number
  readonly category: number
  /** A hidden idea, or what belongs to one. */
  readonly hidden: boolean
  /** When its transaction committed, in true time. */
  readonly fromMs: number
  /** When it was deleted, in true time. */
  readonly goneMs: number
}

export interface Profile {
  readonly name: string
  readonly days: number
  /** Votes of an ordinary day at the beginning. */
  readonly votesOfDay: number
  /** Votes are a counter of the idea: they have no dates. */
  readonly countedVotes?: true
  /** Read from a standby, which is sometimes hours behind, and sometimes does not say how far. */
  readonly standby?: true
  /** The server's clock is wrong for a while, and set right again: by how many hours it is ahead. */
  readonly clockHours?: number
}

export interface Read {
  readonly atMs: number
  /** The server's clock. */
  readonly asOfMs: number
  readonly standby: boolean
  readonly replayLagMs: number | null
  /** What was committed later has not arrived. */
  readonly seenMs: number
}

export interface Site {
  readonly rows: readonly Row[]
  readonly reads: readonly Read[]
  /** In its night the votes were tripled. */
  readonly campaignMs: number
}

export const BEGIN_MS: number = Date.UTC(2025, 0, 9)
const NEVER_MS = Number.POSITIVE_INFINITY
const CATEGORIES = 8

type Change = { -readonly [K in keyof Row]: Row[K] }

/** A site from its first day: see the methods for what happens there. */
class Life {
  readonly rows: Change[] = []
  readonly #byIdea: Change[][] = []
  readonly #random: Random
  readonly #profile: Profile
  readonly #votes: number[] = []

  constructor(profile: Profile, seed: number) {
    this.#profile = profile
    this.#random = randomStream(seed, profile.name)
  }

  /** Growth, a weekly rhythm, a month in which nearly nobody comes, a night in which the votes are tripled. */
  live(campaignDay: number): void {
    const quietDay = Math.floor(this.#profile.days / 3)
    for (let day = 0; day < this.#profile.days; day++) {
      const atMs = BEGIN_MS + day * DAY_MS
      const isQuiet = day >= quietDay && day < quietDay + 31
      const rate = (1 + day / 100) * (day % 7 < 5 ? 1.2 : 0.5) * (isQuiet ? 0.02 : 1)
      const votes = this.#some(rate * this.#profile.votesOfDay)
      this.#newcomers(atMs, this.#some(votes / 6))
      this.#ideas(atMs, day === 0 ? 5 : this.#some(votes / 30))
      this.#events('votes', votes, () => atMs + this.#random() * DAY_MS)
      this.#events('comments', this.#some(votes / 5), () => atMs + this.#random() * DAY_MS)
      if (day === campaignDay) {
        const cast = this.rows.filter(({ relation }) => relation === 'votes').length
        this.#events('votes', 2 * cast, () => atMs + 20 * HOUR_MS + this.#random() * 4 * HOUR_MS)
        this.#newcomers(atMs, cast / 2)
      }
      this.#launches(atMs, day % 50 === 49 ? 30 : this.#some(0.3))
      if (day % 30 === 10) this.#purge(atMs + this.#random() * DAY_MS)
      else this.#ordinaryDeletions(atMs + this.#random() * DAY_MS)
      if (day % 3 === 0) this.#editOfDate(atMs + this.#random() * DAY_MS)
    }
  }

  /** The server's clock, which is wrong in one week. */
  clock(atMs: number): number {
    const day = (atMs - BEGIN_MS) / DAY_MS
    const from = this.#profile.days / 2
    return atMs + (day >= from && day < from + 7.3 ? (this.#profile.clockHours ?? 0) * HOUR_MS : 0)
  }

  /** Every hundredth row commits up to 55 minutes late. */
  #row(relation: CountedRelation, atMs: number, more: Partial<Row>): Change {
    const late = this.#random() < 0.01 ? this.#random() * 55 * MINUTE_MS : this.#random() * 2_000
    const row = {
      relation,
      dateMs: this.clock(atMs),
      idea: -1,
      category: -1,
      hidden: false,
      fromMs: atMs + late,
      goneMs: NEVER_MS,
      ...more,
    }
    this.rows.push(row)
    return row
  }

  #newcomers(atMs: number, many: number): void {
    for (let i = 0; i < many; i++) this.#row('users', atMs + this.#random() * DAY_MS, {})
  }

  /** A third waits up to three days for a moderator, a fifth is never shown; the larger half is in three categories. */
  #ideas(atMs: number, many: number): void {
    for (let i = 0; i < many; i++) {
      const writtenMs = atMs + this.#random() * DAY_MS
      const waitsMs = this.#random() < 0.3 ? this.#random() * 3 * DAY_MS : 0
      const category = Math.floor(CATEGORIES * this.#random() ** 2)
      const hidden = this.#random() < 0.2
      const idea = this.#byIdea.length
      this.#byIdea.push([])
      this.#votes.push(0)
      this.#keep(this.#row('ideas', writtenMs, { idea, category, hidden, fromMs: writtenMs + waitsMs }))
    }
  }

  #keep(row: Change): void {
    this.#byIdea[row.idea]?.push(row)
  }

  #someIdea(): Change | undefined {
    return this.#byIdea[Math.floor(this.#byIdea.length * this.#random())]?.[0]
  }

  #events(relation: 'votes' | 'comments', many: number, when: () => number): void {
    for (let i = 0; i < many; i++) {
      const atMs = when()
      const of = this.#someIdea()
      if (of === undefined || of.goneMs <= atMs || of.fromMs > atMs) continue
      const { idea, category, hidden } = of
      const undated = relation === 'votes' && this.#profile.countedVotes === true
      this.#keep(this.#row(relation, atMs, { idea, category, hidden, ...(undated ? { dateMs: null } : {}) }))
      if (relation === 'votes') this.#votes[idea] = (this.#votes[idea] ?? 0) + 1
    }
  }

  /** Of one day within an hour; a tenth without a date. */
  #launches(atMs: number, many: number): void {
    for (let i = 0; i < many; i++) {
      const of = this.#someIdea()
      const launchedMs = atMs + 10 * HOUR_MS + this.#random() * HOUR_MS
      if (of === undefined || of.goneMs <= launchedMs || of.fromMs > launchedMs) continue
      if (this.#byIdea[of.idea]?.some(({ relation }) => relation === 'launchedIdeas') === true) continue
      const { idea, category, hidden } = of
      const undated = this.#random() < 0.1 ? { dateMs: null } : {}
      this.#keep(this.#row('launchedIdeas', launchedMs, { idea, category, hidden, ...undated }))
    }
  }

  /** A few rows, and an idea of up to a twentieth of the votes, with all that belongs to it. */
  #ordinaryDeletions(atMs: number): void {
    const many = this.rows.length / 2_000
    for (let i = 0; i < many; i++) {
      const row = this.rows[Math.floor(this.rows.length * this.#random())]
      if (row?.relation !== 'ideas') this.#delete(row, atMs)
    }
    const idea = this.#someIdea()?.idea ?? -1
    const votes = this.#votes.reduce((sum, of) => sum + of, 0)
    if (this.#random() < 0.2 && (this.#votes[idea] ?? 0) < votes / 20)
      for (const row of this.#byIdea[idea] ?? []) this.#delete(row, atMs)
  }

  #delete(row: Change | undefined, atMs: number): void {
    if (row !== undefined && row.fromMs < atMs) row.goneMs = Math.min(row.goneMs, atMs)
  }

  /** Spam of the last month: accounts and votes, at most a twentieth of all and two fifths of the last month. */
  #purge(atMs: number): void {
    for (const relation of ['users', 'votes'] as const) {
      const there = this.rows.filter((row) => row.relation === relation && row.fromMs < atMs && row.goneMs > atMs)
      const spam = there.filter(({ fromMs }) => fromMs > atMs - 30 * DAY_MS && this.#random() < 0.4)
      for (const row of spam.slice(0, there.length / 20)) this.#delete(row, atMs)
    }
  }

  /** A moderator corrects when an idea was written. */
  #editOfDate(atMs: number): void {
    const row = this.#someIdea()
    if (row === undefined || row.fromMs >= atMs || row.goneMs <= atMs || row.dateMs === null) return
    const { relation, idea, category, hidden, goneMs } = row
    const dateMs = row.dateMs - this.#random() * 60 * DAY_MS
    const moved = { relation, idea, category, hidden, goneMs, dateMs, fromMs: atMs }
    this.rows.push(moved)
    this.#byIdea[idea]?.splice(0, 1, moved)
    row.goneMs = atMs
  }

  /** A number with this mean. */
  #some(mean: number): number {
    return Math.floor(mean * 2 * this.#random() + this.#random())
  }
}

/** One read a day at any time of it; in some days, and where a month begins, one in two hours. */
function readsOf(profile: Profile, random: Random, clock: (atMs: number) => number): Read[] {
  const reads: Read[] = []
  for (let day = 1; day <= profile.days; day++) {
    const dayMs = BEGIN_MS + day * DAY_MS
    const isClose = new Date(dayMs).getUTCDate() === 1 || random() < 0.02
    const times = isClose
      ? Array.from({ length: 12 }, (_, i) => dayMs + (2 * i + random()) * HOUR_MS)
      : [dayMs + random() * DAY_MS]
    for (const atMs of times) {
      const behindMs = profile.standby === undefined ? 0 : behind(random)
      const isKnown = random() < 0.9
      const replayLagMs = profile.standby === true && isKnown ? behindMs : null
      reads.push({
        atMs,
        asOfMs: clock(atMs),
        standby: profile.standby === true,
        replayLagMs,
        seenMs: atMs - behindMs,
      })
    }
  }
  return reads
}

function behind(random: Random): number {
  const draw = random()
  if (draw < 0.6) return random() * 5_000
  return draw < 0.9 ? random() * 40 * MINUTE_MS : random() * 9 * HOUR_MS
}

export function generateSite(profile: Profile, seed: number): Site {
  const life = new Life(profile, seed)
  const campaignDay = Math.floor(profile.days * 0.7)
  life.live(campaignDay)
  const reads = readsOf(profile, randomStream(seed, 'reads'), (atMs) => life.clock(atMs))
  return { rows: life.rows, reads, campaignMs: BEGIN_MS + campaignDay * DAY_MS }
}

/** The rows that a read finds, hidden ones included. */
export function rowsAt({ rows }: Pick<Site, 'rows'>, { seenMs }: Pick<Read, 'seenMs'>): Row[] {
  return rows.filter(({ fromMs, goneMs }) => fromMs <= seenMs && seenMs < goneMs)
}

/** What a build counts of these rows before an instant. */
export function countRows(rows: readonly Row[], beforeMs: number): RowsByMonth {
  const tallies = COUNTED_RELATIONS.map(() => ({ undated: 0, months: new Uint32Array(MONTHS) }))
  for (const { relation, dateMs, hidden } of rows) {
    const tally = tallies[PLACE[relation]]
    if (hidden || tally === undefined) continue
    if (dateMs === null) tally.undated += 1
    else if (dateMs < beforeMs) {
      const month = monthOf(dateMs)
      tally.months[month] = (tally.months[month] ?? 0) + 1
    }
  }
  const relations = tallies.map(({ undated, months }, i) => [
    COUNTED_RELATIONS[i],
    {
      undated,
      months: Object.fromEntries([...months].map((many, at) => [NAMES[at], many]).filter(([, many]) => many !== 0)),
    },
  ])
  return {
    beforeMs,
    relations: Object.fromEntries(relations) as RowsByMonth['relations'],
    monthStarts: MONTH_STARTS,
    sample: [],
  }
}

const PLACE = Object.fromEntries(COUNTED_RELATIONS.map((relation, i) => [relation, i])) as Record<
  CountedRelation,
  number
>
/** Since January 2024. */
const MONTHS = 48
const NAMES = Array.from({ length: MONTHS }, (_, i) => new Date(Date.UTC(2024, i)).toISOString().slice(0, 7))
const FIRST_DAY = Date.UTC(2024, 0) / DAY_MS
const MONTH_OF_DAY = Uint8Array.from({ length: MONTHS * 30 }, (_, day) => {
  const date = new Date((FIRST_DAY + day) * DAY_MS)
  return (date.getUTCFullYear() - 2024) * 12 + date.getUTCMonth()
})

function monthOf(timeMs: number): number {
  const month = MONTH_OF_DAY[Math.floor(timeMs / DAY_MS) - FIRST_DAY]
  if (month === undefined) throw new RangeError(`${new Date(timeMs).toISOString()} is not in these years`)
  return month
}
