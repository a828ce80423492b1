// The rows, titles and categories of the demo platform at one clock.
import { describe, expect, it } from 'vitest'
import { SLOTS } from '../../src/demo/places.ts'
import { demoPlatform } from '../../src/demo/platform.ts'
import { EDGE_TITLES, ideaPath } from '../../src/demo/titles.ts'
import { TOPICS } from '../../src/demo/vocabulary.ts'
import { countBy } from './count-by.ts'

const DAY_MS = 86_400_000
const NOW_MS = Date.parse('2026-05-20T09:30:00.000Z')
const platform = demoPlatform(NOW_MS)

describe('the rows of the demo platform', () => {
  const { users, ideas, ideaCategories, votes, comments } = platform
  const ideaById = new Map(ideas.map((idea) => [idea.id, idea]))
  const userById = new Map(users.map((user) => [user.id, user]))

  it('number ideas and comments from 1 without a gap, and accounts in order of time with some closed', () => {
    expect(ideas.map(({ id }) => id)).toEqual(ideas.map((_, i) => i + 1))
    expect(comments.map(({ id }) => id)).toEqual(comments.map((_, i) => i + 1))
    expect(users[0]?.id).toBe(1)
    expect(users.map(({ createdAtMs }) => createdAtMs)).toEqual(users.map((u) => u.createdAtMs).sort((a, b) => a - b))
    expect(users.at(-1)!.id).toBeGreaterThan(users.length)
  })

  it('lie before the clock, in whole milliseconds, but for exactly two scheduled ideas without any vote', () => {
    const scheduled = ideas.filter(({ createdAtMs }) => createdAtMs >= NOW_MS).map(({ id }) => id)
    expect(scheduled).toHaveLength(2)
    const acts = [...votes, ...comments]
    expect(acts.filter(({ ideaId }) => scheduled.includes(ideaId))).toEqual([])
    const times = [...users, ...acts].map(({ createdAtMs }) => createdAtMs)
    times.push(...ideas.map(({ launchedAtMs }) => launchedAtMs))
    const dated = times.filter((timeMs) => timeMs !== null)
    expect(dated.every((timeMs) => Number.isInteger(timeMs) && timeMs < NOW_MS)).toBe(true)
  })

  it('never act before they exist', () => {
    const early = [...votes, ...comments].filter(({ ideaId, userId, createdAtMs }) => {
      if (createdAtMs === null) return false
      const joinedAtMs = userId === null ? undefined : userById.get(userId)?.createdAtMs
      return createdAtMs <= ideaById.get(ideaId)!.createdAtMs || createdAtMs <= (joinedAtMs ?? -Infinity)
    })
    expect(early).toEqual([])
    expect(ideas.filter((idea) => idea.launchedAtMs !== null && idea.launchedAtMs <= idea.createdAtMs)).toEqual([])
  })

  it('give a user one vote per idea, and an idea a category once', () => {
    const ballots = votes.filter(({ userId }) => userId !== null).map(({ userId, ideaId }) => `${userId} ${ideaId}`)
    expect(new Set(ballots).size).toBe(ballots.length)
    const filed = ideaCategories.map(({ ideaId, category }) => `${ideaId} ${category}`)
    expect(new Set(filed).size).toBe(filed.length)
  })

  it.each<[what: string, count: number, atLeast: number]>([
    ['anonymous votes', votes.filter(({ userId }) => userId === null).length, 1_000],
    ['down-votes', votes.filter(({ value }) => value < 0).length, 500],
    ['votes of value 0', votes.filter(({ value }) => value === 0).length, 100],
    ['votes of value 2', votes.filter(({ value }) => value === 2).length, 100],
    ['undated votes', votes.filter(({ createdAtMs }) => createdAtMs === null).length, 100],
    ['votes of closed accounts', votes.filter(({ userId }) => userId !== null && !userById.has(userId)).length, 100],
    ['ideas without an author', ideas.filter(({ authorId }) => authorId === null).length, 20],
    ['ideas without a url', ideas.filter(({ url }) => url === null).length, 10],
    ['launched ideas', ideas.filter(({ launched }) => launched).length, 100],
    ['launched at an unknown time', ideas.filter((i) => i.launched && i.launchedAtMs === null).length, 5],
    ['ideas without a category', ideas.length - new Set(ideaCategories.map(({ ideaId }) => ideaId)).size, 30],
    ['ideas with several categories', ideaCategories.length - new Set(ideaCategories.map((c) => c.ideaId)).size, 500],
    ...['open', 'planned', 'in progress', 'launched', 'declined', null].map((status): [string, number, number] => {
      return [`ideas whose status is ${status}`, ideas.filter((idea) => idea.status === status).length, 5]
    }),
  ])('contain %s', (_, count, atLeast) => {
    expect(count).toBeGreaterThanOrEqual(atLeast)
  })

  it('follow a rhythm: growth, quiet holidays, a silent day, nights, and ideas that go viral', () => {
    const daysAgo = (timeMs: number) => Math.floor((NOW_MS - timeMs) / DAY_MS)
    const dated = votes.map(({ createdAtMs }) => createdAtMs).filter((timeMs) => timeMs !== null)
    const perDay = countBy(dated, daysAgo)
    const between = (from: string, to: string) =>
      dated.filter((timeMs) => timeMs >= Date.parse(from) && timeMs < Date.parse(to)).length
    expect(perDay.get(47)).toBeUndefined()
    expect(dated.filter((timeMs) => daysAgo(timeMs) < 365).length).toBeGreaterThan(0.5 * dated.length)
    expect(between('2025-07-14', '2025-08-11')).toBeLessThan(0.7 * between('2025-09-15', '2025-10-13'))
    const perHour = countBy(dated, (timeMs) => new Date(timeMs).getUTCHours())
    expect(perHour.get(3)).toBeLessThan(0.2 * perHour.get(19)!)
    const totals = [...countBy(votes, ({ ideaId }) => ideaId).values()].sort((a, b) => b - a)
    const bestDays = [...countBy(votes, ({ ideaId, createdAtMs }) => `${ideaId} ${daysAgo(createdAtMs ?? 0)}`).values()]
    expect(totals[Math.floor(totals.length / 2)]).toBeLessThan(50)
    expect(bestDays.filter((count) => count > 100).length).toBeGreaterThanOrEqual(8)
  })

  it('put another idea first in every window', () => {
    const leaders = [1, 7, 30, 90].map((days) => {
      const recent = votes.filter(({ value, createdAtMs }) => value > 0 && (createdAtMs ?? 0) >= NOW_MS - days * DAY_MS)
      return [...countBy(recent, ({ ideaId }) => ideaId)].reduce((best, entry) =>
        entry[1] > best[1] ? entry : best,
      )[0]
    })
    expect(new Set(leaders).size).toBe(leaders.length)
  })
})

