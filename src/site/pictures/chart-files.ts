// Owns the charts of the page as files that other pages show: each says by itself what it is, of which site and when.
import type { Plot } from '../charts/plot.ts'
import { markup, xml, type Content, type Markup } from '../page/html.ts'
import type { SiteFile } from '../page/input.ts'
import type { Page } from '../page/page.ts'
import { activityFigures } from '../sections/activity.ts'
import type { Figure } from '../sections/figure.ts'
import { cohortsFigure } from '../sections/outcomes.ts'
import { peopleFigure } from '../sections/people.ts'
import { accentsOf, CHART_COLOURS } from '../page/style.ts'
import { isolatedText } from '../page/titles.ts'
import { shortSiteName } from '../embeds/embed-frame.ts'
import { FONT_SIZE, textWidth } from './text-width.ts'

/** The width in pixels. The longest name of a site fits, even in letters as wide as they are high. */
const WIDTH = 760
const PADDING = 16
const ROOM = WIDTH - 2 * PADDING
const PLOT_HEIGHT = 200
/** How far it is from one line of text to the next. */
const STEP = 22
const TEXT_SIZE = 12

export function chartFiles(page: Page): SiteFile[] {
  const { documents, people } = page.input
  const figures: Figure[] = [
    ...activityFigures(page, PLOT_HEIGHT),
    cohortsFigure(page, documents.outcomes, PLOT_HEIGHT),
    ...(people === 'off' ? [] : [peopleFigure(page, PLOT_HEIGHT)]),
  ]
  return figures.flatMap(({ chart, ...caption }) =>
    chart === null ? [] : { path: `${page.folder}charts/${caption.name}.svg`, text: fileText(page, caption, chart) },
  )
}

function fileText(
  { input, t }: Page,
  { heading, finding, key = [], notes = [] }: Omit<Figure, 'chart'>,
  chart: Plot,
): string {
  const site = isolatedText(shortSiteName(input))
  const asOf = t.say(t.w.page.asOf, { time: t.dateTime(input.dataAsOf) })
  const marks = key.map(
    ([kind, text]) => xml`<tspan class="bar ${kind}">${kind === 'dashed' ? '– –' : '■'}</tspan> ${text}\u2003`,
  )
  const above = [xml`<tspan class="heading">${heading}</tspan>`, ...[finding, marks].filter(({ length }) => length > 0)]
  const remarks = input.demo ? [...notes, t.w.page.demo] : notes
  const below = [...remarks.flatMap((note) => lined(note.split(/(?<=\.) /), ' ')), ...lined([site, asOf], ' · ')]
  const chartY = PADDING + above.length * STEP
  const height = chartY + chart.height + below.length * STEP + PADDING
  return xml`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" lang="${t.language}">
<title>${heading} – ${site}</title>
<desc>${[finding, asOf].join(' ').trim()}</desc>
<style>${markup(styleOf(input.words.accent))}</style>
<rect class="ground" width="${WIDTH}" height="${height}"/>
${linesAt(PADDING, above)}
<g transform="translate(${PADDING} ${chartY})">${chart.inFile(ROOM)}</g>
${linesAt(chartY + chart.height, below)}
</svg>
`.text
}

/** The parts in one line, or where there is no room in one line each: a sentence has room in every language. */
function lined(parts: readonly string[], between: string): readonly string[] {
  const whole = parts.join(between)
  return (textWidth(whole) * TEXT_SIZE) / FONT_SIZE <= ROOM ? [whole] : parts
}

function linesAt(y: number, lines: readonly Content[]): Markup {
  return xml`<text>${lines.map((line, i) => xml`<tspan x="${PADDING}" y="${y + i * STEP + 16}">${line}</tspan>`)}</text>`
}

/** The style has colours as they are: not every program that shows SVG knows custom properties. */
function styleOf(accent: string | null): string {
  const accents = accentsOf(accent)
  const [light, dark] = (['light', 'dark'] as const).map((theme) => {
    const { ground, ink, soft, grid, faint } = CHART_COLOURS[theme]
    return `.ground{fill:${ground}}text{fill:${soft}}.heading,.note{fill:${ink}}.note,.dot{stroke:${ground}}.grid{stroke:${grid}}.base{stroke:${faint}}.bar,.area,.dot{fill:${accents[theme]}}.line,.partial,.bar.partial{fill:none;stroke:${accents[theme]}}`
  })
  return `text{font:${TEXT_SIZE}px system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Liberation Sans',Arial,sans-serif;font-variant-numeric:tabular-nums}svg svg{overflow:visible}.heading,.note{font-weight:650}.heading{font-size:16px}.y{text-anchor:end}.note{paint-order:stroke;stroke-width:3px}.partial,.line{vector-effect:non-scaling-stroke}.line{stroke-width:2;stroke-linejoin:round}.line.dashed{stroke-dasharray:4 4}.area{opacity:.12}.dot{stroke-width:1.5}
${light}
@media screen and (prefers-color-scheme:dark){${dark}}`
}
