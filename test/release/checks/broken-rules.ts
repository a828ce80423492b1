// What each rule of src/release/checks/ sees and says: a change of a release that breaks it. Of a single number that is another one, which
// compared-fields.test.ts changes at every place, there is no case.
import { PERIODS } from '../../../src/contract/windows.ts'
import {
  add,
  addBefore,
  cohortOf,
  move,
  NOTHING,
  rowOf,
  type MutableRelease,
  type Outcomes,
  type Row,
  type Timeline,
} from '../verify/mutable-release.ts'
import { richIdeas } from './rich-ideas.ts'

/** @param Of what is changed */
type Rules<Of = MutableRelease> = Readonly<Record<string, readonly [mutate: (of: Of) => void, ...sentences: string[]]>>

/** One less in a row, and one more in another. */
function shift(field: string, less: Row | undefined, more: Row | undefined): void {
  add(less, field, -1)
  add(more, field, 1)
}

function moveToHour8(release: MutableRelease): void {
  move(release.category('Design').timelines['24h'], 'votes', '2026-05-20T09', '2026-05-20T08')
  const hour = (name: string): Row => rowOf(release.rows('timeline-by-category', '24h'), `2026-05-20T${name}`, 'Design')
  shift('votes', hour('09'), hour('08'))
}

/** Ideas may be in two categories. */
const RULES: Rules = {
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
  'what has no date and the buckets are the totals': [
    (release) => {
      const { buckets, undated } = release.timeline('all')
      for (const bucket of buckets) add(bucket, 'totalComments', 1)
      add(undated, 'comments', 1)
    },
    'total comments: 8 in comments of analytics/export/ideas/all.json, but 9 in the totals of analytics/timeline/all.json',
    'undated comments: 1 in analytics/timeline/24h.json, but 2 in analytics/timeline/all.json and another in 1 more',
  ],
  'the days of all timelines agree': [
    (release) => move(release.timeline('30d'), 'votes', '2026-04-29', '2026-05-02'),
    'votes in bucket 2026-04-29: 1 in analytics/export/timeline/30d.json, but 0 in analytics/timeline/30d.json and another in 1 more; the same in 1 more number',
  ],
  'days before the windows are in the export, too': [
    (release) => move(release.timeline('all-by-day'), 'ideas', '2025-03-01', '2025-03-15'),
    'ideas in bucket 2025-03-01: 0 in analytics/timeline/all-by-day.json, but 1 in analytics/export/timeline/all-by-day.json; the same in 1 more number',
  ],
  'a day that the window cuts is as in its export': [
    (release) => add(rowOf(release.rows('timeline', '7d'), '2026-05-13', null), 'votes', 1),
    'votes in bucket 2026-05-13 of 7d: 1 in analytics/export/timeline/7d.json, but 0 in analytics/timeline/7d.json',
  ],
  'the days of a month sum to it': [
    (release) => {
      move(release.timeline('all'), 'votes', '2025-07', '2025-08')
      const rows = release.rows('timeline', 'all')
      shift('votes', rowOf(rows, '2025-07', null), rowOf(rows, '2025-08', null))
    },
    'votes in bucket 2025-07-01: 2 in analytics/export/timeline/all.json, but 3 in the days of analytics/timeline/all-by-day.json; the same in 1 more number',
  ],
  'a cohort has the ideas that were created in its month': [
    (release) => {
      const { cohorts } = release.outcomes()
      for (const key of ['ideas', 'votedIdeas', 'launchedIdeas', 'launchedWithin365Days', 'knownWithin365Days'])
        shift(key, cohortOf(cohorts, '2025-03'), cohortOf(cohorts, '2025-04'))
    },
    'ideas of the cohort of 2025-03-01: 2 in analytics/export/outcomes/all.json, but 1 in analytics/outcomes.json; the same in 9 more numbers',
  ],
  'categories count in their files what the categories documents count': [
    (release) => {
      for (const rows of [release.categories('30d'), release.rows('categories', '30d')])
        shift('votes', rowOf(rows, '', 'Design'), rowOf(rows, '', 'Product'))
    },
    'votes in 30d of category "Design": 7 in analytics/category/design-0072e6b93494.json, but 6 in analytics/categories/30d.json; the same in 1 more number',
  ],
  'categories count in the rows of the timeline export what their files count': [
    (release) => {
      const rows = release.rows('timeline-by-category', '30d')
      shift('votes', rowOf(rows, '2026-05-17', 'Design'), rowOf(rows, '2026-05-17', 'Product'))
    },
    'votes in 30d of category "Design": 7 in analytics/categories/30d.json, but 6 in analytics/export/timeline-by-category/30d.json; the same in 1 more number',
  ],
  'categories sum to the same in every bucket of files and export': [
    (release) => {
      const rows = release.rows('timeline-by-category', '30d')
      shift('votes', rowOf(rows, '2026-05-20', 'Design'), rowOf(rows, '2026-05-17', 'Design'))
    },
    'votes in bucket 2026-05-17 summed over the categories: 2 in analytics/export/timeline-by-category/7d.json, but 3 in analytics/export/timeline-by-category/30d.json; the same in 1 more number',
  ],
  'categories sum to at least all ideas in every bucket': [
    moveToHour8,
    'votes in bucket 2026-05-20T09:00:00.000Z: the categories sum to 1 less than all ideas, but every idea is in one at least',
  ],
  'categories sum to at least all ideas in what has no date': [
    (release) => {
      for (const category of ['Design', 'Product']) {
        const { timelines } = release.category(category)
        for (const period of PERIODS) add(timelines[period].undated, 'votes', -1)
        const { buckets } = timelines.all
        const at = buckets.findIndex(({ bucket }) => bucket.startsWith('2025-07'))
        add(buckets[at], 'votes', 1)
        for (const bucket of buckets.slice(0, at)) add(bucket, 'totalVotes', -1)
        const rows = release.rows('timeline-by-category', 'all')
        shift('votes', rowOf(rows, 'null', category), rowOf(rows, '2025-07', category))
      }
    },
    'undated votes: the categories sum to 1 less than all ideas, but every idea is in one at least',
  ],
  'no category has a bucket that all ideas do not have': [
    (release) => {
      move(release.category('Design').timelines['24h'], 'comments', '2026-05-20T09', '2026-05-20T05')
      const rows = release.rows('timeline-by-category', '24h')
      add(rowOf(rows, '2026-05-20T09', 'Design'), 'comments', -1)
      rows.push({ bucket: '2026-05-20T05:00:00.000Z', category: 'Design', ...NOTHING, comments: 1 })
    },
    'comments in bucket 2026-05-20T05:00:00.000Z: the categories sum to 1 more than all ideas, but all ideas have none; the same in 1 more number',
  ],
  'the launched ideas of outcomes are the total': [
    (release) => {
      add(release.outcomes().launched, 'ideas', 1)
    },
    'total launched ideas: 7 in launched.ideas of analytics/outcomes.json, but 6 in the cohorts of analytics/outcomes.json',
  ],
  'categories sum to at least all ideas in every status': [
    (release) => shift('comments', release.outcomes().statuses[0], release.outcomes().statuses[2]),
    'comments of the status null: the categories sum to 1 less than all ideas, but every idea is in one at least',
  ],
  'categories sum to at least all ideas in every cohort': [
    (release) => {
      const { cohorts } = release.outcomes()
      const rows = (span: string): Row[] => release.rows('outcomes', span)
      for (const span of ['30d', '90d']) add(cohortOf(rows(span), '2026-04', null), 'discussedIdeas', -1)
      shift('discussedIdeas', cohortOf(rows('all'), '2026-04', null), cohortOf(rows('all'), '2025-03', null))
      shift('discussedIdeas', cohortOf(cohorts, '2026-04'), cohortOf(cohorts, '2025-03'))
    },
    'discussedIdeas of the cohort of 2025-03-01: the categories sum to 1 less than all ideas, but every idea is in one at least; the same in 1 more number',
  ],
  'categories sum to at least all ideas in launches within some days': [
    (release) => {
      add(cohortOf(release.rows('outcomes', 'all'), '2025-03', null), 'launchedWithin30Days', 1)
      add(cohortOf(release.outcomes().cohorts, '2025-03'), 'launchedWithin30Days', 1)
    },
    'launchedWithin30Days of the cohort of 2025-03-01: the categories sum to 1 less than all ideas, but every idea is in one at least',
  ],
  'the launched ideas of categories have at least the votes of all ideas': [
    (release) => add(release.category('Design').outcomes.launched, 'votes', -1),
    'votes of launched ideas: the categories sum to 1 less than all ideas, but every idea is in one at least',
  ],
  'the export of a timeline has its buckets': [
    (release) => void release.rows('timeline', '90d').shift(),
    'analytics/export/timeline/90d.json: 90 buckets, its window has 91',
  ],
  'no row of a category counts nothing': [
    (release) => {
      release.rows('timeline-by-category', '7d').push({ bucket: '2026-05-16', category: 'Design', ...NOTHING })
    },
    'analytics/export/timeline-by-category/7d.json: row 9: it counts nothing',
  ],
  'no row of a category is of a bucket that is none of the window': [
    (release) => {
      rowOf(release.rows('timeline-by-category', '7d'), '2026-05-17', 'Design')['bucket'] = '2026-05-01'
    },
    'analytics/export/timeline-by-category/7d.json: its bucket 2026-05-01 is none of its window',
  ],
  'no row of a category in a window is without a date': [
    (release) => {
      rowOf(release.rows('timeline-by-category', '7d'), '2026-05-17', 'Design')['bucket'] = null
    },
    'analytics/export/timeline-by-category/7d.json: its bucket null is none of its window',
  ],
  'no row of a category in all time is of no month': [
    (release) => {
      rowOf(release.rows('timeline-by-category', 'all'), '2026-05', 'Design')['bucket'] = '2026-05-02'
    },
    'analytics/export/timeline-by-category/all.json: its bucket 2026-05-02 is none of its window',
  ],
  'no cohort of a category is of a month that does not touch the window': [
    (release) =>
      void release
        .rows('outcomes-by-category', '24h')
        .push(cohortOf(release.rows('outcomes-by-category', 'all'), '2025-03', 'Design')),
    'analytics/export/outcomes-by-category/24h.json: its month 2025-03-01 is none of its window',
  ],
  'what has no date is in the rows by category': [
    (release) => {
      const rows = release.rows('timeline-by-category', 'all')
      rows.splice(rows.indexOf(rowOf(rows, 'null', 'Design')), 1)
    },
    'total votes of category "Design": 11 in analytics/categories/all.json, but 10 in analytics/export/timeline-by-category/all.json; the same in 1 more number',
  ],
  'what has no date is in no bucket of the rows by category': [
    (release) => {
      const rows = release.rows('timeline-by-category', 'all')
      shift('votes', rowOf(rows, 'null', 'Design'), rowOf(rows, '2025-07', 'Design'))
    },
    'votes in bucket 2025-07-01 summed over the categories: 4 in analytics/export/timeline-by-category/all.json, but 3 in the files of categories; the same in 1 more number',
  ],
  'cohorts by category are as in their files': [
    (release) => add(cohortOf(release.rows('outcomes-by-category', 'all'), '2025-03', 'Design'), 'launchedIdeas', 1),
    'launchedIdeas of the cohort of 2025-03-01 summed over the categories: 3 in analytics/export/outcomes-by-category/all.json, but 2 in the files of categories',
  ],
  'a category without rows counts nothing': [
    (release) => {
      const rows = release.rows('timeline-by-category', '90d')
      const own = rows.filter(({ category }) => category === 'Design')
      rows.splice(rows.indexOf(own[0]!), own.length)
    },
    'ideas in 90d of category "Design": 3 in analytics/categories/90d.json, but 0 in analytics/export/timeline-by-category/90d.json; the same in 3 more numbers',
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
  'the timelines of a category have the same totals': [
    (release) => {
      for (const bucket of release.category('Design').timelines['30d'].buckets) add(bucket, 'totalVotes', 1)
    },
    'analytics/category/design-0072e6b93494.json: total votes: 11 in the statuses of outcomes, but 12 in the totals of timelines.30d',
  ],
  'the days of a category agree': [
    (release) => move(release.category('Product').timelines['30d'], 'votes', '2026-05-19', '2026-05-02'),
    'analytics/category/product-fb9ef894175c.json: votes in bucket 2026-05-02: 1 in the totals of timelines.30d, but 0 in the totals of timelines.90d and another in 1 more; the same in 1 more number',
  ],
  'the cohorts of a category have the ideas of its months': [
    (release) => {
      const { cohorts } = release.category('Product').outcomes
      const [february, march] = [cohortOf(cohorts, '2025-02'), cohortOf(cohorts, '2025-03')]
      ;[february['month'], march['month']] = [march['month'] ?? null, february['month'] ?? null]
      cohorts.splice(1, 2, march, february)
    },
    'analytics/category/product-fb9ef894175c.json: ideas of the cohort of 2025-02-01: 1 in outcomes, but 0 in timelines.all; the same in 1 more number',
  ],
}

/** Where no idea is in two categories, they sum to no more than all ideas either. */
const WITHOUT_SHARED: Rules = {
  'a bucket': [
    moveToHour8,
    'votes in bucket 2026-05-20T08:00:00.000Z: the categories sum to 1 more than all ideas, but no idea is in two; the same in 1 more number',
  ],
  'a status': [
    (release) => shift('comments', release.outcomes().statuses[0], release.outcomes().statuses[1]),
    'comments of status "done": the categories sum to 1 more than all ideas, but no idea is in two; the same in 1 more number',
  ],
}

/** Of the sample release without what is over time. */
export const TOTALS: Rules = {
  'a total that the manifest states otherwise': [
    (draft) => (draft.manifest = { ...draft.manifest, rows: { ...draft.manifest.rows, comments: 5 } }),
    'total comments: 4 in comments of analytics/export/ideas/all.json, but 5 in rows of manifest.json',
  ],
  'an ideas export that lost a row in both formats': [
    (draft) => void draft.rows('ideas', '7d').pop(),
    'ideas in 7d: 2 in ideas of analytics/export/overview/7d.json, but 1 in rows of analytics/export/ideas/7d.json',
  ],
  'a category that is not listed in one period': [
    (draft) => void draft.categories('24h').pop(),
    'listed categories: 2 in analytics/categories/30d.json, but 1 in analytics/categories/24h.json',
  ],
  'a value that is no number': [
    (draft) => (draft.metric('24h', 'comments')['value'] = null),
    'comments in 24h: not a whole number from 0 on in comments of analytics/export/overview/24h.json',
  ],
  'a metric that is left out of both formats': [
    (draft) => void draft.rows('overview', '90d').splice(1, 1),
    'active users in 90d: not a whole number from 0 on in activeUsers of analytics/export/overview/90d.json',
  ],
  'a row of an idea that says that it is launched': [
    (draft) => Object.assign(draft.rows('ideas', 'all')[0] ?? {}, { launched: true }),
    'total launched ideas: 0 in launchedIdeas of analytics/export/history/all.json, but 1 in launched of analytics/export/ideas/all.json',
  ],
  'categories that sum to less than all ideas, in two periods': [
    (draft) => {
      for (const period of ['30d', '90d'] as const)
        for (const rows of [draft.categories(period), draft.rows('categories', period)])
          for (const row of rows) row['votes'] = 0
    },
    'votes in 30d: the categories sum to 2 less than all ideas, but every idea is in one at least; the same in 1 more number',
  ],
  'categories that sum to more than all ideas where no idea is in two': [
    (draft) => (draft.sharedIdeas = 0),
    'comments in 24h: the categories sum to 1 more than all ideas, but no idea is in two; the same in 14 more numbers',
  ],
  'categories that sum to more than all ideas, as a release that is read back shows by its ideas': [
    (draft) => {
      draft.sharedIdeas = null
      for (const period of PERIODS)
        for (const rows of [draft.categories(period), draft.rows('categories', period)]) {
          const row = rows.find(({ category }) => String(category) === 'Product')
          for (const key of ['ideas', 'totalIdeas', 'votes', 'previousComments']) if (row !== undefined) row[key] = 0
        }
    },
    'comments in 24h: the categories sum to 1 more than all ideas, but no idea is in two; the same in 4 more numbers',
  ],
}

/** IT is the document, of all ideas or of a category. */
export const TIMELINES: Readonly<
  Record<string, readonly [span: '7d' | 'all', mutate: (of: Timeline) => void, sentence: string]>
> = {
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
    ({ buckets }) => buckets.splice(2, 1, { ...buckets[2], bucket: '2026-05-16' }),
    'IT: bucket 3 is 2026-05-16, not 2026-05-15',
  ],
  '`all` begins with a month': [
    'all',
    ({ buckets }) => buckets.splice(0, 1, { ...buckets[0], bucket: '2025-01-02' }),
    'IT: its first bucket is 2025-01-02, where no month since 1990 begins, or it ends at 2026-05-20T09:30:00.000Z',
  ],
  '`all` does not begin before 1990': [
    'all',
    ({ buckets }) => buckets.splice(0, 1, { ...buckets[0], bucket: '1989-12-01' }),
    'IT: its first bucket is 1989-12-01, where no month since 1990 begins, or it ends at 2026-05-20T09:30:00.000Z',
  ],
  'a total is a whole number': [
    '7d',
    (timeline) => Object.assign(timeline.buckets[4] ?? {}, { totalIdeas: null }),
    'ideas in bucket 2026-05-17: not a whole number from 0 on in the totals of IT; the same in 1 more number',
  ],
  'what has no date is a whole number': [
    '7d',
    ({ undated }) => delete undated['comments'],
    'undated comments: not a whole number from 0 on in IT',
  ],
}