describe('titles and categories', () => {
  const titles = platform.ideas.map(({ title }) => title)
  const plain = titles.filter((title) => !EDGE_TITLES.includes(title))

  it('are at least 95 % distinct', () => {
    expect(new Set(titles).size).toBeGreaterThanOrEqual(0.95 * titles.length)
  })

  it('include every edge title, some among the ideas of the last 30 days', () => {
    expect(EDGE_TITLES.filter((title) => !titles.includes(title))).toEqual([])
    const recent = platform.ideas.filter(({ createdAtMs }) => createdAtMs >= NOW_MS - 30 * DAY_MS)
    expect(recent.filter(({ title }) => EDGE_TITLES.includes(title)).length).toBeGreaterThanOrEqual(2)
  })

  it.each<[what: string, test: RegExp]>([
    ['a formula', /^=/],
    ['a leading minus', /^-/],
    ['a leading plus', /^\+/],
    ['a leading @', /^@/],
    ['a leading tab', /^\t/],
    ['a formula behind an invisible character', /^\p{Cf}=/u],
    ['a line break', /\n/],
    ['a quote and a comma', /".*,|,.*"/],
    ['markup', /<script>/],
    ['a backslash', /\\N.*\\$/],
    ['right-to-left script', /\p{Script=Arabic}/u],
    ['an emoji sequence', /\u200D/],
    ['nothing at all', /^$/],
    ['more than 800 characters', /^.{801,}$/],
  ])('include a title with %s', (_, test) => {
    expect(EDGE_TITLES.some((title) => test.test(title))).toBe(true)
  })

  it('are written out: no slot or choice is left, and a sentence begins and ends like one', () => {
    expect(plain.filter((title) => /[[\]{}|]|\bthe the\b|\b(\w+) \1\b| {2}|undefined/.test(title))).toEqual([])
    expect(plain.filter((title) => !/^[\p{L}\d].{11,120}[\p{L}\d?!).]$/u.test(title))).toEqual([])
  })

  // A closed list: whoever adds a name to the vocabulary reads this line. Places, dates and languages; no person's name.
  const PROPER = new Set(
    `Alley Anchor April Arabic Avenue Barley Basin Beach Beacon Brickfield Brickfields Canal Cannery Canneryside Central
    Chandlery Christmas Cobble Common Copper Customs Dock Dune Eastmole End Ferry Ferryside Fi Foundry Fridays Gardens Green
    Gull Gullcliff Harbour Herring Hill I Lane Lantern Lighthouse Linden Loft Lowtide Market Meadow Mill Mole Mondays N Net
    Northquay October Old Orchard Oyster Park Pepper Pilot Polish Portuguese Primary Quarry Road Ropewalk Row Saltmarsh Saturday Saturdays
    School Secondary Signal Slip Southmole Square Station Steps Street Sundays Tidewater Town Upper Way Westerlight Wi
    Windlass Woods`.split(/\s+/),
  )

  it('name no person: every capital inside a sentence belongs to a place, a date or a language', () => {
    const inside = plain.flatMap((title) => title.replace(/(^|[.?!] )\p{Lu}\S*/gu, '').match(/\p{Lu}\p{Ll}*/gu) ?? [])
    expect([...new Set(inside)].filter((word) => !PROPER.has(word))).toEqual([])
  })

  it('belong to topics whose neighbours and slots exist', () => {
    const names = TOPICS.map(({ category }) => category)
    const wishes = TOPICS.flatMap((topic) => topic.wishes)
    const slots = wishes.flatMap((wish) => [...wish.matchAll(/\{(\w+)\}/g)].map(([, slot]) => slot))
    expect(new Set(names).size).toBe(names.length)
    expect(TOPICS.flatMap(({ near }) => near).filter((name) => !names.includes(name))).toEqual([])
    expect(new Set(slots)).toEqual(new Set(Object.keys(SLOTS)))
    expect(names.some((name) => name.includes('/'))).toBe(true)
    expect(names.some((name) => /[^\p{ASCII}]/u.test(name))).toBe(true)
  })

  it.each([
    ['A bench for Lantern Hill!', '/ideas/7-a-bench-for-lantern-hill'],
    ['Crème brûlée & co', '/ideas/7-creme-brulee-co'],
    ['../../etc?x=1#y', '/ideas/7-etc-x-1-y'],
    ['עוד ספסלים', '/ideas/7'],
    ['', '/ideas/7'],
  ])('give the path of %j', (title, path) => {
    expect(ideaPath(7, title)).toBe(path)
  })
})
