// The rows, titles and categories of the demo platform at one clock.
import { describe, expect, it } from 'vitest'
import { demoPlatform } from '../../src/demo/platform.ts'
import { CATEGORIES, EDGE_TITLES } from '../../src/demo/town.ts'
import { countBy } from './count-by.ts'

const DAY_MS = 86_400_000
const NOW_MS = Date.parse('2026-05-20T09:30:00.000Z')
const platform = demoPlatform(NOW_MS)

describe('the rows of the demo platform', () => {
  const { users, ideas, idea_categories: filed, votes, comments } = platform
  const ideaById = new Map(ideas.map((idea) => [idea.id, idea]))
  const userById = new Map(users.map((user) => [user.id, user]))

  it('number ideas and comments from 1 without a gap, and accounts in order of time with some closed', () => {
    expect(ideas.map(({ id }) => id)).toEqual(ideas.map((_, i) => i + 1))
    expect(comments.map(({ id }) => id)).toEqual(comments.map((_, i) => i + 1))
    expect(users[0]?.id).toBe(1)
    const joined = users.map(({ created_at }) => +created_at)
    expect(joined).toEqual([...joined].sort((a, b) => a - b))
    expect(users.at(-1)!.id).toBeGreaterThan(users.length)
  })

  it('lie before the clock', () => {
    const times = [...users, ...ideas, ...votes, ...comments].map(({ created_at }) => created_at)
    times.push(...ideas.map(({ launched_at }) => launched_at))
    expect(times.filter((time) => time !== null && +time >= NOW_MS)).toEqual([])
  })

  it('never act before they exist', () => {
    const early = [...votes, ...comments].filter(({ idea_id, user_id, created_at }) => {
      if (created_at === null) return false
      const joinedAt = user_id === null ? undefined : userById.get(user_id)?.created_at
      return created_at <= ideaById.get(idea_id)!.created_at || created_at <= (joinedAt ?? 0)
    })
    expect(early).toEqual([])
    expect(ideas.filter((idea) => idea.launched_at !== null && idea.launched_at <= idea.created_at)).toEqual([])
  })

  it('give a user one vote per idea, and an idea a category once', () => {
    const ballots = votes
      .filter(({ user_id }) => user_id !== null)
      .map(({ user_id, idea_id }) => `${user_id} ${idea_id}`)
    expect(new Set(ballots).size).toBe(ballots.length)
    const pairs = filed.map(({ idea_id, category }) => `${idea_id} ${category}`)
    expect(new Set(pairs).size).toBe(pairs.length)
  })

  it.each<[what: string, count: number, atLeast: number]>([
    ['anonymous votes', votes.filter(({ user_id }) => user_id === null).length, 1_000],
    ['down-votes', votes.filter(({ value }) => value < 0).length, 500],
    ['votes of value 0', votes.filter(({ value }) => value === 0).length, 100],
    ['votes of value 2', votes.filter(({ value }) => value === 2).length, 100],
    ['undated votes', votes.filter(({ created_at }) => created_at === null).length, 100],
    ['votes of closed accounts', votes.filter(({ user_id }) => user_id !== null && !userById.has(user_id)).length, 100],
    ['ideas without an author', ideas.filter(({ author_id }) => author_id === null).length, 20],
    ['ideas without a url', ideas.filter(({ url }) => url === null).length, 10],
    ['launched ideas', ideas.filter(({ launched }) => launched).length, 100],
    ['launched at an unknown time', ideas.filter((i) => i.launched && i.launched_at === null).length, 5],
    ['ideas without a category', ideas.length - new Set(filed.map(({ idea_id }) => idea_id)).size, 30],
    ['ideas with several categories', filed.length - new Set(filed.map((c) => c.idea_id)).size, 500],
    ...['open', 'planned', 'in progress', 'launched', 'declined', null].map((status): [string, number, number] => {
      return [`ideas whose status is ${status}`, ideas.filter((idea) => idea.status === status).length, 5]
    }),
  ])('contain %s', (_, count, atLeast) => {
    expect(count).toBeGreaterThanOrEqual(atLeast)
  })

  it('follow a rhythm: growth, quiet holidays, a silent day, nights, and ideas that go viral', () => {
    const daysAgo = (timeMs: number) => Math.floor((NOW_MS - timeMs) / DAY_MS)
    const dated = votes.flatMap(({ created_at }) => (created_at === null ? [] : [+created_at]))
    const perDay = countBy(dated, daysAgo)
    const between = (from: string, to: string) =>
      dated.filter((timeMs) => timeMs >= Date.parse(from) && timeMs < Date.parse(to)).length
    expect(perDay.get(47)).toBeUndefined()
    expect(dated.filter((timeMs) => daysAgo(timeMs) < 365).length).toBeGreaterThan(0.5 * dated.length)
    expect(between('2025-07-14', '2025-08-11')).toBeLessThan(0.7 * between('2025-09-15', '2025-10-13'))
    const perHour = countBy(dated, (timeMs) => new Date(timeMs).getUTCHours())
    expect(perHour.get(3)).toBeLessThan(0.2 * perHour.get(19)!)
    const totals = [...countBy(votes, ({ idea_id }) => idea_id).values()].sort((a, b) => b - a)
    const bestDays = [
      ...countBy(votes, ({ idea_id, created_at }) => `${idea_id} ${daysAgo(+(created_at ?? 0))}`).values(),
    ]
    expect(totals[Math.floor(totals.length / 2)]).toBeLessThan(50)
    expect(bestDays.filter((count) => count > 100).length).toBeGreaterThanOrEqual(8)
  })

  it('put another idea first in every window', () => {
    const leaders = [1, 7, 30, 90].map((days) => {
      const recent = votes.filter(({ value, created_at }) => value > 0 && +(created_at ?? 0) >= NOW_MS - days * DAY_MS)
      return [...countBy(recent, ({ idea_id }) => idea_id)].reduce((best, entry) =>
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
    const recent = platform.ideas.filter(({ created_at }) => +created_at >= NOW_MS - 30 * DAY_MS)
    expect(recent.filter(({ title }) => EDGE_TITLES.includes(title)).length).toBeGreaterThanOrEqual(2)
  })

  it('include a formula, tabs, lines, quotes, markup, backslashes, other scripts, nothing, and more than 800 characters', () => {
    const KINDS = [
      /^=/,
      /^\t/,
      /\n/,
      /".*,|,.*"/,
      /<script>/,
      /\\N.*\\$/,
      /\p{Script=Arabic}/u,
      /\u200D/,
      /^$/,
      /^.{801,}$/,
    ]
    expect(KINDS.filter((kind) => !EDGE_TITLES.some((title) => kind.test(title)))).toEqual([])
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

  it('have categories with what breaks careless addresses', () => {
    expect(new Set(CATEGORIES).size).toBe(CATEGORIES.length)
    expect(CATEGORIES.some((name) => name.includes('/'))).toBe(true)
    expect(CATEGORIES.some((name) => /[^\p{ASCII}]/u.test(name))).toBe(true)
  })
})
