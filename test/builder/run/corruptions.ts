// Ways in which the rows that a mapping returns go wrong, and how many of them revision.ts sees at random moments. Pure.
import { cutOf } from '../../../src/model/rows-by-month.ts'
import { randomStream, type Random } from '../../../src/demo/random.ts'
import { revisionReasons } from '../../../src/builder/past/revision.ts'
import { revisionsOf } from '../past/revisions-of.ts'
import { countRows, DAY_MS, rowsAt, type Read, type Row, type Site } from './generated-site.ts'

interface Moment {
  readonly tenant: Site
  readonly read: Read
  readonly random: Random
}

export interface Corruption {
  readonly what: string
  /** In `unit`, ascending; without, it is as it is. */
  readonly sizes?: readonly number[]
  readonly unit?: string
  /** From this size on it is always rejected; null = at no size. Without sizes it always is. */
  readonly seenFrom?: number | null
  readonly of: (rows: readonly Row[], size: number, moment: Moment) => readonly Row[]
  /** At the read after the night in which the votes tripled. */
  readonly atCampaign?: true
}

const ofRelation = (relation: Row['relation'], change: (row: Row) => readonly Row[]) => (rows: readonly Row[]) =>
  rows.flatMap((row) => (row.relation === relation ? change(row) : [row]))

const times = (factor: number) => (row: Row) => Array.from({ length: factor }, () => row)

/** Ideas drawn until they have this part of the votes that are shown. */
function ideasWith(rows: readonly Row[], percent: number, random: Random): ReadonlySet<number> {
  const votes = rows.filter(({ relation, hidden }) => relation === 'votes' && !hidden)
  const drawn = new Set<number>()
  const votesOf = new Map<number, number>()
  for (const { idea } of votes) votesOf.set(idea, (votesOf.get(idea) ?? 0) + 1)
  let has = 0
  const ideas = [...votesOf].map(([idea, of]) => ({ idea, of, at: random() })).sort((a, b) => a.at - b.at)
  for (const { idea, of } of ideas) {
    if (has * 100 >= percent * votes.length) break
    drawn.add(idea)
    has += of
  }
  return drawn
}

const isEvent = ({ relation }: Row): boolean => relation === 'votes' || relation === 'comments'

const shifted = (rows: readonly Row[], ms: number): Row[] =>
  rows.map((row) => (row.dateMs === null ? row : { ...row, dateMs: row.dateMs + ms }))

const SHARES = [2, 5, 8, 15, 20]

export const CORRUPTIONS: readonly Corruption[] = [
  ...(['users', 'ideas', 'votes', 'comments'] as const).flatMap((relation) =>
    [2, 3].map((factor) => ({
      what: `${relation} ${factor === 2 ? 'doubled' : 'tripled'}`,
      of: ofRelation(relation, times(factor)),
    })),
  ),
  {
    what: 'a join doubles votes and comments of a category',
    sizes: SHARES,
    unit: '% of the votes',
    seenFrom: 15,
    of(rows, size, { random }) {
      const ideas = ideasWith(rows, size, random)
      return rows.flatMap((row) => (isEvent(row) && ideas.has(row.idea) ? [row, row] : [row]))
    },
  },
  {
    what: 'votes are lost',
    sizes: SHARES,
    unit: '% of the votes',
    seenFrom: 15,
    of: (rows, size, { random }) => ofRelation('votes', (row) => (random() * 100 < size ? [] : [row]))(rows),
  },
  {
    what: 'votes are lost in the night that tripled them',
    sizes: [20],
    unit: '% of the votes',
    seenFrom: 20,
    atCampaign: true,
    of: (rows, size, { random }) => ofRelation('votes', (row) => (random() * 100 < size ? [] : [row]))(rows),
  },
  {
    what: 'the votes of a month are lost, under 100 of them and under 7 % of all',
    sizes: [0],
    unit: '',
    seenFrom: null,
    of: (rows, _, moment) => withoutMonth(rows, moment, (votes, all) => votes < 100 && votes * 100 < all * 7),
  },
  {
    what: 'the votes of a month are lost, 100 of them or more',
    of: (rows, _, moment) => withoutMonth(rows, moment, (votes) => votes >= 100),
  },
  {
    what: 'a category is lost with all that belongs to it',
    sizes: SHARES,
    unit: '% of the votes',
    seenFrom: 15,
    of(rows, size, { random }) {
      const ideas = ideasWith(rows, size, random)
      return rows.filter(({ idea }) => !ideas.has(idea))
    },
  },
  {
    what: 'all dates are shifted',
    sizes: [1, 2, 7, 31],
    unit: '× 24 h',
    seenFrom: 7,
    of: (rows, days) => shifted(rows, days * DAY_MS),
  },
  {
    what: 'all dates are shifted by a time zone',
    sizes: [2, 9],
    unit: 'hours',
    seenFrom: null,
    of: (rows, h) => shifted(rows, (h * DAY_MS) / 24),
  },
  {
    what: 'all dates are those of the import',
    of: (rows, _, { read }) =>
      rows.map((row) => (row.dateMs === null ? row : { ...row, dateMs: read.asOfMs - 60_000 })),
  },
  {
    what: 'users are emptied and filled again, with new dates',
    of: (rows, _, { read }) => ofRelation('users', (row) => [{ ...row, dateMs: read.asOfMs - 60_000 }])(rows),
  },
  { what: 'all dates are lost', of: (rows) => rows.map((row) => ({ ...row, dateMs: null })) },
  { what: 'hidden ideas are shown, a fifth', of: (rows) => rows.map((row) => ({ ...row, hidden: false })) },
  {
    what: 'a second tenant is mixed in',
    sizes: [2, 5, 8, 15, 30, 100],
    unit: '% of the rows',
    seenFrom: 15,
    of(rows, size, { tenant, read, random }) {
      const others = rowsAt(tenant, read)
      const percent = (size * rows.length) / others.length
      return [...rows, ...others.filter(() => random() * 100 < percent)]
    },
  },
]

