// src/release/checks/kinds/timeline.ts and outcomes.ts, calendar.ts and relations.ts: what one document must satisfy by
// itself, of all ideas and of a category alike. Each rule has a mutation that breaks it, as the gate sees it and as `verify`
// does.
// real test: nearly every case writes a whole release, which takes up to a second.
// long test: writes or reads whole releases for each case
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { add, MutableRelease, type Outcomes, type Row, type Timeline } from '../verify/mutable-release.ts'
import { richIdeas } from './rich-ideas.ts'

const folder = temporaryFolder(afterAll)
let whole: MutableRelease
beforeAll(async () => {
  whole = await MutableRelease.of(folder, richIdeas())
})

const DESIGN = /^analytics\/category\/design-[0-9a-f]{12}\.json: /

/** @param sentence IT is the document */
async function expectFault(release: MutableRelease, path: string, sentence: string): Promise<void> {
  const named = sentence.replaceAll('IT', path)
  expect(release.gate()).toEqual([named])
  expect(await release.verify()).toEqual([named])
}

const bucketOf = ({ buckets }: Timeline, label: string): Timeline['buckets'][number] => {
  const bucket = buckets.find((one) => one.bucket.startsWith(label))
  if (bucket === undefined) throw new Error(label)
  return bucket
}

type TimelineRule = readonly [span: '7d' | 'all', mutate: (timeline: Timeline) => void, fault: string]

const TIMELINE_RULES: Readonly<Record<string, TimelineRule>> = {
  'it is of the time zone of its release': [
    '7d',
    (timeline) => Object.assign(timeline, { timeZone: 'Europe/Madrid' }),
    'IT: its timeZone is Europe/Madrid, not UTC',
  ],
  'its count is that of its buckets': ['7d', (timeline) => (timeline.count = 9), 'IT: its count is 9 of 8 buckets'],
  'no bucket of the window is missing': [
    '7d',
    (timeline) => {
      timeline.buckets.pop()
      timeline.count -= 1
    },
    'IT: 7 buckets, its window has 8',
  ],
  'no bucket is another one': [
    '7d',
    ({ buckets }) => buckets.splice(2, 1, { ...buckets[2], bucket: '2026-05-16T00:00:00.000Z' }),
    'IT: bucket 3 is 2026-05-16T00:00:00.000Z, not 2026-05-15T00:00:00.000Z',
  ],
  'no month is left out': [
    'all',
    (timeline) => {
      timeline.buckets.splice(4, 1)
      timeline.count -= 1
    },
    'IT: 16 buckets, its window has 17',
  ],
  '`all` begins with a month': [
    'all',
    ({ buckets }) => buckets.splice(0, 1, { ...buckets[0], bucket: '2025-01-02T00:00:00.000Z' }),
    'IT: its first bucket is 2025-01-02T00:00:00.000Z, where no month since 1990 begins, or it ends at 2026-05-20T09:30:00.000Z',
  ],
  '`all` does not begin before 1990': [
    'all',
    ({ buckets }) => buckets.splice(0, 1, { ...buckets[0], bucket: '1989-12-01T00:00:00.000Z' }),
    'IT: its first bucket is 1989-12-01T00:00:00.000Z, where no month since 1990 begins, or it ends at 2026-05-20T09:30:00.000Z',
  ],
  'a total is the one before and what its bucket counts': [
    '7d',
    (timeline) => add(bucketOf(timeline, '2026-05-17'), 'votes', 1),
    'votes in bucket 2026-05-17T00:00:00.000Z: 2 in IT, but 1 in the totals of IT',
  ],
  'what has no date is as in the other timelines': [
    '7d',
    (timeline) => add(timeline.undated, 'launchedIdeas', 7),
    'undated launched ideas: 1 in analytics/timeline/24h.json, but 8 in IT',
  ],
  'the first total of `all` is what has no date and its bucket': [
    'all',
    (timeline) => add(timeline.undated, 'launchedIdeas', 7),
    'undated launched ideas: 8 in IT, but 1 in the totals of IT',
  ],
  'a count is a whole number': [
    '7d',
    (timeline) => add(bucketOf(timeline, '2026-05-17'), 'votes', 0.5),
    'votes in bucket 2026-05-17T00:00:00.000Z: not a whole number from 0 on in IT',
  ],
  'a total is a whole number': [
    '7d',
    (timeline) => Object.assign(bucketOf(timeline, '2026-05-17'), { totalIdeas: null }),
    'ideas in bucket 2026-05-17T00:00:00.000Z: not a whole number from 0 on in the totals of IT; the same in 1 more number',
  ],
  'what has no date is a whole number': [
    '7d',
    ({ undated }) => delete undated['comments'],
    'undated comments: not a whole number from 0 on in IT',
  ],
}

it.each(Object.entries(TIMELINE_RULES))('a timeline: %s', async (_, [span, mutate, fault]) => {
  const release = whole.copy()
  mutate(release.timeline(span))
  await expectFault(release, `analytics/timeline/${span}.json`, fault)
})

it.each(Object.entries(TIMELINE_RULES))('a timeline of a category: %s', (_, [span, mutate, fault]) => {
  const release = whole.copy()
  mutate(release.category('Design').timelines[span])
  const [sentence, ...more] = release.gate()
  expect(more).toEqual([])
  // Its numbers are others.
  expect(sentence).toMatch(DESIGN)
  expect(sentence).toContain(`timelines.${span}`)
  expect(sentence).toContain(fault.replace(/^IT: /, '').split(/ is | are |: \d|: not /)[0])
})

