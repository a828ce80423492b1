// Exports as CSV, written out from docs/api.md: a second opinion that shares nothing with src/.

/** The columns of each type, in their order. */
export const COLUMNS = {
  overview: 'metric,value,previousValue,changePercent,yearAgoValue',
  ideas: 'id,title,category,status,createdAt,launchedAt,votes,comments,totalVotes,totalComments,url,launched',
  users: 'bucket,newUsers,totalUsers,activeUsers,ideaAuthors,voters,commenters',
  categories:
    'category,ideas,votes,comments,launchedIdeas,launchSuccessRate,avgVotesPerIdea,avgCommentsPerIdea,shareOfIdeas,' +
    'totalIdeas,previousIdeas,previousVotes,previousComments',
  timeline: 'bucket,ideas,votes,comments,launchedIdeas',
  'timeline-by-category': 'bucket,category,ideas,votes,comments,launchedIdeas',
  outcomes:
    'month,ideas,votedIdeas,discussedIdeas,launchedIdeas,launchedWithin30Days,launchedWithin90Days,' +
    'launchedWithin365Days,launchedUndated,knownWithin30Days,knownWithin90Days,knownWithin365Days',
  'outcomes-by-category':
    'category,month,ideas,votedIdeas,discussedIdeas,launchedIdeas,launchedWithin30Days,launchedWithin90Days,' +
    'launchedWithin365Days,launchedUndated,knownWithin30Days,knownWithin90Days,knownWithin365Days',
  history: 'date,dataAsOf,mapping,totalUsers,totalIdeas,totalVotes,totalComments,launchedIdeas,activeCategories',
  revisions: 'date,relation,month,was,is,accepted',
} as const

const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/
const FORMULA = /^(?:[\t\r]|[\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠])/u
const FORMULA_INSIDE =
  /(?<=[;\t\r\n])(?=(?:(?![\t\r\n])["\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}])*[=+\-@＝＋－＠])/gu

/** The columns of dates and instants; the cells of the others that are texts are in quotes. */
const TIMES = new Set(['bucket', 'month', 'date', 'dataAsOf', 'createdAt', 'launchedAt'])

function csvCell(column: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return ''
  if (typeof value !== 'string') return JSON.stringify(value)
  if (TIMES.has(column)) return value
  const inside = value.replaceAll(FORMULA_INSIDE, "'")
  const safe = PLAIN_NUMBER.test(value) ? value : FORMULA.test(value) ? `'${inside}` : inside
  return `"${safe.replaceAll('"', '""')}"`
}

export function csvText(columns: string, rows: readonly Readonly<Record<string, unknown>>[]): string {
  const lines = rows.map((row) =>
    columns
      .split(',')
      .map((column) => csvCell(column, row[column]))
      .join(','),
  )
  return [columns, ...lines].map((line) => `${line}\r\n`).join('')
}