/** Without the votes of a random month that passes; with all of them where there is none. */
function withoutMonth(
  rows: readonly Row[],
  { random, read }: Moment,
  passes: (votes: number, all: number) => boolean,
): readonly Row[] {
  const { votes } = countRows(rows, read.asOfMs - DAY_MS * 2).relations
  if (votes === null) return rows
  const all = Object.values(votes.months).reduce((sum, one) => sum + one, 0)
  const months = Object.entries(votes.months).filter(([, one]) => passes(one, all))
  const [lost] = months[Math.floor(months.length * random())] ?? []
  if (lost === undefined) return rows
  return ofRelation('votes', (row) => (row.dateMs !== null && isOf(lost, row.dateMs) ? [] : [row]))(rows)
}

function isOf(month: string, timeMs: number): boolean {
  return new Date(timeMs).toISOString().startsWith(month)
}

export const MOMENTS = 20

/** Of how many moments the corruption is rejected; and the first of the messages. */
export function rejections(
  corruption: Corruption,
  size: number,
  sites: readonly (readonly [site: Site, tenant: Site])[],
  maxPercent: number,
): { readonly rejected: number; readonly reason: string | null } {
  const random = randomStream(size, corruption.what)
  let rejected = 0
  let reason: string | null = null
  for (let i = 0; i < MOMENTS; i++) {
    const [site, tenant] = sites[i % sites.length] ?? []
    if (site === undefined || tenant === undefined) throw new RangeError('no site')
    const [last, read] = momentOf(site, corruption.atCampaign === true, random)
    const before = rowsAt(site, last)
    const kept = countRows(before, cutOf(last.asOfMs, last))
    const rows = corruption.of(rowsAt(site, read), size, { tenant, read, random })
    const revisions = revisionsOf(kept, countRows(rows, kept.beforeMs), cutOf(read.asOfMs, read))
    const reasons = revisionReasons(revisions, maxPercent)
    if (reasons.length > 0) rejected += 1
    reason ??= reasons[0] ?? null
  }
  return { rejected, reason }
}

/** A read and the one before it, after the first third of the days: before, a site has few rows. */
function momentOf({ reads, campaignMs }: Site, atCampaign: boolean, random: Random): [last: Read, read: Read] {
  const at = atCampaign
    ? reads.findIndex(({ atMs }) => atMs > campaignMs + DAY_MS)
    : Math.floor(reads.length * (0.33 + 0.67 * random()))
  const [last, read] = reads.slice(at - 1, at + 1)
  if (last === undefined || read === undefined) throw new RangeError(`no read ${at}`)
  return [last, read]
}
