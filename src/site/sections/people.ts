// Owns "people over time", as far as numbers of people are published: exactly, rounded, or not at all. Pure.
import type { ExportRow } from '../../contract/kinds/tables.ts'
import { peopleTime } from '../../contract/people.ts'
import { timeZoneOf } from '../../contract/time-zone.ts'
import { writtenWindow } from '../../contract/windows.ts'
import { lineChart } from '../charts/lines.ts'
import { html, type Markup } from '../page/html.ts'
import { sources } from '../page/drawing.ts'
import type { Page } from '../page/page.ts'
import { partialOf, peakAndLast } from './activity.ts'
import { figure, figureOf, sinceText, type Legend } from './figure.ts'
import { folded, moreIn, section, table, type DrawnColumn } from './section.ts'
import { published } from './totals.ts'

const MONTHS = 36
/** Fewer months than these say less than days do. */
const ENOUGH_MONTHS = 4

export function peopleSection(page: Page): Markup {
  const { t, input } = page
  const w = t.w.people
  if (input.people === 'off') return section({ id: 'people', heading: w.heading, lead: w.offTotals, body: null })
  const { period, unit, rows, older, ...shown } = peopleFigure(page, 160)
  const body = html`${figure(page, shown)}${rows.length > 0 && folded(t.w.table.show, numbers(page, rows, unit))}${moreIn(page, 'CSV', older)}${sources(page, w.heading, { endpoint: 'export', type: 'users', period, format: 'json' })}`
  return section({ id: 'people', heading: w.heading, lead: w.lead, notes: shown.notes, body, period })
}

/** The figure, with the rows that it shows, where they are published, and how many there are before them. */
export function peopleFigure(page: Page, height: number) {
  const { t, input } = page
  const w = t.w.people
  const { users } = input.documents
  const [period, unit] = users.all.length >= ENOUGH_MONTHS ? (['all', 'month'] as const) : (['30d', 'day'] as const)
  const all = users[period]
  const older = Math.max(0, all.length - MONTHS)
  const rows = all.slice(older)
  const values = all.map(({ activeUsers: n }) => (typeof n === 'number' ? n : null))
  const starts = all.map((row) => String(row['bucket']))
  const buckets = starts.map((bucket) => ({ bucket }))
  const { asOfMs } = peopleTime(input.people, Date.parse(input.dataAsOf), timeZoneOf(input))
  const window = { ...writtenWindow(period, asOfMs), timeZone: input.timeZone }
  const partial = partialOf({ ...window, interval: unit, buckets })
  const peak = peakAndLast(page, unit, starts, values, partial)
  const nothing = values.includes(null) ? w.fewOnly : t.w.activity.none
  const finding = values.some((value) => (value ?? 0) > 0) ? peak.finding : nothing
  const since = older === 0 ? t.span(period) : sinceText(page, starts[older], unit)
  const heading = `${t.w.totals.active}, ${t.w.activity.buckets[unit]} ${since}`
  const key: Legend = partial.length > 0 ? [['dashed', t.w.activity.dashed]] : []
  const notes = [w.note, ...(input.people === 'rounded' ? [t.say(w.rounded)] : [])]
  const said = { name: 'people', heading, finding, key, notes, interval: unit, from: 'people-table/3' }
  const index = (peak.label?.index ?? -1) - older
  const shown = {
    values: values.slice(older),
    starts: starts.slice(older),
    partial: partial.map((i) => i - older),
    label: peak.label === null || index < 0 ? null : { ...peak.label, index },
  }
  return { ...figureOf(page, { ...said, ...shown, height }, lineChart), notes, period, unit, rows, older }
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
