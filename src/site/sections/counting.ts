// Owns "how we count": what each number means, in plain words. Pure.
import { shortName } from '../drawing.ts'
import { html, type Markup } from '../html.ts'
import type { Page } from '../page.ts'
import { past } from './past.ts'

export function counting(page: Page): Markup {
  const { heading } = page.t.w.counting
  return html`<section id="counting" aria-labelledby="counting-heading" data-section="counting"><div class="intro"><h2 id="counting-heading"><a class="anchor" href="#counting">${heading}</a></h2></div>
<div class="content">${terms(page)}</div></section>
`
}

export function terms(page: Page): Markup {
  const { t } = page
  const w = t.w.counting
  const all = [
    ['times', w.times, t.say(w.timesText)],
    ['ideas', shortName({ t }, 'ideas'), w.ideasText],
    ['votes', shortName({ t }, 'votes'), w.votesText],
    ['comments', shortName({ t }, 'comments'), w.commentsText],
    ['launched', shortName({ t }, 'launchedIdeas'), w.launchedText],
    ['active', w.accounts, w.accountsText],
    ['change', w.change, w.changeText],
  ] as const
  return html`<div class="terms">${all.map(([id, term, text]) => html`<div id="count-${id}"><h3>${term}</h3><p>${text}</p></div>`)}${past(page)}</div>`
}
