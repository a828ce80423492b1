// Owns what setup prints at its end: what is published, where, and how it is kept running. Pure text.
import { count, countOrDash } from '../../process/printable.ts'
import { proxyLine, waysToRun, type Places } from './keep-running.ts'

/** Of the first release. */
export interface Published {
  readonly users: number | null
  readonly ideas: number
  readonly launchedIdeas: number
  readonly votes: number
  readonly comments: number
  readonly categories: number
  /** Of the releases. */
  readonly snapshots: string
}

/** Not indented, and not wrapped: lines are copied. */
export function finalLines(published: Published, publicUrl: string | null, places: Places): string {
  const { users, ideas, launchedIdeas, votes, comments, categories, snapshots } = published
  const ways = waysToRun(places).flatMap(({ name, lines }) => ['', `# ${name}`, ...lines])
  return [
    '',
    `published: ${countOrDash(users)} users, ${count(ideas)} ideas (${count(launchedIdeas)} launched), ${count(votes)} votes,`,
    `${count(comments)} comments, ${count(categories)} categories`,
    '',
    `the page: file://${encodeURI(snapshots)}/current/index.html`,
    'or, with the API, http://127.0.0.1:8080/ while this runs:',
    proxyLine(places),
    ...(publicUrl === null ? [] : [`and, once it is served there, ${publicUrl}/`]),
    '',
    'Three ways to keep it running:',
    ...ways,
    '',
  ]
    .map((line) => `${line}\n`)
    .join('')
}
