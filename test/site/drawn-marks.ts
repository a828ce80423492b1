// Owns reading what is drawn in a page or a chart's file: each figure with its words, and each mark with the number that it stands for.
// Not a test.

/** A mark at the number of its bucket; `isWhole` false = it is outlined, or the line to it is dashed. */
export interface Mark {
  readonly index: number
  /** In pixels above the base line. */
  readonly height: number
  readonly isWhole: boolean
}

export interface DrawnFigure {
  /** What a reader of text finds, in the page or in the file. */
  readonly text: string
  readonly heading: string
  readonly finding: string
  /** How many buckets the chart says that it has; NaN = the file does not say it. */
  readonly points: number
  readonly height: number
  readonly bars: readonly Mark[]
  readonly lines: readonly Mark[]
  /** The labelled point, where its text begins, and how far above the base line. */
  readonly note: { readonly index: number; readonly text: string; readonly height: number } | null
  /** The values of the grid as written, with their heights. */
  readonly grid: readonly { readonly text: string; readonly height: number }[]
}

/** Text as it is read, without charts. */
export function plain(html: string): string {
  return html
    .replaceAll(/<svg[^]*?<\/svg>|<script[^]*?<\/script>|<style[^]*?<\/style>|<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/[\u2066-\u2069]/g, '')
    .replaceAll(/[ \n]+/g, ' ')
    .trim()
}

/** @throws Error where the page has no such section */
export function sectionOf(page: string, id: string): string {
  const found = new RegExp(`<section id="${id}"[^]*?</section>`).exec(page)?.[0]
  if (found === undefined) throw new Error(`no section ${id}`)
  return found
}

export function rowsOf(html: string, table: string): string[][] {
  const body = new RegExp(`<table id="${table}"[^]*?<tbody>([^]*?)</tbody>`).exec(html)?.[1] ?? ''
  return body
    .split('<tr>')
    .slice(1)
    .map((row) => [...row.matchAll(/<t[dh][^>]*>([^]*?)<\/t[dh]>/g)].map(([, cell = '']) => plain(cell)))
}

export function figuresIn(html: string, count?: number): DrawnFigure[] {
  return [...html.matchAll(/<figure>[^]*?<\/figure>/g)].map(([figure]) => {
    const [, heading = '', finding = ''] = /<h3>([^]*?)<\/h3>(?:<p>([^]*?)<\/p>)?<\/figcaption>/.exec(figure) ?? []
    return { heading: plain(heading), finding: plain(finding), ...drawnIn(figure, count) }
  })
}

/** A chart's file says first what it is. @param count of its buckets */
export function figureOfFile(svg: string, count: number): DrawnFigure {
  const text = plain(svg.replaceAll(/<\/?svg[^>]*>/g, ''))
  const heading = plain(/<tspan class="heading">([^]*?)<\/tspan>/.exec(svg)?.[1] ?? '')
  return { heading, finding: plain(/<desc>([^]*?)<\/desc>/.exec(svg)?.[1] ?? ''), ...drawnIn(svg, count), text }
}

function drawnIn(html: string, count?: number): Omit<DrawnFigure, 'heading' | 'finding'> {
  const points = Number(/data-points="(\d+)"/.exec(html)?.[1])
  const n = count ?? points
  const [, height = NaN] = /<svg x="0" y="18"[^>]* height="(\d+)"/.exec(html)?.map(Number) ?? []
  const note = /<text class="note" x="([\d.]+)%" y="(-?[\d.]+)"[^>]*>([^<]*)</.exec(html)
  const grid = [...html.matchAll(/<text x="[\d.]+" y="([\d.]+)">([^<]*)<\/text>/g)]
  return {
    text: plain(html),
    points,
    height,
    bars: [...barsOf(html, 'bar', true), ...barsOf(html, 'partial', false)],
    lines: linesOf(html, n, height),
    note:
      note === null
        ? null
        : {
            index: Math.round((Number(note[1]) / 100) * n - 0.5),
            text: note[3] ?? '',
            height: height - Number(note[2]) - 8,
          },
    grid: grid.map(([, y, text = '']) => ({ text, height: 18 + height + 4 - Number(y) })),
  }
}

function pathOf(html: string, kind: string): string {
  return new RegExp(`<path class="${kind}" d="([^"]*)"`).exec(html)?.[1] ?? ''
}

function barsOf(html: string, kind: string, isWhole: boolean): Mark[] {
  return [...pathOf(html, kind).matchAll(/M([\d.]+) [\d.]+v-([\d.]+)h/g)].map(([, x, height]) => ({
    index: Math.floor(Number(x)),
    height: Number(height),
    isWhole,
  }))
}

/** Each point that the solid line, a dashed one or the area touches; whole are those of the solid line, and those that stand alone. */
function linesOf(html: string, n: number, height: number): Mark[] {
  const pointsIn = (path: string): (readonly [number, number])[] =>
    [...path.matchAll(/(\d+),([\d.]+)/g)].map(([, x, y]) => [Math.floor((Number(x) / 1000) * n), height - Number(y)])
  const solid = pointsIn(pathOf(html, 'line'))
  const dashed = pointsIn(pathOf(html, 'line dashed'))
  const marks = new Map<number, Mark>()
  for (const [index, at] of dashed) marks.set(index, { index, height: at, isWhole: false })
  for (const [index, at] of solid) marks.set(index, { index, height: at, isWhole: true })
  return [...marks.values()].sort((a, b) => a.index - b.index)
}
