// Owns generated sites: ideas with ties, months alone, a single launch, growth or decline; made small. Not a test.
import fc from 'fast-check'
import { EARLIEST_DATE_MS } from '../../src/contract/windows.ts'
import type { IdeaFacts } from '../../src/model/facts.ts'
import { eventsAt } from '../support/event-counts.ts'
import { AS_OF_MS } from '../support/site-input.ts'

const DAY_MS = 86_400_000
export const UNDATED_MS = EARLIEST_DATE_MS - 1

/** Ideas that are alike, so that they tie. */
const alike = fc.record({
  times: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 8, max: 45 })),
  age: fc.constantFrom<number | null>(0.2, 5, 29, 31, 45, 59, 61, 100, 130, 160, 190, 220, 400, 1500, null),
  votes: fc.constantFrom(0, 0, 1, 2, 7),
  comments: fc.constantFrom(0, 0, 1, 3),
  votedAt: fc.constantFrom<number | null>(null, 0.1, 3, 8, 12, 29, 40, 62, 200),
  votedAlso: fc.constantFrom<number | null>(null, 8, 12, 40, 120),
  launched: fc.constantFrom(null, null, 'undated' as const, 0, 0.4, 3, 20, 20, 90),
  /** One of so many is launched. */
  of: fc.integer({ min: 1, max: 4 }),
  categories: fc.subarray(['Cycling', 'Parks', 'Noise', 'Zoo', 'Bins', 'Trees'], { maxLength: 2 }),
  status: fc.constantFrom(null, 'open', 'done'),
})
/** Of any times, or some in each of the last months, or in each of the last years. */
export const sites = fc.oneof(
  fc.array(alike, { minLength: 1, maxLength: 9 }),
  fc
    .array(
      fc.tuple(alike, fc.integer({ min: 9, max: 35 })).map(([one, times]) => ({ ...one, times })),
      { minLength: 6, maxLength: 9 },
    )
    .map((months) => months.map((one, i) => ({ ...one, age: 25 + 31 * i }))),
  fc
    .array(
      fc.tuple(alike, fc.integer({ min: 24, max: 45 })).map(([one, times]) => ({ ...one, times })),
      { minLength: 3, maxLength: 4 },
    )
    .map((years) => years.map((one, i) => ({ ...one, age: 340 + 364 * i }))),
)
export type Alike = typeof alike extends fc.Arbitrary<infer T> ? T : never

const VOTED_LATELY: Alike = {
  times: 3,
  age: 61,
  votes: 7,
  comments: 0,
  votedAt: 8,
  votedAlso: 12,
  launched: null,
  of: 1,
  categories: [],
  status: 'open',
}
const YEAR_OLD: Alike = { ...VOTED_LATELY, age: 400, comments: 1, votedAt: 375, votedAlso: 375, launched: 20 }
/** What 300 random sites may have too few of: ideas that fell behind others, some of a year ago, some with as many points. */
export const OVERTAKEN: Alike[] = [VOTED_LATELY, { ...VOTED_LATELY, votedAt: 40, votedAlso: 8 }, YEAR_OLD]
export const STEADY: Alike[] = [
  { ...VOTED_LATELY, times: 12, age: 190, votes: 2, votedAt: 40, votedAlso: 120, categories: ['Parks'] },
]

export function ideasOf(site: readonly Alike[], asOfMs = AS_OF_MS): IdeaFacts[] {
  const ideas = site.flatMap((one, k) =>
    Array.from({ length: one.times }, (_, i): IdeaFacts => {
      const createdAtMs = one.age === null ? UNDATED_MS : asOfMs - one.age * DAY_MS - 60_000
      const [at = null, also = null] = [one.votedAt, one.votedAlso].map((days) =>
        days === null ? null : asOfMs - days * DAY_MS - 1,
      )
      const launch = i % one.of === 0 ? one.launched : null
      const launchedAtMs = typeof launch === 'number' ? createdAtMs + launch * DAY_MS : null
      const isKnown = launchedAtMs !== null && launchedAtMs < asOfMs && one.age !== null
      return {
        id: `${k}-${i}`,
        title: `Idea ${k}-${i}`,
        createdAtMs,
        launched: launch === 'undated' || isKnown,
        launchedAtMs: isKnown ? launchedAtMs : null,
        url: null,
        status: one.status,
        categories: [...one.categories].sort(),
        votes: eventsAt(
          Array.from({ length: one.votes }, (__, vote) => (vote % 2 === 0 ? at : also)),
          asOfMs,
        ),
        comments: eventsAt(
          Array.from({ length: one.comments }, () => at),
          asOfMs,
        ),
      }
    }),
  )
  return ideas.sort((a, b) => b.createdAtMs - a.createdAtMs)
}
