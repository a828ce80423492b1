// Owns the badges: a number of the site in a small picture, or as the JSON of which shields.io makes one. A badge is never an
// error: where there is no number it says so in grey. Nothing that a platform wrote is in it.
import { firstYearText } from '../page/drawing.ts'
import { xml } from '../page/html.ts'
import type { SiteFile } from '../page/input.ts'
import type { Page } from '../page/page.ts'
import { accentsOf } from '../page/style.ts'
import { accounts } from '../sections/totals.ts'
import { FONT_SIZE, textWidth } from './text-width.ts'

type Badge = ReturnType<typeof badgesOf>['ideas']

const LABEL_COLOR = '#444444'
const NEUTRAL_COLOR = '#6b6b6b'
/** On both of these, and on the accent of the light theme, it has a contrast of at least 4.5. */
const TEXT_COLOR = '#ffffff'

export function badgeFiles(page: Page): SiteFile[] {
  return Object.entries(badgesOf(page)).flatMap(([name, badge]) => {
    const path = `${page.folder}badges/${name}`
    return [
      // https://shields.io/badges/endpoint-badge
      { path: `${path}.json`, text: `${JSON.stringify({ schemaVersion: 1, ...badge })}\n` },
      { path: `${path}.svg`, text: badgeSvg(badge) },
    ]
  })
}

/** The label of each badge by its name, its number as on the page, and its colour, which is `#rrggbb`. */
export function badgesOf(page: Page) {
  const { input, t } = page
  const { w } = t
  const { stats } = input.documents.stats
  const { firstYear } = input.documents.outcomes
  /** @param absent why there is no value */
  const badge = (label: string, value: number | string | null, absent = '') => {
    if (input.closed) return { label, message: w.elsewhere.closed, color: NEUTRAL_COLOR }
    if (value === null) return { label, message: absent, color: NEUTRAL_COLOR }
    const message = typeof value === 'string' ? value : t.number(value)
    return { label, message, color: accentsOf(input.words.accent).light }
  }
  // Young ideas that are not launched yet are no failures.
  const rate = firstYear.ideas === 0 ? null : firstYearText(t, firstYear)
  return {
    // With `off` the site publishes no other number of people.
    users: badge(w.totals.accounts, input.people === 'off' ? null : accounts(page), w.totals.unknown),
    ideas: badge(w.totals.ideas, stats.totalIdeas),
    votes: badge(w.totals.votes, stats.totalVotes),
    comments: badge(w.totals.comments, stats.totalComments),
    launched: badge(w.totals.launchedIdeas, stats.launchedIdeas),
    categories: badge(w.categories.heading, stats.activeCategories),
    'launch-rate': badge(w.outcomes.firstYear, rate, w.absent.notYet),
  }
}

const HEIGHT = 20
const PADDING = 6
const BASELINE = 14

function badgeSvg({ label, message, color }: Badge): string {
  const [labelText, messageText] = [tenths(textWidth(label)), tenths(textWidth(message))]
  const labelWidth = Math.ceil(labelText + 2 * PADDING)
  const width = labelWidth + Math.ceil(messageText + 2 * PADDING)
  const title = `${label}: ${message}`
  return xml`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${title}">
<title>${title}</title>
<clipPath id="r"><rect width="${width}" height="${HEIGHT}" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="${width}" height="${HEIGHT}" fill="${color}"/><rect width="${labelWidth}" height="${HEIGHT}" fill="${LABEL_COLOR}"/></g>
<g font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="${FONT_SIZE}">
<text x="${PADDING}" y="${BASELINE}" textLength="${labelText}" fill="${TEXT_COLOR}">${label}</text>
<text x="${labelWidth + PADDING}" y="${BASELINE}" textLength="${messageText}" fill="${TEXT_COLOR}">${message}</text>
</g>
</svg>
`.text
}

function tenths(value: number): number {
  return Math.ceil(value * 10) / 10
}
