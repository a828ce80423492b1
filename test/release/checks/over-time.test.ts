// src/release/checks/kinds/ of what is over time, and the relations between what they state: relations.ts. Each rule
// has a mutation that breaks it, as the gate sees it and as `verify` does.
// real test: nearly every case writes a whole release, which takes up to a second.
// long test: writes or reads whole releases for each case
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PERIODS } from '../../../src/contract/windows.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { add, addBefore, cohortOf, move, MutableRelease, NOTHING, rowOf } from '../verify/mutable-release.ts'
import { richIdeas } from './rich-ideas.ts'

/** Ideas may be in two categories, or none is. */
const [folder, otherFolder] = [temporaryFolder(afterAll), temporaryFolder(afterAll)]
let shared: MutableRelease
let plain: MutableRelease
beforeAll(async () => {
  shared = await MutableRelease.of(folder, richIdeas({ shared: true }))
  plain = await MutableRelease.of(otherFolder, richIdeas({ shared: false }))
})

type Rule = [mutate: (release: MutableRelease) => void, ...sentences: string[]]

function moveToHour8(release: MutableRelease): void {
  move(release.category('Design').timelines['24h'], 'votes', '2026-05-20T09', '2026-05-20T08')
  add(rowOf(release.rows('timeline', '24h'), '2026-05-20T09', 'Design'), 'votes', -1)
  add(rowOf(release.rows('timeline', '24h'), '2026-05-20T08', 'Design'), 'votes', 1)
}

const totalsOfAll = (span: string): Rule => [
  (release) => {
    const { buckets, undated } = release.timeline(span)
    for (const bucket of buckets) add(bucket, 'totalComments', 1)
    add(undated, 'comments', 1)
  },
  `total comments: 8 in comments of analytics/export/ideas/all.json, but 9 in the totals of analytics/timeline/${span}.json`,
  `undated comments: 1 in analytics/timeline/24h.json, but 2 in analytics/timeline/${span}.json and another in 1 more`,
]

