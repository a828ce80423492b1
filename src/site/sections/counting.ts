// Owns "how we count": what each number means, in plain words. Pure.
import { html, type Markup } from '../html.ts'
import type { Page } from '../page.ts'

export function counting({ t }: Page): Markup {
  const w = t.w.counting
  const terms = [
    [w.times, w.timesText],
    [w.ideas, w.ideasText],
    [w.votes, w.votesText],
    [w.comments, w.commentsText],
    [w.launched, w.launchedText],
    [w.accounts, w.accountsText],
    [w.change, w.changeText],
  ]
  return html`<section id="counting" aria-labelledby="counting-heading" data-section="counting"><div class="intro"><h2 id="counting-heading">${w.heading}</h2></div>
<dl class="content terms">${terms.map(([term, text]) => html`<div><dt>${term}</dt><dd>${text}</dd></div>`)}</dl></section>
`
}