type OutcomeRule = readonly [mutate: (outcomes: Outcomes) => void, fault: string]

const yearOf = ({ years }: Outcomes, at: number): Row => years[at] ?? {}
const firstOf = (outcomes: Outcomes, at: number): Row => yearOf(outcomes, at)['firstYear'] as unknown as Row
const CHANGED = 'IT: the year 2025 has other numbers than its cohorts'

const OUTCOME_RULES: Readonly<Record<string, OutcomeRule>> = {
  'they are of the time zone of their release': [
    (outcomes) => Object.assign(outcomes, { timeZone: 'Asia/Tokyo' }),
    'IT: cohorts: its timeZone is Asia/Tokyo, not UTC',
  ],
  'a status counts': [
    ({ statuses }) => Object.assign(statuses[0] ?? {}, { votes: '10' }),
    'votes of status "done": not a whole number from 0 on in IT',
  ],
  'no more launches are dated than there are': [
    ({ launched }) => add(launched, 'dated', 3),
    'launched ideas of months less launched.dated: -2 in IT, but 1 in launchedUndated of IT',
  ],
  'the launched ideas count': [
    ({ launched }) => add(launched, 'dated', -5),
    'launched ideas of months less launched.dated: not a whole number from 0 on in IT',
  ],
  'a month follows on the one before': [
    ({ cohorts }) => cohorts.splice(4, 1),
    'IT: cohorts: 16 months, its window has 17',
  ],
  'a cohort is of a month': [
    ({ cohorts }) => Object.assign(cohorts[4] ?? {}, { month: '2025-05-02T00:00:00.000Z' }),
    'IT: cohorts: month 5 is 2025-05-02T00:00:00.000Z, not 2025-05-01T00:00:00.000Z',
  ],
  'IT: the cohorts begin with a month': [
    ({ cohorts }) => Object.assign(cohorts[0] ?? {}, { month: 'soon' }),
    'IT: cohorts: its first month is soon, where no month since 1990 begins, or it ends at 2026-05-20T09:30:00.000Z',
  ],
  'IT: the cohort without a month is the last': [
    ({ cohorts }) => cohorts.unshift(...cohorts.splice(-1)),
    'IT: cohorts: its first month is null, where no month since 1990 begins, or it ends at 2026-05-20T09:30:00.000Z',
  ],
  'the months reach to the last': [({ cohorts }) => cohorts.splice(16, 1), 'IT: cohorts: 16 months, its window has 17'],
  'a cohort counts': [
    ({ cohorts }) => Object.assign(cohorts[2] ?? {}, { votedIdeas: null }),
    'votedIdeas of the cohort of 2025-03-01T00:00:00.000Z: not a whole number from 0 on in IT',
  ],
  'no more ideas are launched than there are': [
    ({ cohorts, years }) => [cohorts[2], years[0]].forEach((row) => add(row, 'launchedIdeas', 1)),
    'total launched ideas: 6 in launched.ideas of IT, but 7 in the cohorts of IT',
  ],
  'the launches that are known are dated': [
    ({ launched }) => add(launched, 'dated', -2),
    'launched ideas of months less launched.dated: 3 in IT, but 1 in launchedUndated of IT',
  ],
  'a launch without a date is a launch': [
    ({ cohorts }) => add(cohorts[6], 'launchedUndated', 9),
    'launched ideas of months less launched.dated: 1 in IT, but 10 in launchedUndated of IT',
  ],
  'the years are those of the cohorts': [
    ({ years }) => years?.pop(),
    'IT: its years are 2025-01-01T00:00:00.000Z, but those of its cohorts 2025-01-01T00:00:00.000Z,2026-01-01T00:00:00.000Z',
  ],
  'a year has the ideas of its months': [(outcomes) => add(yearOf(outcomes, 0), 'ideas', 1), CHANGED],
  'a year has the launches of its months': [(outcomes) => add(yearOf(outcomes, 0), 'launchedIdeas', 1), CHANGED],
  'the first year of all is that of its years': [
    (outcomes) => add(outcomes.firstYear, 'launchedUndated', 1),
    'IT: firstYear.launchedUndated is not the sum of its years',
  ],
  'no more ideas have had a year than there are': [
    (outcomes) => {
      for (const first of [firstOf(outcomes, 0), outcomes.firstYear]) add(first, 'ideas', 9)
    },
    CHANGED,
  ],
  'all of an old month have had one': [
    (outcomes) => {
      for (const first of [firstOf(outcomes, 0), outcomes.firstYear]) add(first, 'launched', -2)
    },
    CHANGED,
  ],
}

it.each(Object.entries(OUTCOME_RULES))('outcomes: %s', async (_, [mutate, fault]) => {
  const release = whole.copy()
  mutate(release.outcomes())
  await expectFault(release, 'analytics/outcomes.json', fault)
})

it('a release of another zone has none of its documents', () => {
  const options = { ...whole.manifest.options, timeZone: 'Europe/Madrid' }
  const faults = whole.gate({ options })
  expect(faults).toHaveLength(19)
  expect(faults).toContain(
    'analytics/export/timeline/30d.json: bucket 1 is 2026-04-20T00:00:00.000Z, not 2026-04-20T00:00:00.000+02:00',
  )
  expect(faults).toContain('analytics/outcomes.json: cohorts: its timeZone is missing, not Europe/Madrid')
})
