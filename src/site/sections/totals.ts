// Owns the tiles: each total, what the last 30 days added, the change against the 30 days before, and its line. Pure.
import type { ExportRow } from '../../contract/kinds/tables.ts'
import type { TimelineCounts } from '../../contract/kinds/timeline.ts'
import { sparkLine } from '../charts/lines.ts'
import { ENOUGH_FOR_PERCENT } from '../claims.ts'
import { html, type Content, type Markup } from '../html.ts'
import { embedButton, sign } from '../drawing.ts'
import type { Page } from '../page.ts'

interface Tile {
  readonly name: string
  readonly big: string
  /** The row of `overview` that says what was added. */
  readonly added: ExportRow | undefined
  /** What the value of that row is; null = it is not published. */
  readonly news: string | null
  readonly spark: readonly number[] | null
}

export function totals(page: Page): Markup {
  const { input, t } = page
  const { stats } = input.documents.stats
  const w = t.w.totals
  const made = (name: string, big: string, metric: string, spark: Tile['spark']): Tile => {
    const added = input.documents.overview['30d'].find((row) => row['metric'] === metric)
    const { value } = added ?? {}
    return { name, big, added, news: typeof value === 'number' ? t.say(w.added, { n: value }) : null, spark }
  }
  const counted = (key: keyof TimelineCounts, total: number): Tile =>
    made(w[key], t.number(total), key, wholeDays(page, key))
  const active = made(w.active, '', 'activeUsers', peopleByDay(page, 'activeUsers'))
  const tiles: readonly Tile[] = [
    counted('ideas', stats.totalIdeas),
    counted('votes', stats.totalVotes),
    counted('comments', stats.totalComments),
    counted('launchedIdeas', stats.launchedIdeas),
    made(w.accounts, accounts(page), 'newUsers', peopleByDay(page, 'newUsers')),
    // Of people what was added is the number itself.
    { ...active, big: published(page, active.added?.['value']), news: t.w.activity.spans['30d'] },
  ]
  return html`<section id="totals" aria-labelledby="totals-heading" data-section="totals"><h2 id="totals-heading" class="visually-hidden">${w.heading}</h2>
<ul class="tiles">${tiles.map((tile) => tileOf(page, tile))}</ul>${note(page)}<p class="sources"><a href="#counting">${t.w.counting.heading}</a> ${embedButton(t.w, 'totals')}</p></section>
`
}

/** What a reader must know of the numbers before the rest of the page. */
function note({ input, t }: Page): Content {
  const w = t.w.people
  const ofPeople = { exact: null, rounded: w.rounded, off: w.offTotals }[input.people]
  return ofPeople !== null && html`<p class="remark">${t.say(ofPeople)}</p>`
}

/** What has more characters may be wider than a tile. */
const SHORT = 6

function tileOf(page: Page, tile: Tile): Markup {
  const { t } = page
  const { name, big, added, spark } = tile
  const number = html`<h3>${name}</h3><p class="${big.length > SHORT ? 'big long' : 'big'}">${big}</p>`
  // Where there never was anything, nothing is new.
  if (added?.['value'] === 0 && added['previousValue'] === 0 && big === t.number(0)) return html`<li>${number}</li>`
  const ago = added?.['yearAgoValue']
  const longAgo = typeof ago === 'number' && html`<p class="news">${t.say(t.w.totals.yearAgo, { n: ago })}</p>`
  return html`<li>${number}${newsOf(page, tile)}${longAgo}${
    spark !== null && spark.some((n) => n > 0) && sparkLine(spark)
  }</li>`
}

/** In one sentence, with an arrow for the eye: the change is that of the new ones, not of the total. */
function newsOf(page: Page, { news, added }: Tile): Content {
  const change = changeText(page, added)
  const [now, before] = [Number(added?.['value']), Number(added?.['previousValue'])]
  const arrow = change === null || before === 0 || now === before ? null : sign(now > before ? '▲' : '▼')
  const parts = [news, news !== null && change !== null && ', ', arrow, change]
  return (news !== null || change !== null) && html`<p class="news">${parts}</p>`
}

export function changeText({ t }: Page, row: ExportRow | undefined): string | null {
  const w = t.w.totals
  const { value, previousValue, changePercent } = row ?? {}
  if (typeof value !== 'number' || typeof previousValue !== 'number') return null
  if (previousValue === 0) return w.noneBefore
  if (value === previousValue) return w.same
  const difference = Math.abs(value - previousValue)
  const percent = t.percent(difference, previousValue)
  const isSaid = typeof changePercent === 'number' && previousValue >= ENOUGH_FOR_PERCENT && percent !== t.percent(0, 1)
  const much = isSaid ? percent : t.number(difference)
  return t.say(value > previousValue ? w.more : w.less, { much })
}

/** What 1 to 7 accounts are published as where numbers of people are rounded. */
const FEW = 5

function accounts({ input, t }: Page): string {
  const { totalUsers } = input.documents.stats.stats
  return input.people !== 'exact' && totalUsers === FEW ? t.w.totals.few : t.number(totalUsers)
}

/** A number of people as it is published. */
export function published({ input, t }: Page, value: unknown): string {
  if (typeof value === 'number') return t.number(value)
  return input.people === 'off' ? t.w.totals.unknown : t.w.totals.few
}

/** The first and the last day of a window are cut by it. */
function wholeDays({ input }: Page, key: keyof TimelineCounts): readonly number[] {
  return input.documents.timelines['30d'].buckets.slice(1, -1).map((bucket) => bucket[key])
}

/** Null where a day is not published: a line with gaps is no line of a tile. Where clocks changed, 30 × 24 hours begin in another day. */
function peopleByDay({ input }: Page, key: string): readonly number[] | null {
  const rows = input.documents.users['30d']
  const values = (input.people === 'exact' ? rows.slice(1, -1) : rows.slice(-30)).map((row) => row[key])
  return values.every((value) => typeof value === 'number') ? values : null
}
