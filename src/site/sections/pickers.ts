// Owns the pickers of period and category, which the client brings to life. Without it they are not seen. Pure.
import { PERIODS } from '../../contract/windows.ts'
import { categoryName, type Choice } from '../drawing.ts'
import { html, type Markup } from '../html.ts'
import type { Page } from '../page.ts'

/** Only so many categories as a page can carry: of more, the client fetches the names when they are asked for. */
const MOST_CHOICES = 100

/** None where they are searched. */
export function choicesOf({ input }: Page): readonly Choice[] {
  return input.categories.length > MOST_CHOICES ? [] : input.categories
}

export function pickers(page: Page): Markup {
  const { t, input } = page
  const w = t.w.activity
  const periods = PERIODS.map((period) => html`<option value="${period}">${w.periods[period]}</option>`)
  const choices = choicesOf(page).map(
    ({ name, key }) => html`<option value="${key}">${categoryName(page, name)}</option>`,
  )
  const category =
    choices.length < input.categories.length
      ? html`<input type="search" data-pick="category" list="category-names" placeholder="${w.allCategories}"><datalist id="category-names"></datalist>`
      : html`<select data-pick="category" autocomplete="off"><option value="">${w.allCategories}</option>${choices}</select>`
  return html`<div class="pickers live" role="group" aria-label="${t.w.client.pick}" data-pickers><label>${w.period} <select data-pick="period" autocomplete="off"><option value="">${t.w.client.usual}</option>${periods}</select></label> <label>${w.category} ${category}</label><p role="status" data-said></p></div>
`
}