const OUTCOMES: Rules<Outcomes> = {
  'they are of the time zone of their release': [
    (outcomes) => Object.assign(outcomes, { timeZone: 'Asia/Tokyo' }),
    'IT: cohorts: its timeZone is Asia/Tokyo, not UTC',
  ],
  'a status counts': [
    ({ statuses }) => Object.assign(statuses[0] ?? {}, { votes: '10' }),
    'votes of status "done": not a whole number from 0 on in IT',
  ],
  'a month follows on the one before': [
    ({ cohorts }) => cohorts.splice(4, 1),
    'IT: cohorts: 16 months, its window has 17',
  ],
  'a cohort is of a month': [
    ({ cohorts }) => Object.assign(cohorts[4] ?? {}, { month: '2025-05-02' }),
    'IT: cohorts: month 5 is 2025-05-02, not 2025-05-01',
  ],
  'IT: the cohorts begin with a month': [
    ({ cohorts }) => Object.assign(cohorts[0] ?? {}, { month: 'soon' }),
    'IT: cohorts: its first month is soon, where no month since 1990 begins, or it ends at 2026-05-20T09:30:00.000Z',
  ],
  'IT: the cohort without a month is the last': [
    ({ cohorts }) => cohorts.unshift(...cohorts.splice(-1)),
    'IT: cohorts: its first month is null, where no month since 1990 begins, or it ends at 2026-05-20T09:30:00.000Z',
  ],
  'no more ideas are launched than there are': [
    ({ cohorts }) => add(cohorts[2], 'launchedIdeas', 1),
    'total launched ideas: 6 in launched.ideas of IT, but 7 in the cohorts of IT',
  ],
}

