// Owns the badges: a number of the site in a small picture, or as the JSON of which shields.io makes one. A badge is never an
// error: where there is no number it says so in grey. Nothing that a platform wrote is in it.
import type { Language } from '../../contract/site-paths.ts'
import { xml } from '../html.ts'
import type { SiteFile, SiteInput } from '../input.ts'
import { ELSEWHERE_WORDS } from './elsewhere-words.ts'
import { FONT_SIZE, textWidth } from './text-width.ts'

export const BADGE_NAMES = ['users', 'ideas', 'votes', 'comments', 'launched', 'categories', 'launch-rate'] as const
export type BadgeName = (typeof BADGE_NAMES)[number]

interface Badge {
  readonly label: string
  readonly message: string
  /** `#rrggbb` */
  readonly color: string
}

const LABEL_COLOR = '#444444'
const NEUTRAL_COLOR = '#6b6b6b'
export const DEFAULT_COLOR = '#1a5fb4'
const DARK_TEXT = '#111111'
const LIGHT_TEXT = '#ffffff'

export function badgeFiles(input: SiteInput): SiteFile[] {
  return BADGE_NAMES.flatMap((name) => {
    const badge = badgeOf(input, name)
    return [
      { path: `badges/${name}.json`, text: endpointText(badge) },
      { path: `badges/${name}.svg`, text: badgeSvg(badge) },
    ]
  })
}

function badgeOf(input: SiteInput, name: BadgeName): Badge {
  const [language = 'en'] = input.languages
  const words = ELSEWHERE_WORDS[language]
  const label = words.badges[name]
  const value = valueOf(input, name)
  if (input.closed) return { label, message: words.closed, color: NEUTRAL_COLOR }
  if (value === null || !Number.isFinite(value)) return { label, message: words.noData, color: NEUTRAL_COLOR }
  return { label, message: shown(value, name, language), color: input.words.accent ?? DEFAULT_COLOR }
}

function valueOf({ documents, people }: SiteInput, name: BadgeName): number | null {
  const { stats, metrics } = documents.stats
  const values: Readonly<Record<BadgeName, number | null>> = {
    // With `off` the site publishes no other number of people.
    users: people === 'off' ? null : stats.totalUsers,
    ideas: stats.totalIdeas,
    votes: stats.totalVotes,
    comments: stats.totalComments,
    launched: stats.launchedIdeas,
    categories: stats.activeCategories,
    'launch-rate': stats.totalIdeas === 0 ? null : metrics.launchSuccessRate,
  }
  return values[name]
}

function shown(value: number, name: BadgeName, language: Language): string {
  if (name !== 'launch-rate') return new Intl.NumberFormat(language).format(value)
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
  return percent.format(value / 100)
}

/** https://shields.io/badges/endpoint-badge */
function endpointText({ label, message, color }: Badge): string {
  return `${JSON.stringify({ schemaVersion: 1, label, message, color })}\n`
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
<text x="${PADDING}" y="${BASELINE}" textLength="${labelText}" fill="${LIGHT_TEXT}">${label}</text>
<text x="${labelWidth + PADDING}" y="${BASELINE}" textLength="${messageText}" fill="${textColorOn(color)}">${message}</text>
</g>
</svg>
`.text
}

function tenths(value: number): number {
  return Math.ceil(value * 10) / 10
}

/** Black or white, whichever is easier to read on the colour. */
export function textColorOn(color: string): string {
  return contrast(color, LIGHT_TEXT) >= contrast(color, DARK_TEXT) ? LIGHT_TEXT : DARK_TEXT
}

/** WCAG 2.2, contrast ratio. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => {
    const share = Number.parseInt(color.slice(from, from + 2), 16) / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
