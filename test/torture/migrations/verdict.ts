// Owns whether a release is true: it must be of one state of the platform, and of one that was current while its snapshot
// was taken. Knows no build.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readManifest } from '../../../src/release/reading/folder-reader.ts'
import { currentId } from '../../../src/release/reading/release-list.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'
import { verifyAt } from '../../release/sample-release.ts'
import { answerOf, CLOSED, HIDDEN_TITLE, ideaLine, type Answer } from './contents.ts'
import type { Ledger, Span } from './ledger.ts'

export interface Published {
  readonly answer: Answer
  /** The snapshot was taken in it: between the clock of its first statement and that of the builder after its first reads. */
  readonly snapshot: Span
  /** What is not as a release must be, whatever it says. */
  readonly faults: readonly string[]
}

type Rows = { readonly data: readonly Readonly<Record<string, string | number>>[] }

/** The current release. */
export async function readPublished(snapshots: string): Promise<Published> {
  const paths = releasePaths(snapshots)
  const id = (await currentId(paths)) ?? 'nothing'
  const folder = join(paths.releases, id)
  const { rows, closed = false, categories, dataAsOf, generatedAt } = await readManifest(paths, id)
  const { faults } = await verifyAt(snapshots, id)
  const { data } = JSON.parse(readFileSync(join(folder, 'analytics/export/ideas/all.json'), 'utf8')) as Rows
  const ideas = data.map(({ title, votes, comments, category }) =>
    ideaLine(String(title), Number(votes), Number(comments), namesIn(String(category).split('; '))),
  )
  const names = namesIn(categories.map(({ name }) => name))
  const { users, votes, comments } = rows
  const open = { closed, users: Number(users), ideas: ideas.sort(), categories: names.sort() }
  const answer = { ...open, totals: { ideas: rows.ideas, votes, comments } }
  const snapshot = { fromMs: Date.parse(dataAsOf), toMs: Date.parse(generatedAt) }
  return { answer, snapshot, faults: [...faults, ...hiddenIn(folder)] }
}

const namesIn = (names: readonly string[]): string[] => names.filter((name) => name !== 'Uncategorized')

/** A title that is hidden in every state, wherever it is. */
function hiddenIn(folder: string): string[] {
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(json|csv|html)$/.test(name),
  )
  const found = texts.find((name) => readFileSync(join(folder, name), 'utf8').includes(HIDDEN_TITLE))
  return found === undefined ? [] : [`a hidden title is public, in ${found}`]
}

/** Why a release is not true; null = it is. */
export function faultOf({ answer, snapshot, faults }: Published, ledger: Ledger): string | null {
  if (faults[0] !== undefined) return faults[0]
  const states = ledger.statesIn(snapshot)
  const answers = states.map(({ contents }) => answerOf(contents))
  const text = JSON.stringify(answer)
  if (answers.some((one) => JSON.stringify(one) === text)) return null
  const closings = answers.every(({ closed }) => closed !== answer.closed)
  if (closings) return answer.closed ? 'an open site is published as closed' : 'a closed site is published as open'
  const [nearest = CLOSED, ...others] = answers.filter(({ closed }) => closed === answer.closed)
  const said = difference(answer, nearest)
  return `it is of no state of its time${others.length > 0 ? ` (${others.length + 1} states)` : ''}: ${said}`
}

function difference(answer: Answer, right: Answer): string {
  const numbers = ({ users, totals, categories }: Answer): Record<string, number> => ({
    users,
    ...totals,
    categories: categories.length,
  })
  const were = numbers(right)
  const differing = Object.entries(numbers(answer)).filter(([name, n]) => n !== were[name])
  if (differing.length > 0) return differing.map(([name, n]) => `${name} ${n}, not ${were[name]}`).join(', ')
  const idea = answer.ideas.find((line) => !right.ideas.includes(line))
  return `"${idea ?? answer.categories.join(', ')}"`
}