export const RELEASES = { shared: richIdeas(), plain: richIdeas({ shared: false }) } as const

interface Case {
  readonly rule: string
  readonly of: keyof typeof RELEASES
  readonly mutate: (release: MutableRelease) => void
  readonly sentences: readonly string[]
}

/** All that `verify` sees, too. */
export const BROKEN: readonly Case[] = [
  ...Object.entries(RULES).map(([rule, [mutate, ...sentences]]): Case => ({ rule, of: 'shared', mutate, sentences })),
  ...Object.entries(WITHOUT_SHARED).map(([rule, [mutate, ...sentences]]): Case => ({
    rule: `without shared ideas: ${rule}`,
    of: 'plain',
    mutate,
    sentences,
  })),
  ...Object.entries(TIMELINES).map(([rule, [span, mutate, sentence]]): Case => {
    const sentences = [sentence.replaceAll('IT', `analytics/timeline/${span}.json`)]
    return { rule: `a timeline: ${rule}`, of: 'shared', mutate: (release) => mutate(release.timeline(span)), sentences }
  }),
  ...Object.entries(OUTCOMES).map(([rule, [mutate, sentence = '']]): Case => {
    const sentences = [sentence.replaceAll('IT', 'analytics/outcomes.json')]
    return { rule: `outcomes: ${rule}`, of: 'shared', mutate: (release) => mutate(release.outcomes()), sentences }
  }),
]
