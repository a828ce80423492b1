// Owns the tiles: each total, what the time that the page shows added, the change against the time before, and its line. Pure.
import type { ExportRow } from '../../contract/kinds/tables.ts'
import type { TimelineCounts } from '../../contract/kinds/timeline.ts'
import type { BoundedPeriod } from '../../contract/windows.ts'
import { sparkLine } from '../charts/lines.ts'
import { ENOUGH_FOR_PERCENT } from '../page/claims.ts'
import { html, type Content, type Markup } from '../page/html.ts'
import { embedButton, sign } from '../page/drawing.ts'
import { periodOf, type Page } from '../page/page.ts'

interface Tile {
  readonly name: string
  readonly big: string
  /** The row of `overview` that says what was added. */
  readonly added: ExportRow | undefined
  /** The value of that row in words; null = it is not published. */
  readonly news: string | null
  readonly spark: readonly number[] | null
}

export function totalsSection(page: Page): Markup {
  const { input, t } = page
  const { stats } = input.documents.stats
  const w = t.w.totals
  const shown = shownPeriod(page)
  const time = w.times[shown]
  // The first and the last bucket of a window are cut by it.
  const whole = input.documents.timelines[shown].buckets.slice(1, -1)
  const addedIn = (metric: string): ExportRow | undefined =>
    input.documents.overview[shown].find((row) => row['metric'] === metric)
  const made = (key: keyof typeof w.added, big: string, metric: string, spark: Tile['spark']): Tile => {
    const row = addedIn(metric)
    const { value, previousValue } = row ?? {}
    const tile = { name: w[key], big, added: row, news: null, spark }
    // If there never was anything, nothing is new.
    if (value === 0 && previousValue === 0 && big === t.number(0)) return { ...tile, added: undefined }
    if (typeof value === 'number') return { ...tile, news: t.count(w.added[key], value, { time }) }
    return input.people === 'rounded' ? { ...tile, news: t.say(w.added[key].other, { n: w.few, time }) } : tile
  }
  const counted = (key: keyof TimelineCounts, total: number): Tile => {
    const counts = whole.map((bucket) => bucket[key])
    const tile = made(key, t.number(total), key, counts)
    // Of what has no date nobody knows whether it is new.
    const isAnyDated = total > input.documents.timelines.all.undated[key]
    return isAnyDated ? tile : { ...tile, added: undefined, news: null }
  }
  const active = addedIn('activeUsers')
  const tiles: readonly Tile[] = [
    counted('ideas', stats.totalIdeas),
    counted('votes', stats.totalVotes),
    counted('comments', stats.totalComments),
    counted('launchedIdeas', stats.launchedIdeas),
    made('accounts', accounts(page), 'newUsers', peopleByBucket(page, 'newUsers')),
    {
      name: w.active,
      big: published(page, active?.['value']),
      // For active people, what was added is the number itself.
      added: active,
      news: t.span(shown),
      spark: peopleByBucket(page, 'activeUsers'),
    },
  ]
  return html`<section id="totals" aria-labelledby="totals-heading" data-section="totals"><h2 id="totals-heading" class="visually-hidden">${w.heading}</h2>
<ul class="tiles">${tiles.map((tile) => tileOf(page, tile))}</ul>${note(page)}<p class="sources"><a href="#counting">${t.w.counting.heading}</a> ${embedButton(t.w, 'totals')}</p></section>
`
}

/** The period to show: thirty days also for all time, which has no time before it. */
function shownPeriod(page: Page): BoundedPeriod {
  const chosen = periodOf(page)
  return chosen === null || chosen === 'all' ? '30d' : chosen
}

/** What a reader must know about the numbers before the rest of the page. */
function note({ input, t }: Page): Content {
  const w = t.w.people
  const ofPeople = { exact: null, rounded: w.rounded, off: w.offTotals }[input.people]
  return ofPeople !== null && html`<p class="remark">${t.say(ofPeople)}</p>`
}

/** Seven digits and their separators; a number with more characters is written smaller than those of the other tiles. */
const SHORT = 9

function tileOf(page: Page, tile: Tile): Markup {
  const { t } = page
  const { name, big, added, spark } = tile
  const number = html`<h3>${name}</h3><p class="${big.length > SHORT ? 'big long' : 'big'}">${big}</p>`
  const ago = added?.['yearAgoValue']
  const longAgo =
    typeof ago === 'number' &&
    html`<p class="news">${t.say(t.w.totals.yearAgo, { n: ago, time: t.w.totals.times[shownPeriod(page)] })}</p>`
  return html`<li>${number}${newsOf(page, tile)}${longAgo}${
    spark !== null && spark.some((n) => n > 0) && sparkLine(spark)
  }</li>`
}

/** The news in one sentence, with an arrow for the eye: the change is that of the new ones, not of the total. */
function newsOf(page: Page, { news, added }: Tile): Content {
  const change = changeText(page, added)
  const [now, before] = [Number(added?.['value']), Number(added?.['previousValue'])]
  const arrow = change === null || before === 0 || now === before ? null : sign(now > before ? '▲' : '▼')
  const parts = [news, news !== null && change !== null && ', ', arrow, change]
  return (news !== null || change !== null) && html`<p class="news">${parts}</p>`
}

export function changeText(page: Page, row: ExportRow | undefined): string | null {
  const { t } = page
  const w = t.w.totals
  const time = w.times[shownPeriod(page)]
  const { value, previousValue, changePercent } = row ?? {}
  if (typeof value !== 'number' || typeof previousValue !== 'number') return null
  if (previousValue === 0) return t.say(w.noneBefore, { time })
  if (value === previousValue) return t.say(w.same, { time })
  const difference = Math.abs(value - previousValue)
  const percent = t.percent(difference, previousValue)
  const isSaid = typeof changePercent === 'number' && previousValue >= ENOUGH_FOR_PERCENT && percent !== t.percent(0, 1)
  const much = isSaid ? percent : t.number(difference)
  return t.say(value > previousValue ? w.more : w.less, { much, time })
}

/** The number as which 1 to 7 accounts are published where numbers of people are rounded. */
const FEW = 5

export function accounts({ input, t }: Page): string {
  const { totalUsers } = input.documents.stats.stats
  return input.people !== 'exact' && totalUsers === FEW ? t.w.totals.few : t.number(totalUsers)
}

/** A number of people as it is published. */
export function published({ input, t }: Page, value: unknown): string {
  if (typeof value === 'number') return t.number(value)
  return input.people === 'off' ? t.w.totals.unknown : t.w.totals.few
}

/**
 * Null where a bucket is not published: a line with gaps is not fit for a tile. Where clocks changed, 30 × 24 hours
 * begin in another day.
 */
function peopleByBucket(page: Page, key: string): readonly number[] | null {
  const { people, documents } = page.input
  const period = shownPeriod(page)
  const rows = documents.users[period]
  const values = (people === 'exact' ? rows.slice(1, -1) : rows.slice(-parseInt(period))).map((row) => row[key])
  return values.every((value) => typeof value === 'number') ? values : null
}
