// Owns "are we faster than last year?": what this year has counted beside the same days of last year, and how fast its ideas were
// launched. Pure.
import type { Cohort, OutcomesDocument } from '../../contract/kinds/outcomes.ts'
import { TIMELINE_COUNTS, type TimelineCounts } from '../../contract/kinds/timeline.ts'
import { ENOUGH_FOR_PERCENT } from '../page/claims.ts'
import type { Content } from '../page/html.ts'
import type { LastYear } from '../page/input.ts'
import type { Page } from '../page/page.ts'
import { factList, section } from './section.ts'

type Fact = readonly [label: string, big: string, said: string, news?: string]

export function lastYearSection(
  page: Page,
  counted: LastYear | null = page.input.documents.lastYear,
  undated: TimelineCounts = page.input.documents.timelines.all.undated,
  { cohorts }: Pick<OutcomesDocument, 'cohorts'> = page.input.documents.outcomes,
): Content {
  const { t, view } = page
  if (view !== null && 'period' in view) return null
  const w = t.w.lastYear
  const counts =
    counted === null ? [] : TIMELINE_COUNTS.flatMap((series) => countFact(page, series, counted, undated[series]))
  const facts = [...counts, ...speedFact(page, cohorts)]
  if (facts.length === 0) return null
  const days = counted !== null && counts.length > 0 && { from: t.date(counted.now.from), to: t.date(counted.now.to) }
  const lead = days ? t.say(w.lead, days) : undefined
  return section({ id: 'lastYear', heading: w.heading, lead, body: factList(facts) })
}

/** Both counts, if both are enough for a percentage, and if it is the same whenever what has no date was. */
function countFact({ t }: Page, series: keyof TimelineCounts, { now, before }: LastYear, undated: number): Fact[] {
  const [n, ago] = [now[series], before[series]]
  const isSure = undated === 0 || n > ago + undated || ago > n + undated
  if (Math.min(n, ago) < ENOUGH_FOR_PERCENT || !isSure) return []
  const change = `${n === ago ? '' : n > ago ? '+' : '\u2212'}${t.percent(Math.abs(n - ago), ago)}`
  const dated = undated === 0 ? '' : `. ${t.w.past.undated}: ${t.number(undated)}`
  return [[t.w.totals[series], t.number(n), change, `${t.say(t.w.lastYear.before, { n: ago })}${dated}`]]
}

/** The share launched within 90 days: of the months of this year that are so long over, and of the same months of last year. */
function speedFact(page: Page, cohorts: readonly Cohort[]): Fact[] {
  const { t } = page
  const w = t.w.lastYear
  const year = Number(cohorts.findLast(({ month }) => month !== null)?.month?.slice(0, 'YYYY'.length))
  const now = cohorts.filter(
    ({ month, knownWithin90Days }) => month?.startsWith(`${year}`) && knownWithin90Days !== null,
  )
  const months = now.map(({ month }) => `${year - 1}${month?.slice('YYYY'.length)}`)
  const before = cohorts.filter(({ month }) => month !== null && months.includes(month))
  const [first, last] = [now[0]?.month, now.at(-1)?.month]
  const [share, ago] = [shareWithin90Days(page, now), shareWithin90Days(page, before)]
  if (!first || !last || before.length < now.length || share === null || ago === null) return []
  const span = first === last ? t.month(first) : `${t.month(first)} – ${t.month(last)}`
  const undated = [...now, ...before].reduce((n, { launchedUndated }) => n + launchedUndated, 0)
  const unknown = undated === 0 ? '' : `${t.w.outcomes.withoutDate} (${t.number(undated)})`
  return [[t.w.outcomes.quick, share, t.say(w.quick, { months: span, share: ago }), unknown]]
}

/** From the known launches to those that may be so fast, where some have no date; null = of too few ideas. */
function shareWithin90Days({ t }: Page, cohorts: readonly Cohort[]): string | null {
  const sum = (of: (cohort: Cohort) => number | null): number => cohorts.reduce((all, one) => all + (of(one) ?? 0), 0)
  const [ideas, known] = [sum((one) => one.ideas), sum((one) => one.knownWithin90Days)]
  if (ideas < ENOUGH_FOR_PERCENT) return null
  const undated = sum((one) => one.launchedUndated)
  if (undated === 0) return t.percent(known, ideas)
  return `${t.percent(known, ideas, Math.floor)} – ${t.percent(known + undated, ideas, Math.ceil)}`
}
