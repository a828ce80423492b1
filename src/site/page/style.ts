// Owns the text of the style sheet: the file of the repository, after the colours that the accent of a site gives. The policy of
// the page allows no inline style. Pure.

/** The surfaces of page.css that accented text and bars lie on: the least favourable one of each theme. */
export const SURFACES = { light: '#f5f5f2', dark: '#1e2228' } as const
/** The colours of page.css that charts in files use. */
export const CHART_COLOURS = {
  light: { ground: '#ffffff', ink: '#1a1d21', soft: '#555b63', grid: '#e7e8e3', faint: '#858d95' },
  dark: { ground: '#14171b', ink: '#eceef0', soft: '#a9b0b8', grid: '#2a2f36', faint: '#6f7883' },
} as const
/** The least contrast that is readable; the dark theme needs more, because thin lines seem fainter there. */
const LEAST_CONTRAST = { light: 4.5, dark: 6 } as const
const DEFAULT_ACCENT = '#0d5c8f'
/** How far an accent moves to white or black at a time. */
const STEP = 0.02

type Rgb = readonly [number, number, number]

/** The accent for each theme: as given where it is readable, else as much darker or lighter as it must be. */
export function accentsOf(accent: string | null): Readonly<Record<'light' | 'dark', string>> {
  const wanted = rgbOf(accent ?? DEFAULT_ACCENT)
  return { light: moved(wanted, 'light', 0), dark: moved(wanted, 'dark', 255) }
}

/** @param source the text of assets/page.css */
export function styleSheet(source: string, accent: string | null): string {
  const { light, dark } = accentsOf(accent)
  return `:root{--accent:${light}}@media screen and (prefers-color-scheme:dark){:root{--accent:${dark}}}\n${minified(source)}`
}

/** The sheet without comments and white space between rules: it has no string that has either. */
function minified(source: string): string {
  return source
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,>]) ?/g, '$1')
    .replaceAll(/: /g, ':')
    .replaceAll(';}', '}')
    .trim()
}

/** The contrast of two colours `#rrggbb`, as WCAG 2 defines it. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(rgbOf(one)), luminance(rgbOf(other))].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function moved(from: Rgb, theme: 'light' | 'dark', target: 0 | 255): string {
  for (let share = 0; ; share += STEP) {
    const parts = from.map((part) => Math.round(part + (target - part) * share))
    const colour = `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
    if (share >= 1 || contrast(colour, SURFACES[theme]) >= LEAST_CONTRAST[theme]) return colour
  }
}

function rgbOf(hex: string): Rgb {
  const part = (i: number): number => Number.parseInt(hex.slice(i, i + 2), 16)
  return [part(1), part(3), part(5)]
}

function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
