// Owns what is only known from the rows of a source: totals, samples, duplicates, skipped rows, and the cost of reading.
import type pg from 'pg'
import type { IdeaFacts } from '../../contract/facts.ts'
import { keyTypes, type ColumnTypes } from '../read/column-types.ts'
import type { Finding } from '../mapping/finding.ts'
import type { SkippedRows } from '../read/skipped-rows.ts'
import { openConsistentRead } from '../read/consistent-read.ts'
import { asTable, fillTemplate, type TemplateParameters } from '../sql/template.ts'
import type { Relation } from '../mapping/relations.ts'
import { explain, SourceError } from '../database/source-error.ts'
import type { Begun } from '../database/transaction.ts'
import { queryOne, attempt } from './attempt.ts'
import { estimateCost, type BuildCost } from './cost.ts'

/** What a build would publish, to be compared with what the site itself shows. */
export interface CheckTotals {
  readonly users: number
  readonly ideas: number
  readonly launched: number
  readonly votes: number
  readonly comments: number
  readonly categories: number
  readonly ideasWithoutCategory: number
}

export interface CheckedRows {
  /** The newest three. */
  readonly samples: readonly { readonly title: string | null; readonly url: string | null }[]
  /** null = not counted because of an error. */
  readonly totals: CheckTotals | null
  /** Rows that a build leaves out or counts differently, and why. */
  readonly ignored: readonly SkippedRows[]
  readonly cost: BuildCost | null
  /** How long the build's queries took here; null with `totals`. */
  readonly seconds: number | null
  readonly findings: readonly Finding[]
}

export const NO_ROWS: CheckedRows = { samples: [], totals: null, ignored: [], cost: null, seconds: null, findings: [] }

/** The newest ideas, if the section can be run. */
export async function samplesOf(
  client: pg.Client,
  sections: ReadonlyMap<Relation, string>,
  columnTypes: ColumnTypes,
): Promise<CheckedRows['samples']> {
  const ideas = sections.get('ideas')
  const columns = columnTypes.get('ideas')?.map((column) => column.name) ?? []
  if (ideas === undefined || !['title', 'url', 'created_at'].every((name) => columns.includes(name))) return []
  const text = `SELECT left(title::text, 1000) AS title, left(url::text, 1000) AS url FROM ${asTable(ideas)} ORDER BY created_at DESC NULLS LAST LIMIT 3`
  const answer = await attempt(client, () => queryOne<{ title: string | null; url: string | null }>(client, text))
  return answer.ok ? answer.value : []
}

/** What is only known from the rows, read as a build reads them. */
export async function checkRows(
  client: pg.Client,
  name: string,
  begun: Begun,
  sections: ReadonlyMap<Relation, string>,
  columnTypes: ColumnTypes,
): Promise<CheckedRows> {
  const parameters: TemplateParameters = { sections, keys: keyTypes(columnTypes) }
  const findings: Finding[] = []
  const cost = await attempt(client, () => estimateCost(client, parameters, begun.asOfMs))
  if (cost.ok) findings.push(...cost.value.findings)
  else findings.push(failure('cost', cost.error, 'EXPLAIN'))
  const samples = await samplesOf(client, sections, columnTypes)
  const duplicates = await attempt(client, () => duplicateVotes(client, parameters))
  if (duplicates.ok) findings.push(...duplicates.value)
  else findings.push(failure('section votes', duplicates.error, 'looking for duplicate votes'))
  const base = { ...NO_ROWS, samples, cost: cost.ok ? cost.value.cost : null }
  try {
    const startMs = performance.now()
    const source = await openConsistentRead(client, { name, sections }, begun.asOfMs, begun, columnTypes)
    const totals = new Totals(source.listedCategories)
    for await (const ideas of source.facts()) totals.add(ideas)
    const { accounts } = await source.users()
    await source.end()
    if (totals.ideas === 0) findings.push(NO_IDEAS)
    const seconds = Math.round(performance.now() - startMs) / 1000
    return { ...base, totals: totals.of(accounts.total), ignored: source.skippedRows(), seconds, findings }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    findings.push({ level: 'error', about: 'rows', problem: error.message, fix: '' })
    return { ...base, findings }
  }
}

export const NO_IDEAS: Finding = {
  level: 'warning',
  about: 'section ideas',
  problem: 'there is nothing to publish: no idea that an anonymous visitor could see',
  fix: 'is the site closed to visitors (section closed says so), or a parameter wrong? If neither, run the section in psql without one condition after the other',
}

function failure(about: string, error: unknown, what: string): Finding {
  return { level: 'warning', about, problem: explain(error, what).message, fix: '' }
}

async function duplicateVotes(client: pg.Client, parameters: TemplateParameters): Promise<Finding[]> {
  const rows = await queryOne<{ pairs: number; extra: number; example: string }>(
    client,
    fillTemplate('check/duplicate-votes', parameters),
  )
  const { pairs = 0, extra = 0, example = '' } = rows[0] ?? {}
  if (pairs === 0) return []
  return [
    {
      level: 'warning',
      about: 'section votes',
      problem: `${pairs.toLocaleString('en')} times a user has several votes on an idea (such as on ${example}): ${extra.toLocaleString('en')} votes too many, if one counts`,
      fix: `if one counts, keep the first: … min(created_at) … GROUP BY idea_id, user_id\nor, of a history, the last: SELECT DISTINCT ON (idea_id, user_id) … ORDER BY idea_id, user_id, created_at DESC NULLS LAST`,
    },
  ]
}

class Totals {
  readonly #categories: Set<string>
  #ideas = 0
  #launched = 0
  #votes = 0
  #comments = 0
  #bare = 0

  constructor(listed: readonly string[]) {
    this.#categories = new Set(listed)
  }

  get ideas(): number {
    return this.#ideas
  }

  add(ideas: readonly IdeaFacts[]): void {
    for (const { launched, votes, comments, categories } of ideas) {
      this.#ideas += 1
      if (launched) this.#launched += 1
      this.#votes += votes.total
      this.#comments += comments.total
      if (categories.length === 0) this.#bare += 1
      for (const category of categories) this.#categories.add(category)
    }
  }

  of(users: number): CheckTotals {
    return {
      users,
      ideas: this.#ideas,
      launched: this.#launched,
      votes: this.#votes,
      comments: this.#comments,
      // As in a release: ideas without a category are in Uncategorized.
      categories: this.#categories.size + (this.#bare > 0 ? 1 : 0),
      ideasWithoutCategory: this.#bare,
    }
  }
}
