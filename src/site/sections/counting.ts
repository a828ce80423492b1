// Owns "how we count": what each number means, in plain words; what changed in past numbers, and the line of the log of days to be
// saved. Pure.
import type { RevisionRow } from '../../contract/kinds/revisions.ts'
import { countedBy } from '../page/counted-by.ts'
import { html, type Content, type Markup } from '../page/html.ts'
import type { Page } from '../page/page.ts'
import { section } from './section.ts'
import { feedLine } from './sharing.ts'

export function countingSection(page: Page): Markup {
  return section({ id: 'counting', heading: page.t.w.counting.heading, body: termsSection(page) })
}

export function termsSection(page: Page): Markup {
  const { t } = page
  const w = t.w.counting
  const all = [
    ['times', w.times, t.say(w.timesText)],
    ['ideas', t.w.totals.ideas, w.ideasText],
    ['votes', t.w.totals.votes, w.votesText],
    ['comments', t.w.totals.comments, w.commentsText],
    ['launched', t.w.totals.launchedIdeas, w.launchedText],
    ['active', w.accounts, w.accountsText],
    ['change', w.change, w.changeText],
    ['by', w.countedBy, countedBy(t, page.input)],
  ] as const
  return html`<div class="terms">${all.map(([id, term, text]) => html`<div id="count-${id}"><h3>${term}</h3><p>${text}</p></div>`)}${past(page)}</div>`
}

/** How many changes are named here; all of them are in the export. */
const NAMED = 10

export function changedRows({ documents }: Page['input']): readonly RevisionRow[] {
  return documents.revisions.filter(({ was, is }) => was === null || was !== is)
}

/** Terms for the section that says how numbers are counted. Only of what was compared something is said. */
function past(page: Page): Markup {
  const { input, t } = page
  const w = t.w.past
  const { revisions } = input.documents
  const changed = changedRows(input)
  const list = html`<p>${w.text}</p><ul>${changed
    .slice(-NAMED)
    .toReversed()
    .map((row) => html`<li>${revisionText(page, row)}</li>`)}</ul>${feedLine(page, 'changes')}`
  const nothing = input.isCompared && revisions.length === 0 && html`<p>${w.nothing}</p>`
  const said = changed.length > 0 ? list : nothing
  return html`${said !== false && html`<div id="count-past"><h3>${w.heading}</h3>${said}</div>`}${proof(page)}`
}

export function revisionText({ t }: Page, { date, relation, month, was, is, accepted }: RevisionRow): string {
  const w = t.w.past
  const day = t.date(date)
  if (relation === null || was === null || is === null) return t.say(w.notCompared, { date: day })
  const what = relation === 'users' ? t.w.counting.accounts : t.w.totals[relation as 'ideas']
  const named = month === null ? w.undated : t.month(month)
  return `${t.say(w.change, { month: named, what, is, was, date: day })}${accepted ? w.accepted : ''}`
}

/** The line of the log; before the first day has ended there is none. */
function proof({ input: { logged, publicUrl }, t }: Page): Content {
  if (logged === null) return null
  const w = t.w.past
  const log = publicUrl === null ? w.log : html`<a href="${publicUrl}/snapshots/log.csv">${w.log}</a>`
  const date = t.date(logged.slice(0, 'YYYY-MM-DD'.length))
  return html`<div id="count-proof"><h3>${t.say(w.proof, { date })}</h3><p>${t.put(w.proofText, { log, date })}</p><p><code>${logged}</code></p>${publicUrl !== null && html`<p><code>analytics-build verify ${publicUrl} --log saved.csv</code></p>`}</div>`
}
