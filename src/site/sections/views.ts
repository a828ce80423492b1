// Owns the links to the other pages of the site: each period, and each category that has a page. Pure.
import { PERIODS } from '../../contract/windows.ts'
import { pagePath, type View } from '../../contract/site-paths.ts'
import { categoryName } from '../page/drawing.ts'
import { html, type Content, type Markup } from '../page/html.ts'
import { periodOf, type Page } from '../page/page.ts'
import { isolated } from '../page/titles.ts'
import { folded } from './section.ts'

const ID = 'views'

export function viewsSection(page: Page): Markup {
  const { t, input, view } = page
  const w = t.w.activity
  const { ofCategories, categories: counted } = input.documents
  // A hundred links on each of a hundred pages would be a fifth of the site.
  const isOfCategory = view !== null && 'category' in view
  const periods = PERIODS.map((period) => link(page, { period }, w.periods[period], periodOf(page) === period))
  const rest = counted.all.count - ofCategories.length
  const categories = isOfCategory
    ? html`<p><a href="${page.root}${pagePath(t.language, input.languages)}#${ID}">${w.byCategory}</a></p>`
    : folded(
        w.byCategory,
        html`<ul>${ofCategories.map((category) => link(page, { category }, isolated(categoryName(page, category.name))))}</ul>${rest > 0 && html`<p class="remark">${t.say(w.noPage, { n: rest })}</p>`}`,
      )
  return html`<nav class="views" id="${ID}" aria-label="${w.views}"><ul>${link(page, null, t.w.totals.heading, view === null)}${periods}${link(page, { own: 'search/index' }, t.w.search.heading, view !== null && 'own' in view)}</ul>${ofCategories.length > 0 && categories}</nav>
`
}

function link({ input, t, root }: Page, view: View, text: Content, isShown = false): Markup {
  if (isShown) return html`<li><span aria-current="page">${text}</span></li>`
  return html`<li><a href="${root}${pagePath(t.language, input.languages, view)}">${text}</a></li>`
}
