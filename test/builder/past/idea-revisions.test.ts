// Whether the gate tells ideas that became others from what ordinary days do to them, although the numbers of rows are the same.
// real test: hundreds of invented days take seconds
// long test: starts the program, or builds, for each case
import { assert, constantFrom, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashOf, ideaSample } from '../../../src/analytics/idea-sample.ts'
import { ideaRevisionsOf } from '../../../src/builder/past/idea-revisions.ts'
import { revisionReasons } from '../../../src/builder/past/revision.ts'
import { IDEA_FIELDS, SAMPLED_IDEAS, type SampledIdea } from '../../../src/model/idea-sample.ts'
import { randomStream, type Random } from '../../../src/demo/random.ts'
import { eventsAt } from '../../support/event-counts.ts'

const HOUR_MS = 3_600_000
const FIRST_MS = Date.UTC(2025, 0, 1)
const AS_OF_MS = Date.UTC(2026, 4, 20, 9, 30)
const CUT_MS = AS_OF_MS - HOUR_MS

interface Idea {
  readonly id: string
  readonly title: string
  readonly createdAtMs: number
  readonly categories: readonly string[]
  readonly status: string | null
  /** Dates; null = it has none. */
  readonly votes: readonly (number | null)[]
}

/** Many ideas have few votes, and a few have many. */
function site(ideas: number, random: Random): Idea[] {
  return Array.from({ length: ideas }, (_, i) => {
    const createdAtMs = FIRST_MS + random() * (CUT_MS - FIRST_MS)
    const votes = Math.floor(8 / (random() + 0.01)) - 7
    return {
      id: String(i + 1),
      title: `Idea ${i}`,
      createdAtMs,
      categories: [`category ${Math.floor(random() * 6)}`],
      status: random() < 0.5 ? (random() < 0.7 ? 'open' : 'planned') : null,
      votes: Array.from({ length: votes }, () =>
        random() < 0.02 ? null : createdAtMs + random() * (CUT_MS - createdAtMs),
      ),
    }
  })
}

/** As a build at `asOfMs` samples the ideas before CUT_MS. */
function sampleOf(ideas: readonly Idea[], asOfMs = AS_OF_MS): readonly SampledIdea[] {
  const cuts = [CUT_MS, asOfMs - HOUR_MS]
  const sample = ideaSample(CUT_MS, 0)
  for (const { votes, ...idea } of ideas) {
    const counts = { votes: eventsAt(votes, asOfMs, cuts), comments: eventsAt([], asOfMs, cuts) }
    const more = { launched: false, launchedAtMs: null, url: `/ideas/${idea.id}`, ...counts }
    sample.add({ ...idea, ...more }, hashOf(idea.id))
  }
  return sample.ideas
}

const reasons = (was: readonly Idea[], is: readonly Idea[]): string[] =>
  revisionReasons(
    ideaRevisionsOf(sampleOf(was), sampleOf(is, AS_OF_MS + 24 * HOUR_MS)).map((one) => ({ ...one, months: [] })),
    10,
  )

/** A day: of each kind of change one in a hundred, and a tenth more ideas and votes. */
function ordinaryDay(ideas: readonly Idea[], random: Random): Idea[] {
  const rare = (): boolean => random() < 0.01
  const afterMs = (): number => CUT_MS + 1 + random() * 23 * HOUR_MS
  const left = ideas.filter(() => !rare())
  const changed = left.map((idea): Idea => {
    const votes = [...idea.votes.filter(() => !rare()), ...(rare() ? [null, idea.createdAtMs] : [])]
    return {
      ...idea,
      title: rare() ? `${idea.title}, edited` : idea.title,
      categories: rare() ? ['category 0', 'category 7'] : idea.categories,
      status: rare() ? null : (idea.status ?? (rare() ? 'open' : null)),
      votes: [...votes, ...Array.from({ length: Math.floor(random() * 3) }, afterMs)],
    }
  })
  const late = site(ideas.length / 100, random).map((idea) => ({ ...idea, id: `late ${idea.id}` }))
  const young = site(ideas.length / 10, random).map((idea) => ({
    ...idea,
    id: `new ${idea.id}`,
    createdAtMs: afterMs(),
    votes: idea.votes.map(afterMs),
  }))
  return [...young, ...late, ...changed]
}

