// Owns what every field of the JSON documents means. Types come from schemas.ts, and rows of exports from columns.ts; a field
// without a sentence fails. Knows no document.
import { columnsOf } from './columns.ts'
import { EXPORT_TYPES } from './endpoints.ts'
import { exportSchemaName, SCHEMAS, type Schema } from './schemas.ts'

export interface Field {
  /** `buckets[].votes`: `[]` = of each element of a list. */
  readonly path: string
  /** As JSON has it: `integer`, `string or null`. */
  readonly type: string
  readonly description: string
}

/** In any document. */
const EVERYWHERE: Readonly<Record<string, string>> = {
  dataAsOf: 'The instant that all numbers describe.',
  generatedAt: 'When this answer was made; in a file, when the release was built.',
  version: 'The version of the format.',
  period: 'The period that was asked for.',
  from: 'When the window begins (included); null = everything before `to`.',
  to: 'When the window ends (excluded): dataAsOf; of people, it may be a midnight.',
  category: 'The category that was asked for; null = all ideas.',
}

const STATS: Readonly<Record<string, string>> = {
  stats: 'The totals.',
  'stats.totalUsers': 'All accounts.',
  'stats.totalIdeas': 'All ideas.',
  'stats.totalVotes': 'All votes. Only votes above zero count, each as one.',
  'stats.totalComments': 'All comments.',
  'stats.launchedIdeas': 'All launched ideas.',
  'stats.activeCategories': 'Categories with at least one idea.',
  metrics: 'Ratios of the totals, with at most two decimals; 0 where the divisor is 0.',
  'metrics.avgVotesPerIdea': 'Votes for each idea.',
  'metrics.avgCommentsPerIdea': 'Comments for each idea.',
  'metrics.launchSuccessRate': 'Launched ideas as a percentage of all ideas.',
  topCategories: 'The categories with most ideas.',
  'topCategories[].category': 'The name of the category.',
  'topCategories[].count': 'Its ideas.',
}

const TRENDING: Readonly<Record<string, string>> = {
  limit: 'How many ideas there are at most.',
  count: 'How many ideas there are.',
  ideas: 'The ideas with most engagement in the window, best first; none with a score of 0.',
  'ideas[].rank': 'The place, from 1 on.',
  'ideas[].id': 'The id of the idea on the platform: an opaque text.',
  'ideas[].title': 'The title of the idea.',
  'ideas[].category': 'The category that was asked for, or all its categories joined with "; ".',
  'ideas[].categories': 'All its categories.',
  'ideas[].status': 'What the platform has made of it, in its own words.',
  'ideas[].url': 'Where the idea is: an address, or a path of the platform.',
  'ideas[].score': 'Votes and comments in the window, each with its weight.',
  'ideas[].votes': 'Votes in the window.',
  'ideas[].comments': 'Comments in the window.',
  'ideas[].previousScore': 'The score in the window before.',
  'ideas[].totalVotes': 'All its votes.',
  'ideas[].totalComments': 'All its comments.',
  'ideas[].createdAt': 'When it was created.',
  'ideas[].launchedAt': 'When it was launched; null = not launched, or without a date.',
}

const CATEGORIES: Readonly<Record<string, string>> = {
  count: 'How many categories there are.',
  categories: 'Every category, also those with zeros; by ideas, then votes, then name.',
  ...prefixed('categories[].', columnsOf('categories')),
  totals: 'The same numbers of all ideas together, each counted once.',
  ...prefixed('totals.', columnsOf('categories')),
}

const TIMELINE: Readonly<Record<string, string>> = {
  interval: 'The width of a bucket.',
  count: 'How many buckets there are.',
  buckets: 'Ascending, also those with zeros.',
  ...prefixed('buckets[].', columnsOf('timeline')),
  'buckets[].totalIdeas': 'Ideas created up to the end of the bucket.',
  'buckets[].totalVotes': 'Votes cast up to the end of the bucket, of those that exist now.',
  'buckets[].totalComments': 'Comments written up to the end of the bucket, of those that exist now.',
  'buckets[].totalLaunchedIdeas': 'Ideas launched up to the end of the bucket.',
  undated: 'Rows without a date: in every total, but in no bucket.',
  'undated.ideas': 'Ideas without a date.',
  'undated.votes': 'Votes without a date.',
  'undated.comments': 'Comments without a date.',
  'undated.launchedIdeas': 'Launched ideas whose launch has no date.',
}