const RULES: Readonly<Record<string, Rule>> = {
  'the buckets of a window sum to its overview': [
    (release) => {
      addBefore(release.timeline('24h'), 'votes', '2026-05-20T08')
      add(rowOf(release.rows('timeline', '24h'), '2026-05-20T08', null), 'votes', 1)
    },
    'votes in 24h: 3 in totals.votes of analytics/categories/24h.json, but 4 in analytics/timeline/24h.json',
  ],
  'the last total is that of all documents': [
    (release) => {
      for (const bucket of release.timeline('7d').buckets) add(bucket, 'totalVotes', 1)
    },
    'total votes: 17 in rows of manifest.json, but 18 in the totals of analytics/timeline/7d.json',
  ],
  'what has no date and the buckets are the totals': totalsOfAll('all'),
  'what has no date and the days are the totals': totalsOfAll('all-by-day'),
  'what has no date is the same in every timeline': [
    (release) => add(release.timeline('90d').undated, 'votes', -1),
    'undated votes: 2 in analytics/timeline/24h.json, but 1 in analytics/timeline/90d.json',
  ],
  'the days of all timelines agree': [
    (release) => move(release.timeline('30d'), 'votes', '2026-04-29', '2026-05-02'),
    'votes in bucket 2026-04-29T00:00:00.000Z: 1 in analytics/export/timeline/30d.json, but 0 in analytics/timeline/30d.json and another in 1 more; the same in 1 more number',
  ],
  'days before the windows are in the export, too': [
    (release) => move(release.timeline('all-by-day'), 'ideas', '2025-03-01', '2025-03-15'),
    'ideas in bucket 2025-03-01T00:00:00.000Z: 0 in analytics/timeline/all-by-day.json, but 1 in analytics/export/timeline/all-by-day.json; the same in 1 more number',
  ],
  'a day that the window cuts is as in its export': [
    (release) => add(rowOf(release.rows('timeline', '7d'), '2026-05-13', null), 'votes', 1),
    'votes in bucket 2026-05-13T00:00:00.000Z of 7d: 1 in analytics/export/timeline/7d.json, but 0 in analytics/timeline/7d.json',
  ],
  'the days of a month sum to it': [
    (release) => {
      move(release.timeline('all'), 'votes', '2025-07', '2025-08')
      add(rowOf(release.rows('timeline', 'all'), '2025-07', null), 'votes', -1)
      add(rowOf(release.rows('timeline', 'all'), '2025-08', null), 'votes', 1)
    },
    'votes in bucket 2025-07-01T00:00:00.000Z: 2 in analytics/export/timeline/all.json, but 3 in the days of analytics/timeline/all-by-day.json; the same in 1 more number',
  ],
  'a cohort has the ideas that were created in its month': [
    (release) => {
      const { cohorts } = release.outcomes()
      for (const key of ['ideas', 'votedIdeas', 'launchedIdeas', 'launchedWithin365Days', 'knownWithin365Days']) {
        add(cohortOf(cohorts, '2025-03'), key, -1)
        add(cohortOf(cohorts, '2025-04'), key, 1)
      }
    },
    'ideas of the cohort of 2025-03-01T00:00:00.000Z: 2 in analytics/export/outcomes/all.json, but 1 in analytics/outcomes.json; the same in 9 more numbers',
  ],
  'categories count in their files what the categories documents count': [
    (release) => {
      for (const rows of [release.categories('30d'), release.rows('categories', '30d')]) {
        add(rowOf(rows, '', 'Design'), 'votes', -1)
        add(rowOf(rows, '', 'Product'), 'votes', 1)
      }
    },
    'votes in 30d of category "Design": 7 in analytics/category/design-0072e6b93494.json, but 6 in analytics/categories/30d.json; the same in 1 more number',
  ],
  'categories count in the rows of the timeline export what their files count': [
    (release) => {
      add(rowOf(release.rows('timeline', '30d'), '2026-05-17', 'Design'), 'votes', -1)
      add(rowOf(release.rows('timeline', '30d'), '2026-05-17', 'Product'), 'votes', 1)
    },
    'votes in 30d of category "Design": 7 in analytics/categories/30d.json, but 6 in analytics/export/timeline/30d.json; the same in 1 more number',
  ],
  'categories sum to the same in every bucket of files and export': [
    (release) => {
      add(rowOf(release.rows('timeline', '30d'), '2026-05-20', 'Design'), 'votes', -1)
      add(rowOf(release.rows('timeline', '30d'), '2026-05-17', 'Design'), 'votes', 1)
    },
    'votes in bucket 2026-05-17T00:00:00.000Z summed over the categories: 2 in analytics/export/timeline/7d.json, but 3 in analytics/export/timeline/30d.json; the same in 1 more number',
  ],
  'categories sum to at least all ideas in every bucket': [
    moveToHour8,
    'votes in bucket 2026-05-20T09:00:00.000Z: the categories sum to 1 less than all ideas, but every idea is in one at least',
  ],
  'categories sum to at least all ideas in what has no date': [
    (release) => {
      for (const [category, count] of [
        ['Design', 1],
        ['Product', 1],
      ] as const) {
        const { timelines } = release.category(category)
        for (const period of PERIODS) add(timelines[period].undated, 'votes', -count)
        const { buckets } = timelines.all
        const at = buckets.findIndex(({ bucket }) => bucket.startsWith('2025-07'))
        add(buckets[at], 'votes', count)
        for (const bucket of buckets.slice(0, at)) add(bucket, 'totalVotes', -count)
        add(rowOf(release.rows('timeline', 'all'), '2025-07', category), 'votes', count)
      }
    },
    'undated votes: the categories sum to 1 less than all ideas, but every idea is in one at least',
  ],
  'no category has a bucket that all ideas do not have': [
    (release) => {
      move(release.category('Design').timelines['24h'], 'comments', '2026-05-20T09', '2026-05-20T05')
      add(rowOf(release.rows('timeline', '24h'), '2026-05-20T09', 'Design'), 'comments', -1)
      release.rows('timeline', '24h').push({
        bucket: '2026-05-20T05:00:00.000Z',
        category: 'Design',
        ...NOTHING,
        comments: 1,
      })
    },
    'comments in bucket 2026-05-20T05:00:00.000Z: the categories sum to 1 more than all ideas, but all ideas have none; the same in 1 more number',
  ],
  'the statuses sum to the totals': [
    (release) => add(release.outcomes().statuses[0], 'comments', 1),
    'total comments: 8 in comments of analytics/export/ideas/all.json, but 9 in the statuses of analytics/outcomes.json',
  ],
  'the launched ideas of outcomes are the total': [
    (release) => {
      for (const key of ['ideas', 'dated']) add(release.outcomes().launched, key, 1)
    },
    'total launched ideas: 7 in launched.ideas of analytics/outcomes.json, but 6 in the cohorts of analytics/outcomes.json',
  ],
  'categories sum to at least all ideas in every status': [
    (release) => {
      add(release.outcomes().statuses[0], 'comments', -1)
      add(release.outcomes().statuses[2], 'comments', 1)
    },
    'comments of the status null: the categories sum to 1 less than all ideas, but every idea is in one at least',
  ],
  'categories sum to at least all ideas in every cohort': [
    (release) => {
      for (const span of ['30d', '90d', 'all'])
        add(cohortOf(release.rows('outcomes', span), '2026-04', null), 'discussedIdeas', -1)
      add(cohortOf(release.outcomes().cohorts, '2026-04'), 'discussedIdeas', -1)
      add(cohortOf(release.rows('outcomes', 'all'), '2025-03', null), 'discussedIdeas', 1)
      add(cohortOf(release.outcomes().cohorts, '2025-03'), 'discussedIdeas', 1)
    },
    'discussedIdeas of the cohort of 2025-03-01T00:00:00.000Z: the categories sum to 1 less than all ideas, but every idea is in one at least; the same in 1 more number',
  ],
  'categories sum to at least all ideas in launches within some days': [
    (release) => {
      add(cohortOf(release.rows('outcomes', 'all'), '2025-03', null), 'launchedWithin30Days', 1)
      add(cohortOf(release.outcomes().cohorts, '2025-03'), 'launchedWithin30Days', 1)
    },
    'launchedWithin30Days of the cohort of 2025-03-01T00:00:00.000Z: the categories sum to 1 less than all ideas, but every idea is in one at least',
  ],
  'the votes of launched ideas are those of the table of ideas': [
    (release) => add(release.outcomes().launched, 'votes', 1),
    'votes of launched ideas: 12 in analytics/outcomes.json, but 11 in launched of analytics/export/ideas/all.json',
  ],
  'the launched ideas of categories have at least the votes of all ideas': [
    (release) => add(release.category('Design').outcomes.launched, 'votes', -1),
    'votes of launched ideas: the categories sum to 1 less than all ideas, but every idea is in one at least',
  ],
  'the export of a timeline has its buckets': [
    (release) => void release.rows('timeline', '90d').shift(),
    'analytics/export/timeline/90d.json: 90 buckets, its window has 91',
  ],
  'the export of a timeline counts what it counts': [
    (release) => add(rowOf(release.rows('timeline', 'all'), '2025-06', null), 'launchedIdeas', 1),
    'launchedIdeas in bucket 2025-06-01T00:00:00.000Z: 1 in analytics/timeline/all.json, but 2 in analytics/export/timeline/all.json',
  ],
  'no row of a category counts nothing': [
    (release) => {
      release.rows('timeline', '7d').push({ bucket: '2026-05-16T00:00:00.000Z', category: 'Design', ...NOTHING })
    },
    'analytics/export/timeline/7d.json: row 17: it counts nothing, and is of a category',
  ],
  'no row of a category is of a bucket without a row of all ideas': [
    (release) => {
      rowOf(release.rows('timeline', '7d'), '2026-05-17', 'Design')['bucket'] = '2026-05-01T00:00:00.000Z'
    },
    'analytics/export/timeline/7d.json: row 9: its bucket 2026-05-01T00:00:00.000Z has no row of all ideas before it',
  ],
  'a row counts': [
    (release) => Object.assign(rowOf(release.rows('timeline', '7d'), '2026-05-17', 'Design'), { votes: null }),
    'votes in 7d of category "Design": not a whole number from 0 on in analytics/export/timeline/7d.json',
  ],
  'a category without rows counts nothing': [
    (release) => {
      const rows = release.rows('timeline', '90d')
      const own = rows.filter(({ category }) => category === 'Design')
      rows.splice(rows.indexOf(own[0]!), own.length)
    },
    'ideas in 90d of category "Design": 3 in analytics/categories/90d.json, but 0 in analytics/export/timeline/90d.json; the same in 3 more numbers',
  ],
  'the export of outcomes has the cohorts that touch its period': [
    (release) => void release.rows('outcomes', '90d').shift(),
    'cohorts of 90d: 3 in analytics/export/outcomes/90d.json, but 4 in analytics/outcomes.json',
  ],
  'the export of outcomes has no others': [
    (release) => {
      const rows = release.rows('outcomes', '24h')
      rows.splice(1, 0, { ...cohortOf(release.rows('outcomes', 'all'), null, null) })
    },
    'analytics/export/outcomes/24h.json: 2 months, its window has 1',
  ],
  'the export of outcomes counts what they count': [
    (release) => add(cohortOf(release.rows('outcomes', 'all'), '2025-03', null), 'votedIdeas', -1),
    'votedIdeas of the cohort of 2025-03-01T00:00:00.000Z: 1 in analytics/export/outcomes/all.json, but 2 in analytics/outcomes.json',
  ],
  'the export of outcomes sums to the files of categories': [
    (release) => add(cohortOf(release.rows('outcomes', '90d'), '2026-05', 'Product'), 'discussedIdeas', -1),
    'discussedIdeas of the cohort of 2026-05-01T00:00:00.000Z summed over the categories: 3 in analytics/export/outcomes/24h.json, but 2 in analytics/export/outcomes/90d.json',
  ],
  'a cohort counts': [
    (release) => Object.assign(cohortOf(release.rows('outcomes', 'all'), '2025-03', 'Design'), { votedIdeas: null }),
    'votedIdeas of the cohort of 2025-03-01T00:00:00.000Z summed over the categories: not a whole number from 0 on in analytics/export/outcomes/all.json',
  ],
  'the timelines of a category have the same totals': [
    (release) => {
      for (const bucket of release.category('Design').timelines['30d'].buckets) add(bucket, 'totalVotes', 1)
    },
    'analytics/category/design-0072e6b93494.json: total votes: 11 in the statuses of outcomes, but 12 in the totals of timelines.30d',
  ],
  'the outcomes of a category have the totals of its timelines': [
    (release) => add(release.category('Design').outcomes.statuses[0], 'comments', 1),
    'analytics/category/design-0072e6b93494.json: total comments: 6 in the totals of timelines.24h, but 7 in the statuses of outcomes',
  ],
  'the timelines of a category have the same without a date': [
    (release) => add(release.category('Product').timelines['7d'].undated, 'votes', -1),
    'analytics/category/product-fb9ef894175c.json: undated votes: 2 in the totals of timelines.all, but 1 in timelines.7d',
  ],
  'the days of a category agree': [
    (release) => move(release.category('Product').timelines['30d'], 'votes', '2026-05-19', '2026-05-02'),
    'analytics/category/product-fb9ef894175c.json: votes in bucket 2026-05-02T00:00:00.000Z: 1 in the totals of timelines.30d, but 0 in the totals of timelines.90d and another in 1 more; the same in 1 more number',
  ],
  'the cohorts of a category have the ideas of its months': [
    (release) => {
      const { cohorts } = release.category('Product').outcomes
      const [february, march] = [cohortOf(cohorts, '2025-02'), cohortOf(cohorts, '2025-03')]
      ;[february['month'], march['month']] = [march['month'] ?? null, february['month'] ?? null]
      cohorts.splice(1, 2, march, february)
    },
    'analytics/category/product-fb9ef894175c.json: ideas of the cohort of 2025-02-01T00:00:00.000Z: 1 in outcomes, but 0 in timelines.all; the same in 1 more number',
  ],
}