describe('ordinary days', () => {
  it('are never refused, however many ideas there are', () => {
    assert(
      property(integer(), constantFrom(0, 1, 15, 150, 1_900, 2_100, 9_000), (seed, many) => {
        const was = site(many, randomStream(seed, 'site'))
        expect(reasons(was, ordinaryDay(was, randomStream(seed, 'day')))).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  it('may merge two popular ideas, or two categories, rename all categories, plan all ideas but one, and empty 19 titles of 20', () => {
    const was = site(300, randomStream(1, 'site'))
    const byVotes = was.toSorted((a, b) => b.votes.length - a.votes.length)
    const [first, second] = byVotes
    const merged = was.map((idea) =>
      idea === first
        ? { ...idea, votes: [...idea.votes, ...(second?.votes ?? [])] }
        : idea === second
          ? { ...idea, votes: [] }
          : idea,
    )
    expect(second?.votes.length).toBeGreaterThan(20)
    expect(reasons(was, merged)).toEqual([])
    const renamed = was.map((idea) => ({ ...idea, categories: idea.categories.map((name) => `New ${name}`) }))
    expect(reasons(was, renamed)).toEqual([])
    expect(reasons(was, ordinaryDay(renamed, randomStream(5, 'day')))).toEqual([])
    const oneLess = was.map((idea) => ({ ...idea, categories: idea.categories.map((name) => name.replace('1', '2')) }))
    expect(reasons(was, ordinaryDay(oneLess, randomStream(6, 'day')))).toEqual([])
    expect(
      reasons(
        was,
        was.map((idea, i) => ({ ...idea, status: i === 0 ? 'open' : 'planned' })),
      ),
    ).toEqual([])
    const few = site(20, randomStream(2, 'site'))
    const empty = (from: number): Idea[] => few.map((idea, i) => (i < from ? idea : { ...idea, title: '' }))
    expect(reasons(few, empty(1))).toEqual([])
    expect(reasons(few, empty(0))).toEqual([expect.stringMatching(/^titles: 20 of 20 /)])
  })

  it('change nothing in the order in which ideas are read', () => {
    const ideas = site(5_000, randomStream(3, 'site'))
    expect(sampleOf(ideas.toReversed())).toEqual(sampleOf(ideas))
  })
})

describe('ideas that became others', () => {
  const each =
    (change: (idea: Idea, before: Idea | undefined, i: number) => Partial<Idea>) => (ideas: readonly Idea[]) =>
      ideas.map((idea, i): Idea => ({ ...idea, ...change(idea, ideas.at(i - 1), i) }))
  const named = (change: (name: string) => string) =>
    each(({ categories }) => ({ categories: categories.map((name) => change(name)) }))
  const CORRUPTIONS: readonly [what: string, change: (ideas: readonly Idea[]) => Idea[], reasons: readonly RegExp[]][] =
    [
      ['titles are empty', each(() => ({ title: '' })), [/^titles: /]],
      ['titles are those of the next idea', each((_, before) => ({ title: before?.title ?? '' })), [/^titles: /]],
      [
        'a fifth of the titles are empty',
        each((_, __, i) => (i % 5 === 0 ? { title: '' } : {})),
        [/^titles: .* \((?:19|2\d)\.\d %, allowed 10 %\)/],
      ],
      ['ids are new', each(({ id }) => ({ id: `${id}-` })), [/^titles: /, /^votes of ideas: /]],
      ['no idea has a category', each(() => ({ categories: [] })), [/^categories of /]],
      ['addresses of people', each((_, __, i) => ({ categories: [`u${i}@example.org`] })), [/^categories of /]],
      ['all categories are one', named(() => 'category 3'), [/^categories of /]],
      [
        'the next category',
        named((name) => name.replace(/\d$/, (n) => String((Number(n) + 1) % 6))),
        [/^categories of /],
      ],
      ['all have the same status', each(() => ({ status: 'all' })), [/^statuses: /]],
      ['no idea has a status', each(() => ({ status: null })), [/^statuses: /]],
      [
        'votes are those of the next idea',
        each((_, before) => ({ votes: before?.votes ?? [] })),
        [/^votes of ideas: /],
      ],
      [
        'votes without a date are those of the next idea',
        each((_, before) => ({ votes: (before?.votes ?? []).map(() => null) })),
        [/^votes of ideas: /],
      ],
    ]
  it.each(CORRUPTIONS)('are refused: %s', (_, change, expected) => {
    for (const many of [150, 2_100, 6_000]) {
      const was = site(many, randomStream(many, 'site'))
      for (const is of [was, ordinaryDay(was, randomStream(7, 'day'))])
        expect(reasons(was, change(is)), `${many} ideas`).toEqual(
          expected.map((reason) => expect.stringMatching(reason) as unknown),
        )
    }
  })
})

describe('a sample', () => {
  it('has a bounded size, and no text', () => {
    const sample = sampleOf(site(20_000, randomStream(4, 'site')))
    expect(sample).toHaveLength(SAMPLED_IDEAS)
    // Two of them in a file of 2 MiB, of which a third is for the months.
    expect(2 * JSON.stringify(sample).length).toBeLessThan(300_000)
    const many = site(3_000, randomStream(4, 'site')).map((idea, i): Idea => ({
      ...idea,
      categories: Array.from({ length: 50 }, (_, n) => `${(i * n) % 97} category`).sort(),
    }))
    expect(2 * JSON.stringify(sampleOf(many)).length).toBeLessThan(700_000)
    expect(sample.flat(2).every(Number.isSafeInteger)).toBe(true)
    expect(ideaRevisionsOf(sample, sample).map(({ relation, rows }) => [relation, rows])).toEqual(
      IDEA_FIELDS.map((field) => [field, 0]),
    )
  })

  it('is spread evenly, whatever the ids are', () => {
    const KINDS = [String, (i: number) => `idea-${i}`, (i: number) => `${String(i).padStart(12, '0')}-4a7f-uuid`]
    for (const idOf of KINDS) {
      const hashes = Array.from({ length: 100_000 }, (_, i) => hashOf(idOf(i)))
      expect(new Set(hashes).size).toBe(hashes.length)
      const tenths = Array.from({ length: 10 }, (_, t) => hashes.filter((h) => Math.floor((10 * h) / 2 ** 53) === t))
      for (const { length } of tenths) expect(Math.abs(length - 10_000)).toBeLessThan(600)
    }
  })
})

describe('a refusal says what ideas look like', () => {
  const was = site(300, randomStream(9, 'site'))
  const said = (change: (idea: Idea, i: number) => Partial<Idea>): string =>
    reasons(
      was,
      was.map((idea, i): Idea => ({ ...idea, ...change(idea, i) })),
    ).join('\n')
  const LOOKS: readonly [what: string, change: (idea: Idea, i: number) => Partial<Idea>, said: RegExp][] = [
    [
      'another language',
      ({ title }) => ({ title: `Idee ${title}` }),
      /^titles: .*, under their old ids, as of another language/,
    ],
    ['empty titles', () => ({ title: '' }), /^titles: .*, which is empty, or that of all/],
    ['the same title', () => ({ title: 'null' }), /^titles: .*, which is empty, or that of all/],
    [
      'titles of others',
      (_, i) => ({ title: was.at(i - 1)?.title ?? '' }),
      /^titles: .*, which was that of another idea/,
    ],
    ['new ids', ({ id }) => ({ id: `${id}-` }), /^titles: .*, with new ids and the titles that they had/],
    [
      'another tenant',
      ({ id, title }) => ({ id: `${id}-`, title: `${title}!` }),
      /^titles: .*, because other ideas are there/,
    ],
  ]
  it.each(LOOKS)('%s', (_, change, expected) => {
    expect(said(change)).toMatch(expected)
  })

  it('ideas that were merged with others, whose votes are there', () => {
    const votesOf = (id: string): Idea['votes'] => was.find((idea) => idea.id === id)?.votes ?? []
    const merged = was
      .filter(({ id }) => Number(id) % 2 === 1)
      .map((idea): Idea => ({ ...idea, votes: [...idea.votes, ...votesOf(String(Number(idea.id) + 1))] }))
    expect(reasons(was, merged).join()).toMatch(
      /^votes of ideas: .*, as where ideas that are gone were merged with those that have their votes; is it/,
    )
    expect(said(({ id }) => ({ id: `${id}-` }))).not.toContain('were merged')
  })

  it('a small site of another tenant, also with fewer ideas', () => {
    const small = site(8, randomStream(1, 'site'))
    const others = site(6, randomStream(2, 'site')).map((idea): Idea => ({
      ...idea,
      id: `x${idea.id}`,
      title: `x${idea.id}`,
    }))
    expect(reasons(small, others)[0]).toMatch(/^titles: 8 of 8 .* because other ideas are there/)
  })
})