const OUTCOMES: Readonly<Record<string, string>> = {
  statuses: 'Ideas by status, most first; last those without a status.',
  'statuses[].status': 'The status, in the words of the platform; null = ideas without one.',
  'statuses[].ideas': 'Ideas with this status now.',
  'statuses[].votes': 'All votes on them.',
  'statuses[].comments': 'All comments on them.',
  'statuses[].shareOfIdeas': 'Their share of the ideas, in percent.',
  launched: 'The launched ideas.',
  'launched.ideas': 'How many there are.',
  'launched.votes': 'All votes on them.',
  'launched.shareOfVotes': 'The percentage of all votes that are on launched ideas.',
  'launched.dated': 'Launches whose creation and launch have a date: what the days are counted from.',
  'launched.medianDays': 'Half of them took at most so many days from creation to launch; null without one.',
  'launched.p90Days': 'Nine of ten took at most so many days; null without one.',
  cohorts: 'The ideas created in one UTC month, ascending; last those without a date.',
  ...prefixed('cohorts[].', columnsOf('outcomes')),
}

const PROBLEM: Readonly<Record<string, string>> = {
  error: 'A short title, one for each status.',
  message: 'One or more sentences: what is wrong, and what is allowed.',
}

const EXPORT: Readonly<Record<string, string>> = {
  type: 'Which table it is.',
  data: 'The rows: the same as in the CSV.',
  rowCount: 'How many rows there are.',
}

const MEANINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Stats: STATS,
  Trending: TRENDING,
  Categories: CATEGORIES,
  Timeline: TIMELINE,
  Outcomes: OUTCOMES,
  ...Object.fromEntries(
    EXPORT_TYPES.map((type) => [exportSchemaName(type), { ...EXPORT, ...prefixed('data[].', columnsOf(type)) }]),
  ),
  Problem: PROBLEM,
}

/** Every field of a document (a name in SCHEMAS), in its order; objects and lists before what is in them. */
export function fieldsOf(document: string): readonly Field[] {
  const meanings: Readonly<Record<string, string>> = { ...EVERYWHERE, ...MEANINGS[document] }
  return [...walk('', SCHEMAS[document] ?? {})].map(([path, schema]) => {
    const description = meanings[path]
    if (description === undefined) throw new Error(`field ${path} of ${document} has no meaning`)
    return { path, type: typeOf(schema), description }
  })
}

function prefixed(
  prefix: string,
  columns: readonly { readonly name: string; readonly description: string; readonly empty?: string }[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    columns.map(({ name, description, empty }) => [
      `${prefix}${name}`,
      empty === undefined ? description : `${description} null: ${empty}`,
    ]),
  )
}

function* walk(prefix: string, schema: Schema): Generator<readonly [path: string, schema: Schema]> {
  for (const [name, one] of Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Schema>>)) {
    yield [prefix + name, one]
    if (one['properties'] !== undefined) yield* walk(`${prefix}${name}.`, one)
    const items = one['items'] as Schema | undefined
    if (items?.['properties'] !== undefined) yield* walk(`${prefix}${name}[].`, items)
  }
}

function typeOf(schema: Schema): string {
  const values = schema['enum'] as readonly unknown[] | undefined
  if (values !== undefined) return `one of ${values.join(', ')}`
  if (schema['const'] !== undefined) return JSON.stringify(schema['const'])
  const items = schema['items'] as Schema | undefined
  if (items !== undefined) return `list of ${items['properties'] === undefined ? `${typeOf(items)}s` : 'objects'}`
  const format = schema['format'] === 'date-time' ? 'time' : schema['format'] === 'date' ? 'date' : null
  return [schema['type']]
    .flat()
    .map((type) => (type === 'string' && format !== null ? format : String(type)))
    .join(' or ')
}
