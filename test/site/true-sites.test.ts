// The marks and sentences of 300 generated sites, each in one of four languages or in all, as true-site.test.ts reads them.
// real test: it takes minutes.
// long test: more sites of true-site.test.ts
import fc from 'fast-check'
import { test } from 'vitest'
import { LANGUAGES, type Language } from '../../src/contract/site-paths.ts'
import { siteInput } from '../support/site-input.ts'
import { ideasOf, sites, type Alike } from './generated-sites.ts'
import { expectTrueSite } from './true-site.ts'

/** Days and zones with something special: the end and the first of a month, days of 25, 23 and 24.5 hours, a leap day. */
const WHEN = [
  ['2026-11-22T14:35:12.345Z', 'UTC'],
  ['2026-11-30T23:10:00.000Z', 'UTC'],
  ['2026-12-01T09:00:00.000Z', 'Europe/Berlin'],
  ['2026-10-25T11:00:00.000Z', 'Europe/Berlin'],
  ['2026-03-29T09:00:00.000Z', 'Europe/Berlin'],
  ['2026-04-05T04:00:00.000Z', 'Australia/Lord_Howe'],
  ['2028-02-29T17:00:00.000Z', 'America/New_York'],
] as const

/** A tenth of all years ago, so that there is more than a chart shows; or as generated. */
const moved = (site: readonly Alike[], years: number): Alike[] =>
  site.map((one, i) => (i % 2 === 0 && one.age !== null ? { ...one, age: one.age + 365 * years } : one))

const spec = fc.record({
  site: sites,
  years: fc.constantFrom(0, 0, 5, 12),
  people: fc.constantFrom('exact' as const, 'rounded' as const, 'off' as const),
  when: fc.constantFrom(...WHEN),
  isCompared: fc.boolean(),
  languages: fc.constantFrom<(readonly Language[])[]>(...LANGUAGES.map((one) => [one]), ['es', 'fr'], LANGUAGES),
  closed: fc.constantFrom(false, false, false, false, true),
  /** Categories in place of the usual ones: none, or one for each idea. */
  categories: fc.constantFrom('usual' as const, 'usual' as const, 'none' as const, 'each' as const),
})

test('each mark is its number, each measure has one form, and no sentence says more than is known', () => {
  fc.assert(
    fc.property(spec, ({ site, years, when: [asOf, timeZone], categories, closed, ...others }) => {
      const asOfMs = Date.parse(asOf)
      const named = (own: readonly string[], i: number): readonly string[] =>
        ({ usual: own, none: [], each: [`Number ${i % 12} of the list`] })[categories]
      const ideas = ideasOf(moved(site, years), asOfMs).map((idea, i) => ({
        ...idea,
        categories: named(idea.categories, i),
      }))
      const facts = closed ? [] : ideas
      expectTrueSite(siteInput({ facts, asOfMs, timeZone, closed, ...others }), facts)
    }),
    { numRuns: 300, seed: 52, endOnFailure: true },
  )
}, 1_500_000)

test('with 500 categories', () => {
  const [one] = fc.sample(sites, { numRuns: 1, seed: 1 })
  const facts = ideasOf((one ?? []).map((alike) => ({ ...alike, times: 60 }))).map((idea, i) => ({
    ...idea,
    categories: [`Number ${i % 500} of the list`],
  }))
  expectTrueSite(siteInput({ facts, languages: ['fr'] }), facts)
}, 300_000)
