// Owns "people over time", as far as numbers of people are published: exactly, rounded, or not at all. Pure.
import type { ExportRow } from '../../contract/kinds/tables.ts'
import { lineChart } from '../charts/lines.ts'
import { html, type Markup } from '../page/html.ts'
import { sources } from '../page/drawing.ts'
import type { Page } from '../page/page.ts'
import { peakAndLast } from './activity.ts'
import { figure, figureOf } from './figure.ts'
import { folded, section, table, type DrawnColumn } from './section.ts'
import { published } from './totals.ts'

const MONTHS = 36
/** Fewer months than these say less than days do. */
const ENOUGH_MONTHS = 4

export function peopleSection(page: Page): Markup {
  const { t, input } = page
  const w = t.w.people
  if (input.people === 'off') return section({ id: 'people', heading: w.heading, lead: w.offTotals, body: null })
  const { period, unit, rows, ...shown } = peopleFigure(page, 160)
  const body = html`${figure(page, shown)}${rows.length > 0 && folded(t.w.table.show, numbers(page, rows, unit))}${sources(page, w.heading, { endpoint: 'export', type: 'users', period, format: 'json' })}`
  return section({ id: 'people', heading: w.heading, lead: w.lead, notes: shown.notes, body, period })
}

/** The figure, with the rows that it shows, where they are published. */
export function peopleFigure(page: Page, height: number) {
  const { t, input } = page
  const w = t.w.people
  const { users } = input.documents
  const [period, unit] = users.all.length >= ENOUGH_MONTHS ? (['all', 'month'] as const) : (['30d', 'day'] as const)
  const rows = users[period].slice(-MONTHS)
  const heading = `${t.w.totals.active}, ${t.w.activity.buckets[unit]}`
  const values = rows.map(({ activeUsers: n }) => (typeof n === 'number' ? n : null))
  // The last bucket is not over; only the last day is, where numbers are as of midnight.
  const isOver = unit === 'day' && input.people !== 'exact'
  const starts = rows.map((row) => String(row['bucket']))
  const peak = peakAndLast(page, unit, starts, values, isOver ? [] : [values.length - 1])
  const nothing = values.includes(null) ? w.fewOnly : t.w.activity.none
  const finding = values.some((value) => (value ?? 0) > 0) ? peak.finding : nothing
  const notes = [w.note, ...(input.people === 'rounded' ? [t.say(w.rounded)] : [])]
  const said = { name: 'people', heading, finding, notes, interval: unit, from: 'people-table/3' }
  const drawn = figureOf(page, { ...said, height, values, starts }, (frame) => lineChart(frame, values, peak.label))
  return { ...drawn, notes, period, unit, rows }
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
    ...Object.entries(names).map(([name, text]): DrawnColumn<ExportRow> => [text, (row) => published(page, row[name])]),
  ])
}