/** Where no idea is in two categories, they sum to no more than all ideas either. */
const PLAIN: Readonly<Record<string, Rule>> = {
  'a bucket': [
    moveToHour8,
    'votes in bucket 2026-05-20T08:00:00.000Z: the categories sum to 1 more than all ideas, but no idea is in two; the same in 1 more number',
  ],
  'a status': [
    (release) => {
      add(release.outcomes().statuses[0], 'comments', -1)
      add(release.outcomes().statuses[1], 'comments', 1)
    },
    'comments of status "done": the categories sum to 1 more than all ideas, but no idea is in two; the same in 1 more number',
  ],
  'launches within some days': [
    (release) => {
      add(cohortOf(release.rows('outcomes', 'all'), '2025-03', null), 'launchedWithin90Days', -1)
      add(cohortOf(release.outcomes().cohorts, '2025-03'), 'launchedWithin90Days', -1)
    },
    'launchedWithin90Days of the cohort of 2025-03-01T00:00:00.000Z: the categories sum to 1 more than all ideas, but no idea is in two',
  ],
}

it.each(['shared', 'plain'])('finds nothing in a whole release: %s', async (which) => {
  const release = (which === 'shared' ? shared : plain).copy()
  expect(release.gate()).toEqual([])
  expect(await release.verify()).toEqual([])
})

async function expectFaults(release: MutableRelease, [mutate, ...sentences]: Rule): Promise<void> {
  mutate(release)
  expect(release.gate()).toEqual(sentences)
  expect(await release.verify()).toEqual(sentences)
}

it.each(Object.entries(RULES))('%s', (_, rule) => expectFaults(shared.copy(), rule))

it.each(Object.entries(PLAIN))('categories sum to all ideas where no idea is in two: %s', (_, rule) =>
  expectFaults(plain.copy(), rule),
)
