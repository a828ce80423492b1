// Owns the badges: a number of the site in a small picture, or as the JSON of which shields.io makes one. A badge is never an
// error: where there is no number it says so in grey. Nothing that a platform wrote is in it.
import { firstYearText } from '../page/drawing.ts'
import { xml } from '../page/html.ts'
import type { SiteFile } from '../page/input.ts'
import type { Page } from '../page/page.ts'
import { accentsOf } from '../page/style.ts'
import { accounts } from '../sections/totals.ts'
import { FONT_SIZE, textWidth } from './text-width.ts'

export const BADGE_NAMES = ['users', 'ideas', 'votes', 'comments', 'launched', 'categories', 'launch-rate'] as const
type BadgeName = (typeof BADGE_NAMES)[number]
/** `absent`: why there is no value. */
type Shown = readonly [label: string, value: number | string | null, absent?: string]

type Badge = ReturnType<typeof badgeOf>

const LABEL_COLOR = '#444444'
const NEUTRAL_COLOR = '#6b6b6b'
/** On both of these, and on the accent of the light theme, it has a contrast of at least 4.5. */
const TEXT_COLOR = '#ffffff'

export function badgeFiles(page: Page): SiteFile[] {
  return BADGE_NAMES.flatMap((name) => {
    const badge = badgeOf(page, name)
    const path = `${page.folder}badges/${name}`
    return [
      // https://shields.io/badges/endpoint-badge
      { path: `${path}.json`, text: `${JSON.stringify({ schemaVersion: 1, ...badge })}\n` },
      { path: `${path}.svg`, text: badgeSvg(badge) },
    ]
  })
}

/** A badge, whose colour is `#rrggbb`. */
function badgeOf(page: Page, name: BadgeName) {
  const { input, t } = page
  const [label, value, absent = ''] = shownOf(page)[name]
  if (input.closed) return { label, message: t.w.elsewhere.closed, color: NEUTRAL_COLOR }
  if (value === null) return { label, message: absent, color: NEUTRAL_COLOR }
  const message = typeof value === 'string' ? value : t.number(value)
  return { label, message, color: accentsOf(input.words.accent).light }
}

/** The label and the number of each, as on the page; null = there is none. */
function shownOf(page: Page): Readonly<Record<BadgeName, Shown>> {
  const { input, t } = page
  const { w } = t
  const { stats } = input.documents.stats
  const { firstYear } = input.documents.outcomes
  // Young ideas that are not launched yet are no failures.
  const rate = firstYear.ideas === 0 ? null : firstYearText(t, firstYear)
  return {
    // With `off` the site publishes no other number of people.
    users: [w.totals.accounts, input.people === 'off' ? null : accounts(page), w.totals.unknown],
    ideas: [w.totals.ideas, stats.totalIdeas],
    votes: [w.totals.votes, stats.totalVotes],
    comments: [w.totals.comments, stats.totalComments],
    launched: [w.totals.launchedIdeas, stats.launchedIdeas],
    categories: [w.categories.heading, stats.activeCategories],
    'launch-rate': [w.outcomes.firstYear, rate, w.absent.notYet],
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
