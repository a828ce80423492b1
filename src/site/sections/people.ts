// Owns "people over time", as far as numbers of people are published: exactly, rounded, or not at all. Pure.
import type { ExportRow } from '../../contract/kinds/tables.ts'
import { lineChart } from '../charts/lines.ts'
import { peakOf } from '../claims.ts'
import { html, type Markup } from '../html.ts'
import { sources } from '../drawing.ts'
import type { Page } from '../page.ts'
import { peakAndLast } from './activity.ts'
import { figure, frameOf } from './figure.ts'
import { folded, section, table, type Column } from './section.ts'
import { published } from './totals.ts'

const MONTHS = 36
/** Fewer months say less than days do. */
const ENOUGH_MONTHS = 4

export function people(page: Page): Markup {
  const { t, input } = page
  const w = t.w.people
  if (input.people === 'off') return section({ id: 'people', heading: w.heading, lead: w.offTotals, body: null })
  const { period, unit, rows, ...shown } = peopleFigure(page, 160)
  const body = html`${figure(page, shown)}${rows.length > 0 && folded(t.w.table.show, numbers(page, rows, unit))}${sources(page, w.heading, { endpoint: 'export', type: 'users', period, format: 'json' })}`
  const notes = shown.notes.map((note) => html`<p class="remark">${note}</p>`)
  return section({ id: 'people', heading: w.heading, lead: w.lead, notes, body, period })
}

/** With the rows that it shows, where they are published. */
export function peopleFigure(page: Page, height: number) {
  const { t, input } = page
  const w = t.w.people
  const { users } = input.documents
  const [period, unit] = users.all.length >= ENOUGH_MONTHS ? (['all', 'month'] as const) : (['30d', 'day'] as const)
  const rows = users[period].slice(-MONTHS)
  const bucket = t.w.activity.buckets[unit]
  const heading = `${t.w.totals.active}, ${bucket}`
  const values = rows.map((row) => numberOf(row['activeUsers']))
  // The last bucket is not over, but of numbers that are as of midnight the last day is.
  const isOver = unit === 'day' && input.people !== 'exact'
  const peak = peakOf(values, isOver ? [] : [values.length - 1])
  const starts = rows.map((row) => String(row['bucket']))
  const isAny = values.some((value) => (value ?? 0) > 0)
  const finding = isAny
    ? peakAndLast(page, unit, starts, peak, values.at(isOver ? -1 : -2) ?? null)
    : values.includes(null)
      ? w.fewOnly
      : t.w.activity.none
  const from = 'people-table/3'
  const frame = frameOf(page, { id: 'people-active', heading, finding, height, values, starts, interval: unit, from })
  const label = peak === null ? null : { index: peak.index, text: t.number(peak.count) }
  const chart = isAny ? lineChart(frame, values, label) : null
  const notes = [w.note, ...(input.people === 'rounded' ? [t.say(w.rounded)] : [])]
  return { name: 'people', heading, finding, chart, notes, period, unit, rows }
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

function numbers(page: Page, rows: readonly ExportRow[], unit: 'month' | 'day'): Markup {
  const { t } = page
  const { activity, people: w, totals } = t.w
  const names = {
    newUsers: w.newAccounts,
    totalUsers: totals.accounts,
    activeUsers: totals.active,
    ideaAuthors: w.authors,
    voters: w.voters,
    commenters: w.commenters,
  }
  return table(page, 'people-table', `${w.heading}, ${activity.buckets[unit]}`, rows.toReversed(), [
    [t.say(activity.when), (row) => t.bucket(String(row['bucket']), unit), 'time'],
    ...Object.entries(names).map(([name, text]): Column<ExportRow> => [text, (row) => published(page, row[name])]),
  ])
}
