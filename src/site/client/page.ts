/// <reference lib="dom" />
// Owns what the page does where scripts run: it starts here. scripts/compile.js makes one file of this one and those it imports. Without
// it everything below is hidden or inert, and the page is whole. What it finds in the page:
//
// - `body[data-as-of]`, `body[data-next-update-at]`: timestamps of the release; `.late[data-text]` is empty until it finds that an update
//   is overdue, and puts this text into it.
// - `body[data-few]`, `body[data-keys]`: what few people are called, and what the arrow keys do in a chart. `body[data-copied]`,
//   `body[data-not-copied]`: what is said after copying, in the `[role=status]` beside the button.
// - `section[data-section]`: its name, as in its id; `data-period`: the period that it shows.
// - `svg[data-chart]`: `<id of table>/<numbers of columns>`, where its values are; the last rows of the table are its points, newest
//   first; `data-points`: how many.
// - `table[data-sortable]`: may be sorted by its columns, of which the first is `text` or `time`, newest first.
// - `button[data-copy]`: copies this address. `button[data-embed]`: opens the `dialog` with the lines to copy that have this id.
// - `search[data-search]`: the search over titles, with the folder of its files and, in `data-words`, what it says.
// - `code[data-relative]`: lines to copy whose addresses begin at this page, to be made absolute.
//
// `body[data-live]` says that it runs.
import { startCopying } from './copying.ts'
import { startSearch } from './search.ts'
import { makeSortable } from './tables.ts'
import { tooltips } from './tooltips.ts'

/** Releases come a little after they are due. */
const LATE_MS = 60_000

/** Says that the next data are overdue: only a clock knows. */
function markLate(body: HTMLElement, nowMs: number): void {
  const dueMs = Date.parse(body.dataset['nextUpdateAt'] ?? '')
  const said = body.querySelector<HTMLElement>('.late')
  if (said !== null) said.textContent = nowMs > dueMs + LATE_MS ? (said.dataset['text'] ?? '') : ''
}

function start({ body, documentElement: { lang } }: Document): void {
  const late = (): void => markLate(body, Date.now())
  late()
  // A page can be looked at again after days.
  document.addEventListener('visibilitychange', late)
  const { few = '', keys = '' } = body.dataset
  // Charts come first, because they read their tables as they were built.
  document.querySelectorAll<SVGSVGElement>('svg[data-chart]').forEach(tooltips(keys))
  for (const table of document.querySelectorAll<HTMLTableElement>('table[data-sortable]'))
    makeSortable(few, lang, table)
  document.querySelectorAll<HTMLElement>('[data-search]').forEach(startSearch)
  startCopying(body)
  body.toggleAttribute('data-live', true)
}

start(document)
