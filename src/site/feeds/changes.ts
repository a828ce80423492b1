// Owns what the feed of changes says: when past numbers or what counts changed, when a month got its archive, and since when there
// are totals, or the site is closed. No id depends on when a build was made.
import { timeZoneOf } from '../../contract/time-zone.ts'
import { formatTimestamp } from '../../contract/timestamp.ts'
import { languageBase, type Page } from '../page/page.ts'
import { changedRows, revisionText } from '../sections/counting.ts'
import { monthAddress } from '../sections/downloads.ts'

const MAX = 50

/** The newest first. */
export function changes(page: Page, publicUrl: string) {
  const { input, t } = page
  const [w, zone, home, rows] = [t.w.past, timeZoneOf(input), languageBase(page), changedRows(input)]
  /** Later builds add to what is of a day: its time is that of the release until the day is over, then its end. */
  const entry = (what: string, label: string, title: string, url = home, text = title) => {
    const endMs = zone.after(what === 'month' ? what : 'day', zone.startOfLabel(label))
    const date = label === input.closedSince ? label : formatTimestamp(Math.min(endMs, Date.parse(input.dataAsOf)))
    return { id: `${publicUrl}/feeds/changes#${what}-${label}`, title, url, text, categories: [], date }
  }
  const all = [
    ...(input.closedSince === undefined ? [] : [entry('closed', input.closedSince, t.w.page.closed)]),
    ...[...new Set(rows.map(({ date }) => date))].slice(-MAX).map((day) => {
      const texts = rows.filter(({ date }) => date === day).map((row) => revisionText(page, row))
      const title = `${w.heading}: ${t.date(day)} (${t.number(texts.length)})`
      return entry('numbers', day, title, `${home}#count-past`, texts.slice(0, MAX).join('\n'))
    }),
    ...input.documents.mappings.map(({ date }, i) => {
      const what = i === 0 ? 'begin' : 'mapping'
      return entry(what, date, t.say(w[what], { date: t.date(date) }))
    }),
    ...input.months.map((month) => {
      const title = t.say(t.w.downloads.endOf, { month: t.month(month) })
      return entry('month', `${month}-01`, title, monthAddress(publicUrl, month))
    }),
  ]
  return all.sort((a, b) => Date.parse(b.date) - Date.parse(a.date)).slice(0, MAX)
}
